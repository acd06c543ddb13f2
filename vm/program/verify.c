/* verify.c: the verifier: layout, references, lists, tables, operands.
 *
 * Every program passes it, because an image may come from anybody.  It proves the invariants of
 * invariants.def, none of which the VM tests again:
 *
 *   layout       sections lie in the image, in order, aligned, without overlap; the checksum holds
 *   operands     each fits its kind; lists and tables lie in their section and are complete
 *   flow         a value of a type that an instruction does not accept never reaches it
 *                (verify_flow.c)
 *   termination  no schema applies itself to the same value again, so every run ends
 *                (verify_termination.c)
 *   constants    they form a valid tape (verify_values.c)
 *
 * Time and memory are linear in the image.  Two lists or tables share no word of the tables
 * section. Several operands may refer to the same list or table, which is examined once
 * (seen_before).  Work that is repeated for each reference has a budget: `edges_left` of
 * verify_termination.c and `text` of verify_values.c.  The verifier never sees an instance. */
#include "vm/program/verify.h"
#include "base/always.h"
#include "base/error.h"
#include "vm/formats/formats.h"
#include "vm/program/name_table.h"
#include "vm/program/program.h"
#include <string.h>

enum { SMALL = 512 };  /* elements of working memory on the stack, enough for most images */
enum { INSIDE = 255 }; /* in `seen`: a word of a list or table, but not its first */

/* -- Layout ---------------------------------------------------------------------------------- */

/* Whether a section begins at or after *end, aligned, and fits; moves *end behind it. */
static bool section_ok(const struct cupel__section *s, size_t element, uint32_t *end, uint32_t size)
{
    if (s->at < *end || s->at % 8 != 0 || s->at > size || s->count > (size - s->at) / element)
        return false;
    *end = s->at + (uint32_t)(s->count * element);
    return true;
}

/* Reading a number, or eight bytes of a name, may go past the end of the strings section, and has
 * to find zero bytes there. */
static bool is_zero(const struct cupel__image *im, uint32_t from)
{
    const char *p = cupel__at(im, 0);
    while (from < im->size && p[from] == 0)
        from++;
    return from == im->size;
}

/* Checks header, checksum and sections of an image in `len` bytes.  The order matters: nothing but
 * the header is read before its size is known to fit. */
static enum cupel_status check_layout(struct verifier *v, size_t len)
{
    const struct cupel__image *im = v->image;
    if (len >= sizeof *im && im->magic == CUPEL__IMAGE_OTHER)
        return cupel__error_set(v->err, CUPEL_E_IMAGE_VERSION,
                                "image of a machine of the other byte order");
    if (len < sizeof *im || im->magic != CUPEL__IMAGE_MAGIC)
        return cupel__refuse(v, "no image header", 0);
    if (im->version != CUPEL__IMAGE_VERSION)
        return cupel__error_set(v->err, CUPEL_E_IMAGE_VERSION, "image version %u, this is %u",
                                im->version, CUPEL__IMAGE_VERSION);
    if (im->size < sizeof *im || im->size > len || im->size % 8 != 0)
        return cupel__refuse(v, "size in the header is wrong", im->size);
    if (im->checksum != cupel__image_checksum(im, im->size))
        return cupel__refuse(v, "checksum does not match", 0);
    if (im->flags > CUPEL__IMAGE_REPORT)
        return cupel__refuse(v, "reserved bits are set", 0);
    uint32_t end = sizeof *im;
    if (!section_ok(&im->code, 4, &end, im->size) || im->code.count == 0 ||
        im->code.count > CUPEL__MAX_PC + 1 || !section_ok(&im->tables, 4, &end, im->size) ||
        !section_ok(&im->values, sizeof(struct cupel__node), &end, im->size) ||
        !section_ok(&im->patterns, sizeof(struct cupel__image_pattern), &end, im->size) ||
        !section_ok(&im->locs, sizeof(struct cupel__image_loc), &end, im->size) ||
        !section_ok(&im->marks, sizeof(struct cupel__image_mark), &end, im->size) ||
        !section_ok(&im->strings, 1, &end, im->size) || im->size - end < 16)
        return cupel__refuse(v, "sections do not fit", 0);
    return is_zero(im, end) ? CUPEL_OK : cupel__refuse(v, "padding is not zero", end);
}

