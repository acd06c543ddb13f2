/* argument_names.c: refuses names of arguments that a decoder could confuse with declared ones
 * (CUPEL_REQUEST_EXACT_ARGUMENTS).
 *
 * A member of the arguments, at any depth, is refused if the schema does not declare its name
 * there, and the name folds (text/case_fold.h) to one that the schema does declare there.  A name
 * is declared if `properties` has it, or `patternProperties` matches it, in any subschema that
 * applies at that place, whichever branch is taken.  A pattern may declare more names than can be
 * listed.  Those that are tried are the other names of the object, and the name itself in lower
 * case, in upper case and capitalised.
 *
 * Two stages.  The first looks each name up in the tool's table of all declared names
 * (definition/declared_names.h); nearly every call ends there.  The second runs if some name is
 * confusable: it reads the schema, and traverses the arguments together with the set of subschemas
 * that apply to each value.  The set over-approximates: all branches, all targets of a reference
 * that cannot be resolved here.  That can only declare more names, so it refuses less. */
#include "mcp/call/call.h"
#include "mcp/json/member_index.h"
#include "mcp/json/traversal.h"
#include "mcp/text/case_fold.h"
#include "mcp/text/characters.h"
#include "mcp/text/untrusted.h"

#include <string.h>

/* Steps: one for each WORD bytes of a name; for compiling a pattern PATTERN_STEPS and for each of
 * its bytes PATTERN_BYTE_STEPS, which is what compiling costs at most; MATCH_STEPS for running it,
 * beside the steps of the run; INDEX_STEPS for folding and indexing a name. */
enum {
    WORD = 16,
    PATTERN_STEPS = 4000,
    PATTERN_BYTE_STEPS = 64,
    MATCH_STEPS = 64,
    INDEX_STEPS = 32
};

/* -- The second stage ------------------------------------------------------------------------- */

/* `set` is a stack of sets of subschemas: the subschemas that apply to an open container are those
 * from frame->data on, up to the start of the next set. */
struct names {
    struct cupel__call *call;
    struct cupel_document *schema;
    uint32_t *set;
    size_t count, capacity;
    uint32_t *marks; /* for each node of the schema the number of the last set that it is in */
    size_t mark_count;
    uint32_t mark;                     /* the number of the set that is being built */
    bool legacy;                       /* siblings of $ref do not apply */
    struct cupel_program **programs;   /* of patterns that were run, by their node in the schema */
    struct cupel__member_index folded; /* the names of each object, folded */
    struct cupel_text spelling;        /* a name in another spelling, and as JSON */
    struct cupel_text json;
    const char *confusable_with; /* the declared name to which the refused one folds */
    size_t confusable_len;
};

/* Records why the check cannot be made. */
static bool fail(struct names *n, enum cupel_status status)
{
    if (n->call->failed == CUPEL_OK)
        n->call->failed = status;
    return false;
}

static bool charge(struct names *n, uint64_t steps)
{
    return cupel__call_charge(n->call, steps);
}

static uint32_t keyword(struct names *n, uint32_t schema, const char *name)
{
    return cupel_json_member(n->schema, schema, name, strlen(name));
}

/* Adds a subschema to the current set, unless it is in it or is no object. */
static bool add(struct names *n, uint32_t schema)
{
    if (cupel_json_type(n->schema, schema) != CUPEL_JSON_OBJECT || n->marks[schema] == n->mark)
        return true;
    if (n->count == n->capacity) {
        const struct cupel_alloc *alloc = &n->call->context->alloc;
        size_t more = n->capacity != 0 ? 2 * n->capacity : 64;
        uint32_t *grown =
            alloc->realloc(alloc->ctx, n->set, n->capacity * sizeof(*grown), more * sizeof(*grown));
        if (grown == NULL)
            return fail(n, CUPEL_E_NO_MEMORY);
        n->set = grown;
        n->capacity = more;
    }
    n->marks[schema] = n->mark;
    n->set[n->count++] = schema;
    return charge(n, 2);
}

