/* run.c: the golden cases: a text file for each, with a schema, what it compiles to, and instances.
 *
 *     # What the case shows, in a sentence or two.
 *     -- passes none                        (optional: compile without the optimisation passes)
 *     -- assert format                      (optional: with that option)
 *     -- schema
 *     -- ir                                 (optional: the intermediate form after the last pass)
 *     -- code                               the disassembled verdict program
 *     -- valid                              an instance that passes
 *     -- invalid #/type at /a, #/b at       one that does not, and every problem of its report:
 *                                           the keyword's pointer, the value's
 *     -- steps valid=3,4 invalid=2          of the instances, in order
 *
 * usage: run [--bless] FOLDER.  Every .case file in the folders below FOLDER is run.  With --bless
 * what the library says is written into the files instead of compared: the difference is to be read
 * before it is committed. */
#include "test.h"

#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <dirent.h>
#include <sys/stat.h>

enum kind { COMMENT, PASSES, ASSERT, SCHEMA, IR, CODE, VALID, INVALID, STEPS, KINDS };

static const char *const kinds[KINDS] = {"#",    "passes none", "assert format", "schema", "ir",
                                         "code", "valid",       "invalid",       "steps"};

struct section {
    enum kind kind;
    struct cupel_text head; /* what follows the kind on its line */
    struct cupel_text body;
};

enum { MAX_SECTIONS = 64 };

struct golden {
    const char *path;
    struct section sections[MAX_SECTIONS];
    size_t count;
    struct cupel_options options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_text steps[2]; /* of valid and of invalid instances */
    bool bless;
};

static bool say(const struct golden *c, const char *what, const char *got, const char *want)
{
    test_failed++;
    fprintf(stderr, "%s: %s\n", c->path, what);
    if (got != NULL)
        fprintf(stderr, "got:\n%s\nwant:\n%s\n", got, want);
    return false;
}

/* -- Reading and writing a case -------------------------------------------------------------------
 */

static struct section *add_section(struct golden *c, enum kind kind)
{
    if (c->count == MAX_SECTIONS)
        return NULL;
    struct section *s = &c->sections[c->count++];
    s->kind = kind;
    cupel_text_init(&s->head, NULL);
    cupel_text_init(&s->body, NULL);
    cupel_text_adds(&s->head, "");
    cupel_text_add(&s->body, NULL, 0);
    return s;
}

/* The section that the line `-- …` begins, or NULL. */
static struct section *open_section(struct golden *c, const char *line, size_t len)
{
    for (int k = PASSES; k < KINDS; k++) {
        size_t n = strlen(kinds[k]);
        if (len < n || memcmp(line, kinds[k], n) != 0 || (len > n && line[n] != ' '))
            continue;
        struct section *s = add_section(c, (enum kind)k);
        if (s != NULL && len > n)
            cupel_text_add(&s->head, line + n + 1, len - n - 1);
        return s;
    }
    return NULL;
}

static bool parse(struct golden *c, const char *text)
{
    struct section *s = add_section(c, COMMENT);
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        if (len >= 3 && memcmp(line, "-- ", 3) == 0)
            s = open_section(c, line + 3, len - 3);
        else if (s != NULL)
            cupel_text_add(&s->body, line, len + (line[len] != '\0'));
        if (s == NULL)
            return say(c, "a section that is none, or too many", NULL, NULL);
        line += len + (line[len] != '\0');
    }
    return true;
}

static struct section *find(struct golden *c, enum kind kind)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->sections[i].kind == kind)
            return &c->sections[i];
    return NULL;
}

static bool write_section(FILE *file, const struct section *s)
{
    if (s->kind != COMMENT)
        fprintf(file, "-- %s%s%s\n", kinds[s->kind], s->head.len > 0 ? " " : "",
                s->head.len > 0 ? s->head.bytes : "");
    return fwrite(s->body.bytes, 1, s->body.len, file) == s->body.len;
}

/* In the order of the kinds, but instances as they stand. */
static bool write_case(struct golden *c)
{
    FILE *file = fopen(c->path, "w");
    if (file == NULL)
        return say(c, "cannot be written", NULL, NULL);
    bool ok = true;
    for (int k = 0; k < VALID; k++)
        for (size_t i = 0; i < c->count; i++)
            if (c->sections[i].kind == (enum kind)k)
                ok &= write_section(file, &c->sections[i]);
    for (size_t i = 0; i < c->count; i++)
        if (c->sections[i].kind == VALID || c->sections[i].kind == INVALID)
            ok &= write_section(file, &c->sections[i]);
    ok &= write_section(file, find(c, STEPS));
    return fclose(file) == 0 && ok;
}

/* -- Comparing ------------------------------------------------------------------------------------
 */

static bool expect(struct golden *c, struct cupel_text *want, const struct cupel_text *got,
                   const char *what)
{
    const char *text = got->len > 0 ? got->bytes : "", *old = want->len > 0 ? want->bytes : "";
    if (strcmp(text, old) == 0)
        return true;
    if (!c->bless)
        return say(c, what, text, old);
    cupel_text_clear(want);
    cupel_text_adds(want, text);
    return true;
}

static bool expect_code(struct golden *c)
{
    struct section *s = find(c, CODE);
    struct cupel_text got;
    if (s == NULL && c->bless)
        s = add_section(c, CODE);
    if (s == NULL)
        return say(c, "no section `code`", NULL, NULL);
    cupel_text_init(&got, NULL);
    cupel_program_disasm(c->program, 0, &got);
    bool ok = expect(c, &s->body, &got, "the code is another");
    cupel_text_free(&got);
    return ok;
}

