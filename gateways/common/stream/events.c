/* events.c: cutting an event stream into pieces (events.h).
 *
 * `raw` holds the lines of the unfinished event and, from `line` on, the unfinished line.  A line
 * is looked at once, when its end arrives.  The data of an event with one data line is a range of
 * `raw`; with several lines it is copied together into `joined`.
 *
 * CR, LF and CR LF end a line, and a CR may be the last byte that has arrived.  So a line ends at
 * its CR, and `lf` notes to which piece a LF belongs that comes next.
 *
 * Once an event is larger than the limit its data lines are dropped, and of other lines only a
 * bounded part is kept, so the memory of an event is bounded whatever arrives. */
#include "gateways/common/stream/events.h"
#include "gateways/common/base/buffer.h"

#include <string.h>

enum {
    BOM_OVER = 4, /* the stream can no longer begin with a byte order mark */
    /* Once the data of an event is dropped: bytes kept of a line; of all lines 4 times as many. */
    KEPT_LINE = 1024,
    FIELD_NAME = 8 /* enough to tell a comment and the field `data` */
};

void cupel_gw_events_init(struct cupel_gw_events *events, const struct cupel_gw_arena *arena,
                          size_t limit)
{
    *events = (struct cupel_gw_events){.arena = *arena, .limit = limit, .plain = true};
}

/* What a LF is that comes after a CR. */
enum {
    LF_BELONGS, /* the rest of a line that is kept */
    LF_PIECE,   /* the rest of a piece that was returned */
    LF_DROPPED  /* the rest of a line that is not kept */
};

/* -- Lines ----------------------------------------------------------------------------------- */

static size_t without_line_end(const char *line, size_t len)
{
    if (len != 0 && line[len - 1] == '\n')
        len--;
    if (len != 0 && line[len - 1] == '\r')
        len--;
    return len;
}

bool cupel_gw_events_line(struct cupel_gw_text raw, size_t *at, struct cupel_gw_text *ret)
{
    size_t from = *at, end = from;
    if (from >= raw.len)
        return false;
    while (end < raw.len && raw.bytes[end] != '\n' && raw.bytes[end] != '\r')
        end++;
    if (end < raw.len && raw.bytes[end++] == '\r' && end < raw.len && raw.bytes[end] == '\n')
        end++;
    *ret = (struct cupel_gw_text){raw.bytes + from, end - from};
    *at = end;
    return true;
}

/* Finds the value of a data line: what follows `data:` and one optional space, or nothing after a
 * line `data`.  Returns false for any other line. */
static bool data_value(const char *line, size_t len, size_t *ret)
{
    if (len < 4 || memcmp(line, "data", 4) != 0 || (len > 4 && line[4] != ':'))
        return false;
    *ret = len == 4 ? 4 : len > 5 && line[5] == ' ' ? 6 : 5;
    return true;
}

bool cupel_gw_events_is_data(struct cupel_gw_text line)
{
    size_t value;
    return data_value(line.bytes, without_line_end(line.bytes, line.len), &value);
}

/* Whether a line has no character that some clients take for the end of a line: a control
 * character other than TAB, U+0085, U+2028 or U+2029.  A client that splits the line there would
 * see fields that the gateway did not judge.  The byte 0x85 counts wherever it stands: it is U+0085
 * for a client that decodes text/event-stream as ISO 8859-1. */
static bool is_plain(const char *line, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)line;
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] < 0x20 && bytes[i] != '\t')
            return false;
        if (bytes[i] == 0x85)
            return false;
        if (bytes[i] == 0xE2 && i + 2 < len && bytes[i + 1] == 0x80 && (bytes[i + 2] | 1) == 0xA9)
            return false;
    }
    return true;
}

/* Whether a client that trims lines, or compares names without case, could take a line for a data
 * line: its first letters are those of `data`. */
static bool resembles_data(const char *line, size_t len)
{
    static const char name[] = "data";
    size_t i = 0, n = 0;
    while (i < len && ((unsigned char)line[i] <= 0x20 || (unsigned char)line[i] >= 0x7f))
        i++;
    while (n < sizeof(name) - 1 && i + n < len && (line[i + n] | 0x20) == name[n])
        n++;
    return n == sizeof(name) - 1;
}

