/* json.h: recognising JSON a byte at a time, for formats/content.c. */
#ifndef CUPEL_VM_FMT_JSON_H
#define CUPEL_VM_FMT_JSON_H

#include <stdbool.h>
#include <stdint.h>

enum { FMT_JSON_DEPTH = 2048 };

/* A text as far as it has been read.  Zero to begin with. */
struct cupel__json_acceptor {
    uint8_t state;
    uint8_t left;      /* of the bytes of a code point, or the digits of \uXXXX */
    uint8_t low, high; /* what the next byte of the code point must be within */
    bool key;          /* the string is a member's name */
    const char *word;  /* the rest of a literal */
    uint32_t depth;    /* arrays and objects that are open … */
    uint64_t object[FMT_JSON_DEPTH / 64]; /* … and which are objects, a bit each */
};

/* 1 if the byte may follow what was there, 0 if not, or CUPEL_E_LIMIT_FORMAT where values are
 * nested deeper than FMT_JSON_DEPTH. */
int cupel__fmt_json_step(struct cupel__json_acceptor *, unsigned char byte);
/* Whether the text may end here. */
bool cupel__fmt_json_end(const struct cupel__json_acceptor *);

#endif