/* Adds the values of an object, or the items of an array. */
static bool add_all(struct names *n, uint32_t container)
{
    bool object = cupel_json_type(n->schema, container) == CUPEL_JSON_OBJECT;
    uint32_t node = cupel_json_first(n->schema, container);
    while (node != CUPEL_NO_NODE) {
        uint32_t value = object ? node + 1 : node;
        if (!add(n, value))
            return false;
        node = cupel_json_next(n->schema, container, value);
    }
    return true;
}

/* -- References ------------------------------------------------------------------------------- */

/* Decodes the next token of a JSON Pointer in a URI fragment into answer.lines, and moves *at past
 * it. */
static struct cupel_text *next_token(struct names *n, const char *ref, size_t len, size_t *at)
{
    struct cupel_text *text = &n->call->context->answer.lines;
    cupel_text_clear(text);
    for (size_t i = ++*at; i < len && ref[i] != '/'; *at = i) {
        char c = ref[i++];
        if (c == '%' && i + 1 < len && cupel__mcp_hex_value(ref[i]) >= 0 &&
            cupel__mcp_hex_value(ref[i + 1]) >= 0) {
            c = (char)(cupel__mcp_hex_value(ref[i]) * 16 + cupel__mcp_hex_value(ref[i + 1]));
            i += 2;
        }
        if (c == '~' && i < len && (ref[i] == '0' || ref[i] == '1'))
            c = ref[i++] == '0' ? '~' : '/';
        cupel_text_add(text, &c, 1);
    }
    return text;
}

/* Returns an item by its number in decimal, or CUPEL_NO_NODE. */
static uint32_t item_at(struct cupel_document *doc, uint32_t array, const struct cupel_text *token)
{
    uint32_t index = 0;
    for (size_t i = 0; i < token->len && index < 100000; i++)
        index = index * 10 + (uint32_t)(token->bytes[i] - '0');
    uint32_t node = cupel_json_first(doc, array);
    while (node != CUPEL_NO_NODE && index-- != 0)
        node = cupel_json_next(doc, array, node);
    return node;
}

/* Returns the node at a pointer, or CUPEL_NO_NODE. */
static uint32_t resolve_pointer(struct names *n, const char *ref, size_t len)
{
    uint32_t node = 0;
    size_t at = 0;
    while (at < len && node != CUPEL_NO_NODE) {
        const struct cupel_text *token = next_token(n, ref, len, &at);
        if (token->failed || !charge(n, 1 + cupel_json_count(n->schema, node)))
            return CUPEL_NO_NODE;
        node = cupel_json_type(n->schema, node) == CUPEL_JSON_ARRAY
                   ? item_at(n->schema, node, token)
                   : cupel_json_member(n->schema, node, token->len != 0 ? token->bytes : "",
                                       token->len);
    }
    return node;
}

/* Whether an object has this anchor, in the spelling of any dialect. */
static bool has_anchor(struct names *n, uint32_t node, const char *name, size_t len)
{
    static const char *const keys[] = {"$anchor", "$dynamicAnchor", "$id", "id"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        size_t value_len = 0;
        uint32_t value = keyword(n, node, keys[i]);
        const char *text =
            value != CUPEL_NO_NODE ? cupel_json_string(n->schema, value, &value_len) : NULL;
        size_t skip = i >= 2 ? 1 : 0; /* "#name" */
        if (text != NULL && value_len == len + skip && memcmp(text + skip, name, len) == 0 &&
            (skip == 0 || text[0] == '#'))
            return true;
    }
    return false;
}

/* Adds all objects with an anchor; with anchor NULL all objects of the schema.  Returns their
 * number, or -1 if the check cannot be made. */
