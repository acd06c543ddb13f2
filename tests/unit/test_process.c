/* test_process.c: the promises of docs/hosts.md about the process: fork, signals, locale,
 * floating-point modes, leaving a callback.  tests/api/imports.py checks those that the imports of
 * the library show. */
#include "float_modes.h"
#include "test.h"
#include <cupel/cupel.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char schema[] = "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"anyOf\":["
                             "{\"type\":\"number\",\"multipleOf\":0.1,\"maximum\":1.5},"
                             "{\"type\":\"string\",\"pattern\":\"^(a|b)*c$\"}]}}";

/* Texts with the verdicts on them. */
static const struct {
    const char *text;
    enum cupel_verdict want;
} rows[] = {
    {"[0.1, 0.2, 0.30000000000000000000, 1.5, \"ababc\"]", CUPEL_VALID},
    {"[0.1, 0.15]", CUPEL_INVALID},
    {"[1.50000000000000000001]", CUPEL_INVALID},
    {"[0.3, 3e-1]", CUPEL_INVALID},
    {"[\"abab\"]", CUPEL_INVALID},
    {"[1,5]", CUPEL_INVALID},
    {"[0,1", CUPEL_UNDECIDED},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct cupel_program *program;
static struct cupel_scratch *scratch;

/* The messages about all texts, compiled and validated anew. */
static void judge_all(struct cupel_program *with, struct cupel_scratch *in, struct cupel_text *ret)
{
    cupel_text_clear(ret);
    for (int i = 0; i < ROWS; i++) {
        CHECK_INT(cupel_validate(with, in, rows[i].text, strlen(rows[i].text), NULL), rows[i].want);
        if (rows[i].want == CUPEL_INVALID)
            CHECK_INT(cupel_render(with, in, NULL, 0, CUPEL_RENDER_JSON, NULL, ret, NULL),
                      CUPEL_INVALID);
    }
}

/* All of it: the same messages whatever the state of the process is. */
static void check_same(const struct cupel_text *want)
{
    struct cupel_program *made = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &made, NULL), CUPEL_OK);
    judge_all(made, scratch, &text);
    CHECK(text.len == want->len && memcmp(text.bytes, want->bytes, text.len) == 0);
    cupel_program_free(made);
    cupel_text_free(&text);
}

/* -- Fork ------------------------------------------------------------------------------------- */

/* A child uses the objects of its parent, which both go on to use. */
static void test_fork(const struct cupel_text *want)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const unsigned long failed = test_failed;
        struct cupel_text text;
        cupel_text_init(&text, NULL);
        judge_all(program, scratch, &text);
        check_same(want);
        _exit(test_failed != failed);
    }
    check_same(want);
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* -- Signals ---------------------------------------------------------------------------------- */

static volatile sig_atomic_t alarms;

static void count_alarm(int number)
{
    (void)number;
    alarms++;
}

/* A handler interrupts the library, without SA_RESTART; no handler and no mask has changed. */
static void test_signals(const struct cupel_text *want)
{
    struct sigaction action, before[32], after;
    sigset_t blocked, still;
    struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    memset(&action, 0, sizeof action);
    action.sa_handler = count_alarm;
    CHECK_INT(sigaction(SIGALRM, &action, NULL), 0);
    for (int i = 1; i < 32; i++)
        CHECK_INT(sigaction(i, NULL, &before[i]), 0);
    CHECK_INT(sigprocmask(SIG_SETMASK, NULL, &blocked), 0);
    CHECK_INT(setitimer(ITIMER_REAL, &every, NULL), 0);
    for (int i = 0; i < 100000 && alarms < 50; i++)
        check_same(want);
    CHECK_INT(setitimer(ITIMER_REAL, &never, NULL), 0);
    CHECK(alarms >= 50);
    CHECK_INT(sigprocmask(SIG_SETMASK, NULL, &still), 0);
    for (int i = 1; i < 32; i++) {
        CHECK_INT(sigaction(i, NULL, &after), 0);
        CHECK(after.sa_handler == before[i].sa_handler);
        CHECK_INT(sigismember(&still, i), sigismember(&blocked, i));
    }
    signal(SIGALRM, SIG_DFL);
}

/* -- Locale and floating point ---------------------------------------------------------------- */

/* Locales with a decimal comma or their own letter cases; those that the system lacks are left
 * out.  The library does not change the locale. */
static void test_locale(const struct cupel_text *want)
{
    static const char *const names[] = {"C.UTF-8",     "de_DE.UTF-8", "fr_FR.UTF-8",
                                        "tr_TR.UTF-8", "ar_EG.UTF-8", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char set[256];
        if (setlocale(LC_ALL, names[i]) == NULL)
            continue;
        snprintf(set, sizeof set, "%s", setlocale(LC_ALL, NULL));
        check_same(want);
        CHECK_STR(setlocale(LC_ALL, NULL), set);
    }
    setlocale(LC_ALL, "C");
}

static void test_float_modes(const struct cupel_text *want)
{
    for (int mode = 0; mode < FLOAT_MODES; mode++) {
        struct float_environment saved = float_mode_set(mode);
        const int rounding = fegetround();
        check_same(want);
        CHECK_INT(fegetround(), rounding);
        float_mode_restore(&saved);
    }
}

/* -- Leaving a callback ----------------------------------------------------------------------- */

static jmp_buf outside;

static int jump(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx;
    (void)problem;
    longjmp(outside, 1);
}

/* The scratch that called it is refused from then on; everything else can be used. */
static void test_longjmp(const struct cupel_text *want)
{
    struct cupel_outcome outcome;
    struct cupel_scratch *lost = NULL;
    CHECK_INT(cupel_scratch_new(NULL, &lost), CUPEL_OK);
    CHECK_INT(cupel_validate(program, lost, "[0.15]", 6, NULL), CUPEL_INVALID);
    if (setjmp(outside) == 0) {
        (void)!cupel_report(program, lost, NULL, 0, jump, NULL, NULL);
        CHECK(0);
    }
    CHECK_INT(cupel_validate(program, lost, "[]", 2, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    cupel_scratch_free(lost);
    check_same(want);
}

int main(void)
{
    struct cupel_text want;
    cupel_text_init(&want, NULL);
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    judge_all(program, scratch, &want);
    CHECK(want.len > 100);
    test_fork(&want);
    test_signals(&want);
    test_locale(&want);
    test_float_modes(&want);
    test_longjmp(&want);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    cupel_text_free(&want);
    return test_end();
}
