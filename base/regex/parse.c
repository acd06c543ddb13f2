/* parse.c: reads a pattern of ECMA-262 with the u flag (22.2.1) into a syntax tree:
 * alternatives, groups, assertions, quantifiers, back-references.
 *
 * The grammar is strict.  If it refuses a pattern, a second attempt uses a lenient grammar with the
 * parts of ECMA-262 B.1.2 that schemas of tools need (\- and \_, lone braces, [\w-.], octal
 * escapes, quantified look-aheads), which still works on code points.  regex/class.c reads
 * everything that stands for one code point.
 *
 * There is no recursion: open groups form a list in the arena, nodes without a parent a stack
 * there. Time and memory are linear in the pattern, except that sorting a class takes n log n. */
#include "base/always.h"
#include "base/error.h"
#include "base/regex/parser.h"
#include "base/utf8.h"

#include <string.h>

/* An open group, or the whole pattern. */
struct cupel__regex_frame {
    struct cupel__regex_frame *up;
    struct cupel__regex_node *group; /* GROUP or LOOK; NULL: the whole pattern */
    const char *start;               /* of its text */
    uint32_t alts;                   /* index on the stack of its first alternative */
    uint32_t items;                  /* index of the first node of the current alternative */
};

/* The names of groups: a ternary search tree over their bytes.  The time of a search grows neither
 * with the number of names nor with common prefixes. */
struct cupel__regex_name {
    struct cupel__regex_name *lower, *next, *higher;
    uint32_t index; /* of the group whose name ends here, or 0 */
    char byte;
};

/* A back-reference by name; the group may come later. */
struct cupel__regex_named_ref {
    struct cupel__regex_named_ref *next;
    struct cupel__regex_node *node;
    const struct cupel__regex_name *name;
    const char *where;
};

/* -- The stack ------------------------------------------------------------------------------- */

/* Takes NULL for "out of memory", so that constructors can be passed. */
static bool push(struct cupel__regex_parser *ps, struct cupel__regex_node *node)
{
    if (node == NULL || !cupel__regex_reserve(ps, (void **)&ps->stack, &ps->stack_cap, ps->nstack,
                                              sizeof(struct cupel__regex_node *)))
        return false;
    ps->stack[ps->nstack++] = node;
    return true;
}

/* An upper bound of the states of an automaton for the node, from those of its children. */
static uint32_t count_states(const struct cupel__regex_node *node)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < node->nchild; i++)
        n += (uint64_t)node->child[i]->states + 2;
    if (node->kind == CUPEL__RE_REPEAT) {
        uint64_t times = node->max == UINT32_MAX ? (uint64_t)node->min + 1 : node->max;
        n = n < UINT32_MAX ? n * (times == 0 ? 1 : times) : n;
    }
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Replaces the nodes on the stack from `base` on by `parent`, whose children they become. */
static bool adopt(struct cupel__regex_parser *ps, struct cupel__regex_node *parent, uint32_t base)
{
    uint32_t n = ps->nstack - base;
    if (parent == NULL)
        return false;
    parent->child = cupel__arena_array(ps->arena, n, sizeof(struct cupel__regex_node *));
    if (parent->child == NULL)
        return cupel__regex_no_memory(ps);
    memcpy(parent->child, ps->stack + base, n * sizeof(struct cupel__regex_node *));
    parent->nchild = n;
    parent->states = count_states(parent);
    ps->nstack = base;
    return push(ps, parent);
}

static bool wrap(struct cupel__regex_parser *ps, enum cupel__regex_kind kind, uint32_t base)
{
    return adopt(ps, cupel__regex_node_new(ps, kind), base);
}

/* Replaces the nodes of the current alternative by one node. */
static bool end_alternative(struct cupel__regex_parser *ps)
{
    uint32_t base = ps->frame->items;
    if (ps->nstack == base)
        return push(ps, cupel__regex_node_new(ps, CUPEL__RE_EMPTY));
    return ps->nstack == base + 1 || wrap(ps, CUPEL__RE_CAT, base);
}

/* Replaces all alternatives of the open group by one node. */
static bool end_alternatives(struct cupel__regex_parser *ps)
{
    uint32_t base = ps->frame->alts;
    return end_alternative(ps) && (ps->nstack == base + 1 || wrap(ps, CUPEL__RE_ALT, base));
}

