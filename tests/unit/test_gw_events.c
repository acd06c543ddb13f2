/* test_gw_events.c: event streams in pieces, whatever the line ends, limits and splits. */
#include "gateways/common/stream/events.h"
#include "test.h"
#include "test_arena.h"

/* What the pieces of a stream say, one line each. */
static struct cupel_text pieces, split;

static void add_text(struct cupel_text *text, const char *name, struct cupel_gw_text value)
{
    cupel_text_addf(text, " %s=", name);
    if (value.bytes == NULL)
        cupel_text_adds(text, "none");
    else
        cupel_text_add_json(text, value.bytes, value.len);
}

static void add_piece(struct cupel_text *text, const struct cupel_gw_piece *piece)
{
    static const char *const names[] = {"", "mark", "comment", "event", "lf"};
    static const char *const dropped[] = {"", " large", " no-memory"};
    cupel_text_adds(text, names[piece->kind]);
    if (piece->kind == CUPEL_GW_PIECE_EVENT)
        add_text(text, "data", piece->data);
    cupel_text_adds(text, dropped[piece->dropped]);
    cupel_text_adds(text, piece->plain ? "" : " odd");
    add_text(text, "raw", piece->raw);
    cupel_text_adds(text, "\n");
}

static void feed(struct cupel_gw_events *events, const char *bytes, size_t len,
                 struct cupel_text *text)
{
    struct cupel_gw_piece piece;
    char *exact = malloc(len != 0 ? len : 1);
    const char *at = exact;
    memcpy(exact, bytes, len);
    while (cupel_gw_events_next(events, &at, &len, &piece))
        add_piece(text, &piece);
    CHECK_INT(len, 0);
    free(exact);
}

static void read_split(const char *bytes, size_t len, size_t limit, size_t a, size_t b,
                       struct cupel_text *text)
{
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory = test_arena_of(&arena);
    struct cupel_gw_events events;
    cupel_text_clear(text);
    cupel_gw_events_init(&events, &memory, limit);
    feed(&events, bytes, a, text);
    feed(&events, bytes + a, b - a, text);
    feed(&events, bytes + b, len - b, text);
    test_arena_free(&arena);
}

static void read_bytes(const char *bytes, size_t len, size_t limit, struct cupel_text *text)
{
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory = test_arena_of(&arena);
    struct cupel_gw_events events;
    cupel_text_clear(text);
    cupel_gw_events_init(&events, &memory, limit);
    for (size_t i = 0; i < len; i++)
        feed(&events, bytes + i, 1, text);
    test_arena_free(&arena);
}

#define SAME(a, b) CHECK((a).len == (b).len && memcmp((a).bytes, (b).bytes, (a).len) == 0)