/* -- Memory ---------------------------------------------------------------------------------- */

/* Replaces the CR that ends the line before `at` by a LF.  Where the lines between are taken out,
 * a LF that comes next would otherwise be read as the second half of a CR LF. */
static void end_with_lf(struct cupel_gw_events *events, size_t at)
{
    if (at != 0 && events->raw.bytes[at - 1] == '\r')
        events->raw.bytes[at - 1] = '\n';
}

/* Drops the data lines of the event so far, and notes why.  The other lines stay, so that the
 * error event in its place has the same id and the same fields. */
static void drop_data(struct cupel_gw_events *events, enum cupel_gw_dropped why)
{
    struct cupel_gw_text raw = {events->raw.bytes, events->line}, line;
    size_t at = 0, kept = 0;
    if (events->dropped != CUPEL_GW_NOT_DROPPED)
        return;
    events->dropped = why;
    while (cupel_gw_events_line(raw, &at, &line)) {
        if (cupel_gw_events_is_data(line) || line.len > KEPT_LINE ||
            kept + line.len > KEPT_LINE * 4)
            continue;
        memmove(events->raw.bytes + kept, line.bytes, line.len);
        kept += line.len;
        end_with_lf(events, kept);
    }
    size_t unfinished = events->raw.len - events->line;
    if (unfinished != 0)
        memmove(events->raw.bytes + kept, events->raw.bytes + events->line, unfinished);
    events->line = kept;
    events->raw.len = kept + unfinished;
}

/* How many of `more` bytes of the unfinished line can be kept.  Where it is not all of them, the
 * data of the event is dropped. */
static size_t make_room(struct cupel_gw_events *events, size_t more)
{
    size_t needed = events->raw.len + more;
    if (events->dropped == CUPEL_GW_NOT_DROPPED) {
        if (needed > events->limit) {
            cupel_gw_buffer_reserve(&events->raw, &events->arena, KEPT_LINE * 5);
            drop_data(events, CUPEL_GW_DROPPED_LARGE);
        } else if (!cupel_gw_buffer_reserve(&events->raw, &events->arena, needed)) {
            drop_data(events, CUPEL_GW_DROPPED_NO_MEMORY);
        } else {
            return more;
        }
    }
    size_t unfinished = events->raw.len - events->line;
    size_t most = events->line + KEPT_LINE < KEPT_LINE * 4 ? KEPT_LINE : FIELD_NAME;
    if (most > events->raw.capacity - events->line)
        most = events->raw.capacity - events->line;
    size_t left = unfinished < most ? most - unfinished : 0;
    return more < left ? more : left;
}

/* Appends bytes to the unfinished line, as far as the limit or, once data was dropped, the bounds
 * for the rest allow.  `skipped` counts what was not kept. */
static void add(struct cupel_gw_events *events, const char *bytes, size_t len)
{
    size_t kept = len != 0 && events->skipped == 0 ? make_room(events, len) : 0;
    if (kept != 0)
        memcpy(events->raw.bytes + events->raw.len, bytes, kept);
    events->raw.len += kept;
    events->skipped += len - kept;
}

/* -- Events ---------------------------------------------------------------------------------- */

static void begin_event(struct cupel_gw_events *events)
{
    events->raw.len = events->line = events->skipped = 0;
    events->data_lines = 0;
    events->dropped = CUPEL_GW_NOT_DROPPED;
    events->open = events->discard = events->clear = false;
    events->plain = true;
}

/* Copies the values of all data lines into `joined`, with LF between them, as the standard
 * requires. */
static struct cupel_gw_text join_data(struct cupel_gw_events *events)
{
    struct cupel_gw_text raw = {events->raw.bytes, events->raw.len}, line;
    size_t at = 0, value;
    struct cupel_gw_buffer *joined = &events->joined;
    if (events->data_lines == 0 || events->dropped != CUPEL_GW_NOT_DROPPED)
        return (struct cupel_gw_text){NULL, 0};
    if (events->data_lines == 1)
        return (struct cupel_gw_text){events->raw.bytes + events->data, events->data_len};
    joined->len = 0;
    if (!cupel_gw_buffer_reserve(joined, &events->arena, raw.len)) {
        drop_data(events, CUPEL_GW_DROPPED_NO_MEMORY);
        return (struct cupel_gw_text){NULL, 0};
    }
    while (cupel_gw_events_line(raw, &at, &line)) {
        size_t len = without_line_end(line.bytes, line.len);
        if (!data_value(line.bytes, len, &value))
            continue;
        memcpy(joined->bytes + joined->len, line.bytes + value, len - value);
        joined->len += len - value;
        joined->bytes[joined->len++] = '\n';
    }
    return (struct cupel_gw_text){joined->bytes, joined->len - 1};
}

