/* ir_bench.h: what the tests of the intermediate form share: a module, and the text it is made of.
 */
#ifndef CUPEL_TEST_IR_BENCH_H
#define CUPEL_TEST_IR_BENCH_H

#include "test.h"

#include "base/json/tape.h"
#include "compiler/ir/ir.h"

struct bench {
    struct cupel__arena arena;
    struct ir_module m;
    struct ir_text text;
};

static inline void start(struct bench *b, const struct cupel_alloc *alloc)
{
    cupel__arena_init(&b->arena, alloc, 0);
    cupel__ir_init(&b->m, &b->arena);
    b->text = (struct ir_text){.alloc = cupel__alloc_or_default(alloc)};
}

static inline void stop(struct bench *b)
{
    cupel__ir_text_free(&b->text);
    cupel__arena_free(&b->arena);
}

static inline enum cupel_status parse(struct bench *b, const char *text, struct cupel_error *err)
{
    return cupel__ir_parse(&b->m, text, strlen(text), &b->text, err);
}

#endif
