/* generate_mutant.c: instances that differ from another one in one place. */
#include "generate.h"

#include <string.h>

struct mutation {
    struct chance chance;
    struct cupel_document *doc;
    struct cupel_text *out;
    uint32_t target; /* the value that changes, counted in the order of the text */
    uint32_t seen;   /* values so far */
};

static void copy(struct mutation *m, uint32_t node);

static uint32_t count_values(const struct cupel_document *doc, uint32_t node)
{
    uint32_t count = 1, object = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
    uint32_t child = cupel_json_first(doc, node);
    for (; child != CUPEL_NO_NODE; child = cupel_json_next(doc, node, child + object))
        count += count_values(doc, child + object);
    return count;
}

static void put_span(struct mutation *m, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(m->doc, node, &len);
    cupel_text_add(m->out, span, len);
}

/* The word beside the one that a string is: those are often alike.  Others get any word. */
static void change_string(struct mutation *m, uint32_t node)
{
    size_t len;
    const char *text = cupel_json_string(m->doc, node, &len);
    uint32_t i = 0;
    while (i < WORDS && (words[i].len != len || memcmp(words[i].bytes, text, len) != 0))
        i++;
    if (i == WORDS)
        i = chance_below(&m->chance, WORDS);
    i = (i + (chance_percent(&m->chance, 50) ? 1 : WORDS - 1)) % WORDS;
    write_words(&m->chance, m->out, words[i].bytes, words[i].len);
}

/* The number beside it in the list: those may differ in the last of many digits. */
static void change_number(struct mutation *m, uint32_t node)
{
    size_t len;
    const char *text = cupel_json_span(m->doc, node, &len);
    uint32_t i = 0;
    while (i < NUMBERS && (strlen(numbers[i]) != len || memcmp(numbers[i], text, len) != 0))
        i++;
    if (i == NUMBERS || chance_percent(&m->chance, 40))
        i = chance_below(&m->chance, NUMBERS);
    i = (i + (chance_percent(&m->chance, 50) ? 1 : NUMBERS - 1)) % NUMBERS;
    cupel_text_adds(m->out, numbers[i]);
}

/* A member more; mostly with a name that schemas use. */
static void add_member(struct mutation *m, uint32_t node)
{
    const struct words *w =
        &words[chance_below(&m->chance, chance_percent(&m->chance, 70) ? 8 : WORDS)];
    bool empty = cupel_json_count(m->doc, node) == 0;
    size_t len;
    const char *span = cupel_json_span(m->doc, node, &len);
    if (cupel_json_member(m->doc, node, w->bytes, w->len) != CUPEL_NO_NODE) {
        put_span(m, node);
        return;
    }
    cupel_text_add(m->out, span, len - 1);
    cupel_text_adds(m->out, empty ? "" : ",");
    write_words(&m->chance, m->out, w->bytes, w->len);
    cupel_text_adds(m->out, ":");
    write_value(&m->chance, m->out, 1);
    cupel_text_adds(m->out, "}");
}

/* An item more: any value, or the first item again. */
static void add_item(struct mutation *m, uint32_t node)
{
    uint32_t first = cupel_json_first(m->doc, node);
    size_t len;
    const char *span = cupel_json_span(m->doc, node, &len);
    cupel_text_add(m->out, span, len - 1);
    cupel_text_adds(m->out, first == CUPEL_NO_NODE ? "" : ",");
    if (first != CUPEL_NO_NODE && chance_percent(&m->chance, 50))
        put_span(m, first);
    else
        write_value(&m->chance, m->out, 1);
    cupel_text_adds(m->out, "]");
}

static void change(struct mutation *m, uint32_t node)
{
    enum cupel_json_type type = cupel_json_type(m->doc, node);
    if (chance_percent(&m->chance, 25))
        write_value(&m->chance, m->out, 2);
    else if (type == CUPEL_JSON_STRING)
        change_string(m, node);
    else if (type == CUPEL_JSON_NUMBER)
        change_number(m, node);
    else if (type == CUPEL_JSON_OBJECT)
        add_member(m, node);
    else if (type == CUPEL_JSON_ARRAY)
        add_item(m, node);
    else
        write_value(&m->chance, m->out, 0);
}

/* Copies the children of a container; the one that is the target may be left out. */
static void copy_children(struct mutation *m, uint32_t node, bool object)
{
    bool begun = false;
    uint32_t child = cupel_json_first(m->doc, node);
    for (; child != CUPEL_NO_NODE; child = cupel_json_next(m->doc, node, child + object)) {
        if (m->seen == m->target && chance_percent(&m->chance, 40)) {
            m->seen += count_values(m->doc, child + object);
            continue;
        }
        cupel_text_adds(m->out, begun ? "," : "");
        begun = true;
        if (object) {
            put_span(m, child);
            cupel_text_adds(m->out, ":");
        }
        copy(m, child + object);
    }
}

static void copy(struct mutation *m, uint32_t node)
{
    enum cupel_json_type type = cupel_json_type(m->doc, node);
    bool object = type == CUPEL_JSON_OBJECT;
    if (m->seen == m->target) {
        m->seen += count_values(m->doc, node);
        change(m, node);
        return;
    }
    m->seen++;
    if (!object && type != CUPEL_JSON_ARRAY) {
        put_span(m, node);
        return;
    }
    cupel_text_adds(m->out, object ? "{" : "[");
    copy_children(m, node, object);
    cupel_text_adds(m->out, object ? "}" : "]");
}

void generate_mutant(uint64_t seed, struct cupel_document *instance, struct cupel_text *text)
{
    struct mutation m = {{seed}, instance, text, 0, 0};
    m.target = chance_below(&m.chance, count_values(instance, 0));
    copy(&m, 0);
}