static void return_event(struct cupel_gw_events *events, struct cupel_gw_piece *ret)
{
    events->line = events->raw.len;
    *ret = (struct cupel_gw_piece){.kind = CUPEL_GW_PIECE_EVENT, .plain = events->plain};
    ret->data = join_data(events);
    ret->dropped = events->dropped;
    ret->raw = (struct cupel_gw_text){events->raw.bytes, events->raw.len};
    events->clear = true;
}

/* Returns the unfinished line and sets the length of `raw` back to its start.  The bytes are not
 * moved: the text is valid until `raw` is written to. */
static struct cupel_gw_text take_raw_line(struct cupel_gw_events *events)
{
    end_with_lf(events, events->line);
    struct cupel_gw_text line = {"", events->raw.len - events->line};
    if (events->raw.bytes != NULL)
        line.bytes = events->raw.bytes + events->line;
    events->raw.len = events->line;
    events->skipped = 0;
    return line;
}

/* Ends a line that is a field: notes a data line, and drops the data if the event is too large. */
static void end_field(struct cupel_gw_events *events, struct cupel_gw_text line)
{
    size_t value;
    bool data = data_value(line.bytes, line.len, &value);
    events->open = true;
    if (data) {
        events->data_lines++;
        events->data = events->line + value;
        events->data_len = line.len - value;
    } else if ((events->skipped == 0 && !is_plain(line.bytes, line.len)) ||
               resembles_data(line.bytes, line.len)) {
        events->plain = false;
    }
    events->lf = LF_BELONGS;
    if (events->skipped != 0 || (data && events->dropped != CUPEL_GW_NOT_DROPPED)) {
        take_raw_line(events);
        events->lf = LF_DROPPED;
    }
    events->line = events->raw.len;
}

/* Ends a comment or a blank line that ends no event.  A comment between the lines of an event is
 * returned before the event, for it may be a keep-alive that must not wait. */
static bool end_comment(struct cupel_gw_events *events, struct cupel_gw_text line,
                        struct cupel_gw_piece *ret)
{
    bool kept = events->skipped == 0;
    *ret = (struct cupel_gw_piece){.kind = CUPEL_GW_PIECE_COMMENT,
                                   .plain = is_plain(line.bytes, line.len)};
    ret->raw = take_raw_line(events);
    events->lf = kept ? LF_PIECE : LF_DROPPED;
    return kept;
}

/* Ends an event at its blank line.  An event whose error was already sent is discarded. */
static bool end_event(struct cupel_gw_events *events, struct cupel_gw_piece *ret)
{
    bool discarded = events->discard;
    if (discarded)
        begin_event(events);
    else
        return_event(events, ret);
    events->lf = discarded ? LF_DROPPED : LF_PIECE;
    return !discarded;
}

/* Ends the unfinished line with the character that was added last.  Returns true if *ret is a
 * piece. */
static bool end_line(struct cupel_gw_events *events, struct cupel_gw_piece *ret)
{
    size_t whole = events->raw.len - events->line;
    const char *bytes = whole != 0 ? events->raw.bytes + events->line : "";
    struct cupel_gw_text line = {bytes, without_line_end(bytes, whole)};
    bool blank = line.len == 0 && events->skipped <= 1;
    if (blank && events->open)
        return end_event(events, ret);
    if (blank || bytes[0] == ':')
        return end_comment(events, line, ret);
    end_field(events, line);
    return false;
}

/* -- The stream ------------------------------------------------------------------------------ */

static const char byte_order_mark[] = "\xEF\xBB\xBF";

/* Reads bytes at the start of the stream that may be a byte order mark.  Returns true if *ret is
 * one.  Bytes that turn out to be none are added to the first line. */
