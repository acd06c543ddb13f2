/* text_fault.c: why a text is not JSON (fault.h).
 *
 * The reader stops at the first byte that the grammar does not allow.  What a person has to correct
 * often stands before it: a string without an end, a bracket that nothing closes.  One pass over
 * the text up to the error keeps the open brackets and the last token; then each habit of another
 * notation (comments, single quotes, True) has a test of its own at the error. */
#include "base/error.h"
#include "base/escape.h"
#include "base/utf8.h"
#include <cupel/fault.h>
#include <stdio.h>
#include <string.h>

/* Brackets whose places are kept; those inside are counted. */
enum { MAX_OPEN = 512 };

struct text {
    const char *p;
    size_t len;
    size_t at;             /* of the error */
    size_t open[MAX_OPEN]; /* offsets of the brackets that are open at the error */
    size_t nopen;          /* all of them */
    size_t last, last_end; /* the token before the error; last_end 0: none */
    size_t string;         /* where the string around the error begins */
    bool in_string;        /* there is a string around the error */
    bool last_is_name;     /* the last token is a string in the place of a member's name */
    struct cupel_fault *ret;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '-' || c == '+' || c == '.';
}

/* -- Reading up to the error ------------------------------------------------------------------- */

/* The offset after the string that begins at `i`, or the end if no quote closes it on its line. */
static size_t skip_string(const struct text *t, size_t i, size_t to, bool *ret_closed)
{
    for (i++; i < to && t->p[i] != '"' && t->p[i] != '\n'; i++)
        i += t->p[i] == '\\' && i + 1 < to;
    *ret_closed = i < to && t->p[i] == '"';
    return i < to ? i + *ret_closed : to;
}

/* Notes brackets, strings and the last token before t->at. */
static void read_before(struct text *t)
{
    for (size_t i = 0; i < t->at;) {
        char c = t->p[i], before = t->last_end > 0 ? t->p[t->last] : '\0';
        size_t start = i;
        bool object = t->nopen > 0 && t->nopen <= MAX_OPEN && t->p[t->open[t->nopen - 1]] == '{';
        if (is_space(c)) {
            i++;
            continue;
        }
        if (c == '"') {
            bool closed;
            i = skip_string(t, i, t->at, &closed);
            t->string = start;
            t->in_string = !closed;
        } else if (c == '{' || c == '[') {
            if (t->nopen < MAX_OPEN)
                t->open[t->nopen] = i;
            t->nopen++;
            i++;
        } else if (c == '}' || c == ']') {
            t->nopen -= t->nopen > 0;
            i++;
        } else if (is_word_byte(c)) {
            while (i < t->at && is_word_byte(t->p[i]))
                i++;
        } else {
            i++;
        }
        t->last_is_name = c == '"' && object && (before == '{' || before == ',');
        t->last = start;
        t->last_end = i;
    }
}

/* -- The fault --------------------------------------------------------------------------------- */

/* Fills in kind, place, sentence and help. */
static void fault(struct text *t, const char *kind, size_t offset, size_t length,
                  const char *detail, const char *help)
{
    struct cupel_fault *f = t->ret;
    struct cupel_error e = {.status = CUPEL_E_SYNTAX};
    cupel__error_field(f->kind, sizeof f->kind, "%s", kind);
    cupel__error_field(f->detail, sizeof f->detail, "%s", detail);
    cupel__error_field(f->help, sizeof f->help, "%s", help);
    cupel__error_set_position(&e, t->p, t->len, offset);
    f->offset = e.offset;
    f->length = offset + length <= t->len ? length : t->len - offset;
    f->line = e.line;
    f->column = e.column;
}

static uint32_t line_of(const struct text *t, size_t offset)
{
    struct cupel_error e;
    cupel__error_set(&e, CUPEL_E_SYNTAX, "-");
    cupel__error_set_position(&e, t->p, t->len, offset);
    return e.line;
}

static char at(const struct text *t, size_t i)
{
    return i < t->len ? t->p[i] : '\0';
}

static bool begins(const struct text *t, size_t i, const char *word)
{
    size_t n = strlen(word);
    return i + n <= t->len && memcmp(t->p + i, word, n) == 0;
}