static bool string_ok(const struct verifier *v, uint32_t at, uint32_t len)
{
    const struct cupel__section *s = &v->image->strings;
    return at >= s->at && at - s->at <= s->count && len <= s->count - (at - s->at);
}

/* A string constant: a length, and that many bytes. */
static bool str_ok(struct verifier *v, uint32_t at)
{
    uint32_t len;
    if (!string_ok(v, at, 4) || at % 4 != 0)
        return false;
    memcpy(&len, cupel__at(v->image, at), 4);
    return string_ok(v, at + 4, len);
}

/* Checks patterns, locations, and marks but for their code indexes (find_starts). */
static enum cupel_status check_small_sections(struct verifier *v)
{
    const struct cupel__image *im = v->image;
    const struct cupel__image_pattern *pattern = cupel__at(im, im->patterns.at);
    /* All patterns together are no longer than the strings section, so that loading is linear. */
    uint32_t left = im->strings.count;
    for (uint32_t i = 0; i < im->patterns.count; left -= pattern[i++].len)
        if (!string_ok(v, pattern[i].at, pattern[i].len) || pattern[i].len > left)
            return cupel__refuse(v, "pattern is no string", i);
    const struct cupel__image_loc *loc = cupel__at(im, im->locs.at);
    for (uint32_t i = 0; i < im->locs.count; i++)
        if (!string_ok(v, loc[i].at, loc[i].len) ||
            (loc[i].parent != UINT32_MAX && loc[i].parent >= i) ||
            (loc[i].base != 0 && !str_ok(v, loc[i].base)))
            return cupel__refuse(v, "bad location", i);
    const struct cupel__image_mark *mark = cupel__at(im, im->marks.at);
    for (uint32_t i = 0; i < im->marks.count; i++)
        if (mark[i].loc >= im->locs.count || (i > 0 && mark[i].pc <= mark[i - 1].pc))
            return cupel__refuse(v, "bad mark", i);
    return CUPEL_OK;
}

/* -- References ------------------------------------------------------------------------------ */

/* The VM decodes a string with escapes when it first reads it, which changes its type.  So a mask
 * has to have both string types or neither. */
static bool mask_ok(uint32_t mask)
{
    uint32_t strings = mask & CUPEL__M_STRING;
    return (mask & ~(uint32_t)CUPEL__M_ANY) == 0 && (strings == 0 || strings == CUPEL__M_STRING);
}

/* Whether a reference is valid.  Records in `flow` that its types may reach its sequence. */
static bool sub_ok(struct verifier *v, uint32_t sub)
{
    uint32_t types = CUPEL__SUB_TYPES(sub), pc = CUPEL__SUB_PC(sub);
    if (!mask_ok(types))
        return false;
    if (pc == 0)
        return true;
    if (pc >= v->ncode || (v->flow[pc] & STARTS) == 0)
        return false;
    v->flow[pc] |= (uint16_t)types;
    return true;
}

/* A list in the tables section, or NULL. */
static const struct cupel__list *list_at(const struct verifier *v, uint32_t at)
{
    const struct cupel__section *t = &v->image->tables;
    if (at % 4 != 0 || at < t->at || at - t->at >= t->count * 4)
        return NULL;
    const struct cupel__list *list = cupel__image_list(v->image, at);
    return list->count <= t->count - (at - t->at) / 4 - 1 ? list : NULL;
}

/* Records that `size` bytes at offset `at` of the tables section are being examined as `kind`.
 * Returns true if they were examined as this kind before, so that there is nothing to do.  Sets
 * *ret_clash if one of the words belongs to a list or table of another kind or start: each word has
 * one meaning, which makes the time linear and keeps a list from being two things at once. */
static bool seen_before(struct verifier *v, uint32_t at, size_t size, enum cupel__operand kind,
                        bool *ret_clash)
{
    uint8_t *seen = &v->seen[(at - v->image->tables.at) / 4];
    const size_t words = (size + 3) / 4;
    *ret_clash = false;
    if (*seen == kind)
        return true;
    uint64_t some = 0, eight;
    size_t i = 0;
    for (; i + 8 <= words; i += 8) {
        memcpy(&eight, seen + i, 8);
        some |= eight;
    }
    for (; i < words; i++)
        some |= seen[i];
    *ret_clash = some != 0;
    memset(seen, INSIDE, words);
    *seen = (uint8_t)kind;
    return false;
}

