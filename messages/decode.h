/* decode.h: strings that hold the text of the value that was meant.
 *
 * Models write an array or a number as a string: as JSON, as JSON that was encoded twice, or as
 * Python prints it.  Messages and repairs both decide here whether a string is one of these. */
#ifndef CUPEL_MESSAGES_DECODE_H
#define CUPEL_MESSAGES_DECODE_H

#include "messages/render.h"

enum cupel__decoded {
    CUPEL__DECODED_NOT,   /* the text of no value of a wanted type */
    CUPEL__DECODED_JSON,  /* JSON, encoded once or more often */
    CUPEL__DECODED_PYTHON /* a literal as Python prints it */
};

/* Reads a string as a value of one of the `wanted` types.  Appends the value as JSON to `ret`
 * unless it is NULL, and sets *ret_type to the bit of its type unless that is NULL.  Charges the
 * report's steps; when none remain, or memory runs out (which r->text records), the answer is NOT.
 */
enum cupel__decoded cupel__decode(const struct render *, struct cupel__str, uint32_t wanted,
                                  struct cupel_text *ret, uint32_t *ret_type);

/* Whether a string seems to be the text of an array, an object or a string, whole or cut off. */
bool cupel__looks_encoded(struct cupel__str);
/* Whether a string may be a list: it has commas, semicolons, bars or line breaks. */
bool cupel__looks_like_list(struct cupel__str);

#endif