/* The bytes of the word at an offset. */
static size_t word_at(const struct text *t, size_t i)
{
    size_t n = 0;
    while (i + n < t->len && is_word_byte(t->p[i + n]) && n < 64)
        n++;
    return n;
}

static void replace(struct text *t, const char *text)
{
    cupel__error_field(t->ret->replacement, sizeof t->ret->replacement, "%s", text);
}

/* -- Habits of other notations ------------------------------------------------------------------
 */

/* Words of other languages for values of JSON. */
static bool explain_word(struct text *t)
{
    static const char *const words[][3] = {
        {"True", "true", "as in Python"},       {"False", "false", "as in Python"},
        {"None", "null", "as in Python"},       {"TRUE", "true", "in capitals"},
        {"FALSE", "false", "in capitals"},      {"NULL", "null", "in capitals"},
        {"Null", "null", "with a capital"},     {"nil", "null", "as in Ruby"},
        {"undefined", "null", "of JavaScript"}, {"yes", "true", "as in YAML"},
        {"no", "false", "as in YAML"}};
    size_t n = word_at(t, t->at);
    char detail[160], help[160];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (n != strlen(words[i][0]) || !begins(t, t->at, words[i][0]))
            continue;
        snprintf(detail, sizeof detail, "`%s` %s is not JSON", words[i][0], words[i][2]);
        snprintf(help, sizeof help, "write %s", words[i][1]);
        fault(t, "other-literal", t->at, n, detail, help);
        replace(t, words[i][1]);
        return true;
    }
    if (begins(t, t->at, "NaN") || begins(t, t->at, "Infinity") || begins(t, t->at, "-Infinity")) {
        snprintf(detail, sizeof detail, "`%.*s` is no number in JSON", (int)n, t->p + t->at);
        fault(t, "not-a-number", t->at, n, detail, "write null, or a number");
        return true;
    }
    return false;
}

/* Numbers with a form that JSON does not have. */
static bool explain_number(struct text *t)
{
    size_t n = word_at(t, t->at), sign = at(t, t->at) == '-' || at(t, t->at) == '+';
    char first = at(t, t->at + sign), second = at(t, t->at + sign + 1);
    bool digit = first >= '0' && first <= '9';
    if (!digit && !(first == '.' && second >= '0' && second <= '9') && at(t, t->at) != '+')
        return false;
    const char *help = "write it in quotes if it is a text";
    const char *detail = "this is not a number of JSON";
    if (first == '0' && (second == 'x' || second == 'X')) {
        detail = "hexadecimal numbers are not JSON";
        help = "write it as a decimal number";
    } else if (first == '0' && second >= '0' && second <= '9') {
        detail = "a number has no leading zero in JSON";
        help = "remove the zeros, or write it in quotes if it is a text";
    } else if (first == '.') {
        detail = "a number begins with a digit in JSON";
        help = "write a 0 before the point";
    } else if (at(t, t->at) == '+') {
        detail = "a number has no plus sign in JSON";
        help = "remove the sign";
    } else if (n > 0 && at(t, t->at + n - 1) == '.') {
        detail = "a digit follows the point in a number of JSON";
        help = "remove the point, or write a 0 after it";
    }
    fault(t, "number", t->at, n > 0 ? n : 1, detail, help);
    return true;
}

/* Quotes that are not those of JSON. */
static bool explain_quotes(struct text *t)
{
    static const char *const smart[] = {"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9e",
                                        "\xe2\x80\x98", "\xe2\x80\x99", "\xc2\xab"};
    for (size_t i = 0; i < sizeof smart / sizeof *smart; i++) {
        if (begins(t, t->at, smart[i])) {
            fault(t, "typographic-quotes", t->at, strlen(smart[i]),
                  "typographic quotes do not begin a string in JSON", "write \" on both sides");
            return true;
        }
    }
    if (at(t, t->at) != '\'' && at(t, t->at) != '`')
        return false;
    size_t end = t->at + 1;
    while (end < t->len && t->p[end] != t->p[t->at] && t->p[end] != '\n')
        end++;
    fault(t, "single-quotes", t->at, at(t, end) == t->p[t->at] ? end + 1 - t->at : 1,
          at(t, t->at) == '`' ? "backquotes do not begin a string in JSON"
                              : "single quotes do not begin a string in JSON",
          "write \" on both sides");
    return true;
}

