// throw.cc: C++ exceptions pass through the library from callbacks (docs/hosts.md).
#include <cstdio>
#include <cstring>
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <stdexcept>

static int passed, failed;

static void check(bool ok, const char *what)
{
    (ok ? passed : failed)++;
    if (!ok)
        std::printf("failed: %s\n", what);
}

static int throw_problem(void *, const struct cupel_problem *)
{
    throw std::runtime_error("problem");
}

static int throw_format(void *, const char *, size_t)
{
    throw std::runtime_error("format");
}

template <typename Call> static bool throws(Call call, const char *what)
{
    try {
        call();
    } catch (const std::runtime_error &e) {
        return std::strcmp(e.what(), what) == 0;
    }
    return false;
}

// The scratch that was left is refused from then on, and another one is not.
static void check_left(const struct cupel_program *program, struct cupel_scratch *scratch)
{
    struct cupel_outcome outcome;
    check(cupel_validate(program, scratch, "{}", 2, &outcome) == CUPEL_UNDECIDED &&
              outcome.reason == CUPEL_E_ARGUMENT,
          "the scratch is refused");
    cupel_scratch_free(scratch);
}

int main()
{
    static const char schema[] = "{\"properties\":{\"a\":{\"type\":\"string\",\"format\":\"mine\"}}}";
    struct cupel_format mine = {"mine", throw_format, nullptr};
    struct cupel_options options;
    struct cupel_program *program = nullptr;
    struct cupel_scratch *scratch = nullptr;
    cupel_options_init(&options);
    options.flags |= CUPEL_ASSERT_FORMAT;
    options.formats = &mine;
    options.format_count = 1;
    check(cupel_compile(schema, std::strlen(schema), &options, &program, nullptr) == CUPEL_OK, "compile");
    check(cupel_scratch_new(nullptr, &scratch) == CUPEL_OK, "scratch");
    check(cupel_validate(program, scratch, "{\"a\":1}", 7, nullptr) == CUPEL_INVALID, "invalid");
    check(throws([&] { cupel_report(program, scratch, nullptr, 0, throw_problem, nullptr, nullptr); }, "problem"),
          "on_problem throws");
    check_left(program, scratch);
    for (uint32_t flags : {0u, (uint32_t)CUPEL_SWITCH_DISPATCH}) {
        options.flags = flags;
        check(cupel_scratch_new(&options, &scratch) == CUPEL_OK, "scratch");
        check(throws([&] { if (cupel_validate(program, scratch, "{\"a\":\"x\"}", 9, nullptr) != CUPEL_VALID) failed++; }, "format"),
              "a format throws");
        check_left(program, scratch);
    }
    cupel_program_free(program);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
