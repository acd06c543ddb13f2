/* reference_uri.c: URI references of the reference evaluator: RFC 3986 section 5.2 and no more.
 * Fragments are left to the caller. */
#include "reference_internal.h"

#include <ctype.h>
#include <string.h>

struct text {
    const char *p; /* NULL: the component is absent */
    size_t n;
};

struct uri {
    struct text scheme, authority, path, query;
};

static struct text cut(const char **p, size_t n)
{
    struct text t = {*p, n};
    *p += n;
    return t;
}

static size_t scheme_length(const char *p)
{
    size_t n = 0;
    if (!isalpha((unsigned char)*p))
        return 0;
    while (isalnum((unsigned char)p[n]) || (p[n] != '\0' && strchr("+-.", p[n]) != NULL))
        n++;
    return p[n] == ':' ? n : 0;
}

static struct uri parse(const char *p)
{
    struct uri u = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    size_t n = scheme_length(p);
    if (n != 0) {
        u.scheme = cut(&p, n);
        p++;
    }
    if (p[0] == '/' && p[1] == '/') {
        p += 2;
        u.authority = cut(&p, strcspn(p, "/?"));
    }
    u.path = cut(&p, strcspn(p, "?"));
    if (*p == '?') {
        p++;
        u.query = cut(&p, strlen(p));
    }
    return u;
}

/* Appends a path without its dot segments (section 5.2.4) to `out`, which has room. */
static size_t remove_dots(const char *p, size_t n, char *out)
{
    size_t len = 0;
    for (size_t i = 0; i < n;) {
        size_t slash = p[i] == '/', end = i + slash;
        while (end < n && p[end] != '/')
            end++;
        const char *name = p + i + slash;
        size_t name_len = end - i - slash;
        bool one = name_len == 1 && name[0] == '.';
        bool two = name_len == 2 && name[0] == '.' && name[1] == '.';
        while (two && len > 0 && out[--len] != '/')
            ;
        if (!one && !two) {
            memcpy(out + len, p + i, end - i);
            len += end - i;
        } else if (end == n && slash) {
            out[len++] = '/';
        }
        i = end;
    }
    return len;
}

/* The path of a reference that has neither scheme nor authority (section 5.2.3). */
static size_t merge(const struct uri *base, struct text path, char *out)
{
    size_t kept = 0;
    if (path.n > 0 && path.p[0] == '/')
        kept = 0;
    else if (base->authority.p != NULL && base->path.n == 0)
        out[kept++] = '/';
    else
        for (size_t i = 0; i < base->path.n; i++)
            kept = base->path.p[i] == '/' ? i + 1 : kept;
    if (kept > 1 || (kept == 1 && base->path.n > 0))
        memcpy(out, base->path.p, kept);
    memcpy(out + kept, path.p, path.n);
    return kept + path.n;
}

static char *join(char *out, const char *before, struct text t, const char *after)
{
    if (t.p == NULL)
        return out;
    out += strlen(strcpy(out, before));
    memcpy(out, t.p, t.n);
    return out + t.n + strlen(strcpy(out + t.n, after));
}

char *ref_uri_resolve(struct reference *ref, const char *base_text, const char *text)
{
    size_t room = strlen(base_text) + strlen(text) + 8;
    struct uri base = parse(base_text), u = parse(text);
    char *path = ref_take(ref, room), *clean = ref_take(ref, room), *whole = ref_take(ref, room);
    struct text merged = u.path;
    bool dots = u.path.n > 0;
    if (u.scheme.p == NULL && u.authority.p == NULL) {
        if (u.path.n == 0) {
            merged = base.path;
            u.query = u.query.p != NULL ? u.query : base.query;
        } else {
            merged = (struct text){path, merge(&base, u.path, path)};
        }
        u.authority = base.authority;
    }
    if (u.scheme.p == NULL)
        u.scheme = base.scheme;
    if (dots)
        merged = (struct text){clean, remove_dots(merged.p, merged.n, clean)};
    char *end = join(whole, "", u.scheme, ":");
    end = join(end, "//", u.authority, "");
    end = join(end, "", merged, "");
    end = join(end, "?", u.query, "");
    *end = '\0';
    return whole;
}
