/* idn_label.c: the rules of IDNA2008 that depend on the context of a code point: appendix A.3 to
 * A.9 of RFC 5892 (CONTEXTO) and the Bidi rule of RFC 5893 section 2.  libidn2 checks CONTEXTJ and
 * the set of allowed code points. */
#include "vm/formats/idn.h"
#include "vm/formats/idn_table.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Binary search in sorted, disjoint ranges. */
static bool in_ranges(const struct idn_range *ranges, size_t count, uint32_t cp)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].last < cp)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].first <= cp;
}

/* The class in the last run of idn_bidi that begins at or before the code point. */
static enum idn_bidi bidi_class(uint32_t cp)
{
    size_t low = 0, high = LENGTH(idn_bidi);
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (idn_bidi[middle] >> 3 <= cp)
            low = middle;
        else
            high = middle;
    }
    return (enum idn_bidi)(idn_bidi[low] & 7);
}

/* -- Context --------------------------------------------------------------------------------- */

static bool has_kana_or_han(const uint32_t *label, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (in_ranges(idn_kana_han, LENGTH(idn_kana_han), label[i]))
            return true;
    }
    return false;
}

/* The rules for label[i] that depend on the code points next to it. */
static bool neighbours_ok(const uint32_t *label, size_t n, size_t i)
{
    bool first = i == 0, last = i + 1 == n;
    switch (label[i]) {
    case 0x00B7: /* middle dot */
        return !first && !last && label[i - 1] == 'l' && label[i + 1] == 'l';
    case 0x0375: /* keraia */
        return !last && in_ranges(idn_greek, LENGTH(idn_greek), label[i + 1]);
    case 0x05F3: /* geresh, gershayim */
    case 0x05F4:
        return !first && in_ranges(idn_hebrew, LENGTH(idn_hebrew), label[i - 1]);
    case 0x2260: /* = < > with a stroke: symbols that decompose to characters that STD3 forbids */
    case 0x226E:
    case 0x226F:
        return false;
    default:
        return true;
    }
}

/* The rules of RFC 5892 appendix A.3 to A.9 for a whole label: A.8 and A.9 forbid two kinds of
 * Arabic digits in one label, A.7 requires kana or Han beside a katakana middle dot. */
static bool context_ok(const uint32_t *label, size_t n)
{
    bool arabic = false, extended = false, katakana_dot = false;
    for (size_t i = 0; i < n; i++) {
        arabic = arabic || (label[i] >= 0x0660 && label[i] <= 0x0669);
        extended = extended || (label[i] >= 0x06F0 && label[i] <= 0x06F9);
        katakana_dot = katakana_dot || label[i] == 0x30FB;
        if (!neighbours_ok(label, n, i))
            return false;
    }
    return !(arabic && extended) && (!katakana_dot || has_kana_or_han(label, n));
}

/* -- Direction ------------------------------------------------------------------------------- */

#define BIT(bidi) (1u << (bidi))

/* Applies the six conditions of the Bidi rule to a label and records the result in *name.  Class R
 * stands for AL too, and ON for all classes that both directions allow; the rule treats these
 * alike. */
static void note_bidi(const uint32_t *label, size_t n, struct cupel__idn_name *name)
{
    unsigned seen = 0, end = 0;
    for (size_t i = 0; i < n; i++) {
        enum idn_bidi bidi = bidi_class(label[i]);
        seen |= BIT(bidi);
        end = bidi == IDN_NSM ? end : BIT(bidi);
    }
    bool ok = false;
    if (bidi_class(label[0]) == IDN_R)
        ok = !(seen & BIT(IDN_L)) && (end & (BIT(IDN_R) | BIT(IDN_EN) | BIT(IDN_AN))) &&
             (~seen & (BIT(IDN_EN) | BIT(IDN_AN)));
    else if (bidi_class(label[0]) == IDN_L)
        ok = !(seen & (BIT(IDN_R) | BIT(IDN_AN))) && (end & (BIT(IDN_L) | BIT(IDN_EN)));
    name->rtl = name->rtl || (seen & (BIT(IDN_R) | BIT(IDN_AN)));
    name->broken = name->broken || !ok;
}

bool cupel__idn_label_ok(const uint32_t *label, size_t n, struct cupel__idn_name *name)
{
    note_bidi(label, n, name);
    return context_ok(label, n);
}
