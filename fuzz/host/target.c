/* target.c: what a gateway does with a list of tools and a request over HTTP, both from strangers.
 *
 * The input has four parts with zero bytes between them, and a choice of options behind them
 * (choice.h): a tools/list result, patterns of a persona by lines, header fields by lines, and a
 * request.  What must hold whatever they are: answers are JSON; what a persona does not allow is
 * not called; fields that are written for a valid request are accepted with it; arguments with
 * defaults filled in are valid. */
#include "../target.h"
#include "../catalog_ways.h"
#include "../choice.h"
#include <cupel/cupel.h>
#include <string.h>

enum { PATTERNS = 4, FIELDS = 12 };

struct part {
    const char *p;
    size_t n;
};

/* Takes what stands before the next byte `end` off `rest`. */
static struct part cut(struct part *rest, char end)
{
    const char *at = rest->n > 0 ? memchr(rest->p, end, rest->n) : NULL;
    struct part part = {rest->p, at != NULL ? (size_t)(at - rest->p) : rest->n};
    size_t used = part.n + (at != NULL);
    *rest = (struct part){rest->p + used, rest->n - used};
    return part;
}

static void must_be_json(const struct cupel_text *text)
{
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = SIZE_MAX / 2;
    options.limits[CUPEL_LIMIT_DEPTH] = 4096;
    options.flags = CUPEL_ALLOW_DUPLICATE_KEYS;
    if (text->len == 0 || text->failed)
        return;
    require(cupel_document_new(&options, &doc) == CUPEL_OK);
    require(cupel_document_read(doc, text->bytes, text->len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
}

/* -- Header fields -------------------------------------------------------------------------------
 */

/* "Name: value" lines, as cupel_call_headers_write makes them; white space around a value is the
 * host's. */
static size_t read_fields(struct part text, struct cupel_header fields[FIELDS])
{
    size_t count = 0;
    while (text.n > 0 && count < FIELDS) {
        struct part value = cut(&text, '\n'), name = cut(&value, ':');
        while (value.n > 0 && value.p[0] == ' ')
            value = (struct part){value.p + 1, value.n - 1};
        while (value.n > 0 && (value.p[value.n - 1] == '\r' || value.p[value.n - 1] == ' '))
            value.n--;
        fields[count++] = (struct cupel_header){name.p, name.n, value.p, value.n};
    }
    return count;
}

struct judging {
    const struct cupel_catalog *catalog;
    struct cupel_call_context *caller;
    enum cupel_mcp_profile profile;
    struct part request;
    const struct cupel_header *fields;
    size_t field_count;
};

static enum cupel_call_verdict judge_http(const struct judging *j,
                                          const struct cupel_header *fields, size_t count,
                                          struct cupel_text *answer)
{
    struct cupel_call_outcome outcome;
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.flags = CUPEL_REQUEST_FIELDS;
    options.headers = fields;
    options.header_count = count;
    enum cupel_call_verdict verdict = cupel_call_check(
        j->catalog, j->caller, j->request.p, j->request.n, &options, answer, NULL, NULL, &outcome);
    must_be_json(answer);
    require(verdict != CUPEL_CALL_VALID || (answer->len == 0 && outcome.definition != NULL));
    require(cupel_call_verdict_name(verdict)[0] != '\0');
    return verdict;
}

/* Of a valid call the fields that a client has to send are accepted, and so are the arguments with
 * defaults. */
static void check_written(const struct judging *j, struct cupel_text *answer)
{
    struct cupel_header fields[FIELDS + 1];
    struct cupel_text written, filled;
    if (cupel_call_check(j->catalog, j->caller, j->request.p, j->request.n, NULL, answer, NULL,
                         NULL, NULL) != CUPEL_CALL_VALID)
        return;
    cupel_text_init(&written, NULL);
    cupel_text_init(&filled, NULL);
    (void)cupel_call_defaults_write(j->caller, &filled);
    require(filled.len > 0);
    must_be_json(&filled);
    cupel_call_headers_write(j->caller, &written);
    require(written.len > 0);
    size_t lines = 0;
    for (size_t i = 0; i < written.len; i++)
        lines += written.bytes[i] == '\n';
    if (lines <= FIELDS && j->profile < CUPEL_MCP_2026_07_28) {
        size_t count = read_fields((struct part){written.bytes, written.len}, fields);
        require(judge_http(j, fields, count, answer) != CUPEL_CALL_HEADER_MISMATCH);
    }
    cupel_text_free(&written);
    cupel_text_free(&filled);
}

static int on_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                   const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    const struct judging *j = ctx;
    require(len <= j->request.n &&
            (len == 0 || memchr(j->request.p, message[0], j->request.n) != NULL));
    require(verdict != CUPEL_CALL_VALID || outcome->reason != NULL);
    must_be_json(answer);
    return 0;
}

static void judge_request(struct judging *j, uint32_t way, struct cupel_text *answer)
{
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.profile = j->profile;
    options.flags = (way & 1 ? CUPEL_REQUEST_FIELDS : 0) |
                    (way & 2 ? CUPEL_REQUEST_FIELDS_NEEDED : 0) |
                    (way & 4 ? CUPEL_REQUEST_EXACT_ARGUMENTS : 0);
    options.headers = j->fields;
    options.header_count = j->field_count;
    options.batch = way & 8 ? 2 : UINT32_MAX;
    enum cupel_call_verdict verdict =
        cupel_request_check(way & 16 ? NULL : j->catalog, j->caller, j->request.p, j->request.n,
                            &options, answer, on_call, j);
    require(verdict != CUPEL_CALL_VALID || answer->len == 0);
    must_be_json(answer);
}

/* -- Catalogs ------------------------------------------------------------------------------------
 */

static size_t read_patterns(struct part text, char room[PATTERNS][64],
                            const char *patterns[PATTERNS])
{
    size_t count = 0;
    for (; text.n > 0 && count < PATTERNS; count++) {
        struct part line = cut(&text, '\n');
        size_t n = line.n < 63 ? line.n : 63;
        memcpy(room[count], line.p, n);
        room[count][n] = '\0';
        patterns[count] = room[count];
    }
    return count;
}

/* The tools of `base` that match a pattern, and no others. */
static struct cupel_catalog *derive(const struct cupel_catalog *base, struct part text)
{
    char room[PATTERNS][64];
    const char *patterns[PATTERNS];
    size_t count = read_patterns(text, room, patterns);
    const struct cupel_description description = {count > 0 ? patterns[0] : "t", "\"as\nseen\""};
    const struct cupel_persona persona = {patterns, count, &description, 1};
    struct cupel_catalog *derived = NULL;
    if (cupel_catalog_derive(base, &persona, &derived, NULL) != CUPEL_OK)
        return NULL;
    uint32_t allowed = 0;
    for (uint32_t i = 0; i < cupel_catalog_count(base); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(base, i);
        int matches = 0;
        for (size_t k = 0; k < count; k++)
            matches |= cupel_persona_pattern_matches(patterns[k], tool);
        allowed += (uint32_t)matches;
    }
    require(cupel_catalog_count(derived) == allowed);
    return derived;
}

/* Another catalog that shares programs with the first one, replaced in a slot while it is held. */
static void judge_shared(struct judging *j, const struct cupel_catalog_options *options,
                         struct part list, struct part patterns, struct cupel_text *answer)
{
    struct cupel_catalog_options again = *options;
    struct cupel_catalog *other = NULL, *derived = derive(j->catalog, patterns);
    struct cupel_slot *slot = NULL;
    again.previous = j->catalog;
    require(cupel_catalog_new(&again, &other) == CUPEL_OK &&
            cupel_slot_new(1, NULL, &slot) == CUPEL_OK);
    require(cupel_catalog_add(other, list.p, list.n, NULL) == CUPEL_OK);
    enum cupel_call_verdict before = judge_http(j, j->fields, j->field_count, answer);
    (void)cupel_slot_publish_catalog(slot, other);
    struct judging held = *j;
    held.catalog = cupel_slot_acquire_catalog(slot, 0);
    require(held.catalog == other);
    if (derived != NULL)
        (void)cupel_slot_publish_catalog(slot, derived);
    require(judge_http(&held, held.fields, held.field_count, answer) == before);
    cupel_slot_release(slot, 0);
    cupel_slot_collect(slot);
    require(cupel_slot_collect(slot) == 1);
    held.catalog = cupel_slot_acquire_catalog(slot, 0);
    if (judge_http(&held, held.fields, held.field_count, answer) == CUPEL_CALL_VALID)
        require(before == CUPEL_CALL_VALID);
    cupel_slot_release(slot, 0);
    cupel_slot_free(slot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint64_t choice = choice_cut(data, &size);
    struct part rest = {size > 0 ? (const char *)data : "", size};
    const struct part list = cut(&rest, '\0'), patterns = cut(&rest, '\0'),
                      lines = cut(&rest, '\0');
    struct cupel_header fields[FIELDS];
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    struct judging j = {
        .request = rest, .fields = fields, .field_count = read_fields(lines, fields)};
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    catalog_ways_set(&options, &engine, choice >> 16);
    j.profile = options.profile;
    require(cupel_catalog_new(&options, &catalog) == CUPEL_OK);
    j.catalog = catalog;
    require(cupel_call_context_new(&engine, &j.caller) == CUPEL_OK);
    if (cupel_catalog_add(catalog, list.p, list.n, NULL) == CUPEL_OK) {
        (void)judge_http(&j, fields, j.field_count, &answer);
        check_written(&j, &answer);
        judge_request(&j, (uint32_t)choice & 0xff, &answer);
        judge_shared(&j, &options, list, patterns, &answer);
    }
    cupel_call_context_free(j.caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&answer);
    return 0;
}