static const struct stream_case {
    const char *stream;
    size_t limit; /* 0: none that matters */
    const char *pieces;
} stream_cases[] = {
    {"data: a\n\n", 0, "event data=\"a\" raw=\"data: a\\n\\n\"\n"},
    {"data:a\r\rdata:  b\r\r", 0,
     "event data=\"a\" raw=\"data:a\\r\\r\"\nevent data=\" b\" raw=\"data:  "
     "b\\r\\r\"\n"},
    {"data: a\r\n\r\ndata: b\r\n\r\n", 0,
     "event data=\"a\" raw=\"data: a\\r\\n\\r\"\nlf raw=\"\\n\"\n"
     "event data=\"b\" raw=\"data: b\\r\\n\\r\"\nlf raw=\"\\n\"\n"},
    {"id: 7\r\nevent: x\ndata: a\rdata\ndata: b\nretry: 5\n\n", 0,
     "event data=\"a\\n\\nb\" raw=\"id: 7\\r\\nevent: x\\ndata: "
     "a\\rdata\\ndata: b\\nretry: "
     "5\\n\\n\"\n"},
    {"\xEF\xBB\xBF"
     "data: a\n\n",
     0, "mark raw=\"\\ufeff\"\nevent data=\"a\" raw=\"data: a\\n\\n\"\n"},
    {"\xEF\xBB"
     "data: a\n\n",
     0,
     "event data=none odd raw=\"\xEF\xBF\xBD\xEF\xBF\xBD"
     "data: a\\n\\n\"\n"},
    {"data: a\n\xEF\xBB\xBF"
     "data: b\n\n",
     0,
     "event data=\"a\" odd raw=\"data: a\\n\\ufeff"
     "data: b\\n\\n\"\n"},
    {":\n: ping\r\ndata: a\n:mid\ndata: b\n\n", 0,
     "comment raw=\":\\n\"\ncomment raw=\": ping\\r\"\nlf raw=\"\\n\"\ncomment "
     "raw=\":mid\\n\"\n"
     "event data=\"a\\nb\" raw=\"data: a\\ndata: b\\n\\n\"\n"},
    {"data: a\r:c\n\ndata: b\r:c\r\n\r\n", 0,
     "comment raw=\":c\\n\"\nevent data=\"a\" raw=\"data: a\\n\\n\"\ncomment "
     "raw=\":c\\r\"\n"
     "lf raw=\"\\n\"\nevent data=\"b\" raw=\"data: b\\n\\r\"\nlf "
     "raw=\"\\n\"\n"},
    {"id: 1\rdata: 123456789\r\nid: 2\r\n\n", 16,
     "event data=none large raw=\"id: 1\\nid: 2\\r\\n\\n\"\n"},
    {"\n\r\r\ndata: a\n\n\n", 0,
     "comment raw=\"\\n\"\ncomment raw=\"\\r\"\ncomment raw=\"\\r\"\nlf "
     "raw=\"\\n\"\n"
     "event data=\"a\" raw=\"data: a\\n\\n\"\ncomment raw=\"\\n\"\n"},
    {"id: 1\ndata\n\n", 0, "event data=\"\" raw=\"id: 1\\ndata\\n\\n\"\n"},
    {"data:\ndata\n\n", 0, "event data=\"\\n\" raw=\"data:\\ndata\\n\\n\"\n"},
    {"retry: 3000\n\n", 0, "event data=none raw=\"retry: 3000\\n\\n\"\n"},
    {"Data: a\nDATA: b\n data: c\ndatas: d\n\n", 0,
     "event data=none odd raw=\"Data: a\\nDATA: b\\n data: c\\ndatas: d\\n\\n\"\n"},
    {"\t\xC2\xA0"
     "Data : a\n\n",
     0,
     "event data=none odd raw=\"\\t\xC2\xA0"
     "Data : a\\n\\n\"\n"},
    {"dat: a\nid: data\n:data: b\n\n", 0,
     "comment raw=\":data: b\\n\"\nevent data=none raw=\"dat: a\\nid: data\\n\\n\"\n"},
    {":\xC3\x85"
     "data: a\nid: \xC3\x85\n\ndata: \xC3\x85\n\n",
     0,
     "comment odd raw=\":\xC3\x85"
     "data: a\\n\"\n"
     "event data=none odd raw=\"id: \xC3\x85\\n\\n\"\n"
     "event data=\"\xC3\x85\" raw=\"data: \xC3\x85\\n\\n\"\n"},
    {"data: a\n", 0, ""},
    {"data: a\n\ndata: b\nid: 3", 0, "event data=\"a\" raw=\"data: a\\n\\n\"\n"},
    {":\xE2\x80\xA8"
     "data: x\n",
     0,
     "comment odd raw=\":\\u2028"
     "data: x\\n\"\n"},
    {"event: \x0B\ndata: a\n\n", 0,
     "event data=\"a\" odd raw=\"event: \\u000b\\ndata: a\\n\\n\"\n"},
    {"id: \xC2\x85\n\ndata: \xC2\x85\n\n", 0,
     "event data=none odd raw=\"id: \\u0085\\n\\n\"\n"
     "event data=\"\\u0085\" raw=\"data: \\u0085\\n\\n\"\n"},
    {"data: 12345678\n\n", 16, "event data=\"12345678\" raw=\"data: 12345678\\n\\n\"\n"},
    {"data: 123456789\n\n", 16, "event data=none large raw=\"\\n\"\n"},
    {"id: 1\r\ndata: 123456789\r\ndata: a\r\nevent: x\r\n\r\ndata: b\n\n", 16,
     "event data=none large raw=\"id: 1\\r\\nevent: x\\r\\n\\r\"\nlf "
     "raw=\"\\n\"\n"
     "event data=\"b\" raw=\"data: b\\n\\n\"\n"},
    {"id: 1\ndata: 123456789\n:c\n\n", 16,
     "comment raw=\":c\\n\"\nevent data=none large raw=\"id: 1\\n\\n\"\n"},
};

static void check_case(const struct stream_case *c)
{
    size_t len = strlen(c->stream), limit = c->limit != 0 ? c->limit : 1000;
    read_split(c->stream, len, limit, 0, 0, &pieces);
    if (!CHECK_MEM(pieces.len != 0 ? pieces.bytes : "", pieces.len, c->pieces))
        fprintf(stderr, "    of %s\n", c->stream);
    for (size_t a = 0; a <= len; a++)
        for (size_t b = a; b <= len; b++) {
            read_split(c->stream, len, limit, a, b, &split);
            SAME(split, pieces);
        }
    read_bytes(c->stream, len, limit, &split);
    SAME(split, pieces);
}

/* Long lines around the limits within which fields of an event that is too
 * large are kept. */
