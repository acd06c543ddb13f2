/* idn.h: the context rules of IDNA (formats/idn_label.c), which formats/idn.c applies to each
 * label. */
#ifndef CUPEL_VM_FMT_IDN_H
#define CUPEL_VM_FMT_IDN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of the Bidi rule for a name.  Zero-initialised before the first label.  After the last
 * label the name obeys the rule unless both fields are true. */
struct cupel__idn_name {
    bool rtl;    /* a label has a right-to-left character, so the rule applies to all labels */
    bool broken; /* a label breaks the rule */
};

/* Whether a label, a U-label or ASCII, obeys the contextual rules of RFC 5892 appendix A.3 to A.9.
 * Updates *name by the Bidi rule (RFC 5893 section 2). */
bool cupel__idn_label_ok(const uint32_t *label, size_t n, struct cupel__idn_name *name);

#endif