/* Comments, where a value, a name or a comma was expected. */
static bool explain_comment(struct text *t)
{
    size_t end = t->at;
    if (!begins(t, t->at, "//") && !begins(t, t->at, "/*") && at(t, t->at) != '#')
        return false;
    while (end < t->len && t->p[end] != '\n')
        end++;
    fault(t, "comment", t->at, end - t->at, "JSON has no comments", "remove the comment");
    return true;
}

static bool is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* A comma with nothing behind it, or a missing one. */
static bool explain_comma(struct text *t)
{
    char c = at(t, t->at), before = t->last_end > 0 ? t->p[t->last] : '\0';
    if ((c == '}' || c == ']') && before == ',') {
        fault(t, "trailing-comma", t->last, 1,
              c == '}' ? "a comma stands behind the last member"
                       : "a comma stands behind the last item",
              "remove the comma");
        return true;
    }
    if (c == ',' && (before == ',' || before == '[' || before == '{')) {
        fault(t, "extra-comma", t->at, 1, "there is nothing before this comma", "remove it");
        return true;
    }
    bool value_ended = before == '"' || before == '}' || before == ']' || is_word_byte(before);
    bool begins_next = c == '"' || c == '{' || c == '[' || is_word_byte(c);
    if (t->last_is_name && begins_next) {
        fault(t, "missing-colon", t->last_end, 1, "a colon is missing behind this name",
              "write a colon between name and value");
        return true;
    }
    if (t->nopen > 0 && value_ended && begins_next) {
        fault(t, "missing-comma", t->last_end, 1, "a comma is missing here",
              "write a comma between the two");
        return true;
    }
    return false;
}

/* A name without quotes. */
static bool explain_name(struct text *t)
{
    char before = t->last_end > 0 ? t->p[t->last] : '\0', detail[160];
    size_t n = word_at(t, t->at);
    bool in_object = t->nopen > 0 && t->nopen <= MAX_OPEN && t->p[t->open[t->nopen - 1]] == '{';
    if (!in_object || (before != '{' && before != ',') || !is_word_start(at(t, t->at)))
        return false;
    snprintf(detail, sizeof detail, "the name `%.*s` has no quotes", (int)n, t->p + t->at);
    fault(t, "unquoted-name", t->at, n, detail, "write it in quotes");
    snprintf(detail, sizeof detail, "\"%.*s\"", (int)n, t->p + t->at);
    replace(t, detail);
    return true;
}

/* -- Brackets, strings, ends ------------------------------------------------------------------- */

/* A string that its line does not close, or a control character in one. */
static bool explain_string(struct text *t)
{
    char c = at(t, t->at);
    if (!t->in_string && c != '\n' && t->at < t->len)
        return false;
    if (t->in_string && (c == '\n' || c == '\r' || t->at >= t->len)) {
        size_t end = t->string;
        while (end < t->len && t->p[end] != '\n' && t->p[end] != '\r')
            end++;
        fault(t, "open-string", t->string, end - t->string,
              "the string that begins here is not closed on its line",
              "write \" at its end; a line break in a string is \\n");
        return true;
    }
    if (t->in_string && (unsigned char)c < 0x20) {
        fault(t, "control-character", t->at, 1, "a control character stands in a string",
              c == '\t' ? "write \\t" : "write it as \\u00XX");
        return true;
    }
    return false;
}

