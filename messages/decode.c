/* decode.c: strings that hold the text of the value that was meant (decode.h).
 *
 * A literal of Python is rewritten token by token as JSON; the JSON reader then decides whether the
 * result is a value.  So the grammar is that of JSON, with other spellings of strings, None, True
 * and False: tuples, sets and trailing commas are refused. */
#include "messages/decode.h"
#include "base/utf8.h"
#include <string.h>

/* How often a value may be encoded; bytes a step. */
enum { MAX_LAYERS = 4, BYTES_A_STEP = 4 };

/* -- Python ------------------------------------------------------------------------------------ */

struct python {
    const char *p, *end;
    struct cupel_text *json;
};

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* An escape \xNN or \uNNNN as one of JSON. */
static bool add_number_escape(struct python *t, int digits)
{
    unsigned value = 0;
    for (int i = 0; i < digits; i++) {
        int digit = t->p < t->end ? hex(*t->p++) : -1;
        if (digit < 0)
            return false;
        value = value * 16 + (unsigned)digit;
    }
    cupel_text_addf(t->json, "\\u%04x", value);
    return true;
}

static bool add_escape(struct python *t)
{
    static const char json[] = "\\nrtbf/\"";
    char c = t->p < t->end ? *t->p++ : '\0';
    if (c == '\'') {
        cupel_text_adds(t->json, "'");
        return true;
    }
    if (c == 'x' || c == 'u')
        return add_number_escape(t, c == 'x' ? 2 : 4);
    if (c == '\0' || strchr(json, c) == NULL)
        return false;
    cupel_text_addf(t->json, "\\%c", c);
    return true;
}

/* A string between quotes of either kind. */
static bool add_string(struct python *t)
{
    const char quote = *t->p++;
    cupel_text_adds(t->json, "\"");
    while (t->p < t->end && *t->p != quote) {
        char c = *t->p++;
        if (c == '\\' && !add_escape(t))
            return false;
        if (c == '"')
            cupel_text_adds(t->json, "\\\"");
        else if (c != '\\')
            cupel_text_add(t->json, &c, 1);
    }
    cupel_text_adds(t->json, "\"");
    return t->p++ < t->end;
}

/* None, True and False; the words of JSON stay. */
static bool add_word(struct python *t)
{
    static const char *const words[][2] = {{"None", "null"}, {"True", "true"}, {"False", "false"},
                                           {"null", "null"}, {"true", "true"}, {"false", "false"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i][0]);
        if ((size_t)(t->end - t->p) < n || memcmp(t->p, words[i][0], n) != 0)
            continue;
        t->p += n;
        cupel_text_adds(t->json, words[i][1]);
        return true;
    }
    return false;
}