static size_t list_size(const struct cupel__list *list)
{
    return 4 + 4 * (size_t)list->count;
}

/* Like sub_ok, for a branch of an EITHER: verify_flow.c proves that its sequence consists of
 * CHECKs. A branch without a sequence marks word 0, which is no instruction. */
static bool check_branch_ok(struct verifier *v, uint32_t sub)
{
    if (!sub_ok(v, sub))
        return false;
    v->flow[CUPEL__SUB_PC(sub)] |= CHECKS_ONLY;
    return true;
}

/* Whether `at` is a complete list whose items fit the kind of the operand that refers to it. */
static bool list_ok(struct verifier *v, uint32_t at, enum cupel__operand kind)
{
    const struct cupel__list *list = list_at(v, at);
    bool clash;
    if (list == NULL)
        return false;
    if (seen_before(v, at, list_size(list), kind, &clash) || clash)
        return !clash;
    for (uint32_t i = 0; i < list->count; i++) {
        bool ok = true;
        if (kind == CUPEL__OPERAND_children || kind == CUPEL__OPERAND_branches ||
            kind == CUPEL__OPERAND_targets)
            ok = sub_ok(v, list->item[i]);
        else if (kind == CUPEL__OPERAND_check_branches)
            ok = check_branch_ok(v, list->item[i]);
        else if (kind == CUPEL__OPERAND_anchors)
            ok = list->item[i] == CUPEL__NO_SUB || sub_ok(v, list->item[i]);
        else if (kind == CUPEL__OPERAND_values)
            ok = list->item[i] < v->image->values.count;
        if (!ok)
            return false;
    }
    if (kind == CUPEL__OPERAND_anchors)
        return list->count <= CUPEL__ANCHORS;
    return kind != CUPEL__OPERAND_labels || list->count == CUPEL__CLASSES;
}

/* -- Tables ---------------------------------------------------------------------------------- */

/* Whether each entry of a table has a valid name.  A short name has its closing quote in the entry,
 * a long one lies in the strings section. */
static bool names_ok(struct verifier *v, const struct cupel__table *t,
                     const struct cupel__entry *entries)
{
    const struct cupel__list *names = t->names != 0 ? list_at(v, t->names) : NULL;
    bool clash = false;
    if (t->names != 0 && (names == NULL || names->count / 2 != t->count))
        return false;
    if (names != NULL)
        (void)seen_before(v, t->names, list_size(names), CUPEL__OPERAND_str, &clash);
    if (clash)
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct cupel__entry *e = &entries[i];
        uint32_t short_len = 15 - (uint32_t)__builtin_popcount(e->ignore);
        if (e->required > 1)
            return false;
        if (!(e->flags & CUPEL__ENTRY_LONG)) {
            if (short_len > 15 ||
                e->ignore != cupel__entry_ignore(short_len)) /* 16 bits: short_len is -1 */
                return false;
        } else if (e->ignore != 0 || names == NULL || names->item[2 * i + 1] < 16 ||
                   !string_ok(v, names->item[2 * i], names->item[2 * i + 1])) {
            return false;
        }
    }
    return true;
}

/* Whether a table's header, displacements, slots and entries lie in the tables section, and every
 * 32-bit hash selects a displacement and a slot of it: shift and disp bound the bits that are used.
 */
static bool table_fits(const struct verifier *v, uint32_t at)
{
    const struct cupel__section *s = &v->image->tables;
    if (at % 4 != 0 || at < s->at || at - s->at >= s->count * 4)
        return false;
    size_t available = s->count * 4 - (at - s->at);
    const struct cupel__table *t = cupel__at(v->image, at);
    if (available < sizeof *t || t->flags > 127 || t->zero != 0 || t->disp > 16)
        return false;
    if (!(t->flags & CUPEL__TABLE_SORTED) && (t->shift < 12 || t->shift > 31))
        return false;
    if (t->disp != 0 && ((t->flags & CUPEL__TABLE_SORTED) || t->shift > 24 || t->disp > t->shift))
        return false;
    bool wide = t->flags & CUPEL__TABLE_WIDE;
    size_t before =
        sizeof *t + ((cupel__table_ndisp(t) + (cupel__table_nslots(t) << wide) + 3) & ~(size_t)3);
    if (t->entries != before || cupel__table_is_plain(t) != ((t->flags & CUPEL__TABLE_PLAIN) != 0))
        return false;
    return before <= available && t->count <= (available - before) / sizeof(struct cupel__entry);
}

