/* test_status.c: every status has a name and a message of its own. */
#include "test.h"
#include <cupel/cupel.h>

static const int numbers[] = {
#define E(name, number, message, paragraph) number,
#include <cupel/errors.def>
};

enum { COUNT = sizeof numbers / sizeof *numbers };

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        const char *name = cupel_status_name((enum cupel_status)numbers[i]);
        const char *message = cupel_status_message((enum cupel_status)numbers[i]);
        CHECK(strcmp(name, "?") != 0 && strcmp(message, "unknown status") != 0);
        for (int k = 0; k < i; k++) {
            CHECK(strcmp(name, cupel_status_name((enum cupel_status)numbers[k])) != 0);
            CHECK(strcmp(message, cupel_status_message((enum cupel_status)numbers[k])) != 0);
        }
    }
    CHECK_STR(cupel_status_name((enum cupel_status)12345), "?");
    CHECK_STR(cupel_status_message((enum cupel_status)12345), "unknown status");
    CHECK_STR(cupel_version(), "0.1.0");
    return test_end();
}