static bool read_bom(struct cupel_gw_events *events, const char **bytes, size_t *len,
                     struct cupel_gw_piece *ret)
{
    while (*len != 0 && events->bom < 3 && **bytes == byte_order_mark[events->bom]) {
        events->bom++;
        (*bytes)++;
        (*len)--;
    }
    if (events->bom == 3) {
        *ret = (struct cupel_gw_piece){
            .kind = CUPEL_GW_PIECE_BOM, .raw = {byte_order_mark, 3}, .plain = true};
        events->bom = BOM_OVER;
        return true;
    }
    if (*len != 0) {
        add(events, byte_order_mark, events->bom);
        events->bom = BOM_OVER;
    }
    return false;
}

/* Reads the LF of a CR LF.  Returns true if *ret is a piece. */
static bool read_lf(struct cupel_gw_events *events, struct cupel_gw_piece *ret)
{
    if (events->lf == LF_BELONGS) {
        add(events, "\n", 1);
        events->skipped = 0;
        events->line = events->raw.len;
    }
    *ret =
        (struct cupel_gw_piece){.kind = CUPEL_GW_PIECE_LINE_END, .raw = {"\n", 1}, .plain = true};
    return events->lf == LF_PIECE;
}

/* Looks for both line ends in one block after the other.  A search for the next LF in all bytes
 * would take quadratic time for a text whose lines all end with CR. */
static size_t length_of_line(const char *bytes, size_t len)
{
    enum { BLOCK = 256 };
    for (size_t at = 0; at < len; at += BLOCK) {
        size_t size = len - at < BLOCK ? len - at : BLOCK;
        const char *lf = memchr(bytes + at, '\n', size);
        size = lf != NULL ? (size_t)(lf - bytes) - at : size;
        const char *cr = memchr(bytes + at, '\r', size);
        if (cr != NULL || lf != NULL)
            return cr != NULL ? (size_t)(cr - bytes) : at + size;
    }
    return len;
}

/* Reads a line, or as much of it as has arrived.  Returns true if *ret is a piece. */
static bool read_line(struct cupel_gw_events *events, const char **bytes, size_t *len,
                      struct cupel_gw_piece *ret)
{
    size_t part = length_of_line(*bytes, *len);
    add(events, *bytes, part);
    *bytes += part;
    *len -= part;
    if (*len == 0)
        return false;
    events->after_cr = **bytes == '\r';
    add(events, *bytes, 1);
    ++*bytes;
    --*len;
    return end_line(events, ret);
}

bool cupel_gw_events_next(struct cupel_gw_events *events, const char **bytes, size_t *len,
                          struct cupel_gw_piece *ret)
{
    if (events->clear)
        begin_event(events);
    if (events->bom != BOM_OVER && read_bom(events, bytes, len, ret))
        return true;
    while (*len != 0) {
        bool lf = events->after_cr && **bytes == '\n';
        events->after_cr = false;
        if (lf) {
            ++*bytes;
            --*len;
        }
        if (lf ? read_lf(events, ret) : read_line(events, bytes, len, ret))
            return true;
    }
    return false;
}

/* -- Events that are given up ---------------------------------------------------------------- */

bool cupel_gw_events_open(const struct cupel_gw_events *events)
{
    size_t unfinished = events->raw.len - events->line;
    bool field =
        events->skipped != 0 || (unfinished != 0 && events->raw.bytes[events->line] != ':');
    return (events->open || field) && !events->clear && !events->discard;
}

/* Gives up the unfinished event and returns its lines so far without data.  What follows of it is
 * read and dropped up to its blank line. */
void cupel_gw_events_discard(struct cupel_gw_events *events, struct cupel_gw_piece *ret)
{
    *ret = (struct cupel_gw_piece){.kind = CUPEL_GW_PIECE_EVENT, .plain = events->plain};
    if (!cupel_gw_events_open(events))
        return;
    drop_data(events, CUPEL_GW_DROPPED_LARGE);
    ret->dropped = events->dropped;
    ret->raw = (struct cupel_gw_text){events->raw.bytes, events->line};
    events->skipped += events->raw.len - events->line;
    events->raw.len = events->line;
    events->open = events->discard = true;
    events->lf = LF_DROPPED;
}
