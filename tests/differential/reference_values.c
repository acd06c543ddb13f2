/* reference_values.c: values of the reference evaluator: equality, counts, patterns. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "reference_internal.h"

#include <pcre2.h>
#include <stdio.h>
#include <string.h>

/* -- Values ----------------------------------------------------------------------------------- */

bool ref_read_number(struct reference *ref, struct cupel_document *doc, uint32_t node,
                     struct ref_number *ret)
{
    size_t len;
    const char *text = cupel_json_span(doc, node, &len);
    if (ref_number_read(text, len, ret))
        return true;
    ref_give_up(ref, "number beyond range");
    return false;
}

static bool same_string(struct cupel_document *a, uint32_t x, struct cupel_document *b, uint32_t y)
{
    size_t n, m;
    const char *p = cupel_json_string(a, x, &n), *q = cupel_json_string(b, y, &m);
    return n == m && memcmp(p, q, n) == 0;
}

static bool same_items(struct reference *ref, struct cupel_document *a, uint32_t x,
                       struct cupel_document *b, uint32_t y)
{
    uint32_t i = cupel_json_first(a, x), j = cupel_json_first(b, y);
    while (i != CUPEL_NO_NODE && j != CUPEL_NO_NODE && ref_same(ref, a, i, b, j)) {
        i = cupel_json_next(a, x, i);
        j = cupel_json_next(b, y, j);
    }
    return i == CUPEL_NO_NODE && j == CUPEL_NO_NODE;
}

static bool same_members(struct reference *ref, struct cupel_document *a, uint32_t x,
                         struct cupel_document *b, uint32_t y)
{
    if (cupel_json_count(a, x) != cupel_json_count(b, y))
        return false;
    for (uint32_t k = cupel_json_first(a, x); k != CUPEL_NO_NODE; k = ref_next_member(a, x, k)) {
        size_t len;
        const char *name = cupel_json_string(a, k, &len);
        uint32_t other = cupel_json_member(b, y, name, len);
        if (other == CUPEL_NO_NODE || !ref_same(ref, a, k + 1, b, other))
            return false;
    }
    return true;
}

/* Equality of values (core 4.2.2). */
bool ref_same(struct reference *ref, struct cupel_document *a, uint32_t x, struct cupel_document *b,
              uint32_t y)
{
    struct ref_number n, m;
    enum cupel_json_type type = cupel_json_type(a, x);
    if (type != cupel_json_type(b, y))
        return false;
    switch (type) {
    case CUPEL_JSON_NULL:
        return true;
    case CUPEL_JSON_BOOLEAN:
        return cupel_json_boolean(a, x) == cupel_json_boolean(b, y);
    case CUPEL_JSON_NUMBER:
        return ref_read_number(ref, a, x, &n) && ref_read_number(ref, b, y, &m) &&
               ref_number_compare(&n, &m) == 0;
    case CUPEL_JSON_STRING:
        return same_string(a, x, b, y);
    case CUPEL_JSON_ARRAY:
        return same_items(ref, a, x, b, y);
    case CUPEL_JSON_OBJECT:
        return same_members(ref, a, x, b, y);
    }
    return false;
}

/* How a count compares with the number that a keyword holds: below 0, 0, above 0. */
int ref_compare_count(const struct ref_at *at, uint32_t count, uint32_t keyword)
{
    char text[16];
    struct ref_number n, limit;
    int len = snprintf(text, sizeof(text), "%u", (unsigned)count);
    if (!ref_number_read(text, (size_t)len, &n) ||
        !ref_read_number(at->ref, ref_schema_doc(at), keyword, &limit))
        return 0;
    return ref_number_compare(&n, &limit);
}

/* -- Patterns --------------------------------------------------------------------------------- */

struct ref_pattern {
    struct ref_pattern *next;
    char *text;
    size_t len;
    pcre2_code *code;
};

/* PCRE2 knows the general categories by their short names only. */
static void shorten_names(char *text, size_t *len)
{
    static const char name[] = "\\p{Letter}";
    char *at = strstr(text, name);
    if (at == NULL)
        return;
    memmove(at + 5, at + sizeof(name) - 1, strlen(at + sizeof(name) - 1) + 1);
    memcpy(at, "\\p{L}", 5);
    *len -= sizeof(name) - 1 - 5;
}

static struct ref_pattern *find_pattern(struct reference *ref, const char *text, size_t len)
{
    int error;
    PCRE2_SIZE offset;
    struct ref_pattern *p = ref->patterns;
    while (p != NULL && (p->len != len || memcmp(p->text, text, len) != 0))
        p = p->next;
    if (p != NULL)
        return p;
    p = ref_take(ref, sizeof(*p));
    *p = (struct ref_pattern){ref->patterns, ref_copy(ref, text, len), len, NULL};
    char *source = ref_copy(ref, text, len);
    shorten_names(source, &len);
    p->code = pcre2_compile((PCRE2_SPTR)source, len, PCRE2_UTF | PCRE2_DOLLAR_ENDONLY, &error,
                            &offset, NULL);
    ref->patterns = p;
    return p;
}

bool ref_matches(struct reference *ref, struct cupel_document *doc, uint32_t pattern,
                 const char *subject, size_t len)
{
    size_t n;
    const char *text = cupel_json_string(doc, pattern, &n);
    const struct ref_pattern *p = find_pattern(ref, text, n);
    pcre2_match_data *data = p->code != NULL ? pcre2_match_data_create(1, NULL) : NULL;
    int rc = PCRE2_ERROR_NULL;
    if (data != NULL)
        rc = pcre2_match(p->code, (PCRE2_SPTR)subject, len, 0, 0, data, NULL);
    pcre2_match_data_free(data);
    if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
        ref_refuse(ref, "no match of a pattern");
    return rc >= 0;
}

void ref_free_patterns(struct reference *ref)
{
    for (struct ref_pattern *p = ref->patterns; p != NULL; p = p->next)
        pcre2_code_free(p->code);
}