/* Whether no slot exceeds the number of entries. */
static bool slots_ok(const struct cupel__table *t)
{
    const uint8_t *slots = cupel__table_disp(t) + cupel__table_ndisp(t);
    bool wide = t->flags & CUPEL__TABLE_WIDE;
    for (size_t i = 0, n = cupel__table_nslots(t); i < n; i++) {
        size_t entry = wide ? (size_t)slots[2 * i] | (size_t)slots[2 * i + 1] << 8 : slots[i];
        if (entry > t->count)
            return false;
    }
    return true;
}

static bool table_whole(struct verifier *v, const struct cupel__table *t)
{
    const struct cupel__entry *entries = cupel__table_entries(t);
    uint32_t required = 0;
    if (!slots_ok(t) || !names_ok(v, t, entries))
        return false;
    for (uint32_t i = 0; i < t->count; i++)
        required += entries[i].required;
    return required == t->required;
}

static size_t table_size(const struct cupel__table *t)
{
    return t->entries + t->count * sizeof(struct cupel__entry);
}

/* Whether there is a complete table; *ret_seen: it was examined as this kind before. */
static bool table_begins(struct verifier *v, uint32_t at, enum cupel__operand kind, bool *ret_seen)
{
    bool clash;
    const struct cupel__table *t = cupel__at(v->image, at);
    if (!table_fits(v, at))
        return false;
    *ret_seen = seen_before(v, at, table_size(t), kind, &clash);
    return *ret_seen || (!clash && table_whole(v, t));
}

/* Whether there is a table of names, whose entries have valid schemas. */
static bool table_ok(struct verifier *v, uint32_t at, enum cupel__operand kind)
{
    bool seen;
    if (!table_begins(v, at, kind, &seen))
        return false;
    if (seen)
        return true;
    const struct cupel__table *t = cupel__at(v->image, at);
    const struct cupel__entry *entries = cupel__table_entries(t);
    for (uint32_t i = 0; i < t->count; i++)
        if (!sub_ok(v, entries[i].sub))
            return false;
    return kind != CUPEL__OPERAND_object || (sub_ok(v, t->other) && sub_ok(v, t->name));
}

/* The pattern properties of an OBJECT or MEMBERS: pairs of a pattern and a reference. */
static bool matches_ok(struct verifier *v, uint32_t at)
{
    bool clash;
    const struct cupel__list *list = list_at(v, at);
    if (list == NULL || list->count % 2 != 0)
        return false;
    if (seen_before(v, at, list_size(list), CUPEL__OPERAND_pattern, &clash) || clash)
        return !clash;
    for (uint32_t i = 0; i < list->count; i += 2)
        if (list->item[i] >= v->image->patterns.count || !sub_ok(v, list->item[i + 1]))
            return false;
    return true;
}

/* -- Discriminators -------------------------------------------------------------------------- */

/* Whether sets have no bits without a span, and spans no branches that do not exist. */
static bool sets_ok(const struct cupel__masks *m)
{
    const uint32_t *spans = cupel__masks_spans(m);
    if (m->count < CUPEL__TYPES || m->bits - 1 > 63)
        return false;
    for (uint32_t i = 0; i < m->count; i++)
        if ((m->set[i] & ~(UINT64_MAX >> (64 - m->bits))) != 0)
            return false;
    for (uint32_t i = 0; i < m->bits; i++)
        if (CUPEL__SPAN_FIRST(spans[i]) + CUPEL__SPAN_N(spans[i]) > m->branches)
            return false;
    return true;
}

/* Whether there is a complete list of sets.  Its first word is its length, as of any list. */
static bool masks_ok(struct verifier *v, uint32_t at)
{
    bool clash;
    const struct cupel__list *list = list_at(v, at);
    const struct cupel__masks *m = (const void *)list;
    const uint32_t head = offsetof(struct cupel__masks, set) / 4 - 1;
    if (list == NULL || at % 8 != 0 || list->count < head || m->bits > list->count - head ||
        m->count != (list->count - head - m->bits) / 2)
        return false;
    if (seen_before(v, at, list_size(list), CUPEL__OPERAND_masks, &clash) || clash)
        return !clash;
    return sets_ok(m);
}

