/* hard.c: searches for schemas and instances that cost much for what they pay, by hill climbing.
 *
 *   hard SECONDS [SEED]
 *
 * A candidate is a family as in tests/complexity/families.def: a schema and an instance of which a
 * part is repeated.  The search begins with the families there.  It changes a good candidate of
 * some entry point by one to four steps (a JSON value in it becomes a value of another candidate or
 * of the lists below, is wrapped, doubled or taken out; the schema of one candidate meets the
 * instance of another), and keeps it if an entry point takes more basic blocks for a step or byte
 * that it charges than with the candidates kept so far.  All code is built with
 * -fsanitize-coverage=trace-pc, which calls a function of this file for each basic block
 * (fuzz/hard/run.sh).
 *
 * Prints the worst candidates of each entry point, as lines for families.def. */
#include "../../tests/complexity/law_entries.h"
#include <stdint.h>

enum { MOST_BYTES = 8 << 10, KEPT = 10, PIECE = 400, FIXED = 1000 };
enum { ENTRIES = sizeof entries / sizeof *entries, FAMILIES = sizeof families / sizeof *families };

/* -- Counting ---------------------------------------------------------------------------------- */

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);

__attribute__((no_sanitize("coverage"))) void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

/* -- Candidates -------------------------------------------------------------------------------- */

enum { SCHEMA, INSTANCE, PARTS };

/* Three texts each of a schema and an instance: before, each, after; and what is between. */
struct candidate {
    char text[PARTS][3][PIECE];
    char between[PARTS][16];
    int grows;
    double cost; /* blocks for a unit, at the entry point that keeps it */
};

static struct candidate kept[ENTRIES][KEPT];
static uint64_t tried, compiled;

static uint64_t state = 1;

static uint32_t random_below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static bool set_part(struct candidate *c, int part, const struct shape *s)
{
    const char *texts[] = {s->before, s->each, s->after};
    if (s->second != NULL || strlen(s->between) >= sizeof c->between[part])
        return false;
    strcpy(c->between[part], s->between);
    for (int i = 0; i < 3; i++) {
        if (strlen(texts[i]) >= PIECE)
            return false;
        strcpy(c->text[part][i], texts[i]);
    }
    return true;
}

static struct shape shape_of(const struct candidate *c, int part)
{
    return (struct shape){.before = c->text[part][0],
                          .each = c->text[part][1],
                          .between = c->between[part],
                          .after = c->text[part][2]};
}

/* -- Values in texts --------------------------------------------------------------------------- */

/* The end of the JSON value that begins at p, or NULL; brackets may be missing at the end of a
 * text. */
static const char *value_end(const char *p)
{
    int depth = 0;
    bool in_string = false;
    for (; *p != '\0'; p++) {
        if (in_string) {
            if (*p == '\\' && p[1] != '\0')
                p++;
            else if (*p == '"')
                in_string = false;
            else
                continue;
        } else if (*p == '"') {
            in_string = true;
            continue;
        } else if (*p == '{' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ']') {
            if (depth == 0)
                return p;
            depth--;
        } else if (depth == 0 && (*p == ',' || *p == ':')) {
            return p;
        }
        if (!in_string && depth == 0 && (*p == '"' || *p == '}' || *p == ']'))
            return p + 1;
    }
    return !in_string && depth == 0 ? p : NULL;
}

/* Finds a value of the text, by chance: a position behind '[', ':' or ',' or the beginning. */
static bool find_value(const char *text, size_t *ret_begin, size_t *ret_end)
{
    size_t len = strlen(text);
    for (int i = 0; i < 20 && len > 0; i++) {
        size_t at = random_below((uint32_t)len);
        if (at != 0 && strchr("[:,", text[at - 1]) == NULL)
            continue;
        const char *end = value_end(text + at);
        if (end == NULL || end == text + at)
            continue;
        if (*end == ':')
            continue; /* a name */
        *ret_begin = at;
        *ret_end = (size_t)(end - text);
        return true;
    }
    return false;
}

