/* idn_none.c: replaces formats/idn.c in a build without libidn2.  A name that needs IDNA is
 * undecided. */
#include "vm/formats/formats.h"

int cupel__fmt_alabels_ok(const char *p, size_t n)
{
    (void)p;
    (void)n;
    return CUPEL_E_UNSUPPORTED;
}

int cupel__fmt_idn_hostname(const char *p, size_t n)
{
    (void)p;
    (void)n;
    return CUPEL_E_UNSUPPORTED;
}
