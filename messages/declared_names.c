/* declared_names.c: the member names that a schema declares (declared_names.h).
 *
 * A set of at most MAX_NAMES names, searched linearly and charged for it; names beyond are counted.
 */
#include "messages/declared_names.h"
#include "messages/place.h"

/* Names that a list shows; the rest is counted. */
enum { MAX_SHOWN = 12 };

static bool is_names_op(uint32_t op)
{
    return op == CUPEL__OP_OBJECT || op == CUPEL__OP_MEMBERS;
}

struct cupel__str cupel__declared_name(const struct render *r,
                                       const struct cupel__declared_names *names, uint32_t i,
                                       char buf[16])
{
    const struct cupel__table *t = cupel__at(r->code->image, names->name[i].table);
    return cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[names->name[i].entry],
                             buf);
}

/* The index of a name, or names->n. */
static uint32_t find(const struct render *r, const struct cupel__declared_names *names,
                     struct cupel__str s)
{
    char buf[16];
    uint32_t i = 0;
    while (i < names->n && !cupel__str_eq(cupel__declared_name(r, names, i, buf), s))
        i++;
    return i;
}

bool cupel__is_declared_name(const struct render *r, const struct cupel__declared_names *names,
                             struct cupel__str s)
{
    return find(r, names, s) < names->n;
}

/* Adds the names of a table; a name that is there already becomes required if `required`. */
static void add_table(const struct render *r, uint32_t table, bool required,
                      struct cupel__declared_names *names)
{
    const struct cupel__table *t = cupel__at(r->code->image, table);
    for (uint32_t i = 0; i < t->count; i++) {
        char buf[16];
        if (!cupel__report_charge(r->s, 4 + names->n)) {
            names->more += t->count - i;
            return;
        }
        uint32_t k =
            find(r, names, cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[i], buf));
        if (k < names->n) {
            names->name[k].required |= required;
        } else if (names->n == CUPEL__MAX_NAMES) {
            names->more += t->count - i;
            return;
        } else {
            names->name[names->n].table = table;
            names->name[names->n].entry = i;
            names->name[names->n++].required = required;
        }
    }
}

/* Adds the names of all instructions of an iterator: properties in a first pass, in the author's
 * order, and required names in a second. */
static void add_schema(const struct render *r, struct cupel__schema_iter first,
                       struct cupel__declared_names *names)
{
    names->n = names->more = 0;
    first.memos = true;
    for (int required = 0; required < 2; required++) {
        struct cupel__schema_iter it = first;
        for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;) {
            uint32_t op = CUPEL__WORD_OP(*word);
            if (required ? op == CUPEL__OP_REQUIRED : is_names_op(op))
                add_table(r, word[1], required, names);
        }
    }
}

void cupel__declared_names_sub(const struct render *r, uint32_t sub,
                               struct cupel__declared_names *ret)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_sub(&it, r->code, sub, &r->s->cursor->remaining);
    add_schema(r, it, ret);
}

void cupel__declared_names_siblings(const struct render *r, uint32_t pc,
                                    struct cupel__declared_names *ret)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_siblings(&it, r->code, pc, &r->s->cursor->remaining);
    it.alone = false;
    add_schema(r, it, ret);
}

void cupel__declared_names_parent(const struct render *r, uint32_t pc,
                                  struct cupel__declared_names *ret)
{
    struct cupel__schema_iter it;
    uint32_t loc = cupel__loc_schema(r->code, pc);
    cupel__schema_iter_at(&it, r->code, cupel__loc_parent(r->code, loc), &r->s->cursor->remaining);
    add_schema(r, it, ret);
}

void cupel__drop_forbidden_names(const struct render *r, struct cupel__declared_names *names)
{
    struct cupel__declared_names all = *names;
    names->n = 0;
    for (int required = 1; required >= 0; required--) {
        for (uint32_t i = 0; i < all.n; i++) {
            const struct cupel__table *t = cupel__at(r->code->image, all.name[i].table);
            const struct cupel__entry *e = &cupel__table_entries(t)[all.name[i].entry];
            bool forbidden =
                (e->flags & CUPEL__ENTRY_UNKNOWN) == 0 && cupel__place_refuses(r, e->sub);
            if (all.name[i].required == required && !forbidden)
                names->name[names->n++] = all.name[i];
        }
    }
}

void cupel__add_declared_names(const struct render *r, const struct cupel__declared_names *names,
                               bool required, struct cupel_text *text)
{
    uint32_t all = names->n + names->more;
    uint32_t i = 0;
    for (; i < names->n && (i < MAX_SHOWN || names->name[i].required); i++) {
        char buf[16];
        struct cupel__str name = cupel__declared_name(r, names, i, buf);
        cupel_text_adds(text, i > 0 ? ", " : "");
        if (cupel__is_plain_name(name))
            cupel_text_add(text, name.p, name.n);
        else
            cupel__text_quoted(text, name, CUPEL__NAME_BYTES);
        cupel_text_adds(text, required && names->name[i].required ? " (required)" : "");
    }
    if (all > i)
        cupel_text_addf(text, " … and %u more", (unsigned)(all - i));
}
