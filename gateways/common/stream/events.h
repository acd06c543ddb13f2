/* events.h: reading an event stream (`text/event-stream`; HTML Standard, "Server-sent events").
 *
 *     cupel_gw_events_init(&events, &arena, limit);
 *     while (more bytes arrive)
 *         while (cupel_gw_events_next(&events, &bytes, &len, &piece))
 *             forward piece.raw, or something else in its place
 *
 * The reader cuts a stream into pieces.  The raw texts of all pieces, one after the other, are the
 * stream again, except that a comment between the lines of an event comes before that event (a line
 * before it that ends with CR then ends with LF), and that an unfinished line or event at the end
 * of the stream is never returned.  The pieces do not depend on how the bytes were split.
 *
 * The reader does not depend on JSON, responses and policies.  Memory comes from the arena: at
 * most twice the limit for an event, and as much again if its data has several lines.
 *
 * Threads: a reader belongs to one thread at a time. */
#ifndef CUPEL_GATEWAY_EVENTS_H
#define CUPEL_GATEWAY_EVENTS_H

#include "gateways/common/base/buffer.h"

enum cupel_gw_piece_kind {
    CUPEL_GW_PIECE_BOM = 1, /* the byte order mark that the stream begins with */
    CUPEL_GW_PIECE_COMMENT, /* a comment, or a blank line that ends no event */
    CUPEL_GW_PIECE_EVENT,   /* an event, up to and including its blank line */
    CUPEL_GW_PIECE_LINE_END /* the LF of a CR LF whose CR ended the piece before */
};

/* Why the data of an event was dropped. */
enum cupel_gw_dropped {
    CUPEL_GW_NOT_DROPPED = 0,
    CUPEL_GW_DROPPED_LARGE,    /* the event is larger than the limit */
    CUPEL_GW_DROPPED_NO_MEMORY /* the arena had none */
};

/* A part of the stream.  Texts live until the next call for the same reader. */
struct cupel_gw_piece {
    enum cupel_gw_piece_kind kind;
    struct cupel_gw_text raw;  /* as it arrived; without data lines if they were dropped */
    struct cupel_gw_text data; /* EVENT: the values of its data lines with LF between them; bytes
                                  NULL: it has no data line, and no client sees an event */
    enum cupel_gw_dropped dropped;
    bool plain; /* no line but data lines has a control character other than TAB, or one of the line
                   separators of Unicode (U+0085, U+2028, U+2029), which some clients take for a
                   line end */
};

/* A reader.  The fields are its own. */
struct cupel_gw_events {
    struct cupel_gw_arena arena;
    size_t limit;
    struct cupel_gw_buffer raw;    /* the lines of the event so far, and the unfinished line */
    struct cupel_gw_buffer joined; /* data of several lines */
    size_t line;                   /* where the unfinished line begins in `raw` */
    size_t skipped;                /* bytes of the unfinished line that are not kept */
    size_t data, data_len;         /* the only data line so far, in `raw` */
    unsigned data_lines;
    unsigned bom; /* bytes of a byte order mark that were read; 4: the start is over */
    enum cupel_gw_dropped dropped;
    bool open;     /* lines of an event were read */
    bool plain;    /* so far */
    bool after_cr; /* the last byte was a CR: a LF that follows ends the same line */
    unsigned lf;   /* treatment of the LF of a CR LF: an enumerator of events.c */
    bool discard;  /* the event is not to be returned */
    bool clear;    /* the event in `raw` was returned */
};

/* Prepares a reader at the start of a stream.  `arena` is copied, and has to live as long as the
 * reader.  An event of more than `limit` bytes is returned without its data lines. */
void cupel_gw_events_init(struct cupel_gw_events *events, const struct cupel_gw_arena *arena,
                          size_t limit);

/* Takes bytes from *bytes, *len until a piece is complete, and moves both behind the bytes that it
 * took.  True: *ret is a piece; call again.  False: all bytes are taken, and none completed a
 * piece. */
bool cupel_gw_events_next(struct cupel_gw_events *events, const char **bytes, size_t *len,
                          struct cupel_gw_piece *ret);

/* Whether an event has begun that has not ended: some of its lines were read. */
bool cupel_gw_events_open(const struct cupel_gw_events *events);

/* Drops the unfinished event, and what follows of it.  *ret is the EVENT piece of its lines so far,
 * without data.  Without an unfinished event nothing is dropped, and `ret->raw` is empty. */
void cupel_gw_events_discard(struct cupel_gw_events *events, struct cupel_gw_piece *ret);

/* Goes through the lines of `raw`: *at, 0 at first, moves to the next line; *ret is the line with
 * its line end.  False at the end. */
bool cupel_gw_events_line(struct cupel_gw_text raw, size_t *at, struct cupel_gw_text *ret);

/* Whether a line has the field `data`. */
bool cupel_gw_events_is_data(struct cupel_gw_text line);

#endif
