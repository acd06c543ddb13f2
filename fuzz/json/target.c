/* target.c: any bytes through the JSON reader, with every scanner and every option.  A choice may
 * stand behind them (choice.h).
 *
 * All scanners must come to the same tape or the same error, copied and in place, whatever follows
 * the text in memory or was in the document before; every tape must be sound; and a text that is
 * accepted as it stands must be accepted with every option, with the same tape unless it may drop
 * members. */
#include "../target.h"
#include "../../tests/unit/json_check.h"
#include "../choice.h"
#include <stdio.h>

static void must(const char *wrong)
{
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
}

/* Small limits, so that inputs reach them. */
static struct cupel__read_options small_options(uint32_t flags)
{
    return (struct cupel__read_options){flags, 8, 24, 1 << 20, 0};
}

/* What an option may change: `way` is one of two limits and one of four sets of flags. */
static void check_way(const char *text, size_t size, uint32_t way, enum cupel_status plain)
{
    static const uint32_t all[] = {0, CUPEL__READ_DUPLICATES, CUPEL__READ_BOM,
                                   CUPEL__READ_DUPLICATES | CUPEL__READ_BOM};
    const uint32_t flags = all[way / 2];
    const bool small = way % 2 != 0;
    enum cupel_status status;
    must(check_read(text, size, size % 64, small ? small_options(flags) : check_options(flags),
                    &status));
    if (!small && plain == CUPEL_OK && status != CUPEL_OK)
        must("an option makes the reader stricter");
    if (small && plain != CUPEL_OK && status == CUPEL_OK && flags == 0)
        must("a limit makes the reader laxer");
}

/* The text with white space behind it, long enough to be scanned in parts, in a document that an
 * older text has filled with quotes: nothing of that one may be seen, wherever the scan ends. */
static void check_after_another(const char *text, size_t size)
{
    enum { LENGTH = 17000 };
    static char quotes[LENGTH + CUPEL__READ_PADDING], padded[LENGTH];
    struct cupel__read_options options = check_options(0);
    struct cupel__doc fresh, used;
    struct cupel_error err = {0}, again = {0};
    memset(quotes, '"', sizeof quotes);
    memset(padded, ' ', sizeof padded);
    memcpy(padded, text, size < sizeof padded ? size : sizeof padded);
    cupel__doc_init(&fresh, NULL);
    cupel__doc_init(&used, NULL);
    (void)cupel__json_read(&used, quotes, sizeof quotes, &options, NULL);
    (void)cupel__json_read(&fresh, padded, sizeof padded, &options, &err);
    (void)cupel__json_read(&used, padded, sizeof padded, &options, &again);
    must(check_same_error(&err, &again));
    must(check_same(&fresh, &used));
    cupel__doc_free(&used);
    cupel__doc_free(&fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WAYS = 9 };
    const char *text = (const char *)data;
    const uint32_t choice = (uint32_t)choice_cut(data, &size);
    enum cupel_status plain = CUPEL_OK;
    must(check_read(text, size, size % 64, check_options(0), &plain));
    for (uint32_t way = 1; way < WAYS - 1; way++)
        if (chosen(choice, way - 1, WAYS - 1))
            check_way(text, size, way, plain);
    if (chosen(choice, WAYS - 2, WAYS - 1))
        check_after_another(text, size);
    return 0;
}
