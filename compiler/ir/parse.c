/* parse.c: a module from its text form (docs/ir.md), for tests and for studying a pass.
 *
 * ir.def says which operands a line has.  The laws are checked by check.c at the end.  References
 * are checked here, because the text may refer to a schema before its line. */
#include "base/error.h"
#include "compiler/ir/ir.h"

#include "base/always.h"
#include "base/json/tape.h"
#include "vm/formats/formats.h"
#include <string.h>

enum {
    MAX_SCHEMAS = 1 << 20, /* numbers may have gaps; this bounds the memory of a short text */
    MAX_DEPTH = 1000,      /* of values */
    MAX_NUMBER = 1 << 20   /* characters of a number in a value */
};

/* -- The text ---------------------------------------------------------------------------------- */

struct reader {
    struct ir_module *m;
    struct ir_text *keep; /* docs[0] is for strings; each list of values has one of its own */
    const char *text, *end;
    const char *p, *eol; /* the unread part of the line */
    uint32_t schema;     /* the schema of the next operations, or IR_NONE */
    enum cupel_status status;
    struct cupel_error *err;
};

/* Records the first failure.  Always returns false. */
static bool fail(struct reader *r, enum cupel_status status, const char *detail)
{
    if (r->status == CUPEL_OK) {
        r->status = cupel__error_set(r->err, status, "%s", detail);
        cupel__error_set_position(r->err, r->text, (size_t)(r->end - r->text),
                                  (size_t)(r->p - r->text));
    }
    return false;
}

static bool wrong(struct reader *r, const char *detail)
{
    return fail(r, CUPEL_E_SYNTAX, detail);
}

static bool no_memory(struct reader *r)
{
    return fail(r, CUPEL_E_NO_MEMORY, "no memory for the module");
}

