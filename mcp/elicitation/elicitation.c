/* elicitation.c: checks the requestedSchema of an elicitation (cupel/checks.h).
 *
 * The specification allows a small subset of JSON Schema here: a flat object of strings, numbers,
 * booleans and enums.  elicitation.def lists the keywords that each kind of object may have, with
 * the type of their values and the version that introduced them.  This file determines the kind of
 * each object, and checks that bounds, defaults and names are consistent.
 *
 * The kind of a property follows from its `type`, and from `enum` or `oneOf` beside it:
 *
 *     string with enum or oneOf     ENUM       {"type": "string", "enum": ["a", "b"]}
 *     string                        TEXT
 *     number, integer               NUMBER
 *     boolean                       BOOLEAN
 *     array (from 2025-11-25 on)    MULTI      {"type": "array", "items": {"enum": ["a", "b"]}}
 *
 * Errors are violations of the specification; inconsistent bounds are warnings. */
#include "mcp/json/traversal.h"
#include "mcp/options/options.h"
#include "mcp/rules/rules.h"
#include "mcp/text/untrusted.h"
#include <cupel/checks.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PROBLEMS = 32 };

enum kind { ROOT, TEXT, NUMBER, BOOLEAN, ENUM, MULTI, ITEMS, OPTION };

enum value {
    VALUE_ANY, /* checked elsewhere */
    VALUE_STRING,
    VALUE_STRINGS,
    VALUE_NUMBER,
    VALUE_COUNT,
    VALUE_BOOLEAN,
    VALUE_FORMAT,
    VALUE_OPTIONS
};

static const struct keyword {
    enum kind kind;
    const char *name;
    enum value value;
    enum cupel_mcp_profile since;
} keywords[] = {
#define F(kind, name, value, since) {kind, name, VALUE_##value, CUPEL_MCP_##since},
#include "mcp/elicitation/elicitation.def"
};

/* The state of a check.  The pointer follows the current place. */
struct check {
    struct cupel_document *doc;
    enum cupel_mcp_profile profile;
    cupel_on_rule_problem *on_problem;
    void *ctx;
    struct cupel_text pointer, quoted;
    enum cupel_tool_verdict verdict;
    uint32_t count;
    bool stopped, no_memory;
};

/* -- Problems --------------------------------------------------------------------------------- */

