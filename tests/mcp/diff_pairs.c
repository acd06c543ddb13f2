/* diff_pairs.c: compares pairs of lists from the standard input, for diff_model.py.
 *
 * A record is a line of decimal lengths and then as many texts: the first is the list before, the
 * others are the pages of the list after.  The answer is a line: "!" if a list is refused or not
 * complete, "=" if there is no change, else for each change `kind:name:parts:order`, separated by
 * spaces, with the name and the bits of the parts in hexadecimal digits. */
#include <cupel/cupel.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 64 };

struct record {
    size_t lens[MOST_TEXTS], count;
    char *texts[MOST_TEXTS];
};

static bool read_record(struct record *ret)
{
    char line[1024], *p = line;
    if (fgets(line, sizeof(line), stdin) == NULL)
        return false;
    for (ret->count = 0; *p != '\n' && ret->count < MOST_TEXTS; ret->count++)
        ret->lens[ret->count] = strtoul(p, &p, 10);
    for (size_t i = 0; i < ret->count; i++) {
        ret->texts[i] = malloc(ret->lens[i] + 1);
        if (ret->texts[i] == NULL || fread(ret->texts[i], 1, ret->lens[i], stdin) != ret->lens[i])
            abort();
    }
    return ret->count > 1;
}

/* The lock of some pages; NULL if they are refused. */
static struct cupel_lock *lock_of(const struct record *record, size_t first, size_t end)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_lock *lock = NULL, *again = NULL;
    bool ok = cupel_catalog_new(NULL, &catalog) == CUPEL_OK;
    for (size_t i = first; i < end && ok; i++) {
        const struct cupel_list_page *last = cupel_catalog_last_page(catalog);
        ok = (last == NULL || last->next_cursor != NULL) &&
             cupel_catalog_add(catalog, record->texts[i], record->lens[i], NULL) == CUPEL_OK;
    }
    ok = ok && cupel_catalog_last_page(catalog)->next_cursor == NULL &&
         cupel_lock_new(catalog, &lock, NULL) == CUPEL_OK;
    if (ok) { /* through a file */
        struct cupel_text text;
        cupel_text_init(&text, NULL);
        cupel_lock_save(lock, &text);
        if (cupel_lock_load(text.bytes, text.len, NULL, &again, NULL) != CUPEL_OK)
            abort();
        cupel_text_free(&text);
    }
    cupel_lock_free(lock);
    cupel_catalog_free(catalog);
    return again;
}

static int print_change(void *ctx, const struct cupel_change *change)
{
    (void)ctx;
    printf("%s:", cupel_change_kind_name(change->kind));
    for (size_t i = 0; i < change->name_len; i++)
        printf("%02x", (unsigned char)change->name[i]);
    printf(":%" PRIx32 ":%d ", change->parts, change->order_only);
    return 0;
}

int main(void)
{
    struct record record;
    while (read_record(&record)) {
        struct cupel_lock *before = lock_of(&record, 0, 1);
        struct cupel_lock *after = lock_of(&record, 1, record.count);
        if (before == NULL || after == NULL)
            fputs("!", stdout);
        else if (cupel_lock_diff(before, after, print_change, NULL) == 0)
            fputs("=", stdout);
        putchar('\n');
        cupel_lock_free(before);
        cupel_lock_free(after);
        for (size_t i = 0; i < record.count; i++)
            free(record.texts[i]);
    }
    return 0;
}