/* Rewrites a literal of Python as JSON.  False: it has a token that no literal has. */
static bool rewrite(struct cupel__str s, struct cupel_text *json)
{
    struct python t = {s.p, s.p + s.n, json};
    bool good = true;
    while (t.p < t.end && good) {
        if (*t.p == '\'' || *t.p == '"') {
            good = add_string(&t);
        } else if (strchr("[]{},: \t\r\n0123456789.eE+-", *t.p) != NULL && *t.p != '\0') {
            cupel_text_add(json, t.p++, 1);
        } else {
            good = add_word(&t);
        }
    }
    return good && !json->failed;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* Reads a JSON text that has no duplicate names.  The bit of its type, or 0; of a string the
 * decoded bytes are put into `ret_string`. */
static uint32_t read_json(const struct render *r, struct cupel__str s,
                          struct cupel_text *ret_string)
{
    struct cupel__read_options read = r->s->document.read;
    struct cupel__doc doc;
    uint32_t type = 0;
    if (s.n == 0 || !cupel__report_charge(r->s, 1 + (int64_t)(s.n / BYTES_A_STEP)))
        return 0;
    read.flags &= ~(uint32_t)(CUPEL__READ_PADDED | CUPEL__READ_DUPLICATES);
    cupel__doc_init(&doc, &r->text->alloc);
    enum cupel_status status = cupel__json_read(&doc, s.p, s.n, &read, NULL);
    if (status == CUPEL_OK)
        type = CUPEL__BIT(doc.nodes[0].type);
    if (type & CUPEL__M_STRING) {
        struct cupel__str inner = cupel__doc_str(&doc, &doc.nodes[0]);
        cupel_text_clear(ret_string);
        cupel_text_add(ret_string, inner.p, inner.n);
    }
    r->text->failed |= status == CUPEL_E_NO_MEMORY;
    cupel__doc_free(&doc);
    return type;
}

static struct cupel__str bytes_of(const struct cupel_text *text)
{
    return (struct cupel__str){text->len > 0 ? text->bytes : "", text->failed ? 0 : text->len};
}

/* The type of the value of a text in Python's spelling, which `json` gets as JSON; or 0. */
static uint32_t read_python(const struct render *r, struct cupel__str s, struct cupel_text *json)
{
    struct cupel_text string;
    uint32_t type = 0;
    cupel_text_clear(json);
    cupel_text_init(&string, &r->text->alloc);
    if (cupel__report_charge(r->s, 1 + (int64_t)(s.n / BYTES_A_STEP)) && rewrite(s, json))
        type = read_json(r, bytes_of(json), &string);
    r->text->failed |= string.failed;
    cupel_text_free(&string);
    return type;
}

enum cupel__decoded cupel__decode(const struct render *r, struct cupel__str s, uint32_t wanted,
                                  struct cupel_text *ret, uint32_t *ret_type)
{
    /* The text of a layer is in `text`; a string that is read from it goes to `next`. */
    struct cupel_text text, next, json;
    enum cupel__decoded how = CUPEL__DECODED_NOT;
    uint32_t type = CUPEL__M_STRING;
    wanted &= ~(uint32_t)CUPEL__M_STRING;
    if (!cupel__report_charge(r->s, 1 + (int64_t)(s.n / BYTES_A_STEP)))
        return CUPEL__DECODED_NOT;
    cupel_text_init(&text, &r->text->alloc);
    cupel_text_init(&next, &r->text->alloc);
    cupel_text_init(&json, &r->text->alloc);
    cupel_text_add(&text, s.p, s.n);
    for (int layer = 0; layer < MAX_LAYERS && (type & CUPEL__M_STRING) && wanted != 0; layer++) {
        type = read_json(r, bytes_of(&text), &next);
        how = CUPEL__DECODED_JSON;
        if (type == 0) {
            type = read_python(r, bytes_of(&text), &json) & ~(uint32_t)CUPEL__M_STRING;
            how = CUPEL__DECODED_PYTHON;
        }
        if (type & CUPEL__M_STRING) {
            struct cupel_text swap = text;
            text = next;
            next = swap;
        }
    }
    if ((type & wanted) == 0 || (text.failed | next.failed | json.failed))
        how = CUPEL__DECODED_NOT;
    const struct cupel_text *value = how == CUPEL__DECODED_PYTHON ? &json : &text;
    if (how != CUPEL__DECODED_NOT && ret != NULL)
        cupel_text_add(ret, value->bytes, value->len);
    if (how != CUPEL__DECODED_NOT && ret_type != NULL)
        *ret_type = type;
    r->text->failed |= text.failed | next.failed | json.failed;
    cupel_text_free(&text);
    cupel_text_free(&next);
    cupel_text_free(&json);
    return how;
}

/* -- Looks ------------------------------------------------------------------------------------- */

static bool has_any(struct cupel__str s, const char *set)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '\0' && strchr(set, s.p[i]) != NULL)
            return true;
    return false;
}

bool cupel__looks_encoded(struct cupel__str s)
{
    size_t i = 0;
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\r' || s.p[i] == '\n'))
        i++;
    return i < s.n && has_any((struct cupel__str){s.p + i, 1}, "[{(\"'`");
}

bool cupel__looks_like_list(struct cupel__str s)
{
    return has_any(s, ",;|\n");
}