/* Pushes a frame for a group; reuses one of a closed group if there is any. */
static bool open_frame(struct cupel__regex_parser *ps, struct cupel__regex_node *group,
                       const char *start)
{
    struct cupel__regex_frame *frame = ps->spare;
    if (frame != NULL)
        ps->spare = frame->up;
    else if ((frame = cupel__arena_alloc(ps->arena, sizeof(*frame))) == NULL)
        return cupel__regex_no_memory(ps);
    *frame = (struct cupel__regex_frame){ps->frame, group, start, ps->nstack, ps->nstack};
    ps->frame = frame;
    return true;
}

/* -- Names ----------------------------------------------------------------------------------- */

/* The node of `byte` in the subtree at *at, made if there is none; NULL when out of memory. */
static struct cupel__regex_name *name_byte(struct cupel__regex_parser *ps,
                                           struct cupel__regex_name **at, char byte)
{
    while (*at != NULL && (*at)->byte != byte)
        at = byte < (*at)->byte ? &(*at)->lower : &(*at)->higher;
    if (*at == NULL && (*at = cupel__arena_alloc(ps->arena, sizeof(**at))) != NULL)
        (*at)->byte = byte;
    return *at;
}

/* One code point of a name, which may be written as an escape. */
static bool name_char(struct cupel__regex_parser *ps, uint32_t *ret_cp)
{
    if (*ps->p != '\\')
        return cupel__regex_next(ps, ret_cp);
    if (ps->end - ps->p < 2 || ps->p[1] != 'u')
        return cupel__regex_fail(ps, ps->p, "a group's name cannot hold this escape");
    ps->p += 2;
    return cupel__regex_unicode_escape(ps, ret_cp);
}

/* Reads a name up to >, with p behind <.  Returns the node of its last byte in the tree, or NULL.
 */
static struct cupel__regex_name *group_name(struct cupel__regex_parser *ps)
{
    struct cupel__regex_name **at = &ps->names, *name = NULL;
    while (ps->p < ps->end && (*ps->p != '>' || name == NULL)) {
        const char *where = ps->p;
        char bytes[4];
        uint32_t cp;
        if (!name_char(ps, &cp))
            return NULL;
        if (!cupel__regex_is_name_char(ps, cp, name != NULL)) {
            cupel__regex_fail(ps, where, "not a character of a group's name");
            return NULL;
        }
        unsigned n = cupel__utf8_encode(cp, bytes);
        for (unsigned i = 0; i < n; i++, at = &name->next) {
            if ((name = name_byte(ps, at, bytes[i])) == NULL) {
                cupel__regex_no_memory(ps);
                return NULL;
            }
        }
    }
    if (ps->p == ps->end) {
        cupel__regex_fail(ps, ps->p, "a group's name has no closing >");
        return NULL;
    }
    ps->p++;
    return name;
}

/* -- Back-references ------------------------------------------------------------------------- */

/* \k<name>; p is behind the k. */
static bool named_ref(struct cupel__regex_parser *ps, const char *start)
{
    struct cupel__regex_named_ref *ref;
    const struct cupel__regex_name *name;
    if (ps->p == ps->end || *ps->p++ != '<')
        return cupel__regex_fail(ps, start, "\\k must be followed by <name>");
    if ((name = group_name(ps)) == NULL || !push(ps, cupel__regex_node_new(ps, CUPEL__RE_BACKREF)))
        return false;
    if ((ref = cupel__arena_alloc(ps->arena, sizeof(*ref))) == NULL)
        return cupel__regex_no_memory(ps);
    *ref = (struct cupel__regex_named_ref){ps->refs, ps->stack[ps->nstack - 1], name, start};
    ps->refs = ref;
    ps->has_backref = true;
    return true;
}

/* Gives references by name the number of their group, which may come later in the pattern. */
static bool resolve_refs(struct cupel__regex_parser *ps)
{
    for (struct cupel__regex_named_ref *ref = ps->refs; ref != NULL; ref = ref->next) {
        if (ref->name->index == 0)
            return cupel__regex_fail(ps, ref->where, "no group has this name");
        ref->node->index = ref->name->index;
    }
    return true;
}

/* Reads the decimal number at p, which has at least one digit.  A number that does not fit gives
 * UINT32_MAX - 1; no pattern has as many groups, and as a count it is finite. */