static long add_objects(struct names *n, const char *anchor, size_t len)
{
    struct cupel__mcp_traversal traversal = {.alloc = n->call->context->alloc, .doc = n->schema};
    long found = 0;
    bool ok = cupel__mcp_traversal_enter(&traversal, 0, 0) || fail(n, CUPEL_E_NO_MEMORY);
    if (ok && (anchor == NULL || has_anchor(n, 0, anchor, len))) {
        ok = add(n, 0);
        found++;
    }
    while (ok && traversal.depth != 0) {
        const struct cupel__mcp_frame *frame = cupel__mcp_traversal_next(&traversal);
        if (frame == NULL)
            continue;
        uint32_t value = frame->value;
        enum cupel_json_type type = cupel_json_type(n->schema, value);
        ok = charge(n, 1);
        if (ok && type == CUPEL_JSON_OBJECT &&
            (anchor == NULL || has_anchor(n, value, anchor, len))) {
            ok = add(n, value);
            found++;
        }
        if (ok && type >= CUPEL_JSON_ARRAY)
            ok = cupel__mcp_traversal_enter(&traversal, value, 0) || fail(n, CUPEL_E_NO_MEMORY);
    }
    cupel__mcp_traversal_free(&traversal);
    return ok ? found : -1;
}

/* Adds the target of a reference.  A reference to another document, or with a base URI other than
 * the root's, adds every subschema. */
static bool add_reference(struct names *n, uint32_t value)
{
    size_t len = 0, id_len = 0;
    const char *ref = cupel_json_string(n->schema, value, &len);
    uint32_t id = keyword(n, 0, "$id");
    const char *root = id != CUPEL_NO_NODE ? cupel_json_string(n->schema, id, &id_len) : NULL;
    if (ref == NULL)
        return true;
    if (root != NULL && id_len != 0 && id_len <= len && memcmp(ref, root, id_len) == 0 &&
        (len == id_len || ref[id_len] == '#')) {
        ref += id_len;
        len -= id_len;
    }
    if (len == 0 || (len == 1 && ref[0] == '#'))
        return n->call->site.definition->has_ids ? add_objects(n, NULL, 0) >= 0 : add(n, 0);
    if (ref[0] == '#' && ref[1] == '/' && !n->call->site.definition->has_ids) {
        uint32_t node = resolve_pointer(n, ref + 1, len - 1);
        return node != CUPEL_NO_NODE ? add(n, node) : n->call->failed == CUPEL_OK;
    }
    long found = ref[0] == '#' && ref[1] != '/' ? add_objects(n, ref + 1, len - 1) : 0;
    return found > 0 || (found == 0 && add_objects(n, NULL, 0) >= 0);
}

/* -- Sets ------------------------------------------------------------------------------------- */

/* Adds the in-place subschemas of a subschema: those that apply to the same value. */
static bool add_in_place(struct names *n, uint32_t schema)
{
    static const char *const references[] = {"$ref", "$dynamicRef", "$recursiveRef"};
    static const char *const lists[] = {"allOf", "anyOf", "oneOf", "dependentSchemas",
                                        "dependencies"};
    static const char *const single[] = {"not", "if", "then", "else"};
    bool ok = charge(n, 4 + cupel_json_count(n->schema, schema));
    uint32_t value;
    for (int i = 0; i < 3 && ok; i++)
        if ((value = keyword(n, schema, references[i])) != CUPEL_NO_NODE)
            ok = add_reference(n, value);
    if (n->legacy && keyword(n, schema, "$ref") != CUPEL_NO_NODE)
        return ok;
    for (int i = 0; i < 5 && ok; i++)
        if ((value = keyword(n, schema, lists[i])) != CUPEL_NO_NODE)
            ok = add_all(n, value);
    for (int i = 0; i < 4 && ok; i++)
        if ((value = keyword(n, schema, single[i])) != CUPEL_NO_NODE)
            ok = add(n, value);
    return ok;
}

/* Closes the set that begins at `start` under in-place applicators. */
static bool close_set(struct names *n, size_t start)
{
    for (size_t i = start; i < n->count; i++)
        if (!add_in_place(n, n->set[i]))
            return false;
    return true;
}

/* Whether keywords of this subschema other than $ref apply. */
static bool applies(struct names *n, uint32_t schema)
{
    return !n->legacy || keyword(n, schema, "$ref") == CUPEL_NO_NODE;
}

/* -- Patterns --------------------------------------------------------------------------------- */

