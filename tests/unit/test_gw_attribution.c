/* test_gw_attribution.c: tables that processes share: oldest out first, and processes that die. */
#include "gateways/common/store/attribution.h"
#include "test.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VALUE = 40 };

/* A tag, and the value that belongs to it. */
static void make_tag(uint32_t n, unsigned char ret[CUPEL_GW_TAG])
{
    uint32_t state = n * 2654435761u + 1;
    for (int i = 0; i < CUPEL_GW_TAG; i++) {
        state = state * 1664525u + 1013904223u;
        ret[i] = (unsigned char)(state >> 24);
    }
}

static size_t make_value(uint32_t n, char ret[VALUE + 1])
{
    return (size_t)snprintf(ret, VALUE + 1, "tool-%u-%.*s", (unsigned)n, (int)(n % 20),
                            "abcdefghijklmnopqrstuvwxyz");
}

/* Puts entry n for an owner. */
static bool put_for(const struct cupel_gw_table *table, uint32_t owner, uint32_t n)
{
    unsigned char tag[CUPEL_GW_TAG], whose[CUPEL_GW_TAG];
    char value[VALUE + 1];
    make_tag(n, tag);
    make_tag(~owner, whose);
    return cupel_gw_table_put(table, tag, whose, value, make_value(n, value));
}

/* Puts entry n for an owner of its own. */
static bool put(const struct cupel_gw_table *table, uint32_t n)
{
    return put_for(table, n, n);
}

/* 1: the right value is there, 0: none is, -1: a wrong one is. */
static int look(const struct cupel_gw_table *table, uint32_t n)
{
    unsigned char tag[CUPEL_GW_TAG];
    char value[VALUE + 1], found[VALUE];
    size_t len, wanted = make_value(n, value);
    make_tag(n, tag);
    if (!cupel_gw_table_get(table, tag, found, &len))
        return 0;
    return len == wanted && memcmp(found, value, len) == 0 ? 1 : -1;
}

static void check_order(void)
{
    static const uint32_t sizes[] = {1, 2, 3, 7, 64, 1000};
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
        uint32_t entries = sizes[k];
        size_t size = cupel_gw_table_size(entries, VALUE);
        void *block = calloc(1, size);
        struct cupel_gw_table table;
        CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
        struct cupel_gw_table_stats figures = cupel_gw_table_stats(&table);
        CHECK(figures.entries >= entries && figures.used == 0 && figures.value == VALUE);
        entries = figures.entries;
        for (uint32_t n = 0; n < entries * 3; n++) {
            CHECK(put(&table, n));
            CHECK_INT(look(&table, n), 1);
            uint32_t oldest = n + 1 > entries ? n + 1 - entries : 0;
            CHECK_INT(look(&table, oldest), 1);
            if (oldest > 0)
                CHECK_INT(look(&table, oldest - 1), 0);
        }
        figures = cupel_gw_table_stats(&table);
        CHECK(figures.used == entries && figures.evicted == entries * 2);
        /* Another process, or the next configuration, finds the same entries. */
        CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
        CHECK_INT(look(&table, entries * 3 - 1), 1);
        CHECK(cupel_gw_table_open(&table, block, size, VALUE - 8, NULL));
        CHECK_INT(cupel_gw_table_stats(&table).used, 0);
        free(block);
    }
}

static void check_values(void)
{
    size_t size = cupel_gw_table_size(8, VALUE);
    void *block = calloc(1, size);
    struct cupel_gw_table table;
    unsigned char tag[CUPEL_GW_TAG] = {1};
    char value[VALUE + 1] = {0}, found[VALUE];
    size_t len = 9;
    CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
    CHECK(cupel_gw_table_put(&table, tag, tag, "", 0));
    CHECK(cupel_gw_table_get(&table, tag, found, &len) && len == 0);
    CHECK(cupel_gw_table_put(&table, tag, tag, value, VALUE));
    CHECK(cupel_gw_table_get(&table, tag, found, &len) && len == VALUE);
    CHECK_INT(cupel_gw_table_stats(&table).used, 1);
    /* A value that is too long is not taken for the one before. */
    CHECK(!cupel_gw_table_put(&table, tag, tag, value, VALUE + 1));
    CHECK(!cupel_gw_table_get(&table, tag, found, &len));
    CHECK(cupel_gw_table_put(&table, tag, tag, "a", 1));
    cupel_gw_table_remove(&table, tag);
    cupel_gw_table_remove(&table, tag);
    CHECK(!cupel_gw_table_get(&table, tag, found, &len));
    CHECK_INT(cupel_gw_table_stats(&table).used, 0);
    CHECK_INT(cupel_gw_table_stats(&table).evicted, 0);
    free(block);
    CHECK_INT(cupel_gw_table_size(0, 1), 0);
    CHECK_INT(cupel_gw_table_size(1, 0), 0);
    CHECK(!cupel_gw_table_open(&table, &size, sizeof(size), VALUE, NULL));
}

