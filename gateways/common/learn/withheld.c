/* withheld.c: which tools are withheld, and taking them out of a list with all other bytes
 * unchanged.
 *
 * A client may check a signature or a digest of a definition, and it may depend on the order of
 * members.  So a list is never written again from its parsed form: ranges are cut out of its
 * text.  In an event the text is the data, which may be spread over several lines. */
#include "gateways/common/learn/withheld.h"

#include <cupel/pin.h>

#include <string.h>

/* -- Which ----------------------------------------------------------------------------------- */

static bool has_hidden_text(const struct cupel_tool *tool)
{
    for (uint32_t i = 0; i < tool->problem_count; i++)
        if (strcmp(tool->problems[i].rule, "hidden-text") == 0)
            return true;
    return false;
}

/* For cupel_lock_diff: notes what is different about the one tool.  Tools that only the lock has
 * are no changes of it. */
static int on_change(void *ctx, const struct cupel_change *change)
{
    uint8_t *why = ctx;
    if (change->kind == CUPEL_TOOL_CHANGED)
        *why |= CUPEL_GW_WITHHELD_CHANGED;
    else if (change->kind == CUPEL_TOOL_ADDED)
        *why |= CUPEL_GW_WITHHELD_MISSING;
    return 0;
}

/* Adds the definition to an empty catalog. */
static enum cupel_status add_alone(struct cupel_catalog *catalog, const struct cupel_tool *tool)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, "[");
    cupel_text_add(&text, tool->text, tool->text_len);
    cupel_text_adds(&text, "]");
    enum cupel_status status =
        text.failed ? CUPEL_E_NO_MEMORY : cupel_catalog_add(catalog, text.bytes, text.len, NULL);
    cupel_text_free(&text);
    return status;
}

/* Compares one tool with the lock, by a lock of a catalog that has this tool alone.  Programs are
 * taken over from the catalog, so nothing is compiled. */
static enum cupel_status compare(const struct cupel_catalog_options *options,
                                 const struct cupel_catalog *catalog, const struct cupel_tool *tool,
                                 const struct cupel_lock *pins, uint8_t *ret_why)
{
    struct cupel_catalog_options alone = *options;
    struct cupel_catalog *one = NULL;
    struct cupel_lock *lock = NULL;
    alone.previous = catalog; /* the programs are there */
    enum cupel_status status = cupel_catalog_new(&alone, &one);
    if (status == CUPEL_OK)
        status = add_alone(one, tool);
    if (status == CUPEL_OK)
        status = cupel_lock_new(one, &lock, NULL);
    if (status == CUPEL_OK)
        cupel_lock_diff(pins, lock, on_change, ret_why);
    cupel_lock_free(lock);
    cupel_catalog_free(one);
    return status;
}

enum cupel_status cupel_gw_withheld_find(const struct cupel_catalog_options *options,
                                         const struct cupel_catalog *catalog,
                                         const struct cupel_tool *tool,
                                         const struct cupel_lock *pins, uint8_t *ret_why)
{
    uint8_t why = has_hidden_text(tool) ? CUPEL_GW_WITHHELD_HIDDEN : 0;
    enum cupel_status status =
        pins != NULL ? compare(options, catalog, tool, pins, &why) : CUPEL_OK;
    if (status == CUPEL_OK)
        *ret_why = why;
    return status;
}

uint8_t cupel_gw_withheld_by_name(const struct cupel_catalog *catalog, const uint8_t *withheld,
                                  const struct cupel_tool *tool)
{
    uint8_t why = 0;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *other = cupel_catalog_tool(catalog, i);
        if (other->name_len == tool->name_len &&
            memcmp(other->name, tool->name, tool->name_len) == 0)
            why |= withheld[i];
    }
    return why;
}

enum cupel_gw_withhold cupel_gw_withheld_action(const struct cupel_gw_policy *policy, uint8_t why)
{
    enum cupel_gw_withhold action = CUPEL_GW_WITHHOLD_REPORT;
    if (why & (CUPEL_GW_WITHHELD_CHANGED | CUPEL_GW_WITHHELD_MISSING))
        action = policy->changed;
    if (why & CUPEL_GW_WITHHELD_HIDDEN && policy->hidden_text > action)
        action = policy->hidden_text;
    return action;
}

const char *cupel_gw_withheld_word(uint8_t why)
{
    if (why & CUPEL_GW_WITHHELD_CHANGED)
        return "changed";
    if (why & CUPEL_GW_WITHHELD_MISSING)
        return "unpinned";
    return why & CUPEL_GW_WITHHELD_HIDDEN ? "hidden-text" : "";
}