/* Compiles the schema {"pattern": …} for a key of the schema; NULL if that fails. */
static struct cupel_program *compile_pattern(struct names *n, uint32_t pattern)
{
    struct cupel__call *call = n->call;
    struct cupel_text *text = &call->context->answer.lines;
    struct cupel_program *program = NULL;
    size_t len;
    const char *bytes = cupel_json_span(n->schema, pattern, &len);
    if (!charge(n, PATTERN_STEPS + PATTERN_BYTE_STEPS * (uint64_t)len))
        return NULL;
    cupel_text_clear(text);
    cupel_text_adds(text, "{\"pattern\":");
    cupel_text_add(text, bytes, len);
    cupel_text_adds(text, "}");
    struct cupel_options options;
    cupel_options_init(&options);
    options.alloc = call->context->alloc;
    enum cupel_status status =
        text->failed ? CUPEL_E_NO_MEMORY
                     : cupel_compile(text->bytes, text->len, &options, &program, NULL);
    if (status != CUPEL_OK)
        fail(n, status);
    return program;
}

/* The program of a pattern, compiled at its first use; NULL if it cannot be. */
static const struct cupel_program *program_of(struct names *n, uint32_t pattern)
{
    const struct cupel_alloc *alloc = &n->call->context->alloc;
    size_t size = n->mark_count * sizeof(struct cupel_program *);
    if (n->programs == NULL && charge(n, n->mark_count / WORD)) {
        n->programs = alloc->realloc(alloc->ctx, NULL, 0, size);
        if (n->programs == NULL)
            fail(n, CUPEL_E_NO_MEMORY);
        else
            memset(n->programs, 0, size);
    }
    if (n->programs == NULL)
        return NULL;
    if (n->programs[pattern] == NULL)
        n->programs[pattern] = compile_pattern(n, pattern);
    return n->programs[pattern];
}

static void free_programs(struct names *n)
{
    const struct cupel_alloc *alloc = &n->call->context->alloc;
    for (size_t i = 0; n->programs != NULL && i < n->mark_count; i++)
        cupel_program_free(n->programs[i]);
    if (n->programs != NULL)
        alloc->realloc(alloc->ctx, n->programs, n->mark_count * sizeof(*n->programs), 0);
}

/* Matches a pattern (a key of the schema) against a name, given as a JSON text.  False if that
 * cannot be decided. */
static bool matches(struct names *n, uint32_t pattern, const char *json, size_t len, bool *ret)
{
    const struct cupel_program *program = program_of(n, pattern);
    struct cupel_outcome outcome = {.steps = 0};
    *ret = false;
    if (program == NULL)
        return false;
    enum cupel_verdict verdict =
        cupel_validate(program, n->call->context->scratch, json, len, &outcome);
    *ret = verdict == CUPEL_VALID;
    if (verdict == CUPEL_UNDECIDED)
        return fail(n, outcome.reason);
    return charge(n, MATCH_STEPS + outcome.steps);
}

/* Applies one subschema to a member: sets *ret_declared if it declares the name, and adds the
 * subschemas for the value if `enter`. */
static bool enter_member(struct names *n, uint32_t schema, uint32_t key, bool enter,
                         bool *ret_declared)
{
    size_t len;
    const char *name = cupel_json_string(n->call->site.arguments_doc, key, &len);
    size_t json_len;
    const char *json = cupel_json_span(n->call->site.arguments_doc, key, &json_len);
    uint32_t properties = keyword(n, schema, "properties");
    uint32_t patterns = keyword(n, schema, "patternProperties");
    bool declared = false, ok = true;
    if (properties != CUPEL_NO_NODE) {
        uint32_t value = cupel_json_member(n->schema, properties, name, len);
        declared = value != CUPEL_NO_NODE;
        ok = charge(n, 1 + cupel_json_count(n->schema, properties) / 4) &&
             (!enter || !declared || add(n, value));
    }
    uint32_t pattern =
        patterns != CUPEL_NO_NODE ? cupel_json_first(n->schema, patterns) : CUPEL_NO_NODE;
    for (; ok && pattern != CUPEL_NO_NODE;
         pattern = cupel_json_next(n->schema, patterns, pattern + 1)) {
        bool match;
        ok = matches(n, pattern, json, json_len, &match) &&
             (!match || !enter || add(n, pattern + 1));
        declared |= ok && match;
    }
    static const char *const rest[] = {"additionalProperties", "unevaluatedProperties"};
    for (int i = 0; i < 2 && ok && enter && !declared; i++) {
        uint32_t value = keyword(n, schema, rest[i]);
        ok = value == CUPEL_NO_NODE || add(n, value);
    }
    *ret_declared |= declared;
    return ok;
}