/* A table of tags for a key of a discriminator, which shares the list of sets. */
static bool tags_ok(struct verifier *v, uint32_t at, const struct cupel__table *discriminator)
{
    bool seen;
    const struct cupel__table *t = cupel__at(v->image, at);
    const struct cupel__masks *m = cupel__at(v->image, discriminator->matches);
    if (!table_begins(v, at, CUPEL__OPERAND_tags, &seen) || t->matches != discriminator->matches ||
        t->other >= m->count || t->name >= discriminator->count)
        return false;
    for (uint32_t i = 0; i < t->count && !seen; i++)
        if (cupel__table_entries(t)[i].sub >= m->count)
            return false;
    return true;
}

/* The table of keys of a discriminator, its sets, and its tables of tags. */
static bool keys_ok(struct verifier *v, uint32_t at)
{
    bool seen;
    const struct cupel__table *t = cupel__at(v->image, at);
    if (!table_begins(v, at, CUPEL__OPERAND_discriminator, &seen) || !masks_ok(v, t->matches))
        return false;
    for (uint32_t i = 0; i < t->count && !seen; i++)
        if (!tags_ok(v, cupel__table_entries(t)[i].sub, t))
            return false;
    return true;
}

static bool discriminator_ok(struct verifier *v, uint32_t at)
{
    if (!keys_ok(v, at))
        return false;
    const struct cupel__table *t = cupel__at(v->image, at);
    const struct cupel__masks *m = cupel__at(v->image, t->matches);
    return t->count <= 63 && t->other < m->count && m->count >= CUPEL__TYPES + 2 * t->count &&
           m->needed >> t->count == 0;
}

/* A CASES has one key, a case for each bit, and sets for all types of the member.  A report program
 * has no CASES. */
static bool cases_ok(struct verifier *v, uint32_t at)
{
    if ((v->image->flags & CUPEL__IMAGE_REPORT) || !discriminator_ok(v, at))
        return false;
    const struct cupel__table *t = cupel__at(v->image, at);
    const struct cupel__masks *m = cupel__at(v->image, t->matches);
    return t->count == 1 && m->count >= CUPEL__TYPES + 1 + CUPEL__TYPES && m->bits <= m->branches;
}

/* Whether a CHOOSE or CASES has as many branches as its discriminator, and a CHOOSE one target for
 * each bit.  No list can be both: branches and targets are operands of different kinds
 * (seen_before). */
static bool choice_ok(const struct verifier *v, const uint32_t *pc)
{
    const struct cupel__table *discriminator = cupel__at(v->image, pc[2]);
    const struct cupel__masks *masks = cupel__at(v->image, discriminator->matches);
    if (CUPEL__WORD_OP(*pc) == CUPEL__OP_CHOOSE &&
        cupel__image_list(v->image, pc[3])->count != masks->bits)
        return false;
    return masks->branches == cupel__image_list(v->image, pc[1])->count;
}

/* -- Instructions ---------------------------------------------------------------------------- */

/* The index of a constant, which is a number if the instruction accepts only numbers. */
static bool value_ok(const struct verifier *v, uint32_t x, const struct cupel__op_info *info)
{
    if (x >= v->image->values.count)
        return false;
    const struct cupel__node *values = cupel__at(v->image, v->image->values.at);
    return info->on != CUPEL__M_NUMBER || (CUPEL__BIT(values[x].type) & CUPEL__M_NUMBER) != 0;
}

/* A constant above zero.  A constant that is read from its lexeme is never zero (verify_values.c).
 */
static bool divisor_ok(const struct verifier *v, uint32_t x, const struct cupel__op_info *info)
{
    if (!value_ok(v, x, info))
        return false;
    const struct cupel__node *n =
        (const struct cupel__node *)cupel__at(v->image, v->image->values.at) + x;
    if (n->flags & CUPEL__BIG)
        return *(const char *)cupel__at(v->image, n->off) != '-';
    return n->i > 0;
}