static uint32_t number(struct cupel__regex_parser *ps)
{
    uint64_t n = 0;
    for (; ps->p < ps->end && *ps->p >= '0' && *ps->p <= '9'; ps->p++) {
        n = n * 10 + (uint64_t)(*ps->p - '0');
        if (n >= UINT32_MAX)
            n = UINT32_MAX - 1;
    }
    return (uint32_t)n;
}

/* \1 and so on, with p at the first digit. */
static bool numbered_ref(struct cupel__regex_parser *ps)
{
    const char *start = ps->p;
    uint32_t index = number(ps);
    if (index <= ps->ngroups) {
        struct cupel__regex_node *node = cupel__regex_node_new(ps, CUPEL__RE_BACKREF);
        if (node != NULL)
            node->index = index;
        ps->has_backref = true;
        return push(ps, node);
    }
    if (!ps->lenient)
        return cupel__regex_fail(ps, start, "no group has this number");
    ps->p = start;
    return push(ps, cupel__regex_escape(ps));
}

/* -- Groups ---------------------------------------------------------------------------------- */

/* Counts the captures of the whole pattern before it is parsed: \1 may refer to a later group. */
static uint32_t count_groups(const char *p, const char *end)
{
    uint32_t n = 0;
    bool in_class = false;
    for (; p < end; p++) {
        if (*p == '\\')
            p++;
        else if (*p == '[' || *p == ']')
            in_class = *p == '[';
        else if (*p == '(' && !in_class)
            n += end - p < 2 || p[1] != '?' ||
                 (end - p >= 4 && p[2] == '<' && p[3] != '=' && p[3] != '!');
    }
    return n;
}

/* Whether the pattern continues with `z` at p. */
static bool at(const struct cupel__regex_parser *ps, const char *z)
{
    size_t n = strlen(z);
    return (size_t)(ps->end - ps->p) >= n && memcmp(ps->p, z, n) == 0;
}

/* Reads the opening sign of a look-around; false if there is none. */
static bool look_sign(struct cupel__regex_parser *ps, struct cupel__regex_node *node)
{
    static const struct {
        char sign[5];
        bool behind, negated;
    } looks[] = {
        {"(?=", false, false}, {"(?!", false, true}, {"(?<=", true, false}, {"(?<!", true, true}};
    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
        if (at(ps, looks[i].sign)) {
            node->kind = CUPEL__RE_LOOK;
            node->behind = looks[i].behind;
            node->negated = looks[i].negated;
            ps->p += strlen(looks[i].sign);
            return true;
        }
    }
    return false;
}

/* Reads the opening sign of a capture, and gives the group its number and its name, if any. */
static bool capture(struct cupel__regex_parser *ps, struct cupel__regex_node *node)
{
    const char *start = ps->p;
    node->index = ++ps->opened;
    if (!at(ps, "(?<")) {
        ps->p++;
        return true;
    }
    ps->p += 3;
    struct cupel__regex_name *name = group_name(ps);
    if (name == NULL)
        return false;
    if (name->index != 0)
        return cupel__regex_fail(ps, start, "two groups have the same name");
    name->index = node->index;
    return true;
}

/* Reads the opening sign of any group or look-around. */
static bool open_group(struct cupel__regex_parser *ps)
{
    const char *start = ps->p;
    if (ps->depth == CUPEL__REGEX_MAX_DEPTH) {
        (void)cupel__regex_fail(ps, start, "groups are nested too deep");
        ps->status = CUPEL_E_PATTERN_SIZE;
        return false;
    }
    struct cupel__regex_node *node = cupel__regex_node_new(ps, CUPEL__RE_GROUP);
    if (node == NULL)
        return false;
    if (at(ps, "(?:")) {
        ps->p += 3;
    } else if (!look_sign(ps, node)) {
        if (at(ps, "(?") && !at(ps, "(?<"))
            return cupel__regex_fail(ps, start, "not a group of ECMA-262");
        if (!capture(ps, node))
            return false;
    }
    ps->depth++;
    return open_frame(ps, node, start);
}

