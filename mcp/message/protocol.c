/* protocol.c: the member names that the specification defines, and names that a receiver could
 * confuse with them.
 *
 * Some standard decoders match names without regard to case: for them "Method" is "method".  The
 * names come from protocol.def; text/case_fold.c compares them.  A list is searched from its start:
 * lists are short, and the first letter excludes most names without folding. */
#include "mcp/message/protocol.h"

#include <string.h>

/* -- The table -------------------------------------------------------------------------------- */

static const struct method {
    const char *name;
    size_t len;
    const char *params, *result; /* names with a space after each */
} methods[] = {
#define M(name, params, result) {name, sizeof(name) - 1, params, result},
#define N(name, params)         {name, sizeof(name) - 1, params, ""},
#define O(place, names)
#include "mcp/message/protocol.def"
};

static const char *const objects[] = {
#define M(name, params, result)
#define N(name, params)
#define O(place, names) [CUPEL_PLACE_##place] = names,
#include "mcp/message/protocol.def"
};

static const struct method *find_method(const char *name, size_t len)
{
    for (size_t i = 0; name != NULL && i < sizeof(methods) / sizeof(methods[0]); i++)
        if (methods[i].len == len && memcmp(methods[i].name, name, len) == 0)
            return &methods[i];
    return NULL;
}

bool cupel__protocol_has_method(const char *name, size_t len)
{
    return find_method(name, len) != NULL;
}

/* -- Looking up ------------------------------------------------------------------------------- */

/* Whether the first letters are enough to know that the names fold differently.  Only an ASCII
 * first letter of `a` excludes anything: U+017F, say, folds to s.  `b` is ASCII. */
static bool begin_differently(const char *a, size_t a_len, const char *b)
{
    unsigned char x = a_len != 0 ? (unsigned char)a[0] : 0, y = (unsigned char)b[0];
    return x < 0x80 && (x | 0x20) != (y | 0x20);
}

/* The results of a search in a list. */
enum found { ABSENT, EXACT, FOLDED };

/* Searches a list for a name.  If FOLDED is returned, *ret is the
 * last name in the list that equals the searched one after case folding. */
static enum found look_up(const char *list, const char *name, size_t len, const char **ret)
{
    enum found found = ABSENT;
    while (*list != '\0') {
        size_t n = strcspn(list, " ");
        if (n == len && memcmp(list, name, len) == 0)
            return EXACT;
        if (!begin_differently(name, len, list) && cupel_names_fold_equal(name, len, list, n)) {
            found = FOLDED;
            *ret = list;
        }
        list += n + 1;
    }
    return found;
}

struct cupel__protocol_names cupel__protocol_names_of(enum cupel_place place, const char *method,
                                                      size_t len)
{
    struct cupel__protocol_names names = {{"", ""}};
    if (place != CUPEL_PLACE_PARAMS && place != CUPEL_PLACE_RESULT) {
        names.lists[0] = objects[place];
        return names;
    }
    const struct method *found = find_method(method, len);
    names.lists[1] = place == CUPEL_PLACE_PARAMS ? "_meta " : "_meta resultType ";
    if (found != NULL)
        names.lists[0] = place == CUPEL_PLACE_PARAMS ? found->params : found->result;
    return names;
}

size_t cupel__protocol_confused(const struct cupel__protocol_names *names, const char *name,
                                size_t len, const char **ret)
{
    const char *like = NULL;
    for (size_t i = 0; i < sizeof(names->lists) / sizeof(names->lists[0]); i++)
        if (look_up(names->lists[i], name, len, &like) == EXACT)
            return 0;
    *ret = like;
    return like != NULL ? strcspn(like, " ") : 0;
}

size_t cupel_protocol_name(enum cupel_place place, const char *method, size_t method_len,
                           const char *name, size_t len, const char **ret)
{
    if ((name == NULL && len > 0) || ret == NULL)
        return 0;
    struct cupel__protocol_names names = cupel__protocol_names_of(place, method, method_len);
    return cupel__protocol_confused(&names, name, len, ret);
}