static void report(struct check *check, enum cupel__mcp_rule rule, uint32_t node,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Lowers the verdict and reports a problem at the current pointer. The check stops after
 * MOST_PROBLEMS reports, or when the callback returns non-zero. */
static void report(struct check *check, enum cupel__mcp_rule rule, uint32_t node,
                   const char *format, ...)
{
    char message[320];
    va_list arguments;
    enum cupel_severity severity = cupel__mcp_rule_severity(rule);
    enum cupel_tool_verdict verdict =
        severity == CUPEL_SEVERITY_ERROR ? CUPEL_TOOL_INVALID : CUPEL_TOOL_WARNING;
    if (verdict > check->verdict)
        check->verdict = verdict;
    if (check->on_problem == NULL || check->stopped)
        return;
    check->count++;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    cupel_text_add(&check->pointer, "", 0);
    check->no_memory |= check->pointer.failed != 0;
    struct cupel_rule_problem problem = {
        .rule = cupel__mcp_rule_id(rule),
        .severity = severity,
        .part = CUPEL_PART_ELICITATION,
        .pointer = check->pointer.failed ? "" : check->pointer.bytes,
        .message = message,
    };
    problem.offset = cupel_json_offset(check->doc, node);
    check->stopped = check->on_problem(check->ctx, &problem) != 0 || check->count == MOST_PROBLEMS;
}

#define PROBLEM(check, rule, node, ...) \
    report(check, CUPEL__RULE_ELICITATION_##rule, node, __VA_ARGS__)

/* Returns a name of the schema, escaped for a message; valid until the next call. */
static const char *quote(struct check *check, const char *bytes, size_t len)
{
    cupel_text_clear(&check->quoted);
    cupel__add_name(&check->quoted, bytes, len);
    check->no_memory |= check->quoted.failed != 0;
    return check->quoted.failed ? "" : check->quoted.bytes;
}

/* Extends the pointer by a token.  Returns its old length, for `leave`. */
static size_t enter(struct check *check, const char *token, size_t len)
{
    size_t before = check->pointer.len;
    cupel__pointer_add_token(&check->pointer, token, len);
    return before;
}

static size_t enter_name(struct check *check, const char *token)
{
    return enter(check, token, strlen(token));
}

static void leave(struct check *check, size_t before)
{
    if (check->pointer.failed)
        return;
    check->pointer.len = before;
    check->pointer.bytes[before] = '\0'; /* where something was entered */
}

/* -- Values ----------------------------------------------------------------------------------- */

static uint32_t member(struct check *check, uint32_t node, const char *key)
{
    return cupel_json_member(check->doc, node, key, strlen(key));
}

static bool is_type(const struct check *check, uint32_t node, enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(check->doc, node) == type;
}

/* Whether a node is an array whose items all have this type. */
static bool is_list_of(const struct check *check, uint32_t node, enum cupel_json_type type)
{
    if (!is_type(check, node, CUPEL_JSON_ARRAY))
        return false;
    uint32_t item = cupel_json_first(check->doc, node);
    for (; item != CUPEL_NO_NODE; item = cupel_json_next(check->doc, node, item))
        if (cupel_json_type(check->doc, item) != type)
            return false;
    return true;
}

static bool is_format(struct check *check, uint32_t node)
{
    static const char *const formats[] = {"email", "uri", "date", "date-time"};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (cupel_json_is(check->doc, node, formats[i]))
            return true;
    return false;
}

/* Whether the value of a keyword has the type that elicitation.def gives. */
static bool has_value(struct check *check, uint32_t node, enum value value)
{
    int64_t count;
    switch (value) {
    case VALUE_STRING:
        return is_type(check, node, CUPEL_JSON_STRING);
    case VALUE_STRINGS:
        return is_list_of(check, node, CUPEL_JSON_STRING);
    case VALUE_NUMBER:
        return is_type(check, node, CUPEL_JSON_NUMBER);
    case VALUE_COUNT:
        return cupel_json_integer(check->doc, node, &count) == 0 && count >= 0;
    case VALUE_BOOLEAN:
        return is_type(check, node, CUPEL_JSON_BOOLEAN);
    case VALUE_FORMAT:
        return is_format(check, node);
    case VALUE_OPTIONS:
        return is_list_of(check, node, CUPEL_JSON_OBJECT);
    default:
        return true;
    }
}

static const struct keyword *find_keyword(struct check *check, enum kind kind, uint32_t key)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
        if (keywords[i].kind == kind && keywords[i].since <= check->profile &&
            cupel_json_is(check->doc, key, keywords[i].name))
            return &keywords[i];
    return NULL;
}

static void check_options(struct check *check, uint32_t list);

/* Checks that every member of an object is a keyword of its kind, with a valid value. */
static void check_keywords(struct check *check, enum kind kind, uint32_t object)
{
    static const char *const asks[] = {"",
                                       "a string",
                                       "an array of strings",
                                       "a number",
                                       "a non-negative integer",
                                       "a boolean",
                                       "\"email\", \"uri\", \"date\" or \"date-time\"",
                                       "an array of objects"};
    uint32_t key = cupel_json_first(check->doc, object);
    for (; key != CUPEL_NO_NODE && !check->stopped;
         key = cupel_json_next(check->doc, object, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(check->doc, key, &len);
        const struct keyword *keyword = find_keyword(check, kind, key);
        size_t before = enter(check, name, len);
        if (keyword == NULL)
            PROBLEM(check, KEYWORD, key, "%s is not allowed in this schema",
                    quote(check, name, len));
        else if (!has_value(check, key + 1, keyword->value))
            PROBLEM(check, VALUE, key + 1, "%s must be %s", keyword->name, asks[keyword->value]);
        else if (keyword->value == VALUE_OPTIONS)
            check_options(check, key + 1);
        leave(check, before);
    }
}

/* Checks the options of an enum with titles: objects with `const` and `title`. */
static void check_options(struct check *check, uint32_t list)
{
    uint32_t node = cupel_json_first(check->doc, list), index = 0;
    for (; node != CUPEL_NO_NODE && !check->stopped;
         node = cupel_json_next(check->doc, list, node)) {
        char token[16];
        int n = snprintf(token, sizeof(token), "%u", (unsigned)index++);
        size_t before = enter(check, token, (size_t)n);
        check_keywords(check, OPTION, node);
        if (member(check, node, "const") == CUPEL_NO_NODE ||
            member(check, node, "title") == CUPEL_NO_NODE)
            PROBLEM(check, VALUE, node, "an option has a const and a title");
        leave(check, before);
    }
}

/* -- Consistency ------------------------------------------------------------------------------ */

/* Whether a string is one of the choices: values of an enum, or constants of options. */
static bool is_among(struct check *check, uint32_t list, uint32_t value)
{
    size_t len, n;
    const char *text = cupel_json_string(check->doc, value, &len);
    uint32_t node = cupel_json_first(check->doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(check->doc, list, node)) {
        uint32_t choice = node;
        if (is_type(check, node, CUPEL_JSON_OBJECT))
            choice = member(check, node, "const");
        const char *item =
            choice != CUPEL_NO_NODE ? cupel_json_string(check->doc, choice, &n) : NULL;
        if (item != NULL && text != NULL && n == len && memcmp(item, text, len) == 0)
            return true;
    }
    return false;
}

/* Checks that a default is one of the choices, or for multiple choice an array of them. */
static void check_default(struct check *check, uint32_t schema, uint32_t choices)
{
    uint32_t value = member(check, schema, "default");
    bool good = true;
    if (!is_type(check, choices, CUPEL_JSON_ARRAY) || value == CUPEL_NO_NODE)
        return;
    if (is_type(check, value, CUPEL_JSON_STRING))
        good = is_among(check, choices, value);
    uint32_t item = is_type(check, value, CUPEL_JSON_ARRAY) ? cupel_json_first(check->doc, value)
                                                            : CUPEL_NO_NODE;
    for (; item != CUPEL_NO_NODE && good; item = cupel_json_next(check->doc, value, item))
        good = is_among(check, choices, item);
    if (good)
        return;
    size_t before = enter_name(check, "default");
    PROBLEM(check, AGREEMENT, value, "the default is not among the choices");
    leave(check, before);
}

/* Checks that a lower bound does not exceed the upper one, if both are integers. */
static void check_range(struct check *check, uint32_t schema, const char *low, const char *high)
{
    uint32_t a = member(check, schema, low), b = member(check, schema, high);
    int64_t from, to;
    if (a == CUPEL_NO_NODE || b == CUPEL_NO_NODE || cupel_json_integer(check->doc, a, &from) != 0 ||
        cupel_json_integer(check->doc, b, &to) != 0 || from <= to)
        return;
    size_t before = enter_name(check, low);
    PROBLEM(check, AGREEMENT, a, "%s is above %s: nothing can be given", low, high);
    leave(check, before);
}

/* Reads an integer that a keyword has.  False: it has none. */
static bool integer_of(struct check *check, uint32_t schema, const char *keyword, int64_t *ret)
{
    uint32_t node = member(check, schema, keyword);
    return node != CUPEL_NO_NODE && cupel_json_integer(check->doc, node, ret) == 0;
}

/* Checks that a number that the default has, such as its length, is between two bounds. */
static void check_default_range(struct check *check, uint32_t schema, int64_t number,
                                const char *low, const char *high)
{
    int64_t bound;
    const char *outside = integer_of(check, schema, low, &bound) && number < bound    ? low
                          : integer_of(check, schema, high, &bound) && number > bound ? high
                                                                                      : NULL;
    if (outside == NULL)
        return;
    size_t before = enter_name(check, "default");
    PROBLEM(check, AGREEMENT, member(check, schema, "default"), "the default does not keep %s",
            outside);
    leave(check, before);
}

/* Checks that there is a choice, and that there are as many as have to be chosen. */
static void check_choices(struct check *check, uint32_t schema, uint32_t choices)
{
    int64_t least;
    if (!is_type(check, choices, CUPEL_JSON_ARRAY))
        return;
    uint32_t count = cupel_json_count(check->doc, choices);
    if (count == 0)
        PROBLEM(check, AGREEMENT, choices, "there is nothing to choose from");
    if (!integer_of(check, schema, "minItems", &least) || least <= (int64_t)count || count == 0)
        return;
    size_t before = enter_name(check, "minItems");
    PROBLEM(check, AGREEMENT, member(check, schema, "minItems"),
            "minItems is above the number of choices: nothing can be given");
    leave(check, before);
}

/* The characters of a string. */
static int64_t length_of(struct check *check, uint32_t node)
{
    size_t len;
    int64_t n = 0;
    const char *text = cupel_json_string(check->doc, node, &len);
    for (size_t i = 0; text != NULL && i < len; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* Checks `enumNames`: as many names as there are values. */
static void check_names(struct check *check, uint32_t schema, uint32_t choices)
{
    uint32_t names = member(check, schema, "enumNames");
    if (names == CUPEL_NO_NODE)
        return;
    size_t before = enter_name(check, "enumNames");
    if (!is_type(check, choices, CUPEL_JSON_ARRAY))
        PROBLEM(check, AGREEMENT, names, "enumNames are the names of an enum, and there is none");
    else if (cupel_json_count(check->doc, names) != cupel_json_count(check->doc, choices))
        PROBLEM(check, AGREEMENT, names, "there are not as many enumNames as choices");
    leave(check, before);
}

/* -- Properties ------------------------------------------------------------------------------- */

static void check_enum(struct check *check, uint32_t schema)
{
    uint32_t plain = member(check, schema, "enum"), titled = member(check, schema, "oneOf");
    check_keywords(check, ENUM, schema);
    if (plain != CUPEL_NO_NODE && titled != CUPEL_NO_NODE)
        PROBLEM(check, AGREEMENT, schema, "a choice has an enum or a oneOf, not both");
    check_names(check, schema, plain);
    check_choices(check, schema, plain != CUPEL_NO_NODE ? plain : titled);
    check_default(check, schema, plain != CUPEL_NO_NODE ? plain : titled);
}

/* Checks an array of choices: its items are an enum, its bounds and default are consistent. */
static void check_multi(struct check *check, uint32_t schema)
{
    uint32_t items = member(check, schema, "items");
    check_keywords(check, MULTI, schema);
    check_range(check, schema, "minItems", "maxItems");
    if (!is_type(check, items, CUPEL_JSON_OBJECT)) {
        PROBLEM(check, TYPE, schema, "an array has items that say what may be chosen");
        return;
    }
    size_t before = enter_name(check, "items");
    uint32_t plain = member(check, items, "enum"), titled = member(check, items, "anyOf");
    uint32_t type = member(check, items, "type");
    check_keywords(check, ITEMS, items);
    if ((plain == CUPEL_NO_NODE) == (titled == CUPEL_NO_NODE))
        PROBLEM(check, TYPE, items,
                "the items have either an enum of strings or an anyOf of options");
    else if (plain != CUPEL_NO_NODE &&
             (type == CUPEL_NO_NODE || !cupel_json_is(check->doc, type, "string")))
        PROBLEM(check, TYPE, items, "items with an enum have the type \"string\"");
    leave(check, before);
    check_choices(check, schema, plain != CUPEL_NO_NODE ? plain : titled);
    check_default(check, schema, plain != CUPEL_NO_NODE ? plain : titled);
    uint32_t value = member(check, schema, "default");
    if (is_type(check, value, CUPEL_JSON_ARRAY))
        check_default_range(check, schema, cupel_json_count(check->doc, value), "minItems",
                            "maxItems");
}

static void check_text(struct check *check, uint32_t schema)
{
    check_keywords(check, TEXT, schema);
    check_range(check, schema, "minLength", "maxLength");
    uint32_t value = member(check, schema, "default");
    if (is_type(check, value, CUPEL_JSON_STRING))
        check_default_range(check, schema, length_of(check, value), "minLength", "maxLength");
}

/* Checks bounds, and that the default of an integer is one.  Bounds and defaults that are no
 * integers are not compared. */
static void check_number(struct check *check, uint32_t schema, bool integer)
{
    uint32_t value = member(check, schema, "default");
    int64_t whole;
    check_keywords(check, NUMBER, schema);
    check_range(check, schema, "minimum", "maximum");
    if (!is_type(check, value, CUPEL_JSON_NUMBER))
        return;
    if (cupel_json_integer(check->doc, value, &whole) == 0) {
        check_default_range(check, schema, whole, "minimum", "maximum");
        return;
    }
    if (!integer)
        return;
    size_t before = enter_name(check, "default");
    PROBLEM(check, AGREEMENT, value, "the default is no integer");
    leave(check, before);
}

/* Determines the kind of a property by its `type` and whether it has choices, and checks it as
 * that kind. */
static void check_property(struct check *check, uint32_t schema)
{
    if (!is_type(check, schema, CUPEL_JSON_OBJECT)) {
        PROBLEM(check, TYPE, schema, "a property is described by an object");
        return;
    }
    uint32_t type = member(check, schema, "type");
    bool chooses = member(check, schema, "enum") != CUPEL_NO_NODE ||
                   member(check, schema, "oneOf") != CUPEL_NO_NODE;
    bool many = check->profile >= CUPEL_MCP_2025_11_25;
    if (type != CUPEL_NO_NODE && cupel_json_is(check->doc, type, "string") && chooses)
        check_enum(check, schema);
    else if (type != CUPEL_NO_NODE && cupel_json_is(check->doc, type, "string"))
        check_text(check, schema);
    else if (type != CUPEL_NO_NODE && cupel_json_is(check->doc, type, "boolean"))
        check_keywords(check, BOOLEAN, schema);
    else if (type != CUPEL_NO_NODE && (cupel_json_is(check->doc, type, "number") ||
                                       cupel_json_is(check->doc, type, "integer")))
        check_number(check, schema, cupel_json_is(check->doc, type, "integer"));
    else if (many && type != CUPEL_NO_NODE && cupel_json_is(check->doc, type, "array"))
        check_multi(check, schema);
    else
        PROBLEM(check, TYPE, schema, "the type is one of string, number, integer, boolean%s",
                many ? ", or array for a choice of many" : "");
}

/* -- The schema ------------------------------------------------------------------------------- */

/* Checks each property. */
static void check_properties(struct check *check, uint32_t map)
{
    size_t before = enter_name(check, "properties");
    uint32_t key = cupel_json_first(check->doc, map);
    for (; key != CUPEL_NO_NODE && !check->stopped;
         key = cupel_json_next(check->doc, map, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(check->doc, key, &len);
        size_t outside = enter(check, name, len);
        check_property(check, key + 1);
        leave(check, outside);
    }
    leave(check, before);
}

/* Checks that required names are declared. */
static void check_required(struct check *check, uint32_t schema, uint32_t map)
{
    uint32_t list = member(check, schema, "required");
    if (!is_list_of(check, list, CUPEL_JSON_STRING))
        return;
    size_t before = enter_name(check, "required");
    uint32_t node = cupel_json_first(check->doc, list);
    for (; node != CUPEL_NO_NODE && !check->stopped;
         node = cupel_json_next(check->doc, list, node)) {
        size_t len;
        const char *name = cupel_json_string(check->doc, node, &len);
        if (cupel_json_member(check->doc, map, name, len) == CUPEL_NO_NODE)
            PROBLEM(check, AGREEMENT, node, "%s is required and not described",
                    quote(check, name, len));
    }
    leave(check, before);
}

/* Checks the root object and its properties. */
static void check_root(struct check *check, uint32_t schema)
{
    if (check->profile < CUPEL_MCP_2025_06_18) {
        PROBLEM(check, VERSION, schema, "this version of the specification has no elicitation");
        return;
    }
    if (!is_type(check, schema, CUPEL_JSON_OBJECT)) {
        PROBLEM(check, ROOT, schema, "the requestedSchema is not an object");
        return;
    }
    uint32_t type = member(check, schema, "type"), map = member(check, schema, "properties");
    if (type == CUPEL_NO_NODE || !cupel_json_is(check->doc, type, "object"))
        PROBLEM(check, ROOT, schema, "the type of the root must be \"object\"");
    check_keywords(check, ROOT, schema);
    if (!is_type(check, map, CUPEL_JSON_OBJECT)) {
        PROBLEM(check, ROOT, schema, "the root must have properties, in an object");
        return;
    }
    check_properties(check, map);
    check_required(check, schema, map);
}

/* Returns the verdict; CUPEL_TOOL_INVALID also when out of memory, with *ret CUPEL_E_NO_MEMORY. */
enum cupel_tool_verdict cupel_elicitation_check(struct cupel_document *doc, uint32_t schema,
                                                enum cupel_mcp_profile profile,
                                                const struct cupel_options *options,
                                                cupel_on_rule_problem *on_problem, void *ctx,
                                                enum cupel_status *ret)
{
    struct cupel_options copy;
    enum cupel_status status =
        doc != NULL ? cupel__options_copy(options, &copy, NULL) : CUPEL_E_ARGUMENT;
    if (status != CUPEL_OK) {
        if (ret != NULL)
            *ret = status;
        return CUPEL_TOOL_INVALID;
    }
    struct check check = {.doc = doc, .profile = profile, .on_problem = on_problem, .ctx = ctx};
    cupel_text_init(&check.pointer, &copy.alloc);
    cupel_text_init(&check.quoted, &copy.alloc);
    check_root(&check, schema);
    check.no_memory |= check.pointer.failed || check.quoted.failed;
    cupel_text_free(&check.pointer);
    cupel_text_free(&check.quoted);
    if (ret != NULL)
        *ret = check.no_memory ? CUPEL_E_NO_MEMORY : CUPEL_OK;
    return check.no_memory ? CUPEL_TOOL_INVALID : check.verdict;
}