static void skip_space(struct reader *r)
{
    while (r->p < r->eol && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r'))
        r->p++;
}

static bool at_end(struct reader *r)
{
    skip_space(r);
    return r->p == r->eol;
}

/* Skips the next character if it is c; whether it did. */
static bool take_char(struct reader *r, char c)
{
    skip_space(r);
    if (r->p == r->eol || *r->p != c)
        return false;
    r->p++;
    return true;
}

/* The next word: letters, digits and '@'; may be empty. */
static struct cupel__str peek_word(struct reader *r)
{
    skip_space(r);
    const char *p = r->p;
    while (p < r->eol &&
           (*p == '_' || *p == '@' || (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z')))
        p++;
    return (struct cupel__str){r->p, (size_t)(p - r->p)};
}

static bool take_word(struct reader *r, struct cupel__str want)
{
    struct cupel__str word = peek_word(r);
    if (!cupel__str_eq(word, want))
        return false;
    r->p += word.n;
    return true;
}

static bool read_number(struct reader *r, uint32_t *ret)
{
    struct cupel__str word = peek_word(r);
    uint64_t n = 0;
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] < '0' || word.p[i] > '9')
            return wrong(r, "expected a number");
        n = n * 10 + (uint64_t)(word.p[i] - '0');
        if (n > UINT32_MAX)
            return wrong(r, "the number is too large");
    }
    if (word.n == 0)
        return wrong(r, "expected a number");
    r->p += word.n;
    *ret = (uint32_t)n;
    return true;
}

static bool read_ref(struct reader *r, uint32_t *ret)
{
    if (!take_char(r, '@'))
        return wrong(r, "expected a schema, as in @3");
    return read_number(r, ret);
}

static bool read_loc(struct reader *r, uint32_t *ret)
{
    *ret = IR_NONE;
    return !take_word(r, CUPEL__STR("loc")) || read_number(r, ret);
}

static bool find_set(struct cupel__str name, uint32_t *ret)
{
    static const struct {
        const char *name;
        uint32_t mask;
    } sets[] = {
        {"none", 0},
#define SET(name, mask) {name, mask},
#include "compiler/ir/types.def"
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (strlen(sets[i].name) == name.n && memcmp(sets[i].name, name.p, name.n) == 0) {
            *ret = sets[i].mask;
            return true;
        }
    }
    return false;
}

static bool read_types(struct reader *r, uint32_t *ret)
{
    uint32_t mask = 0, set;
    do {
        struct cupel__str word = peek_word(r);
        if (!find_set(word, &set))
            return wrong(r, "expected a type");
        r->p += word.n;
        mask |= set;
    } while (take_char(r, '|'));
    *ret = mask;
    return true;
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* The next JSON token or bracketed text, as far as its end can be found without parsing it. */
static struct cupel__str peek_json(struct reader *r)
{
    skip_space(r);
    const char *p = r->p;
    unsigned depth = 0;
    bool in_string = false;
    for (; p < r->eol; p++) {
        if (in_string) {
            if (*p == '\\' && p + 1 < r->eol)
                p++;
            else if (*p == '"')
                in_string = false;
        } else if (*p == '"') {
            in_string = true;
        } else if (*p == '[' || *p == '{') {
            depth++;
        } else if (*p == ']' || *p == '}') {
            depth -= depth > 0;
        } else if (depth == 0 && (*p == ' ' || *p == '\t' || *p == ',' || *p == ':')) {
            break;
        }
    }
    return (struct cupel__str){r->p, (size_t)(p - r->p)};
}

static bool read_json(struct reader *r, struct cupel__doc *doc, const char *text, size_t n)
{
    static const struct cupel__read_options options = {
        .max_depth = MAX_DEPTH, .max_number = MAX_NUMBER, .max_bytes = SIZE_MAX};
    struct cupel_error err;
    enum cupel_status status = cupel__json_read(doc, text, n, &options, &err);
    return status == CUPEL_OK || fail(r, status, "the value is not JSON");
}

/* Reads a string and copies it into the module's arena. */
static bool read_name(struct reader *r, struct cupel__str *ret)
{
    struct cupel__str token = peek_json(r);
    if (token.n < 2 || *token.p != '"')
        return wrong(r, "expected a string");
    const char *close = token.p + 1; /* the string may end before the token does */
    while (close < token.p + token.n && *close != '"')
        close += *close == '\\' ? 2 : 1;
    if (close >= token.p + token.n)
        return wrong(r, "the string has no end");
    struct cupel__doc *doc = &r->keep->docs[0];
    if (!read_json(r, doc, token.p, (size_t)(close + 1 - token.p)))
        return false;
    struct cupel__str name = cupel__str_dup(r->m->arena, cupel__doc_str(doc, doc->nodes));
    if (name.p == NULL)
        return no_memory(r);
    r->p = close + 1;
    *ret = name;
    return true;
}

/* Copies the values up to the end of the line, or to the word `loc`, into one JSON array. */
static void gather_values(struct reader *r, struct cupel_text *array)
{
    const char *comma = "[";
    while (!at_end(r) && *r->p != 'l') { /* no JSON value begins with an l */
        struct cupel__str value = peek_json(r);
        cupel_text_adds(array, comma);
        cupel_text_add(array, value.p, value.n);
        r->p += value.n;
        comma = ",";
        if (value.n == 0)
            break;
    }
    cupel_text_adds(array, *comma == '[' ? "[]" : "]");
}

/* Each list of values is a document of its own, which outlives the module. */
static bool read_values(struct reader *r, struct ir_op *op)
{
    struct cupel_text array;
    cupel_text_init(&array, &r->m->arena->alloc);
    gather_values(r, &array);
    struct cupel__doc *doc = &r->keep->docs[r->keep->ndocs];
    cupel__doc_init(doc, &r->keep->alloc);
    r->keep->ndocs++;
    bool ok = array.failed ? no_memory(r) : read_json(r, doc, array.bytes, array.len);
    cupel_text_free(&array);
    if (!ok)
        return false;
    struct ir_value *values = cupel__ir_op_values(r->m, op, doc->nodes[0].count);
    if (values == NULL)
        return no_memory(r);
    for (uint32_t i = 0, node = 1; i < op->nvalues; i++, node = cupel__node_next(doc->nodes, node))
        values[i] = (struct ir_value){doc, node};
    return true;
}

/* -- Operands ---------------------------------------------------------------------------------- */

/* An upper bound of the number of operands on the line. */
static uint32_t max_operands(const struct reader *r)
{
    uint32_t most = 1;
    for (const char *p = r->p; p < r->eol; p++)
        most += *p == ' ' || *p == '\t' || *p == ',';
    return most;
}

static bool read_count(struct reader *r, uint32_t *ret)
{
    if (!take_word(r, CUPEL__STR("many")))
        return read_number(r, ret);
    *ret = IR_MANY;
    return true;
}

static bool read_schemas(struct reader *r, struct ir_op *op)
{
    uint32_t n = 0, *schemas = cupel__ir_op_schemas(r->m, op, max_operands(r));
    if (schemas == NULL)
        return no_memory(r);
    while (!at_end(r) && (*r->p == '@' || *r->p == '-') && n < op->nschemas) {
        schemas[n] = IR_NONE;
        if (!take_char(r, '-') && !read_ref(r, &schemas[n]))
            return false;
        n++;
    }
    op->nschemas = n;
    return true;
}

static bool read_names(struct reader *r, struct ir_op *op)
{
    uint32_t n = 0;
    struct ir_name *names = cupel__ir_op_names(r->m, op, max_operands(r));
    if (names == NULL)
        return no_memory(r);
    while (!at_end(r) && *r->p == '"' && n < op->nnames)
        if (!read_name(r, &names[n++].name))
            return false;
    op->nnames = n;
    return true;
}

static bool read_prop(struct reader *r, struct ir_name *ret)
{
    if (!read_name(r, &ret->name))
        return false;
    if (!take_char(r, ':'))
        ret->flags |= IR_NAME_UNKNOWN;
    else if (!read_ref(r, &ret->schema))
        return false;
    if (take_word(r, CUPEL__STR("required")))
        ret->flags |= IR_NAME_REQUIRED;
    return true;
}

static bool read_match(struct reader *r, struct ir_match *ret)
{
    if (!read_number(r, &ret->pattern))
        return false;
    if (!take_char(r, ':'))
        return wrong(r, "expected a colon");
    return read_ref(r, &ret->schema);
}

/* Reads the entries of a PROPS: properties, patterns and `other`, in any order. */
static bool read_props(struct reader *r, struct ir_op *op)
{
    uint32_t n = 0, nmatches = 0, most = max_operands(r);
    struct ir_name *names = cupel__ir_op_names(r->m, op, most);
    struct ir_match *matches = cupel__ir_op_matches(r->m, op, most);
    if (names == NULL || matches == NULL)
        return no_memory(r);
    op->nnames = op->nmatches = 0;
    if (at_end(r) || *r->p == 'l')
        return true;
    do {
        bool unlisted = take_word(r, CUPEL__STR("unlisted"));
        op->unlisted |= unlisted;
        if (take_word(r, CUPEL__STR("other"))) {
            if (!take_char(r, ':'))
                return wrong(r, "expected a colon");
            if (!read_ref(r, &op->other))
                return false;
        } else if (unlisted || take_word(r, CUPEL__STR("pattern"))) {
            if (NEVER(nmatches == most) || !read_match(r, &matches[nmatches++]))
                return wrong(r, "expected a pattern");
        } else if (NEVER(n == most) || !read_prop(r, &names[n++])) {
            return wrong(r, "expected a property");
        }
    } while (take_char(r, ','));
    op->nnames = n;
    op->nmatches = nmatches;
    return true;
}

static bool read_format(struct reader *r, uint32_t *ret)
{
    struct cupel__str word = peek_word(r);
    for (uint32_t f = 0; f < CUPEL__FORMATS; f++) {
        const char *known = cupel__format_scanner((enum cupel__format)f);
        if (strlen(known) == word.n && memcmp(known, word.p, word.n) == 0) {
            r->p += word.n;
            *ret = f;
            return true;
        }
    }
    return wrong(r, "no format has this name");
}

/* Reads the operand of a letter (ir.def) into the operation. */
static bool read_operand(struct reader *r, struct ir_op *op, char letter)
{
    switch (letter) {
    case 'm':
        return read_types(r, &op->mask);
    case 'a':
        return read_count(r, &op->a);
    case 'b':
        return read_count(r, &op->b);
    case 'x':
        op->exclusive = take_word(r, CUPEL__STR("exclusive"));
        return true;
    case 'd':
    case 'v':
    case 'V':
        return read_values(r, op);
    case 's':
    case 'S':
        return read_schemas(r, op);
    case 'n':
        return read_name(r, &op->name);
    case 'f':
        return read_format(r, &op->a);
    case 'N':
        return read_names(r, op);
    case 'P':
        return read_props(r, op);
    default:
        return read_number(r, &op->pattern);
    }
}

/* -- Lines ------------------------------------------------------------------------------------- */

/* The kind whose name the word is, or IR_KINDS. */
static enum ir_kind find_kind(struct cupel__str word)
{
    enum ir_kind kind = (enum ir_kind)0;
    for (; kind < IR_KINDS; kind++) {
        const char *text = cupel__ir_kind_text(kind);
        if (strlen(text) == word.n && memcmp(text, word.p, word.n) == 0)
            break;
    }
    return kind;
}

static bool read_op(struct reader *r)
{
    struct cupel__str word = peek_word(r);
    enum ir_kind kind = find_kind(word);
    if (kind == IR_KINDS)
        return wrong(r, "no operation has this name");
    if (r->schema == IR_NONE)
        return wrong(r, "an operation has to stand below its schema");
    r->p += word.n;
    struct ir_op *op = cupel__ir_add_op(r->m, r->schema, kind, IR_NONE);
    if (op == NULL)
        return no_memory(r);
    for (const char *letter = cupel__ir_kind_operands(kind); *letter != '\0'; letter++)
        if (!read_operand(r, op, *letter))
            return false;
    return read_loc(r, &op->loc);
}

/* While the text is read, `uses` marks the schemas that have had their line. */
static bool read_schema(struct reader *r)
{
    uint32_t id;
    if (!read_ref(r, &id))
        return false;
    if (id >= MAX_SCHEMAS)
        return wrong(r, "the schema's number is too large");
    while (r->m->nschemas <= id)
        if (cupel__ir_add_schema(r->m, IR_NONE) == IR_NONE)
            return no_memory(r);
    struct ir_schema *s = &r->m->schemas[id];
    if (s->uses != 0)
        return wrong(r, "the schema is there twice");
    s->uses = 1;
    r->schema = id;
    if (!read_types(r, &s->types))
        return false;
    s->tracked = take_word(r, CUPEL__STR("tracked"));
    return read_loc(r, &s->loc);
}

static bool read_location(struct reader *r)
{
    uint32_t number, parent = IR_NONE;
    struct cupel__str token;
    if (!read_number(r, &number))
        return false;
    if (!at_end(r) && *r->p != '"' && !read_number(r, &parent))
        return false;
    if (number != r->m->nlocs || (parent != IR_NONE && parent >= number))
        return wrong(r, "locations are numbered from 0, parents first");
    if (!read_name(r, &token))
        return false;
    return cupel__ir_add_loc(r->m, parent, token) != IR_NONE || no_memory(r);
}

static bool read_pattern(struct reader *r)
{
    uint32_t number, got;
    struct cupel__str source;
    if (!read_number(r, &number) || !read_name(r, &source))
        return false;
    enum cupel_status status = cupel__ir_add_pattern(r->m, source, 0, 0, &got, NULL);
    if (status != CUPEL_OK)
        return fail(r, status, "the pattern is not a regular expression");
    return got == number || wrong(r, "patterns are numbered from 0 and different");
}

static bool read_line(struct reader *r)
{
    bool ok;
    if (at_end(r) || *r->p == '#')
        return true;
    if (take_word(r, CUPEL__STR("root")))
        ok = read_ref(r, &r->m->root);
    else if (take_word(r, CUPEL__STR("schema")))
        ok = read_schema(r);
    else if (take_word(r, CUPEL__STR("loc")))
        ok = read_location(r);
    else if (r->schema == IR_NONE && take_word(r, CUPEL__STR("pattern")))
        ok = read_pattern(r); /* below a schema the word is an operation */
    else
        ok = read_op(r);
    return ok && (at_end(r) || wrong(r, "the line should end here"));
}

/* Reserves a document for strings and one for each line with values.  Values point to elements of
 * the array, so it must not move later. */
static bool reserve_docs(struct reader *r)
{
    size_t need = 1;
    for (const char *line = r->text, *next; line < r->end; line = next) {
        r->p = line;
        r->eol = memchr(line, '\n', (size_t)(r->end - line));
        r->eol = r->eol == NULL ? r->end : r->eol;
        next = r->eol < r->end ? r->eol + 1 : r->end;
        enum ir_kind kind = find_kind(peek_word(r));
        need += kind != IR_KINDS && strpbrk(cupel__ir_kind_operands(kind), "dvV") != NULL;
    }
    void *docs = NULL;
    if (cupel__grow(&r->keep->alloc, &docs, &r->keep->docs_cap, need, sizeof *r->keep->docs) !=
        CUPEL_OK)
        return no_memory(r);
    r->keep->docs = docs;
    r->keep->ndocs = 1;
    cupel__doc_init(&r->keep->docs[0], &r->keep->alloc);
    return true;
}

/* Whether every schema that the text refers to has a line. */
static bool check_defined(struct reader *r)
{
    struct ir_module *m = r->m;
    if (m->root >= m->nschemas || m->schemas[m->root].uses == 0)
        return wrong(r, "the root is not there");
    for (uint32_t i = 0; i < m->nschemas; i++) {
        for (struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next) {
            uint32_t at = 0;
            for (uint32_t *ref; (ref = ir_op_next_ref(op, &at)) != NULL;)
                if (*ref >= m->nschemas || m->schemas[*ref].uses == 0)
                    return wrong(r, "a schema is referred to and not there");
        }
    }
    for (uint32_t i = 0; i < m->nschemas; i++)
        m->schemas[i].uses = 0;
    return true;
}

enum cupel_status cupel__ir_parse(struct ir_module *m, const char *text, size_t len,
                                  struct ir_text *keep, struct cupel_error *err)
{
    struct reader r = {.m = m,
                       .keep = keep,
                       .text = text,
                       .end = text + len,
                       .p = text,
                       .schema = IR_NONE,
                       .err = err};
    *keep = (struct ir_text){.alloc = m->arena->alloc};
    bool ok = reserve_docs(&r);
    for (const char *line = text; ok && line < r.end; line = r.eol + (r.eol < r.end)) {
        r.p = line;
        r.eol = memchr(line, '\n', (size_t)(r.end - line));
        r.eol = r.eol == NULL ? r.end : r.eol;
        ok = read_line(&r);
    }
    if (!ok || !check_defined(&r))
        return r.status;
    return cupel__ir_check(m, err);
}

void cupel__ir_text_free(struct ir_text *keep)
{
    for (size_t i = 0; i < keep->ndocs; i++)
        cupel__doc_free(&keep->docs[i]);
    cupel__free(&keep->alloc, keep->docs, keep->docs_cap * sizeof *keep->docs);
    *keep = (struct ir_text){.alloc = keep->alloc};
}