static void check_long(void)
{
    static const size_t lengths[] = {900, 1019, 1020, 1021, 1022, 1023, 1500, 5000};
    static const size_t limits[] = {100, 950, 2000, 9000};
    struct cupel_text stream;
    cupel_text_init(&stream, NULL);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
        for (size_t k = 0; k < sizeof(limits) / sizeof(limits[0]); k++) {
            cupel_text_clear(&stream);
            for (int field = 0; field < 7; field++) {
                cupel_text_adds(&stream, field == 3 ? "data: " : field == 5 ? ":" : "id: ");
                for (size_t n = 0; n < lengths[i]; n++)
                    cupel_text_adds(&stream, "x");
                cupel_text_adds(&stream, field % 2 != 0 ? "\r\n" : "\n");
            }
            cupel_text_adds(&stream, "\r\ndata: next\n\n");
            read_split(stream.bytes, stream.len, limits[k], 0, 0, &pieces);
            read_bytes(stream.bytes, stream.len, limits[k], &split);
            SAME(split, pieces);
            CHECK(strstr(pieces.bytes, "event data=\"next\"") != NULL);
            for (size_t a = 1; a < stream.len; a += 97) {
                read_split(stream.bytes, stream.len, limits[k], a, a + (stream.len - a) / 2,
                           &split);
                SAME(split, pieces);
            }
        }
    cupel_text_free(&stream);
}

/* An event that is given up while it is unfinished. */
static void check_discard(void)
{
    static const char before[] = "id: 1\ndata: a\ndata: b";
    static const char after[] = "bb\nevent: x\r\n:ping\n\r\ndata: c\n\n";
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory = test_arena_of(&arena);
    struct cupel_gw_events events;
    struct cupel_gw_piece piece;
    cupel_gw_events_init(&events, &memory, 1000);
    cupel_gw_events_discard(&events, &piece);
    CHECK_INT(piece.raw.len, 0);
    cupel_text_clear(&pieces);
    CHECK(!cupel_gw_events_open(&events));
    feed(&events, ": comment", 9, &pieces);
    CHECK(!cupel_gw_events_open(&events));
    feed(&events, "\ndat", 4, &pieces);
    CHECK(cupel_gw_events_open(&events));
    feed(&events, "a:0\n\n", 5, &pieces);
    CHECK(!cupel_gw_events_open(&events));
    feed(&events, before, strlen(before), &pieces);
    CHECK(cupel_gw_events_open(&events));
    cupel_gw_events_discard(&events, &piece);
    add_piece(&pieces, &piece);
    CHECK(!cupel_gw_events_open(&events));
    feed(&events, after, strlen(after), &pieces);
    CHECK_MEM(pieces.bytes, pieces.len,
              "comment raw=\": comment\\n\"\nevent data=\"0\" raw=\"data:0\\n\\n\"\n"
              "event data=none large raw=\"id: 1\\n\"\ncomment raw=\":ping\\n\"\n"
              "event data=\"c\" raw=\"data: c\\n\\n\"\n");
    test_arena_free(&arena);
}

/* An arena that fails at each request in turn: data may be dropped, and the next event is read. */
static void check_memory(void)
{
    struct cupel_text stream;
    cupel_text_init(&stream, NULL);
    cupel_text_adds(&stream, "id: 1\n");
    for (int i = 0; i < 3000; i++)
        cupel_text_adds(&stream, "data: 0123456789\n");
    cupel_text_adds(&stream, "\ndata: last\n\n");
    for (unsigned long fail = 1; fail < 12; fail++) {
        struct test_arena arena = {.fail_at = fail};
        struct cupel_gw_arena memory = test_arena_of(&arena);
        struct cupel_gw_events events;
        cupel_text_clear(&pieces);
        cupel_gw_events_init(&events, &memory, 1000000);
        for (size_t i = 0; i < stream.len; i += 100)
            feed(&events, stream.bytes + i, i + 100 < stream.len ? 100 : stream.len - i, &pieces);
        bool failed = arena.requests >= fail;
        CHECK(pieces.bytes != NULL && failed == (strstr(pieces.bytes, "no-memory") != NULL));
        CHECK(strstr(pieces.bytes, "data=\"last\" raw") != NULL);
        CHECK(arena.bytes < 2 * 3000 * 17 * 2 + 16384);
        test_arena_free(&arena);
    }
    cupel_text_free(&stream);
}

int main(void)
{
    cupel_text_init(&pieces, NULL);
    cupel_text_init(&split, NULL);
    for (size_t i = 0; i < sizeof(stream_cases) / sizeof(stream_cases[0]); i++)
        check_case(&stream_cases[i]);
    check_long();
    check_discard();
    check_memory();
    cupel_text_free(&pieces);
    cupel_text_free(&split);
    return test_end();
}