/* -- Cutting out of an array ----------------------------------------------------------------- */

static size_t end_of(const struct cupel_gw_cut *range)
{
    return range->at + range->len;
}

/* The comma between two items that follow one another.  Between them there is nothing else but
 * white space. */
static size_t comma_after(const char *text, const struct cupel_gw_cut *item)
{
    size_t at = end_of(item);
    while (text[at] != ',')
        at++;
    return at;
}

/* Computes the cuts.  An item goes with the comma before it if an item before it stays, otherwise
 * with the comma after it; so the rest is an array with one comma between two items. */
size_t cupel_gw_cuts(const char *text, const struct cupel_gw_cut *items, const uint8_t *hide,
                     size_t count, struct cupel_gw_cut *ret)
{
    size_t cuts = 0;
    bool kept = false;
    for (size_t i = 0; i < count; i++) {
        struct cupel_gw_cut cut = items[i];
        if (!hide[i]) {
            kept = true;
            continue;
        }
        if (kept) {
            cut.at = comma_after(text, &items[i - 1]);
            cut.len = end_of(&items[i]) - cut.at;
        } else if (i + 1 < count) {
            cut.len = comma_after(text, &items[i]) + 1 - cut.at;
        }
        ret[cuts++] = cut;
    }
    return cuts;
}

/* -- Writing without the cuts ---------------------------------------------------------------- */

/* What is left to be cut out, in order. */
struct cutter {
    const struct cupel_gw_cut *cuts, *end;
    const struct cupel_gw_sink *sink;
};

/* Writes bytes that stand at `at` in the text to which the cuts refer, without the cuts.  Calls
 * have to come in the order of `at`. */
static int write_span(struct cutter *cutter, const char *bytes, size_t at, size_t len)
{
    size_t done = 0;
    while (done < len) {
        while (cutter->cuts < cutter->end && end_of(cutter->cuts) <= at + done)
            cutter->cuts++;
        size_t from = cutter->cuts < cutter->end ? cutter->cuts->at : SIZE_MAX;
        if (from <= at + done) {
            size_t skip = end_of(cutter->cuts) - (at + done);
            done += skip < len - done ? skip : len - done;
            continue;
        }
        size_t run = from - (at + done) < len - done ? from - (at + done) : len - done;
        if (cutter->sink->write(cutter->sink->ctx, bytes + done, run) != 0)
            return -1;
        done += run;
    }
    return 0;
}

int cupel_gw_cut_text(const char *text, size_t len, const struct cupel_gw_cut *cuts, size_t count,
                      const struct cupel_gw_sink *sink)
{
    struct cutter cutter = {cuts, cuts + count, sink};
    return write_span(&cutter, text, 0, len);
}

/* Returns the length of a line without its end, and in *ret_end the length of its end: CR, LF or
 * CR LF; 0 at the end of the text. */
static size_t line_length(const char *text, size_t len, size_t *ret_end)
{
    size_t n = 0;
    while (n < len && text[n] != '\r' && text[n] != '\n')
        n++;
    *ret_end = n == len ? 0 : text[n] == '\r' && n + 1 < len && text[n + 1] == '\n' ? 2 : 1;
    return n;
}

/* Returns where the value of a data line begins; 0 for any other line. */
static size_t value_of_data(const char *line, size_t len)
{
    if (len < 4 || memcmp(line, "data", 4) != 0 || (len > 4 && line[4] != ':'))
        return 0;
    if (len == 4)
        return 4;
    return len > 5 && line[5] == ' ' ? 6 : 5;
}

/* Writes the event line by line.  `data` counts the bytes of data before the line, with one LF
 * after each data line, because the cuts refer to the joined data. */
int cupel_gw_cut_event(const char *event, size_t len, const struct cupel_gw_cut *cuts, size_t count,
                       const struct cupel_gw_sink *sink)
{
    struct cutter cutter = {cuts, cuts + count, sink};
    size_t data = 0; /* bytes of data before this line, with an LF after each data line */
    for (size_t at = 0; at < len;) {
        size_t end, line = line_length(event + at, len - at, &end);
        size_t value = value_of_data(event + at, line);
        size_t plain = value != 0 ? value : line;
        if (plain != 0 && sink->write(sink->ctx, event + at, plain) != 0)
            return -1;
        if (value != 0) {
            if (write_span(&cutter, event + at + value, data, line - value) != 0)
                return -1;
            data += line - value + 1;
        }
        if (end != 0 && sink->write(sink->ctx, event + at + line, end) != 0)
            return -1;
        at += line + end;
    }
    return 0;
}