static bool expect_ir(struct golden *c, const struct section *schema)
{
    struct section *s = find(c, IR);
    struct cupel_text got;
    struct cupel_error err;
    if (s == NULL)
        return true;
    cupel_text_init(&got, NULL);
    bool ok = cupel_compile_dump(schema->body.bytes, schema->body.len, "dedupe", &c->options, &got,
                                 &err) == CUPEL_OK;
    ok = ok ? expect(c, &s->body, &got, "the intermediate form is another")
            : say(c, err.detail, NULL, NULL);
    cupel_text_free(&got);
    return ok;
}

static int add_problem(void *ctx, const struct cupel_problem *problem)
{
    struct cupel_text *text = ctx;
    cupel_text_addf(text, "%s#%s at%s%s", text->len > 0 ? ", " : "", problem->schema,
                    problem->instance[0] != '\0' ? " " : "", problem->instance);
    return 0;
}

static bool run_instance(struct golden *c, struct section *s)
{
    struct cupel_outcome outcome;
    struct cupel_text problems, *steps = &c->steps[s->kind == INVALID];
    enum cupel_verdict want = s->kind == VALID ? CUPEL_VALID : CUPEL_INVALID;
    enum cupel_verdict got =
        cupel_validate(c->program, c->scratch, s->body.bytes, s->body.len, &outcome);
    if (got != want)
        return say(c,
                   got == CUPEL_UNDECIDED ? cupel_status_name(outcome.reason) : "another verdict",
                   s->body.bytes, kinds[s->kind]);
    cupel_text_addf(steps, "%s%llu", steps->len > 0 ? "," : "", (unsigned long long)outcome.steps);
    cupel_text_init(&problems, NULL);
    got = cupel_report(c->program, c->scratch, NULL, 0, add_problem, &problems, &outcome);
    bool ok = got == want && (problems.len > 0) == (want == CUPEL_INVALID);
    if (!ok)
        say(c, "the report disagrees", s->body.bytes, kinds[s->kind]);
    ok = ok && expect(c, &s->head, &problems, "other problems");
    cupel_text_free(&problems);
    return ok;
}

static bool expect_steps(struct golden *c)
{
    struct section *s = find(c, STEPS);
    struct cupel_text got;
    if (s == NULL && c->bless)
        s = add_section(c, STEPS);
    if (s == NULL)
        return say(c, "no section `steps`", NULL, NULL);
    cupel_text_init(&got, NULL);
    if (c->steps[0].len > 0)
        cupel_text_addf(&got, "valid=%s%s", c->steps[0].bytes, c->steps[1].len > 0 ? " " : "");
    if (c->steps[1].len > 0)
        cupel_text_addf(&got, "invalid=%s", c->steps[1].bytes);
    bool ok = expect(c, &s->head, &got, "other steps");
    cupel_text_free(&got);
    return ok;
}

/* -- Cases ----------------------------------------------------------------------------------------
 */

static bool run(struct golden *c)
{
    struct cupel_error err = {0};
    struct section *schema = find(c, SCHEMA);
    if (schema == NULL)
        return say(c, "no section `schema`", NULL, NULL);
    if (find(c, PASSES) != NULL)
        c->options.passes = 0;
    if (find(c, ASSERT) != NULL)
        c->options.flags |= CUPEL_ASSERT_FORMAT;
    if (cupel_compile(schema->body.bytes, schema->body.len, &c->options, &c->program, &err) !=
            CUPEL_OK ||
        cupel_scratch_new(NULL, &c->scratch) != CUPEL_OK)
        return say(c, err.detail, err.where, "a program");
    bool ok = expect_ir(c, schema) && expect_code(c);
    for (size_t i = 0; i < c->count; i++)
        if (c->sections[i].kind == VALID || c->sections[i].kind == INVALID)
            ok &= run_instance(c, &c->sections[i]);
    return ok && expect_steps(c);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    size_t n = file != NULL && text != NULL ? fread(text, 1, (1 << 20) - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    if (n == 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void run_case(const char *path, bool bless)
{
    static struct golden c; /* too large for a stack */
    memset(&c, 0, sizeof c);
    c.path = path;
    c.bless = bless;
    cupel_options_init(&c.options);
    cupel_text_init(&c.steps[0], NULL);
    cupel_text_init(&c.steps[1], NULL);
    char *text = read_file(path);
    bool ok = text != NULL ? parse(&c, text) && run(&c) : say(&c, "cannot be read", NULL, NULL);
    if (ok && bless)
        ok = write_case(&c);
    test_passed += ok;
    free(text);
    cupel_program_free(c.program);
    cupel_scratch_free(c.scratch);
    for (size_t i = 0; i < c.count; i++) {
        cupel_text_free(&c.sections[i].head);
        cupel_text_free(&c.sections[i].body);
    }
    cupel_text_free(&c.steps[0]);
    cupel_text_free(&c.steps[1]);
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

/* A folder of topics, and in each topic its cases: `depth` says which. */
static void walk(const char *folder, int depth, bool bless)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat st;
        const char *name = entries[i]->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (depth == 0 && name[0] != '.' && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
            walk(path, 1, bless);
        else if (depth == 1 && has_suffix(name, ".case"))
            run_case(path, bless);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int main(int argc, char **argv)
{
    bool bless = argc == 3 && strcmp(argv[1], "--bless") == 0;
    if (argc != 2 + bless) {
        fprintf(stderr, "usage: run [--bless] FOLDER\n");
        return 2;
    }
    walk(argv[argc - 1], 0, bless);
    int status = test_end();
    return test_passed == 0 ? 1 : status;
}