/* The names of the host formats.  Sets v->nformats. */
static bool formats_ok(struct verifier *v)
{
    const struct cupel__list *names = list_at(v, v->image->formats);
    bool clash;
    if (v->image->formats == 0)
        return true;
    if (names == NULL || names->count > CUPEL__MAX_HOST_FORMATS)
        return false;
    /* This is the first list to be examined, so it cannot clash. */
    (void)seen_before(v, v->image->formats, list_size(names), CUPEL__OPERAND_host_format, &clash);
    for (uint32_t i = 0; i < names->count; i++)
        if (!str_ok(v, names->item[i]))
            return false;
    v->nformats = names->count;
    return true;
}

/* Whether the value x of a field fits the kind of operand that the instruction at pc has there. The
 * only place that tells operand kinds apart: a new instruction with existing kinds needs no change.
 */
static bool operand_ok(struct verifier *v, enum cupel__operand kind, uint32_t x, uint32_t pc,
                       const struct cupel__op_info *info)
{
    switch (kind) {
    case CUPEL__OPERAND_none:
        return x == 0;
    case CUPEL__OPERAND_flag:
    case CUPEL__OPERAND_evaluates:
        return x <= 1;
    case CUPEL__OPERAND_mask:
    case CUPEL__OPERAND_memo_types:
        return mask_ok(x);
    case CUPEL__OPERAND_length8:
        return x <= 8;
    case CUPEL__OPERAND_anchor:
        return x < CUPEL__ANCHORS;
    case CUPEL__OPERAND_word:
    case CUPEL__OPERAND_count:
    case CUPEL__OPERAND_int:
        return true;
    case CUPEL__OPERAND_value:
        return value_ok(v, x, info);
    case CUPEL__OPERAND_divisor:
        return divisor_ok(v, x, info);
    case CUPEL__OPERAND_pattern:
        return x < v->image->patterns.count;
    case CUPEL__OPERAND_format:
        return x < CUPEL__FORMATS;
    case CUPEL__OPERAND_host_format:
        return x < v->nformats;
    case CUPEL__OPERAND_str:
        return str_ok(v, x);
    case CUPEL__OPERAND_table:
    case CUPEL__OPERAND_object:
        return table_ok(v, x, kind);
    case CUPEL__OPERAND_discriminator:
        return discriminator_ok(v, x);
    case CUPEL__OPERAND_cases:
        return cases_ok(v, x);
        NEVER_CASE(CUPEL__OPERAND_tags)
        NEVER_CASE(CUPEL__OPERAND_masks)
        return false;
    case CUPEL__OPERAND_child_or_none:
        return x == CUPEL__NO_SUB || sub_ok(v, x);
    case CUPEL__OPERAND_inplace:
        v->in_place = true;
        return sub_ok(v, x);
    case CUPEL__OPERAND_child:
        return sub_ok(v, x);
    case CUPEL__OPERAND_branches:
    case CUPEL__OPERAND_targets:
        v->in_place = true;
        return list_ok(v, x, kind);
    case CUPEL__OPERAND_check_branches:
        return !(v->image->flags & CUPEL__IMAGE_REPORT) && list_ok(v, x, kind);
    case CUPEL__OPERAND_values:
    case CUPEL__OPERAND_hashes:
    case CUPEL__OPERAND_children:
    case CUPEL__OPERAND_anchors:
    case CUPEL__OPERAND_labels:
        return list_ok(v, x, kind);
    case CUPEL__OPERAND_label:
        return x > pc && x < v->ncode && (v->flow[x] & STARTS) != 0;
    }
    return false;
}

/* Marks in `flow` where instructions begin.  They follow each other from word 1 without gaps. */
static enum cupel_status find_starts(struct verifier *v)
{
    if (v->code[0] != 0) /* the VM may prefetch word 0 for a reference without a sequence */
        return cupel__refuse(v, "first word is not 0", 0);
    for (uint32_t pc = 1; pc < v->ncode;) {
        uint32_t op = CUPEL__WORD_OP(v->code[pc]);
        if (op >= CUPEL__OPS)
            return cupel__refuse(v, "no such opcode", pc);
        const struct cupel__op_info *info = &cupel__op_info[op];
        if (info->words > v->ncode - pc)
            return cupel__refuse(v, "instruction is cut off", pc);
        v->flow[pc] = STARTS;
        v->facts.instructions++;
        pc += info->words;
    }
    const struct cupel__image_mark *mark = cupel__at(v->image, v->image->marks.at);
    for (uint32_t i = 0; i < v->image->marks.count; i++)
        if (mark[i].pc >= v->ncode || v->flow[mark[i].pc] != STARTS)
            return cupel__refuse(v, "mark of no instruction", i);
    return CUPEL_OK;
}

