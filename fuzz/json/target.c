/* target.c: any bytes through the JSON reader, with every scanner and every option.
 *
 * All scanners must come to the same tape or the same error, copied and in place, whatever follows
 * the text in memory; every tape must be sound; and a text that is accepted as it stands must be
 * accepted with every option, with the same tape unless it may drop members. */
#include "../../tests/unit/json_check.h"
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t flags[] = {0, CUPEL__READ_DUPLICATES, CUPEL__READ_BOM,
                                     CUPEL__READ_DUPLICATES | CUPEL__READ_BOM};
    const char *text = (const char *)data;
    enum cupel_status plain = CUPEL_OK, status;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        must(check_read(text, size, size % 64, check_options(flags[i]), &status));
        if (i == 0)
            plain = status;
        if (plain == CUPEL_OK && status != CUPEL_OK)
            must("an option makes the reader stricter");
        must(check_read(text, size, size % 64, small_options(flags[i]), &status));
        if (plain != CUPEL_OK && status == CUPEL_OK && flags[i] == 0)
            must("a limit makes the reader laxer");
    }
    return 0;
}