/* Adds the subschemas that one subschema applies to the item of this number. */
static bool enter_item(struct names *n, uint32_t schema, uint32_t index)
{
    static const char *const every[] = {"contains", "unevaluatedItems", "additionalItems"};
    uint32_t items = keyword(n, schema, "items"), prefix = keyword(n, schema, "prefixItems");
    uint32_t list = prefix;
    if (items != CUPEL_NO_NODE && cupel_json_type(n->schema, items) == CUPEL_JSON_ARRAY)
        list = items;
    uint32_t count = list != CUPEL_NO_NODE ? cupel_json_count(n->schema, list) : 0;
    bool ok = charge(n, 1 + (index < count ? index : 0));
    if (ok && index < count) {
        uint32_t node = cupel_json_first(n->schema, list);
        for (uint32_t i = 0; i < index; i++)
            node = cupel_json_next(n->schema, list, node);
        ok = add(n, node);
    } else if (ok && items != CUPEL_NO_NODE && list != items) {
        ok = add(n, items);
    }
    for (int i = 0; i < 3 && ok; i++) {
        uint32_t value = keyword(n, schema, every[i]);
        if (value != CUPEL_NO_NODE && (i != 2 || index >= count))
            ok = add(n, value);
    }
    return ok;
}

/* -- One place -------------------------------------------------------------------------------- */

/* Searches the set for a declared name to which `name` folds.  False if there is one
 * (n->confusable_with), or the check cannot be made. */
static bool find_confusable(struct names *n, size_t start, size_t end, const char *name, size_t len)
{
    for (size_t i = start; i < end; i++) {
        uint32_t properties =
            applies(n, n->set[i]) ? keyword(n, n->set[i], "properties") : CUPEL_NO_NODE;
        uint32_t key = properties != CUPEL_NO_NODE &&
                               cupel_json_type(n->schema, properties) == CUPEL_JSON_OBJECT
                           ? cupel_json_first(n->schema, properties)
                           : CUPEL_NO_NODE;
        for (; key != CUPEL_NO_NODE; key = cupel_json_next(n->schema, properties, key + 1)) {
            const char *confusable_with = cupel_json_string(n->schema, key, &n->confusable_len);
            if (!charge(n, 1 + n->confusable_len / WORD))
                return false;
            if (cupel_names_fold_equal(name, len, confusable_with, n->confusable_len)) {
                n->confusable_with = confusable_with;
                return false;
            }
        }
    }
    return true;
}

/* Sets *ret to whether a pattern of the set matches a name, given as a JSON text.  False if that
 * cannot be decided. */
static bool any_matches(struct names *n, size_t start, size_t end, const char *json, size_t len,
                        bool *ret)
{
    *ret = false;
    for (size_t i = start; i < end; i++) {
        uint32_t patterns =
            applies(n, n->set[i]) ? keyword(n, n->set[i], "patternProperties") : CUPEL_NO_NODE;
        uint32_t key =
            patterns != CUPEL_NO_NODE ? cupel_json_first(n->schema, patterns) : CUPEL_NO_NODE;
        for (; key != CUPEL_NO_NODE && !*ret; key = cupel_json_next(n->schema, patterns, key + 1))
            if (!matches(n, key, json, len, ret))
                return false;
    }
    return true;
}

/* Appends a code point in UTF-8. */
static void add_point(struct cupel_text *text, uint32_t point)
{
    unsigned char bytes[4];
    unsigned more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    bytes[0] = (unsigned char)(first[more] | point >> 6 * more);
    for (unsigned i = 1; i <= more; i++)
        bytes[i] = (unsigned char)(0x80 | (point >> 6 * (more - i) & 0x3f));
    cupel_text_add(text, (const char *)bytes, more + 1);
}