/* Checks the operands of all instructions, and what relates several operands of one; counts the
 * instructions that need memory. */
static enum cupel_status check_operands(struct verifier *v)
{
    if (!sub_ok(v, v->image->root))
        return cupel__refuse(v, "bad root", 0);
    if (!formats_ok(v))
        return cupel__refuse(v, "bad list of formats", v->image->formats);
    for (uint32_t pc = 1; pc < v->ncode; pc += cupel__op_info[CUPEL__WORD_OP(v->code[pc])].words) {
        uint32_t op = CUPEL__WORD_OP(v->code[pc]);
        const struct cupel__op_info *info = &cupel__op_info[op];
        for (int i = 0; i < 1 + info->words; i++) /* a, b, and an operand for each further word */
            if (!operand_ok(v, info->operand[i], cupel__operand_of(&v->code[pc], info, i), pc,
                            info))
                return cupel__refuse(v, "bad operand", pc);
        if (info->flow == CUPEL__FLOW_JUMP && (v->code[pc] & CUPEL__LAST))
            return cupel__refuse(v, "jump that is last", pc);
        v->facts.stateful |= op == CUPEL__OP_UNEVALUATED || op == CUPEL__OP_SCOPE;
        v->facts.dynamics += op == CUPEL__OP_DYNAMIC;
        v->facts.memos += op == CUPEL__OP_MEMO;
        if ((op == CUPEL__OP_CHOOSE || op == CUPEL__OP_CASES) && !choice_ok(v, &v->code[pc]))
            return cupel__refuse(v, "bad choice", pc);
        if (op == CUPEL__OP_MEMBERS || op == CUPEL__OP_OBJECT) {
            const struct cupel__table *t = cupel__at(v->image, v->code[pc + 1]);
            if (t->matches != 0 && !matches_ok(v, t->matches))
                return cupel__refuse(v, "bad pattern properties", pc);
        }
    }
    return CUPEL_OK;
}

/* -- The image ------------------------------------------------------------------------------- */

static enum cupel_status check_sections(struct verifier *v)
{
    enum cupel_status s = check_small_sections(v);
    if (s == CUPEL_OK && v->image->values.count > 0)
        s = cupel__verify_values(v);
    if (s == CUPEL_OK)
        s = find_starts(v);
    if (s == CUPEL_OK)
        s = check_operands(v);
    if (s == CUPEL_OK)
        s = cupel__verify_flow(v);
    return s == CUPEL_OK && v->in_place ? cupel__verify_ends(v) : s;
}

/* Checks the layout, allocates `flow` and `seen` for it, and checks the rest. */
static enum cupel_status check(struct verifier *v, size_t len)
{
    uint16_t small[SMALL];
    enum cupel_status s = check_layout(v, len);
    if (s != CUPEL_OK)
        return s;
    v->code = cupel__at(v->image, v->image->code.at);
    v->ncode = v->image->code.count;
    size_t size = v->ncode * sizeof *v->flow + v->image->tables.count + 1;
    void *memory = size <= sizeof small ? small : cupel__realloc(&v->alloc, NULL, 0, size);
    if (memory == NULL)
        return cupel__verify_no_memory(v);
    memset(memory, 0, size);
    v->flow = memory;
    v->seen = (uint8_t *)(v->flow + v->ncode);
    s = check_sections(v);
    if (memory != small)
        cupel__free(&v->alloc, memory, size);
    return s;
}

enum cupel_status cupel__verify_image(const void *image, size_t len,
                                      const struct cupel_alloc *alloc, struct cupel__verified *ret,
                                      struct cupel_error *err)
{
    struct verifier v = {.image = image, .alloc = *alloc, .err = err};
    enum cupel_status s = check(&v, len);
    if (s == CUPEL_OK)
        *ret = v.facts;
    return s;
}
