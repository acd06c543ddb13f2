/* status.c: names and messages of the statuses, expanded from include/cupel/errors.def, and the
 * version of the library. */
#include <cupel/cupel.h>

const char *cupel_status_name(enum cupel_status status)
{
    switch ((int)status) {
#define E(name, number, message, paragraph) \
    case number:                            \
        return #name;
#include <cupel/errors.def>
    }
    return "?";
}

const char *cupel_status_message(enum cupel_status status)
{
    switch ((int)status) {
#define E(name, number, message, paragraph) \
    case number:                            \
        return message;
#include <cupel/errors.def>
    }
    return "unknown status";
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *cupel_version(void)
{
    return TEXT(CUPEL_VERSION_MAJOR) "." TEXT(CUPEL_VERSION_MINOR) "." TEXT(CUPEL_VERSION_PATCH);
}