/* Marks whose first bytes agree share a chain. */
static void check_chain(void)
{
    size_t size = cupel_gw_table_size(32, VALUE);
    void *block = calloc(1, size);
    struct cupel_gw_table table;
    unsigned char tag[CUPEL_GW_TAG] = {0};
    char found[VALUE];
    size_t len;
    CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
    for (unsigned char i = 0; i < 32; i++) {
        tag[15] = i;
        CHECK(cupel_gw_table_put(&table, tag, tag, (const char *)&i, 1));
    }
    for (unsigned char i = 0; i < 32; i += 2) {
        tag[15] = i;
        cupel_gw_table_remove(&table, tag);
    }
    for (unsigned char i = 0; i < 32; i++) {
        tag[15] = i;
        bool there = cupel_gw_table_get(&table, tag, found, &len);
        CHECK(there == (i % 2 == 1) && (!there || found[0] == (char)i));
    }
    free(block);
}

/* An owner replaces its own oldest entries once it has its share, in a table with room and in a
 * full one; the entries of others stay. */
static void check_owners(void)
{
    enum { ENTRIES = 400 };
    size_t size = cupel_gw_table_size(ENTRIES, VALUE);
    void *block = calloc(1, size);
    struct cupel_gw_table table;
    CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
    uint32_t entries = cupel_gw_table_stats(&table).entries, share = table.of_owner;
    CHECK(share == entries / 8 && share > 16);
    for (uint32_t n = 0; n < 10; n++)
        CHECK(put_for(&table, 1, n));
    for (uint32_t n = 1000; n < 1000 + 10 * entries; n++)
        CHECK(put_for(&table, 2, n));
    for (uint32_t n = 0; n < 10; n++)
        CHECK_INT(look(&table, n), 1);
    CHECK_INT(cupel_gw_table_stats(&table).used, share + 10);
    for (uint32_t n = 0; n < share; n++)
        CHECK_INT(look(&table, 1000 + 10 * entries - 1 - n), 1);
    CHECK_INT(look(&table, 1000 + 10 * entries - 1 - share), 0);
    /* Entries of many owners fill the table, and each is at its share: the oldest still go first.
     */
    for (uint32_t n = 100000; n < 100000 + entries; n++)
        CHECK(put(&table, n));
    CHECK_INT(look(&table, 0), 0);
    CHECK_INT(cupel_gw_table_stats(&table).used, entries);
    for (uint32_t n = 0; n < 3 * share; n++)
        CHECK(put_for(&table, 2, 200000 + n));
    CHECK_INT(look(&table, 100000 + entries - 1), 1);
    CHECK_INT(cupel_gw_table_stats(&table).used, entries);
    free(block);
    /* In a small table one owner may have 16 entries, or all of them. */
    size = cupel_gw_table_size(20, VALUE);
    block = calloc(1, size);
    CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
    CHECK_INT(table.of_owner, 16);
    for (uint32_t n = 0; n < 100; n++)
        CHECK(put_for(&table, 2, n));
    CHECK_INT(cupel_gw_table_stats(&table).used, 16);
    free(block);
}

/* A process that puts without end is killed anywhere, again and again: the table serves on, no
 * value is wrong, and the newest entries are there. */
static void check_kills(void)
{
    enum { KILLS = 300, ENTRIES = 50 };
    size_t size = cupel_gw_table_size(ENTRIES, VALUE);
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct cupel_gw_table table;
    int wrong = 0, lost = 0;
    if (!CHECK(block != MAP_FAILED && cupel_gw_table_open(&table, block, size, VALUE, NULL)))
        return;
    for (uint32_t kill_number = 0; kill_number < KILLS; kill_number++) {
        pid_t child = fork();
        if (child == 0)
            for (uint32_t n = kill_number * 1000;; n++)
                put_for(&table, n % 7, n % 5000);
        struct timespec pause = {0, (long)(kill_number * 7919u % 300u) * 1000};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (uint32_t n = 0; n < 5000; n++)
            wrong += look(&table, n) < 0;
        for (uint32_t n = 0; n < ENTRIES; n++)
            put(&table, 6000 + n);
        for (uint32_t n = 0; n < ENTRIES; n++)
            lost += look(&table, 6000 + n) != 1;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(lost, 0);
    munmap(block, size);
}

/* A block with any bytes in place of the entries and the chains, and the flag of a change. */
static void check_damage(void)
{
    size_t size = cupel_gw_table_size(20, VALUE);
    unsigned char *block = calloc(1, size);
    struct cupel_gw_table table;
    uint32_t state = 1;
    for (int round = 0; round < 500; round++) {
        memset(block, 0, size);
        CHECK(cupel_gw_table_open(&table, block, size, VALUE, NULL));
        for (uint32_t n = 0; n < 20; n++)
            put(&table, n);
        for (size_t i = 28; i < size; i++) {
            state = state * 1664525u + 1013904223u;
            if (i >= 32 && state >> 28 == 0)
                block[i] = (unsigned char)(state >> 16);
        }
        block[28] = 1; /* `changing` */
        for (uint32_t n = 0; n < 20; n++)
            CHECK(look(&table, n) >= 0);
        CHECK(put(&table, 100) && look(&table, 100) == 1);
        CHECK(cupel_gw_table_stats(&table).used <= 21);
    }
    free(block);
}

int main(void)
{
    check_order();
    check_values();
    check_chain();
    check_owners();
    check_kills();
    check_damage();
    return test_end();
}