/* Ends the innermost open group and pushes its node. */
static bool close_group(struct cupel__regex_parser *ps)
{
    struct cupel__regex_frame *frame = ps->frame;
    if (frame->group == NULL)
        return cupel__regex_fail(ps, ps->p, "no group is open here");
    if (!end_alternatives(ps) || !adopt(ps, frame->group, frame->alts))
        return false;
    if (frame->group->kind == CUPEL__RE_LOOK)
        cupel__regex_list_add(&ps->looks, frame->group);
    ps->p++;
    ps->depth--;
    ps->frame = frame->up;
    frame->up = ps->spare;
    ps->spare = frame;
    return true;
}

/* -- Quantifiers ----------------------------------------------------------------------------- */

/* {n}, {n,} or {n,m}; leaves p unchanged if there is none of them. */
static bool braces(struct cupel__regex_parser *ps, uint32_t *ret_min, uint32_t *ret_max)
{
    const char *start = ps->p++;
    uint32_t min = 0, max = UINT32_MAX;
    bool ok = ps->p < ps->end && *ps->p >= '0' && *ps->p <= '9';
    if (ok) {
        min = max = number(ps);
        if (ps->p < ps->end && *ps->p == ',') {
            ps->p++;
            max = ps->p < ps->end && *ps->p >= '0' && *ps->p <= '9' ? number(ps) : UINT32_MAX;
        }
        ok = ps->p < ps->end && *ps->p == '}';
    }
    if (!ok) {
        ps->p = start;
        return false;
    }
    ps->p++;
    *ret_min = min;
    *ret_max = max;
    return true;
}

/* The quantifier at p, if there is one. */
static bool quantifier(struct cupel__regex_parser *ps, uint32_t *ret_min, uint32_t *ret_max)
{
    char c = ps->p < ps->end ? *ps->p : '\0';
    if (c == '{')
        return braces(ps, ret_min, ret_max);
    if (c != '*' && c != '+' && c != '?')
        return false;
    ps->p++;
    *ret_min = c == '+';
    *ret_max = c == '?' ? 1 : UINT32_MAX;
    return true;
}

/* Applies the quantifier behind the newest node, if there is one. */
static bool quantify(struct cupel__regex_parser *ps)
{
    const char *start = ps->p;
    uint32_t min, max;
    if (!quantifier(ps, &min, &max))
        return true;
    if (min > max)
        return cupel__regex_fail(ps, start, "the counts are out of order");
    if (!wrap(ps, CUPEL__RE_REPEAT, ps->nstack - 1))
        return false;
    struct cupel__regex_node *node = ps->stack[ps->nstack - 1];
    node->min = min;
    node->max = max;
    node->states = count_states(node);
    node->greedy = ps->p == ps->end || *ps->p != '?';
    ps->p += !node->greedy;
    return true;
}

/* -- Terms ----------------------------------------------------------------------------------- */

/* Whether a quantifier may follow the newest node: the lenient grammar allows it after a
 * look-ahead. */
static bool is_quantifiable(const struct cupel__regex_parser *ps)
{
    const struct cupel__regex_node *node = ps->stack[ps->nstack - 1];
    return node->kind != CUPEL__RE_LOOK || (ps->lenient && !node->behind);
}

/* An assertion of one or two characters, which no quantifier may follow. */
static bool assertion(struct cupel__regex_parser *ps, enum cupel__regex_kind kind, int width,
                      bool negated)
{
    struct cupel__regex_node *node = cupel__regex_node_new(ps, kind);
    if (node == NULL)
        return false;
    node->negated = negated;
    ps->has_word = ps->has_word || kind == CUPEL__RE_WORD;
    ps->p += width;
    return push(ps, node);
}

/* An escape outside a class: a back-reference, or a set or character that class.c reads. */
static bool escape(struct cupel__regex_parser *ps)
{
    const char *start = ps->p++;
    char c = ps->p < ps->end ? *ps->p : '\0';
    if (c == 'k') {
        ps->p++;
        return named_ref(ps, start);
    }
    if (c >= '1' && c <= '9')
        return numbered_ref(ps);
    return push(ps, cupel__regex_escape(ps));
}

/* A quantifier sign or bracket in place of an atom.  The lenient grammar reads a bracket as itself.
 */
static bool misplaced(struct cupel__regex_parser *ps, char c)
{
    uint32_t min, max;
    const char *start = ps->p;
    bool nothing = c == '*' || c == '+' || c == '?' || (c == '{' && braces(ps, &min, &max));
    if (nothing)
        return cupel__regex_fail(ps, start, "there is nothing to repeat");
    if (!ps->lenient)
        return cupel__regex_fail(ps, start, "this bracket must be escaped");
    ps->p = start + 1;
    return push(ps, cupel__regex_char(ps, (uint32_t)c));
}