static const char *const schemas[] = {
    "true",
    "false",
    "{\"type\":\"integer\"}",
    "{\"type\":[\"object\",\"number\"]}",
    "{\"$ref\":\"#\"}",
    "{\"minimum\":@}",
    "{\"multipleOf\":0.01}",
    "{\"maxLength\":@}",
    "{\"const\":{\"a\":@}}",
    "{\"enum\":[@,\"a\",[1],{\"a\":1}]}",
    "{\"pattern\":\"(a|b)*c@\"}",
    "{\"pattern\":\"^[a-z]{0,30}$\"}",
    "{\"pattern\":\"(a*)\\\\1b\"}",
    "{\"format\":\"uri\"}",
    "{\"format\":\"hostname\"}",
    "{\"uniqueItems\":true}",
    "{\"required\":[\"a\",\"b@\"]}",
    "{\"contains\":{\"const\":@}}",
    "{\"unevaluatedProperties\":false}",
    "{\"unevaluatedItems\":{\"$ref\":\"#\"}}",
    "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}",
    "{\"patternProperties\":{\"^a\":true,\"b\":{\"type\":\"null\"}}}",
    "{\"additionalProperties\":{\"$ref\":\"#\"}}",
    "{\"propertyNames\":{\"maxLength\":4}}",
    "{\"dependentRequired\":{\"a\":[\"b\"]}}",
    "{\"items\":{\"$ref\":\"#\"}}",
    "{\"minProperties\":2}",
    "{\"$dynamicRef\":\"#n\"}",
    "{\"prefixItems\":[{},{\"$ref\":\"#\"}]}",
    "{\"maxContains\":2,\"contains\":{}}",
    "{\"const\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@\"}",
    "{\"title\":\"@\",\"default\":[@]}",
};
static const char *const wraps[] = {
    "{\"not\":",
    "}",
    "{\"allOf\":[",
    "]}",
    "{\"anyOf\":[",
    ",{\"type\":\"null\"}]}",
    "{\"oneOf\":[{\"minimum\":3},",
    "]}",
    "{\"if\":",
    ",\"then\":{\"minimum\":1},\"else\":{\"maximum\":9}}",
    "{\"items\":",
    "}",
    "{\"properties\":{\"a\":",
    "}}",
    "{\"additionalProperties\":",
    "}",
    "{\"contains\":",
    "}",
    "{\"unevaluatedProperties\":",
    "}",
    "{\"dependentSchemas\":{\"a\":",
    "}}",
    "{\"propertyNames\":",
    "}",
    "{\"patternProperties\":{\"a\":",
    "}}",
};
static const char *const values[] = {
    "1",
    "@",
    "1.50",
    "1e400",
    "-0.@e-3",
    "123456789012345678901234567890",
    "\"a\"",
    "\"@\"",
    "\"\\u0061@\"",
    "null",
    "true",
    "[]",
    "{}",
    "[1,2]",
    "{\"a\":1}",
    "{\"b\":@,\"a\":\"\"}",
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@\"",
    "\"\xc3\xa9\xc3\xa9\"",
    "\"a.b.c\"",
    "\"xn--4ca\"",
    "[[@],{\"a\":[@]}]",
    "{\"a\":{\"a\":1}}",
};
static const char *const value_wraps[] = {
    "[", "]", "{\"a\":", "}", "[1,", "]", "{\"b\":1,\"a\":", "}", "[\"a\",", ",2]"};

#define PICK(array)      (array)[random_below(sizeof(array) / sizeof *(array))]
#define PICK_PAIR(array) (array)[pair = 2 * random_below(sizeof(array) / sizeof *(array) / 2)]

/* Replaces text[begin, end) by the three texts; false if they do not fit. */
static bool replace(char *text, size_t begin, size_t end, const char *a, const char *b,
                    size_t b_len, const char *c)
{
    char tail[PIECE];
    size_t len = begin + strlen(a) + b_len + strlen(c) + strlen(text + end);
    char middle[PIECE];
    if (len >= PIECE || b_len >= PIECE)
        return false;
    memcpy(middle, b, b_len);
    middle[b_len] = '\0';
    strcpy(tail, text + end);
    snprintf(text + begin, PIECE - begin, "%s%s%s%s", a, middle, c, tail);
    return true;
}

static const struct candidate *pick_kept(void)
{
    for (;;) {
        const struct candidate *c = &kept[random_below(ENTRIES)][random_below(KEPT)];
        if (c->cost > 0)
            return c;
    }
}