/* A wrong closing bracket, or none. */
static bool explain_bracket(struct text *t)
{
    char c = at(t, t->at), detail[160];
    size_t open = t->nopen > 0 && t->nopen <= MAX_OPEN ? t->open[t->nopen - 1] : t->len;
    if (t->at >= t->len && open < t->len) {
        snprintf(detail, sizeof detail, "the %c that begins here is not closed before the end",
                 t->p[open]);
        fault(t, "open-bracket", open, 1, detail,
              t->p[open] == '{' ? "write } where the object ends" : "write ] where the array ends");
        return true;
    }
    if (c == ':' && open < t->len && t->p[open] == '[') {
        fault(t, "open-bracket", open, 1, "the [ that begins here is not closed: a member follows",
              "write ] where the array ends");
        return true;
    }
    if ((c != '}' && c != ']') || open == t->len || (t->p[open] == '{') == (c == '}'))
        return false;
    snprintf(detail, sizeof detail, "%c does not close the %c of line %u", c, t->p[open],
             (unsigned)line_of(t, open));
    fault(t, "wrong-bracket", t->at, 1, detail,
          t->p[open] == '{' ? "write } before it, or instead of it"
                            : "write ] before it, or instead of it");
    return true;
}

/* Whether there is nothing but white space. */
static bool is_blank(const struct text *t)
{
    for (size_t i = 0; i < t->len; i++)
        if (!is_space(t->p[i]))
            return false;
    return true;
}

/* What is wrong with the text as a whole. */
static bool explain_whole(struct text *t, enum cupel_status status)
{
    if (t->len == 0 || is_blank(t)) {
        fault(t, "empty", 0, 0,
              t->len == 0 ? "the text is empty" : "the text has nothing but white space",
              "JSON needs a value, such as {}");
        return true;
    }
    if (begins(t, 0, "\xff\xfe") || begins(t, 0, "\xfe\xff") ||
        (t->len >= 2 && (t->p[0] == '\0' || t->p[1] == '\0'))) {
        fault(t, "utf-16", 0, 2, "the text is UTF-16, and JSON is UTF-8 (RFC 8259, section 8.1)",
              "save it as UTF-8");
        return true;
    }
    if (status == CUPEL_E_BOM) {
        fault(t, "byte-order-mark", 0, 3, "the text begins with a byte order mark",
              "save it without one, or allow it with --lenient-json");
        return true;
    }
    if (status == CUPEL_E_TRAILING) {
        bool second = strchr("{[\"", at(t, t->at)) != NULL;
        fault(t, second ? "two-documents" : "text-after", t->at, 1,
              second ? "a second value follows the first" : "there is text behind the value",
              second ? "put both into an array, or read one document per line with --lines"
                     : "remove it");
        return true;
    }
    return false;
}

/* A word that is nothing, an escape, or another language. */
static bool explain_unknown(struct text *t)
{
    size_t n = word_at(t, t->at);
    char detail[160];
    if (t->last_end == 0 && at(t, t->at) == '<') {
        fault(t, "not-json", t->at, 1, "this is not JSON; it begins like XML or HTML",
              "JSON begins with { or [");
    } else if (t->last_end == 0 && n > 0 && at(t, t->at + n) == ':') {
        fault(t, "not-json", t->at, n, "this is not JSON; it begins like YAML",
              "JSON begins with { or [, and names stand in quotes");
    } else if (t->in_string && at(t, t->at) == '\\') {
        fault(t, "escape", t->at, 2, "this is no escape sequence of JSON",
              "write \\\\ for a backslash");
    } else if (n > 0) {
        snprintf(detail, sizeof detail, "`%.*s` is no value of JSON", (int)n, t->p + t->at);
        fault(t, "unknown-word", t->at, n, detail,
              "write a text in quotes; the words of JSON are true, false and null");
    } else {
        return false;
    }
    return true;
}

static bool explain_syntax(struct text *t)
{
    if (explain_string(t) || explain_bracket(t) || explain_comment(t) || explain_quotes(t))
        return true;
    char c = at(t, t->at), before = t->last_end > 0 ? t->p[t->last] : '\0';
    if ((c == '}' || c == ']' || c == ',') && before == ':') {
        fault(t, "missing-value", t->last, 1, "the value is missing behind this colon",
              "write a value, such as null");
        return true;
    }
    if (c == '=' || (c == ';' && t->nopen > 0)) {
        fault(t, "other-separator", t->at, 1,
              c == '=' ? "`=` does not stand between name and value in JSON"
                       : "`;` does not separate members in JSON",
              c == '=' ? "write a colon" : "write a comma");
        replace(t, c == '=' ? ":" : ",");
        return true;
    }
    return explain_name(t) || explain_comma(t) || explain_word(t) || explain_number(t) ||
           explain_unknown(t);
}

