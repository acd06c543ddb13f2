/* json_acceptor.h: a recogniser of JSON that reads one byte at a time, for formats/content.c. */
#ifndef CUPEL_VM_FMT_JSON_H
#define CUPEL_VM_FMT_JSON_H

#include <stdbool.h>
#include <stdint.h>

enum { FMT_JSON_DEPTH = 2048 };

/* The state of a text as far as it has been read.  Zero-initialised before the first byte. */
struct cupel__json_acceptor {
    uint8_t state;
    uint8_t left;                         /* remaining bytes of a code point, or digits of \uXXXX */
    uint8_t low, high;                    /* bounds of the next byte of a code point */
    bool key;                             /* the current string is a member's name */
    const char *word;                     /* the remaining letters of true, false or null */
    uint32_t depth;                       /* number of open arrays and objects */
    uint64_t object[FMT_JSON_DEPTH / 64]; /* bit i: the i-th of them is an object */
};

/* 1 if the byte may follow the bytes before, 0 if not, or CUPEL_E_LIMIT_FORMAT if values are nested
 * deeper than FMT_JSON_DEPTH.  After any result but 1 the state is undefined. */
int cupel__fmt_json_step(struct cupel__json_acceptor *, unsigned char byte);
/* Whether the text may end here. */
bool cupel__fmt_json_end(const struct cupel__json_acceptor *);

#endif
