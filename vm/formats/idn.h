/* idn.h: what formats/idn.c asks of formats/idn_label.c. */
#ifndef CUPEL_VM_FMT_IDN_H
#define CUPEL_VM_FMT_IDN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of the labels of a name so far.  Zero to begin with; once all labels have been seen
 * the name obeys the Bidi rule unless both are true. */
struct cupel__idn_name {
    bool rtl;    /* a label has a right-to-left character: the rule applies to all of them */
    bool broken; /* a label breaks the rule */
};

/* Whether a label, as a U-label or in ASCII, obeys the contextual rules of RFC 5892 appendix A.3 to
 * A.9; notes what the Bidi rule (RFC 5893 section 2) makes of it. */
bool cupel__idn_label_ok(const uint32_t *label, size_t n, struct cupel__idn_name *name);

#endif
