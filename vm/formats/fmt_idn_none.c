/* fmt_idn_none.c: in place of fmt_idn.c where there is no libidn2: what needs IDNA is undecided. */
#include "formats.h"

int cupel__fmt_alabels(const char *p, size_t n)
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