/* Writes a name to n->spelling in folded letters; the first `upper` of them in upper case, which
 * only letters of ASCII have here. */
static void spell(struct names *n, const char *name, size_t len, size_t upper)
{
    struct cupel__fold fold = cupel__fold_of(name, len);
    uint32_t letter;
    cupel_text_clear(&n->spelling);
    for (size_t i = 0; (letter = cupel__fold_next(&fold)) != CUPEL__FOLD_END; i++)
        add_point(&n->spelling,
                  i < upper && letter >= 'a' && letter <= 'z' ? letter & ~0x20u : letter);
}

/* Tries a name that is no property in other spellings.  False if a pattern declares one of them
 * (n->confusable_with), or the check cannot be made. */
static bool find_spelling(struct names *n, size_t start, size_t end, const char *name, size_t len)
{
    static const size_t uppers[] = {0, SIZE_MAX, 1};
    for (size_t i = 0; i < sizeof(uppers) / sizeof(uppers[0]); i++) {
        bool match;
        spell(n, name, len, uppers[i]);
        if (n->spelling.len == len && memcmp(n->spelling.bytes, name, len) == 0)
            continue;
        cupel_text_clear(&n->json);
        cupel_text_add_json(&n->json, n->spelling.bytes, n->spelling.len);
        if (n->spelling.failed || n->json.failed)
            return fail(n, CUPEL_E_NO_MEMORY);
        if (!charge(n, 1 + len / WORD) ||
            !any_matches(n, start, end, n->json.bytes, n->json.len, &match))
            return false;
        if (match) {
            n->confusable_with = n->spelling.bytes;
            n->confusable_len = n->spelling.len;
            return false;
        }
    }
    return true;
}

/* Whether a subschema of the set has the name among its properties. */
static bool is_property(struct names *n, size_t start, size_t end, const char *name, size_t len)
{
    for (size_t i = start; i < end; i++) {
        uint32_t properties =
            applies(n, n->set[i]) ? keyword(n, n->set[i], "properties") : CUPEL_NO_NODE;
        if (!charge(n, properties != CUPEL_NO_NODE ? 1 + cupel_json_count(n->schema, properties) / 4
                                                   : 1))
            return false;
        if (properties != CUPEL_NO_NODE &&
            cupel_json_member(n->schema, properties, name, len) != CUPEL_NO_NODE)
            return true;
    }
    return false;
}

/* Whether a property or a pattern of the set declares the name at a key; false in *ret_ok if that
 * cannot be decided. */
static bool is_declared(struct names *n, size_t start, size_t end, uint32_t key, bool *ret_ok)
{
    struct cupel_document *doc = n->call->site.arguments_doc;
    size_t len;
    const char *name = cupel_json_string(doc, key, &len);
    bool declared = is_property(n, start, end, name, len);
    if (n->call->failed != CUPEL_OK)
        return *ret_ok = false;
    const char *json = cupel_json_span(doc, key, &len);
    *ret_ok = declared || any_matches(n, start, end, json, len, &declared);
    return *ret_ok && declared;
}

/* Compares a name with the first one of its object that folds to it.  False if one of the two is
 * declared and the other is not, or if the check cannot be made. */
static bool compare_members(struct names *n, size_t start, size_t end,
                            const struct cupel__mcp_frame *frame, bool declared)
{
    struct cupel_document *doc = n->call->site.arguments_doc;
    size_t len;
    bool ok = true;
    const char *name = cupel_json_string(doc, frame->key, &len);
    spell(n, name, len, 0);
    if (!charge(n, INDEX_STEPS + len / WORD))
        return false;
    uint32_t first = cupel__member_index_add(&n->folded, frame->node,
                                             n->spelling.bytes != NULL ? n->spelling.bytes : "",
                                             n->spelling.len, frame->key);
    if (n->spelling.failed || n->folded.failed)
        return fail(n, CUPEL_E_NO_MEMORY);
    if (first == CUPEL_NO_NODE || is_declared(n, start, end, first, &ok) == declared || !ok)
        return ok;
    n->confusable_with = cupel_json_string(doc, declared ? frame->key : first, &n->confusable_len);
    return false;
}

