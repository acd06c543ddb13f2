/* builder.h: documents made value by value instead of read from a text.
 *
 *     cupel_document_begin(doc);
 *     cupel_document_open_object(doc);
 *     cupel_document_add_name(doc, "limit", 5);
 *     cupel_document_add_integer(doc, 20);
 *     cupel_document_close(doc);
 *     if (cupel_document_end(doc, &err) != CUPEL_OK) …
 *     verdict = cupel_validate_node(program, scratch, doc, 0, &outcome);
 *
 * For values that a host holds already: objects of a scripting language, MessagePack, CBOR, YAML.
 * The document is the one that reading the JSON text of the same values without white space gives:
 * it can be judged, reported, repaired and kept, and cupel_json_span gives that text.  The limits
 * and flags of cupel_document_new apply to it as they do to reading: nesting, length of the text,
 * length of numbers, names that occur twice (RFC 8259 section 4).
 *
 * Errors are kept: after the first one every call does nothing and returns the same status, so a
 * host may look at cupel_document_end alone.  A document belongs to one thread at a time. */
#ifndef CUPEL_BUILDER_H
#define CUPEL_BUILDER_H

#include <cupel/json.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Empties the document and begins one.  The document's memory is used again. */
void cupel_document_begin(struct cupel_document *doc);

/* Begin an object or an array, which cupel_document_close ends.  CUPEL_OK; CUPEL_E_JSON_DEPTH
 * beyond the limit of nesting; CUPEL_E_ARGUMENT where no value may stand (a member without a name,
 * a second root, a document that was not begun); CUPEL_E_JSON_SIZE when the text would be longer
 * than the limit; CUPEL_E_NO_MEMORY.  The functions that add a value return the same, and what they
 * say.
 */
enum cupel_status cupel_document_open_object(struct cupel_document *doc);
enum cupel_status cupel_document_open_array(struct cupel_document *doc);

/* Ends the innermost object or array.  Besides: CUPEL_E_ARGUMENT where none is open or a name has
 * no value; CUPEL_E_DUPLICATE_KEY where two members have one name, unless the options allow it:
 * then the last of them counts. */
enum cupel_status cupel_document_close(struct cupel_document *doc);

/* The name of the next member of the innermost object: `len` bytes of UTF-8, which may hold NUL and
 * are copied.  CUPEL_E_UTF8 where they are not UTF-8 (RFC 3629; surrogates are not). */
enum cupel_status cupel_document_add_name(struct cupel_document *doc, const char *name, size_t len);

/* Add a value: a string as names are given; true for any number that is not 0; null. */
enum cupel_status cupel_document_add_string(struct cupel_document *doc, const char *text,
                                            size_t len);
enum cupel_status cupel_document_add_boolean(struct cupel_document *doc, int value);
enum cupel_status cupel_document_add_null(struct cupel_document *doc);

/* Add a number: an integer; a number as a JSON text (RFC 8259 section 6), whose value is kept
 * exactly; a double, which is written with the fewest digits that give the same double back, as
 * ECMA-262 6.1.6.1.20 counts them, and with ".0" where it is integral.  CUPEL_E_NUMBER_SIZE beyond
 * the limit; CUPEL_E_SYNTAX where the text is no JSON number, and for a double that is infinite or
 * no number. */
enum cupel_status cupel_document_add_integer(struct cupel_document *doc, int64_t value);
enum cupel_status cupel_document_add_unsigned(struct cupel_document *doc, uint64_t value);
enum cupel_status cupel_document_add_number(struct cupel_document *doc, const char *text,
                                            size_t len);
enum cupel_status cupel_document_add_double(struct cupel_document *doc, double value);

/* Ends the document.  CUPEL_OK, or the first status that was not; CUPEL_E_ARGUMENT where something
 * is still open or nothing was added.  On failure *err (which may be NULL) has the pointer to the
 * value that failed, and the document is empty. */
enum cupel_status cupel_document_end(struct cupel_document *doc, struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
