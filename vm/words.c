/* words.c: types and numbers in words, for disassembly and reports. */
#include "program.h"
#include <string.h>

void cupel__types_text(uint32_t types, struct cupel_text *text)
{
    static const struct {
        const char *name;
        uint16_t types;
    } names[] = {
        {"any", CUPEL__M_ANY},         {"null", CUPEL__M_NULL},
        {"boolean", CUPEL__M_BOOLEAN}, {"false", CUPEL__BIT(CUPEL__FALSE)},
        {"true", CUPEL__BIT(CUPEL__TRUE)}, {"number", CUPEL__M_NUMBER},
        {"integer", CUPEL__M_INTEGER}, {"real", CUPEL__BIT(CUPEL__REAL)},
        {"int", CUPEL__BIT(CUPEL__INT)}, {"bigint", CUPEL__BIT(CUPEL__BIGINT)},
        {"intreal", CUPEL__BIT(CUPEL__INTREAL)}, {"string", CUPEL__M_STRING},
        {"array", CUPEL__M_ARRAY},     {"object", CUPEL__M_OBJECT},
        {"plain", CUPEL__BIT(CUPEL__STRING)}, {"escaped", CUPEL__BIT(CUPEL__ESCAPED)},
    };
    const char *between = "";
    if (types == 0)
        cupel_text_adds(text, "none");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (types == 0 || (types & names[i].types) != names[i].types)
            continue;
        cupel_text_addf(text, "%s%s", between, names[i].name);
        types &= ~(uint32_t)names[i].types;
        between = "|";
    }
}

/* A number constant, exactly. */
void cupel__number_text(const struct cupel__image *image, const struct cupel__node *n,
                        struct cupel_text *text)
{
    if (!(n->flags & CUPEL__BIG)) {
        if (n->exp == 0)
            cupel_text_addf(text, "%lld", (long long)n->i);
        else if (n->exp >= -18) {
            uint64_t digits = n->i < 0 ? 0 - (uint64_t)n->i : (uint64_t)n->i, scale = 1;
            for (int i = 0; i < -n->exp; i++)
                scale *= 10;
            cupel_text_addf(text, "%s%llu.%0*llu", n->i < 0 ? "-" : "",
                            (unsigned long long)(digits / scale), -n->exp,
                            (unsigned long long)(digits % scale));
        } else
            cupel_text_addf(text, "%llde%d", (long long)n->i, n->exp);
        return;
    }
    const char *s = cupel__at(image, n->off);
    size_t len = strspn(s, "0123456789+-.eE");
    size_t room = image->strings.at + image->strings.count - n->off;
    cupel_text_add(text, s, len < room ? len : room);
}
