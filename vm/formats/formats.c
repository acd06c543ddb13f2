/* formats.c: the table of formats, an expansion of formats.def, and host formats by name.  The
 * scanner of each format is in the file of its family. */
#include "vm/formats/formats.h"

#include <string.h>

/* A row of formats.def.  Exactly one of `check` and `check_with` is not NULL. */
struct format {
    const char *name, *word;
    unsigned first, last;
    int (*check)(const char *p, size_t n);
    int (*check_with)(const char *p, size_t n, struct cupel__arena *work);
};

static const struct format formats[] = {
#define FORMAT(name, json, first, last, scanner) \
    [CUPEL__FORMAT_##name] = {json, #scanner, first, last, cupel__fmt_##scanner, NULL},
#define FORMAT_WITH_ARENA(name, json, first, last, scanner) \
    [CUPEL__FORMAT_##name] = {json, #scanner, first, last, NULL, cupel__fmt_##scanner},
#include "vm/formats/formats.def"
};

/* Scanners never get a NULL text, so they need not test for it. */
int cupel__format_check(enum cupel__format format, const char *p, size_t n,
                        struct cupel__arena *work)
{
    const struct format *f = &formats[format];
    const char *text = n == 0 ? "" : p;
    if (f->check != NULL)
        return f->check(text, n);
    int result = f->check_with(text, n, work);
    cupel__arena_reset(work);
    return result;
}

const char *cupel__format_name(enum cupel__format format)
{
    return formats[format].name;
}

/* Most formats read each byte once; `regex` and content do more. */
uint64_t cupel__format_steps(enum cupel__format format, size_t n)
{
    enum { NAME = 256 };
    switch (format) {
    case CUPEL__FORMAT_REGEX:
        return 4 + (uint64_t)n * 24;
    case CUPEL__FORMAT_HOSTNAME:
        return 4 + (n < NAME ? n : NAME);
    case CUPEL__FORMAT_URI_TEMPLATE:
        return 2 + n / 2;
    case CUPEL__FORMAT_JSON:
    case CUPEL__FORMAT_BASE64_JSON:
        return 4 + (uint64_t)n;
    default:
        return 2 + n / 4;
    }
}

uint64_t cupel__format_idna_steps(enum cupel__format format, uint32_t labels, size_t n)
{
    enum {
        NAME = 600,
        LABEL = 400,
        BYTE = 64,
        MOST = 127 /* labels; names with more are refused before */
    };
    const uint64_t name = format == CUPEL__FORMAT_HOSTNAME ? 0 : NAME;
    return name + LABEL * (uint64_t)(labels < MOST ? labels : MOST) + BYTE * (uint64_t)n;
}

const char *cupel__format_scanner(enum cupel__format format)
{
    return formats[format].word;
}

bool cupel__format_find(const char *name, size_t n, unsigned draft, enum cupel__format *ret)
{
    for (unsigned i = 0; i < CUPEL__FORMATS; i++) {
        const struct format *f = &formats[i];
        if (draft >= f->first && draft <= f->last && strlen(f->name) == n &&
            memcmp(f->name, name, n) == 0) {
            *ret = (enum cupel__format)i;
            return true;
        }
    }
    return false;
}

const struct cupel_format *cupel__host_format_find(const struct cupel_options *options,
                                                   struct cupel__str name)
{
    for (size_t i = 0; i < options->format_count && i < CUPEL__MAX_HOST_FORMATS; i++) {
        const struct cupel_format *f = &options->formats[i];
        if (strlen(f->name) == name.n && memcmp(f->name, name.p, name.n) == 0)
            return f;
    }
    return NULL;
}
