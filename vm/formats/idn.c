/* idn.c: idn-hostname (RFC 5890 to 5893) and the A-labels of hostname, through libidn2.
 *
 * libidn2 maps (UTS #46), normalises, and refuses labels with code points that IDNA2008 disallows,
 * a leading combining mark, misplaced hyphens or joiners, and A-labels that differ from the one
 * their U-label has.  It does not check empty labels and most context rules, which this file and
 * formats/idn_label.c add.  libidn2 takes NUL-terminated strings and allocates with malloc; that
 * memory is bounded by CUPEL__IDN_INPUT and released before a function returns.
 *
 * A build without libidn2 has formats/idn_none.c instead. */
#include "vm/formats/idn.h"
#include "base/msan.h"
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"

#include <idn2.h>
#include <string.h>

/* Not IDN2_USE_STD3_ASCII_RULES, with which libidn2 drops forbidden characters and accepts the
 * remaining text.  cupel__fmt_idn_hostname checks the mapped name for letters, digits and hyphens.
 */
enum { FLAGS = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL };

/* Sets *ret to the name in A-labels, which the caller frees with idn2_free.  Results as for
 * cupel__format_check. */
static int look_up(const char *name, char **ret)
{
    uint8_t *found = NULL;
    MSAN_PAUSE_CHECKS();
    int rc = idn2_lookup_u8((const uint8_t *)name, &found, FLAGS);
    MSAN_RESUME_CHECKS();
    if (rc != IDN2_OK)
        return rc == IDN2_MALLOC ? CUPEL_E_NO_MEMORY : 0;
    MSAN_UNPOISON_STRING((const char *)found);
    *ret = (char *)found;
    return 1;
}

/* Whether an A-label is the one of its U-label and obeys the context rules.  Results as for
 * cupel__format_check. */
static int alabel_ok(const char *label, struct cupel__idn_name *name)
{
    char *same = NULL;
    uint32_t *decoded = NULL;
    int result = look_up(label, &same);
    if (result != 1)
        return result;
    MSAN_PAUSE_CHECKS();
    int rc = idn2_to_unicode_8z4z(same, &decoded, 0);
    MSAN_RESUME_CHECKS();
    idn2_free(same);
    if (rc != IDN2_OK)
        return rc == IDN2_MALLOC ? CUPEL_E_NO_MEMORY : 0;
    size_t n = 0;
    MSAN_UNPOISON(decoded, sizeof *decoded * (FMT_LABEL_MAX + 1));
    while (decoded[n] != 0)
        n++;
    result = cupel__idn_label_ok(decoded, n, name);
    idn2_free(decoded);
    return result;
}

/* A label of at most FMT_LABEL_MAX letters, digits and hyphens. */
static int label_ok(const char *p, size_t n, struct cupel__idn_name *name)
{
    char label[FMT_LABEL_MAX + 1];
    uint32_t wide[FMT_LABEL_MAX];
    memcpy(label, p, n);
    label[n] = '\0';
    if (is_alabel(p, p + n))
        return alabel_ok(label, name);
    for (size_t i = 0; i < n; i++)
        wide[i] = (uint32_t)p[i];
    return cupel__idn_label_ok(wide, n, name);
}

int cupel__fmt_alabels_ok(const char *p, size_t n)
{
    struct cupel__idn_name name = {false, false};
    const char *end = p + n;
    for (;;) {
        const char *dot = memchr(p, '.', (size_t)(end - p));
        const char *stop = dot == NULL ? end : dot;
        int result = label_ok(p, (size_t)(stop - p), &name);
        if (result != 1)
            return result;
        if (dot == NULL)
            return !(name.rtl && name.broken);
        p = dot + 1;
    }
}

static bool is_ascii(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (is_wide(p[i]))
            return false;
    }
    return true;
}

/* Converts the name to A-labels and checks these.  A name in ASCII must not exceed 253 octets;
 * others may shrink when they are mapped. */
int cupel__fmt_idn_hostname(const char *p, size_t n)
{
    char name[CUPEL__IDN_INPUT + 1], *found = NULL;
    if (n == 0 || memchr(p, '\0', n) != NULL || (n > FMT_NAME_MAX && is_ascii(p, n)))
        return 0;
    if (n > CUPEL__IDN_INPUT)
        return CUPEL_E_LIMIT_FORMAT;
    memcpy(name, p, n);
    name[n] = '\0';
    int result = look_up(name, &found);
    if (result != 1)
        return result;
    size_t length = strlen(found);
    result = cupel__fmt_hostname_ldh(found, length) ? cupel__fmt_alabels_ok(found, length) : 0;
    idn2_free(found);
    return result;
}