/* Checks a name that some subschema may declare in another spelling.  False if it is refused, or
 * the check cannot be made. */
static bool check_name(struct names *n, size_t start, size_t end,
                       const struct cupel__mcp_frame *frame, bool declared)
{
    size_t len;
    const char *name = cupel_json_string(n->call->site.arguments_doc, frame->key, &len);
    const struct cupel__declared_names *names = &n->call->site.definition->declared_names;
    if (!declared && memchr(name, '\0', len) != NULL) {
        n->confusable_with = "";
        n->confusable_len = 0;
        return false;
    }
    if (!declared && !find_confusable(n, start, end, name, len))
        return false;
    if (!names->patterns && !names->incomplete)
        return true;
    return (declared || find_spelling(n, start, end, name, len)) &&
           compare_members(n, start, end, frame, declared);
}

/* Checks the name of the current child, and builds the set for its value if that is a container.
 * False if the name is refused, or the check cannot be made. */
static bool check_child(struct names *n, const struct cupel__mcp_frame *frame, size_t start,
                        size_t *ret_start)
{
    struct cupel_document *doc = n->call->site.arguments_doc;
    bool enter = cupel_json_type(doc, frame->value) >= CUPEL_JSON_ARRAY;
    size_t end = n->count, len = 0;
    const char *name =
        frame->key != CUPEL_NO_NODE ? cupel_json_string(doc, frame->key, &len) : NULL;
    bool confusable = name != NULL && cupel__declared_names_confusable(
                                          &n->call->site.definition->declared_names, name, len);
    bool declared = confusable && is_property(n, start, end, name, len), property = declared;
    n->mark++;
    for (size_t i = start; i < end; i++) {
        uint32_t schema = n->set[i];
        if (!applies(n, schema) || (!enter && (!confusable || property)))
            continue;
        if (name == NULL ? !enter_item(n, schema, frame->index)
                         : !enter_member(n, schema, frame->key, enter, &declared))
            return false;
    }
    *ret_start = end;
    if (n->call->failed != CUPEL_OK || (confusable && !check_name(n, start, end, frame, declared)))
        return false;
    return !enter || close_set(n, end);
}

/* Traverses the arguments with the sets of subschemas.  False if a name is refused or the
 * check cannot be made. */
static bool compare_all(struct names *n, struct cupel__mcp_traversal *traversal)
{
    n->mark = 1;
    if (!add(n, 0) || !close_set(n, 0))
        return false;
    if (!cupel__mcp_traversal_enter(traversal, n->call->site.arguments, 0))
        return fail(n, CUPEL_E_NO_MEMORY);
    traversal->frames[0].data = 0;
    while (traversal->depth != 0) {
        size_t top = traversal->depth - 1, start = traversal->frames[top].data, next;
        const struct cupel__mcp_frame *frame = cupel__mcp_traversal_next(traversal);
        if (frame == NULL) {
            n->count = start;
            continue;
        }
        uint32_t value = frame->value;
        if (!charge(n, 1) || !check_child(n, frame, start, &next))
            return false;
        if (cupel_json_type(traversal->doc, value) < CUPEL_JSON_ARRAY)
            continue;
        if (!cupel__mcp_traversal_enter(traversal, value, 0))
            return fail(n, CUPEL_E_NO_MEMORY);
        traversal->frames[traversal->depth - 1].data = (uint32_t)next;
    }
    return true;
}

/* Whether the schema is of draft 7 or older, where siblings of $ref do not apply. */
static bool is_legacy(struct names *n)
{
    size_t len = 0;
    uint32_t value = keyword(n, 0, "$schema");
    const char *text = value != CUPEL_NO_NODE ? cupel_json_string(n->schema, value, &len) : NULL;
    for (size_t i = 0; text != NULL && i + 7 <= len; i++)
        if (memcmp(text + i, "draft-0", 7) == 0)
            return true;
    return false;
}

