/* formats.h: whether a string conforms to a format of JSON Schema.
 *
 * formats.def declares each format with its scanner; a file holds the scanners of a family.  A
 * scanner takes pointer and length, reads the text once in linear time, and never reads beyond it.
 * The text is UTF-8 and may contain NUL.  Only two formats allocate memory, and both bound the
 * length first: `regex` builds a syntax tree in the caller's arena, and names with IDNA go to
 * libidn2. */
#ifndef CUPEL_VM_FORMATS_H
#define CUPEL_VM_FORMATS_H

#include "base/memory.h"
#include <cupel/common.h>

enum cupel__format {
#define FORMAT(name, json, first, last, scanner) CUPEL__FORMAT_##name,
#define FORMAT_WITH_ARENA                        FORMAT
#include "vm/formats/formats.def"
    CUPEL__FORMATS
};

/* 1 if the string conforms, 0 if it does not, or a status if that cannot be decided:
 *   CUPEL_E_UNSUPPORTED   a name that needs IDNA, in a build without libidn2
 *   CUPEL_E_LIMIT_FORMAT  a name or pattern that is too long, or a pattern or JSON nested too deep
 *   CUPEL_E_LIMIT_MEMORY  `regex` exceeds the limit of the arena
 *   CUPEL_E_NO_MEMORY
 * `work` is an empty arena for `regex`, which is reset afterwards and keeps its memory. */
int cupel__format_check(enum cupel__format format, const char *p, size_t n,
                        struct cupel__arena *work);

/* The name in a schema: "date-time".  Static. */
const char *cupel__format_name(enum cupel__format format);
/* The name of its scanner, which is unique: "hostname_ldh".  Static. */
const char *cupel__format_scanner(enum cupel__format format);

/* Finds the format of this name in a draft (4, 6, 7, 2019, 2020, 9999 for v1); false if the draft
 * does not define it. */
bool cupel__format_find(const char *name, size_t n, unsigned draft, enum cupel__format *ret);

/* The most host formats of one program, and the most of the options that are searched. */
enum { CUPEL__MAX_HOST_FORMATS = 1024 };

/* The first host format of the options with that name, or NULL. */
const struct cupel_format *cupel__host_format_find(const struct cupel_options *,
                                                   struct cupel__str name);

/* The scanners, each with the results of cupel__format_check. */
#define FORMAT(name, json, first, last, scanner) int cupel__fmt_##scanner(const char *p, size_t n);
#define FORMAT_WITH_ARENA(name, json, first, last, scanner) \
    int cupel__fmt_##scanner(const char *p, size_t n, struct cupel__arena *work);
#include "vm/formats/formats.def"

/* The labels of a string that IDNA processes, each by itself; 0 for formats without IDNA.  A check
 * is charged for them (RFC 5891: the work of a label is bounded, but not linear in its bytes). */
uint32_t cupel__format_labels(enum cupel__format format, const char *p, size_t n);

/* The steps of a check of n bytes without IDNA, and those that IDNA adds for the labels of a
 * string.  A step is a unit of time (decision 10). */
uint64_t cupel__format_steps(enum cupel__format format, size_t n);
uint64_t cupel__format_idna_steps(enum cupel__format format, uint32_t labels, size_t n);

/* Bytes of a name that IDNA processes; a longer name is CUPEL_E_LIMIT_FORMAT.  A valid name has at
 * most 253 octets as A-labels, but mapping and normalisation may shrink a longer text to that, and
 * their time is not linear. */
enum { CUPEL__IDN_INPUT = 4096 };

/* -- Between the files of this folder ---------------------------------------------------------- */

/* Whether p is a host name of letters, digits and hyphens; *ret_alabel: a label has the prefix of
 * A-labels. */
bool cupel__fmt_labels_ok(const char *p, size_t n, bool *ret_alabel);

/* Whether the A-labels of a name that conforms to hostname_ldh are valid, with the results of
 * cupel__format_check. */
int cupel__fmt_alabels_ok(const char *p, size_t n);

/* The domain of a mailbox, up to p + n, if it has characters beyond ASCII, so that its labels are
 * U-labels (RFC 6531); otherwise NULL. */
const char *cupel__fmt_idn_domain(const char *p, size_t n);

#endif
