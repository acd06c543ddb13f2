/* target.c: an event stream from strangers, read in pieces and whole.
 *
 * The input is a byte that chooses the limit, a byte that chooses how the stream is split, and the
 * stream.  The pieces must be the same for every split.  Put together again they must mean to a
 * client what the stream means to it: the client here reads the whole text at once, by the words of
 * the HTML Standard, and shares nothing with the reader. */
#include "../target.h"
#include "gateways/common/stream/events.h"
#include <cupel/common.h>
#include <string.h>

/* -- A client, with the whole text ----------------------------------------------------------- */

struct line {
    const char *bytes;
    size_t len;
    bool ended;
};

static struct line next_line(const char *text, size_t len, size_t *at)
{
    struct line line = {text + *at, 0, false};
    while (*at < len && text[*at] != '\n' && text[*at] != '\r')
        (*at)++;
    line.len = (size_t)(text + *at - line.bytes);
    line.ended = *at < len;
    if (*at < len && text[*at] == '\r' && *at + 1 < len && text[*at + 1] == '\n')
        (*at)++;
    if (*at < len)
        (*at)++;
    return line;
}

static bool field_is(const struct line *line, size_t colon, const char *name)
{
    return colon == strlen(name) && memcmp(line->bytes, name, colon) == 0;
}

/* Writes for each event that a client sees its type, its data and the last id. */
static void client_read(const char *text, size_t len, struct cupel_text *seen)
{
    struct cupel_text data, type, id;
    bool has_data = false;
    size_t at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    cupel_text_init(&data, NULL);
    cupel_text_init(&type, NULL);
    cupel_text_init(&id, NULL);
    while (at < len) {
        struct line line = next_line(text, len, &at);
        const char *end = memchr(line.bytes, ':', line.len);
        size_t colon = end != NULL ? (size_t)(end - line.bytes) : line.len;
        size_t value = colon < line.len ? colon + 1 : colon;
        value += value < line.len && colon < line.len && line.bytes[value] == ' ';
        if (!line.ended)
            break;
        if (line.len == 0) {
            if (has_data) {
                cupel_text_add_json(seen, type.bytes, type.len);
                cupel_text_add_json(seen, data.bytes, data.len - 1);
            }
            cupel_text_add_json(seen, id.bytes, id.len);
            cupel_text_clear(&data);
            cupel_text_clear(&type);
            has_data = false;
        } else if (field_is(&line, colon, "data")) {
            has_data = true;
            cupel_text_add(&data, line.bytes + value, line.len - value);
            cupel_text_add(&data, "\n", 1);
        } else if (field_is(&line, colon, "event")) {
            cupel_text_clear(&type);
            cupel_text_add(&type, line.bytes + value, line.len - value);
        } else if (field_is(&line, colon, "id") &&
                   memchr(line.bytes + value, '\0', line.len - value) == NULL) {
            cupel_text_clear(&id);
            cupel_text_add(&id, line.bytes + value, line.len - value);
        }
    }
    cupel_text_free(&data);
    cupel_text_free(&type);
    cupel_text_free(&id);
}

/* -- Pieces ---------------------------------------------------------------------------------- */

struct block {
    struct block *next;
    size_t size;
};

static void *take(void *ctx, size_t size)
{
    struct block **blocks = ctx, *block = malloc(sizeof(*block) + size);
    if (block == NULL)
        return NULL;
    *block = (struct block){*blocks, size};
    *blocks = block;
    return block + 1;
}

static void free_blocks(struct block *block)
{
    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

struct reading {
    struct cupel_text raw;   /* all pieces */
    struct cupel_text notes; /* what the pieces are */
    struct cupel_text data;  /* of all events, as JSON strings */
    bool dropped;
};

static void take_piece(struct reading *reading, const struct cupel_gw_piece *piece)
{
    cupel_text_add(&reading->raw, piece->raw.bytes, piece->raw.len);
    cupel_text_addf(&reading->notes, "%d %d %d %zu;", (int)piece->kind, (int)piece->dropped,
                    piece->plain, piece->raw.len);
    reading->dropped = reading->dropped || piece->dropped != CUPEL_GW_NOT_DROPPED;
    require(piece->dropped == CUPEL_GW_NOT_DROPPED || piece->data.bytes == NULL);
    if (piece->data.bytes != NULL)
        cupel_text_add_json(&reading->data, piece->data.bytes, piece->data.len);
}

/* The size of the next part: 0 is everything. */
static size_t part_of(uint8_t split, size_t *state, size_t len)
{
    *state = *state * 1103515245u + 12345u;
    size_t part = split == 0 ? len : split == 1 ? 1 : (*state >> 16) % split;
    return part < len ? part : len;
}

static void read_parts(const char *stream, size_t len, size_t limit, uint8_t split,
                       struct reading *reading)
{
    struct block *blocks = NULL;
    struct cupel_gw_arena arena = {take, &blocks};
    struct cupel_gw_events events;
    struct cupel_gw_piece piece;
    size_t state = split;
    cupel_text_init(&reading->raw, NULL);
    cupel_text_init(&reading->notes, NULL);
    cupel_text_init(&reading->data, NULL);
    reading->dropped = false;
    cupel_gw_events_init(&events, &arena, limit);
    while (len != 0) {
        size_t part = part_of(split, &state, len), left = part;
        char *exact = malloc(part + 1);
        const char *at = exact;
        if (exact == NULL)
            break;
        memcpy(exact, stream, part);
        while (cupel_gw_events_next(&events, &at, &left, &piece))
            take_piece(reading, &piece);
        require(left == 0);
        free(exact);
        stream += part;
        len -= part;
    }
    free_blocks(blocks);
}

static void free_reading(struct reading *reading)
{
    cupel_text_free(&reading->raw);
    cupel_text_free(&reading->notes);
    cupel_text_free(&reading->data);
}

static bool same(const struct cupel_text *a, const struct cupel_text *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t splits[] = {1, 3, 40};
    struct reading whole, parts;
    struct cupel_text before, after;
    if (size < 2)
        return 0;
    const char *stream = (const char *)data + 2;
    size_t len = size - 2, limit = data[0] < 128 ? 1 << 20 : (size_t)(data[0] - 127) * 16;
    read_parts(stream, len, limit, 0, &whole);
    for (size_t i = 0; i <= sizeof(splits); i++) {
        read_parts(stream, len, limit, i < sizeof(splits) ? splits[i] : data[1], &parts);
        require(same(&whole.raw, &parts.raw) && same(&whole.notes, &parts.notes) &&
                same(&whole.data, &parts.data));
        free_reading(&parts);
    }
    cupel_text_init(&before, NULL);
    cupel_text_init(&after, NULL);
    client_read(stream, len, &before);
    client_read(whole.raw.bytes, whole.raw.len, &after);
    require(whole.dropped || same(&before, &after));
    cupel_text_free(&before);
    cupel_text_free(&after);
    free_reading(&whole);
    return 0;
}