/* -- Names that occur twice -------------------------------------------------------------------- */

/* Finds the first member of the innermost open object that has the name of the one at the error. */
static void explain_duplicate(struct text *t, const struct cupel_error *err)
{
    char detail[160];
    size_t at_name = (size_t)err->offset;
    struct cupel_fault *f = t->ret;
    size_t n = 0;
    /* The error stands at the name, or at its quote. */
    at_name += at(t, at_name) != '"';
    if (at(t, at_name) == '"') {
        bool closed;
        n = skip_string(t, at_name, t->len, &closed) - at_name;
    }
    size_t first = t->len, open = 0, depth = 0;
    if (t->nopen > 0 && t->nopen <= MAX_OPEN)
        open = t->open[t->nopen - 1];
    for (size_t i = open + 1; n > 0 && i < at_name && first == t->len;) {
        char c = t->p[i];
        if (c == '"') {
            bool closed;
            size_t end = skip_string(t, i, at_name, &closed);
            if (depth == 0 && end - i == n && memcmp(t->p + i, t->p + at_name, n) == 0)
                first = i;
            i = end;
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= (c == '}' || c == ']') && depth > 0;
        i++;
    }
    if (n > 0 && first < t->len)
        snprintf(detail, sizeof detail, "the name %.*s occurs twice: here and on line %u",
                 (int)(n < 80 ? n : 80), t->p + at_name, (unsigned)line_of(t, first));
    else
        snprintf(detail, sizeof detail, "a name occurs twice in one object");
    fault(t, "duplicate-name", n > 0 ? at_name : (size_t)err->offset, n > 0 ? n : 1, detail,
          "remove one of the two; --lenient-json takes the last");
    snprintf(f->where, sizeof f->where, "%s", err->where);
}

/* -- Entry --------------------------------------------------------------------------------------
 */

static void explain_other(struct text *t, const struct cupel_error *err)
{
    const char *kind = "syntax", *help = "";
    switch (err->status) {
    case CUPEL_E_UTF8:
        kind = "utf-8";
        help = "save the text as UTF-8; other encodings such as Latin-1 are not JSON";
        break;
    case CUPEL_E_SURROGATE:
        kind = "surrogate";
        help = "write both halves of the pair, such as \\ud83d\\ude00";
        break;
    case CUPEL_E_JSON_DEPTH:
        kind = "depth";
        help = "allow more levels with --limit depth=N";
        break;
    case CUPEL_E_JSON_SIZE:
        kind = "size";
        help = "allow more bytes with --limit body_bytes=N";
        break;
    case CUPEL_E_NUMBER_SIZE:
        kind = "number-size";
        help = "allow longer numbers with --limit number_chars=N";
        break;
    default:
        break;
    }
    fault(t, kind, (size_t)err->offset, 1, err->detail, help);
}

void cupel_text_explain(const char *text, size_t len, const struct cupel_error *err,
                        struct cupel_fault *ret)
{
    if (text == NULL || err == NULL || ret == NULL)
        return;
    struct text t = {.p = text, .len = len, .at = err->offset < len ? (size_t)err->offset : len};
    t.ret = ret;
    memset(ret, 0, sizeof *ret);
    ret->status = err->status;
    snprintf(ret->where, sizeof ret->where, "%s", err->where);
    bool syntax = err->status == CUPEL_E_SYNTAX || err->status == CUPEL_E_TRAILING ||
                  err->status == CUPEL_E_BOM || err->status == CUPEL_E_UTF8;
    if (syntax && explain_whole(&t, err->status))
        return;
    if (err->status == CUPEL_E_SYNTAX || err->status == CUPEL_E_DUPLICATE_KEY)
        read_before(&t);
    if (err->status == CUPEL_E_DUPLICATE_KEY)
        explain_duplicate(&t, err);
    else if (err->status != CUPEL_E_SYNTAX || !explain_syntax(&t))
        explain_other(&t, err);
}