/* A character that stands for itself. */
static bool literal(struct cupel__regex_parser *ps)
{
    uint32_t cp;
    return cupel__regex_next(ps, &cp) && push(ps, cupel__regex_char(ps, cp));
}

/* An atom of one code point, or a back-reference. */
static bool atom(struct cupel__regex_parser *ps)
{
    char c = *ps->p;
    if (c == '\\')
        return escape(ps);
    if (c != '.' && c != '[')
        return literal(ps);
    ps->p++;
    return push(ps, c == '.' ? cupel__regex_dot(ps) : cupel__regex_class(ps));
}

/* Reads one term, or one sign that opens, closes or separates. */
static bool term(struct cupel__regex_parser *ps)
{
    char c = *ps->p;
    if (c == '|') {
        ps->p++;
        bool ok = end_alternative(ps);
        ps->frame->items = ps->nstack;
        return ok;
    }
    if (c == '(')
        return open_group(ps);
    if (c == ')')
        return close_group(ps) && (!is_quantifiable(ps) || quantify(ps));
    if (c == '^' || c == '$')
        return assertion(ps, c == '^' ? CUPEL__RE_START : CUPEL__RE_END, 1, false);
    if (at(ps, "\\b") || at(ps, "\\B"))
        return assertion(ps, CUPEL__RE_WORD, 2, ps->p[1] == 'B');
    if (c != '\0' && strchr("*+?{}]", c) != NULL) {
        bool ok = misplaced(ps, c);
        return ok && quantify(ps);
    }
    return atom(ps) && quantify(ps);
}

/* One attempt with one grammar. */
static enum cupel_status parse(struct cupel__regex_parser *ps, struct cupel__regex *ret)
{
    ps->ngroups = count_groups(ps->p, ps->end);
    bool ok = open_frame(ps, NULL, ps->p);
    while (ok && ps->p < ps->end)
        ok = term(ps);
    if (ok && ps->frame->group != NULL)
        ok = cupel__regex_fail(ps, ps->frame->start, "the group has no closing )");
    if (ok && end_alternatives(ps) && resolve_refs(ps))
        *ret = (struct cupel__regex){.root = ps->stack[0],
                                     .leaves = ps->leaves.first,
                                     .looks = ps->looks.first,
                                     .ngroups = ps->opened,
                                     .nlooks = ps->looks.n,
                                     .nleaves = ps->leaves.n,
                                     .work = ps->work,
                                     .has_backref = ps->has_backref,
                                     .has_word = ps->has_word,
                                     .lenient = ps->lenient};
    return ps->status;
}

/* Tries the strict grammar and, unless the flags forbid it, the lenient one.  After two failures
 * the error is that of the lenient grammar. */
enum cupel_status cupel__regex_parse(struct cupel__arena *arena, const char *pattern, size_t len,
                                     unsigned flags, struct cupel__regex *ret,
                                     struct cupel_error *err)
{
    struct cupel__regex_parser ps;
    if (len == 0)
        pattern = "";
    int most = flags & CUPEL__REGEX_STRICT ? 0 : 1;
    for (int lenient = 0; lenient <= most; lenient++) {
        ps = (struct cupel__regex_parser){
            .arena = arena, .p = pattern, .end = pattern + len, .lenient = lenient != 0};
        ps.syntax = (flags & CUPEL__REGEX_SYNTAX) != 0;
        enum cupel_status status = parse(&ps, ret);
        if (status == CUPEL_OK)
            return status;
        if (status == CUPEL_E_NO_MEMORY)
            return cupel__error_set(err, status, "out of memory for a pattern");
        if (status == CUPEL_E_PATTERN_SIZE)
            break;
    }
    cupel__error_set(err, ps.status, "%s", ps.problem);
    if (err != NULL)
        err->offset = (uint64_t)(ps.where - pattern);
    return ps.status;
}

bool cupel__regex_is_small(const struct cupel__regex *re)
{
    enum {
        STATES = 5000,
        LEAVES = 500,
        LOOKS = 16
    }; /* well below the limits of the linear engine */
    return !re->has_backref && re->root->states < STATES && re->nleaves < LEAVES &&
           re->nlooks < LOOKS;
}