/* Reads the schema and allocates a mark for each of its nodes. */
static bool open_schema(struct names *n)
{
    struct cupel_call_context *context = n->call->context;
    const struct cupel__mcp_slice *text = &n->call->site.definition->schemas[CUPEL__MCP_INPUT];
    if (!charge(n, text->len))
        return false;
    enum cupel_status status = cupel_document_read(context->schema, text->bytes, text->len, NULL);
    if (status != CUPEL_OK)
        return fail(n, status);
    n->schema = context->schema;
    n->mark_count = text->len + 1; /* a node takes a byte at least */
    n->marks =
        context->alloc.realloc(context->alloc.ctx, NULL, 0, n->mark_count * sizeof(uint32_t));
    if (n->marks == NULL)
        return fail(n, CUPEL_E_NO_MEMORY);
    memset(n->marks, 0, n->mark_count * sizeof(uint32_t));
    n->legacy = is_legacy(n);
    return true;
}

/* Writes the refusal to answer.message. */
static void write_refusal(struct names *n, const struct cupel__mcp_traversal *traversal)
{
    char pointer[CUPEL__MCP_POINTER];
    struct cupel_text *text = &n->call->context->answer.message;
    cupel__mcp_traversal_pointer(traversal, pointer);
    cupel_text_clear(text);
    cupel_text_adds(text, "tool ");
    cupel__add_quoted(text, n->call->site.tool, n->call->site.tool_len);
    cupel_text_adds(text, ": ");
    cupel__add_untrusted(text, pointer, strlen(pointer), sizeof(pointer));
    cupel_text_adds(text, n->confusable_len != 0 ? " is not a parameter; did you mean "
                                                 : " is a name with NUL, which is not a parameter");
    if (n->confusable_len != 0)
        cupel__add_quoted(text, n->confusable_with, n->confusable_len);
}

/* The second stage: allocates, runs, frees. */
static bool check_by_schema(struct cupel__call *call)
{
    struct names n = {.call = call};
    struct cupel__mcp_traversal traversal = {.alloc = call->context->alloc,
                                             .doc = call->site.arguments_doc};
    const struct cupel_alloc *alloc = &traversal.alloc;
    cupel__member_index_init(&n.folded, alloc);
    cupel_text_init(&n.spelling, alloc);
    cupel_text_init(&n.json, alloc);
    bool ok = open_schema(&n) && compare_all(&n, &traversal);
    if (!ok && call->failed == CUPEL_OK)
        write_refusal(&n, &traversal);
    free_programs(&n);
    cupel__member_index_free(&n.folded);
    cupel_text_free(&n.spelling);
    cupel_text_free(&n.json);
    if (n.set != NULL)
        alloc->realloc(alloc->ctx, n.set, n.capacity * sizeof(*n.set), 0);
    if (n.marks != NULL)
        alloc->realloc(alloc->ctx, n.marks, n.mark_count * sizeof(*n.marks), 0);
    cupel__mcp_traversal_free(&traversal);
    return ok;
}

/* -- The first stage -------------------------------------------------------------------------- */

/* Nodes between names are skipped at this rate; a look-up costs a step. */
enum { NODES_PER_STEP = 8 };

bool cupel__argument_names_unambiguous(struct cupel__call *call)
{
    struct cupel_document *doc = call->site.arguments_doc;
    const struct cupel__declared_names *names = &call->site.definition->declared_names;
    const uint32_t root = call->site.arguments;
    uint64_t steps = 1;
    bool confusable = false;
    for (uint32_t node = root, next; !confusable; node = next) {
        const char *name;
        size_t len;
        next = cupel_json_next_name(doc, root, node, &name, &len);
        if (next == CUPEL_NO_NODE)
            break;
        steps += 1 + len / WORD + (next - node) / NODES_PER_STEP;
        confusable = cupel__declared_names_confusable(names, name, len);
    }
    if (!cupel__call_charge(call, steps))
        return false;
    return !confusable || check_by_schema(call);
}
