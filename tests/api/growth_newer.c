/* growth_newer.c: a program that was compiled with a newer header than the library it is linked
 * with: it knows a bound more (CUPEL_LIMIT_EXTRA_TEST). */
#include "option_users.h"

int main(void)
{
    struct cupel_options options;
    open_users();
    cupel_options_init(&options);
    CHECK_INT(options.limits[CUPEL_LIMIT_EXTRA], 0);
    CHECK(cupel_limit_name(CUPEL_LIMIT_EXTRA) == NULL);
    check_all(&options, CUPEL_OK);
    options.limits[CUPEL_LIMIT_EXTRA] = 1000;
    check_all(&options, CUPEL_E_ARGUMENT);
    check_catalog(NULL, CUPEL_OK);
    check_args(NULL, CUPEL_OK);
    check_request(NULL, CUPEL_CALL_VALID);
    check_render(NULL, CUPEL_RENDER_JSON, false);
    close_users();
    return test_end();
}