static void change(struct candidate *c)
{
    int part = (int)random_below(PARTS), piece = (int)random_below(3);
    char *text = c->text[part][piece];
    size_t begin, end, pair = 0;
    const struct candidate *other = pick_kept();
    switch (random_below(7)) {
    case 0: /* the part of another */
        memcpy(c->text[part], other->text[part], sizeof c->text[part]);
        memcpy(c->between[part], other->between[part], sizeof c->between[part]);
        return;
    case 1:
        c->grows = 1 + (int)random_below(3);
        return;
    case 2: /* a value of another */
        if (find_value(other->text[part][piece], &begin, &end)) {
            const char *value = other->text[part][piece] + begin;
            size_t len = end - begin, at, after;
            if (find_value(text, &at, &after))
                (void)replace(text, at, after, "", value, len, "");
        }
        return;
    case 3: { /* one of the lists */
        const char *value = part == SCHEMA ? PICK(schemas) : PICK(values);
        if (find_value(text, &begin, &end))
            (void)replace(text, begin, end, "", value, strlen(value), "");
        return;
    }
    case 4: { /* wrapped */
        const char *before = part == SCHEMA ? PICK_PAIR(wraps) : PICK_PAIR(value_wraps);
        const char *after = part == SCHEMA ? wraps[pair + 1] : value_wraps[pair + 1];
        if (find_value(text, &begin, &end)) {
            char value[PIECE];
            size_t len = end - begin;
            memcpy(value, text + begin, len);
            (void)replace(text, begin, end, before, value, len, after);
        }
        return;
    }
    case 5: /* doubled */
        if (find_value(text, &begin, &end) && begin > 0 && text[begin - 1] != ':') {
            char value[PIECE];
            size_t len = end - begin;
            memcpy(value, text + begin, len);
            (void)replace(text, end, end, ",", value, len, "");
        }
        return;
    default: /* a digit or letter */
        if (text[0] != '\0') {
            char *at = text + random_below((uint32_t)strlen(text));
            if ((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z'))
                *at = "0123456789abcnrtuxyz@!"[random_below(22)];
        }
    }
}

/* -- The search ---------------------------------------------------------------------------------
 */

/* Steps pay for the run of a program, bytes for the rest (law.py). */
static double units(const char *name, struct charge c)
{
    static const char *const by_steps[] = {"verdict",      "report",  "annotations",
                                           "model",        "json",    "human",
                                           "hierarchical", "verbose", "repair"};
    for (size_t i = 0; i < sizeof by_steps / sizeof *by_steps; i++)
        if (strcmp(name, by_steps[i]) == 0)
            return (double)c.steps + FIXED;
    return (double)(c.steps + c.bytes) + FIXED;
}

/* Candidates of one entry point cost different amounts, so that the list does not fill with copies.
 */
static bool keep(size_t entry, const struct candidate *c, double cost)
{
    size_t worst = 0;
    for (size_t i = 0; i < KEPT; i++) {
        if (kept[entry][i].cost > cost * 0.999 && kept[entry][i].cost < cost * 1.001)
            return false;
        if (kept[entry][i].cost < kept[entry][worst].cost)
            worst = i;
    }
    if (cost <= kept[entry][worst].cost)
        return false;
    kept[entry][worst] = *c;
    kept[entry][worst].cost = cost;
    return true;
}

static void try_candidate(struct subject *s, const struct candidate *c)
{
    struct family f = {.name = "",
                       .grows = c->grows,
                       .n = 1,
                       .schema = shape_of(c, SCHEMA),
                       .instance = shape_of(c, INSTANCE)};
    s->family = &f;
    tried++;
    build(s, 1);
    if (!is_ready(s) || !grow(s, MOST_BYTES))
        return;
    compiled++;
    for (size_t i = 0; i < ENTRIES; i++) {
        if (!is_needed(&entries[i], s))
            continue;
        uint64_t before = blocks;
        struct charge charge = entries[i].work(s);
        (void)keep(i, c, (double)(blocks - before) / units(entries[i].name, charge));
    }
}

/* A C string literal. */
static void print_literal(const char *text)
{
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < 0x20 || *p >= 0x7f)
            printf("\\%03o", *p);
        else
            putchar(*p);
    }
    putchar('"');
}

static void print_text(const struct candidate *c, int part)
{
    printf("TEXT(");
    print_literal(c->text[part][0]);
    printf(", ");
    print_literal(c->text[part][1]);
    printf(", ");
    print_literal(c->between[part]);
    printf(", ");
    print_literal(c->text[part][2]);
    printf(")");
}

static void print_all(void)
{
    static const char *const grows[] = {"", "SCHEMA_GROWS", "INSTANCE_GROWS", "BOTH_GROW"};
    for (size_t e = 0; e < ENTRIES; e++) {
        for (size_t i = 0; i < KEPT; i++) {
            const struct candidate *c = &kept[e][i];
            if (c->cost <= 0)
                continue;
            printf("%s\t%.1f\tFAMILY(\"\", %s, 1, 1, 0, ", entries[e].name, c->cost,
                   grows[c->grows]);
            print_text(c, SCHEMA);
            printf(", ");
            print_text(c, INSTANCE);
            printf(")\n");
        }
    }
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
    struct subject s;
    struct candidate c;
    state += argc > 2 ? strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15u : 0;
    begin_subject(&s);
    for (size_t i = 0; i < FAMILIES; i++) {
        c = (struct candidate){.grows = families[i].grows};
        if (set_part(&c, SCHEMA, &families[i].schema) &&
            set_part(&c, INSTANCE, &families[i].instance))
            try_candidate(&s, &c);
    }
    double start = processor_time();
    while (processor_time() - start < seconds) {
        c = *pick_kept();
        for (uint32_t steps = 1 + random_below(4); steps > 0; steps--)
            change(&c);
        try_candidate(&s, &c);
    }
    print_all();
    fprintf(stderr, "%llu candidates, %llu judged\n", (unsigned long long)tried,
            (unsigned long long)compiled);
    end_subject(&s);
    return 0;
}
