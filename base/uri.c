/* uri.c: URI references (RFC 3986): splitting, resolution, normalisation, percent-decoding.
 *
 * Bytes beyond ASCII are characters of an IRI (RFC 3987) and pass unchanged.  This file does not
 * check a reference against the grammar of its scheme, and fetches nothing.
 *
 * Each result is one allocation of the arena, sized beforehand: the parts, and DELIMITERS bytes. */
#include "base/uri.h"
#include "base/ascii.h"

#include <string.h>

/* -- Characters ------------------------------------------------------------------------------- */

static bool is_unreserved(char c)
{
    return cupel__is_alpha(c) || cupel__is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

static bool is_one_of(unsigned char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* The byte that the percent-encoding at s.p[i] stands for, or -1 if there is none. */
static int encoded_byte(struct cupel__str s, size_t i)
{
    if (s.p[i] != '%' || s.n - i < 3)
        return -1;
    int high = cupel__hex_value(s.p[i + 1]), low = cupel__hex_value(s.p[i + 2]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

static const char upper_hex[] = "0123456789ABCDEF";

/* -- Splitting -------------------------------------------------------------------------------- */

/* The length of the longest prefix of s without any of the characters in `stop`. */
static size_t span_until(struct cupel__str s, const char *stop)
{
    size_t i = 0;
    while (i < s.n && !is_one_of((unsigned char)s.p[i], stop))
        i++;
    return i;
}

/* Cuts the first n bytes off *s, and `skip` bytes after them. */
static struct cupel__str cut(struct cupel__str *s, size_t n, size_t skip)
{
    struct cupel__str part = {s->p, n};
    s->p += n + skip;
    s->n -= n + skip;
    return part;
}

/* Splits by the expression of RFC 3986 appendix B, which every string matches. */
static struct cupel__uri split(struct cupel__str s)
{
    struct cupel__uri u = {0};
    if (s.p == NULL)
        s.p = "";
    size_t n = span_until(s, ":/?#");
    if (n > 0 && n < s.n && s.p[n] == ':') {
        u.has_scheme = true;
        u.scheme = cut(&s, n, 1);
    }
    if (s.n >= 2 && s.p[0] == '/' && s.p[1] == '/') {
        u.has_authority = true;
        (void)cut(&s, 2, 0);
        u.authority = cut(&s, span_until(s, "/?#"), 0);
    }
    u.path = cut(&s, span_until(s, "?#"), 0);
    if (s.n > 0 && s.p[0] == '?') {
        u.has_query = true;
        (void)cut(&s, 1, 0);
        u.query = cut(&s, span_until(s, "#"), 0);
    }
    if (s.n > 0) {
        u.has_fragment = true;
        (void)cut(&s, 1, 0);
        u.fragment = s;
    }
    return u;
}

bool cupel__uri_split(struct cupel__str s, struct cupel__uri *ret)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c <= ' ' || c == 0x7f || is_one_of(c, "<>\"{}|\\^`"))
            return false;
        if (c == '%' && encoded_byte(s, i) < 0)
            return false;
    }
    *ret = split(s);
    return true;
}

/* -- Dot segments ----------------------------------------------------------------------------- */

/* Removes the segments "." and ".." from a path, in place; returns its new length, at most n + 1.
 * `rooted` says that the path has a scheme or an authority; the result is then that of RFC 3986
 * 5.2.4.  Any other path may later be appended to a base: a ".." with no segment before it stays,
 * and a path that names the base's folder itself becomes "./", because an empty path means the
 * base.
 *
 * Loop invariant: out <= in, and p[out - 1] is '/' or out is 0. */
static size_t remove_dots(char *p, size_t n, bool rooted)
{
    const bool relative = !rooted && (n == 0 || p[0] != '/');
    size_t in = n > 0 && p[0] == '/', out = in;
    size_t floor = in; /* a ".." removes nothing before it */
    while (in < n) {
        const char *slash = memchr(p + in, '/', n - in);
        size_t length = slash != NULL ? (size_t)(slash - p) - in : n - in;
        size_t next = in + length + (slash != NULL);
        if (length == 2 && p[in] == '.' && p[in + 1] == '.') {
            if (out > floor) {
                for (out--; out > floor && p[out - 1] != '/'; out--)
                    continue;
                if (out == 0 && !relative) { /* what 5.2.4 makes of "a/../b" */
                    p[0] = '/';
                    out = floor = 1;
                }
            } else if (relative) {
                memcpy(p + out, "../", 3);
                floor = out += 3;
            }
        } else if (length != 1 || p[in] != '.') {
            memmove(p + out, p + in, next - in);
            out += next - in;
        }
        in = next;
    }
    if (relative && n > 0 && out == 0) {
        memcpy(p, "./", 2);
        out = 2;
    }
    return out;
}

/* Makes the URI split into the same parts again: "/." precedes a path that begins with "//", which
 * would read as an authority, and "./" a relative path with a colon in its first segment, which
 * would read as a scheme.  Returns the new length, up to two more. */
static size_t protect_path(char *p, size_t n, bool has_scheme, bool has_authority)
{
    const char *prefix = NULL;
    if (!has_authority && n >= 2 && p[0] == '/' && p[1] == '/')
        prefix = "/.";
    else if (!has_authority && !has_scheme) {
        size_t first = span_until((struct cupel__str){p, n}, ":/");
        if (first < n && p[first] == ':')
            prefix = "./";
    }
    if (prefix == NULL)
        return n;
    memmove(p + 2, p, n);
    memcpy(p, prefix, 2);
    return n + 2;
}

/* -- Writing ---------------------------------------------------------------------------------- */

/* Bytes of a result beyond its parts: ":", "//", "/" of a merge, "?", one of remove_dots and two of
 * protect_path, rounded up. */
enum { DELIMITERS = 10 };

/* A URI being written into memory that holds the longest result. */
struct writer {
    char *p;
    size_t n;
};

static void put(struct writer *w, const char *bytes, size_t n)
{
    if (n > 0)
        memcpy(w->p + w->n, bytes, n);
    w->n += n;
}

/* Finishes the path that begins at `start`: removes dot segments, if `dots`, and protects it. */
static void put_path_end(struct writer *w, size_t start, const struct cupel__uri *u, bool dots)
{
    char *path = w->p + start;
    size_t n = w->n - start;
    if (dots) {
        n = remove_dots(path, n, u->has_scheme || u->has_authority);
        n = protect_path(path, n, u->has_scheme, u->has_authority);
    }
    w->n = start + n;
}

/* -- Resolution ------------------------------------------------------------------------------- */

/* The part of the base's path that a relative reference's path is appended to (RFC 3986 5.2.3). */
static struct cupel__str merge_prefix(const struct cupel__uri *base)
{
    if (base->has_authority && base->path.n == 0)
        return CUPEL__STR("/");
    size_t n = base->path.n;
    while (n > 0 && base->path.p[n - 1] != '/')
        n--;
    return (struct cupel__str){base->path.p, n};
}

/* The parts of the target (RFC 3986 5.2.2).  Its path is *ret_prefix followed by `path`; *ret_dots
 * is false where the path is the base's, whose dot segments stay. */
static struct cupel__uri target(const struct cupel__uri *base, const struct cupel__uri *ref,
                                struct cupel__str *ret_prefix, bool *ret_dots)
{
    struct cupel__uri t = *ref;
    *ret_prefix = (struct cupel__str){"", 0};
    *ret_dots = true;
    if (ref->has_scheme)
        return t;
    t.has_scheme = base->has_scheme;
    t.scheme = base->scheme;
    if (ref->has_authority)
        return t;
    t.has_authority = base->has_authority;
    t.authority = base->authority;
    if (ref->path.n > 0) {
        if (ref->path.p[0] != '/')
            *ret_prefix = merge_prefix(base);
        return t;
    }
    t.path = base->path;
    *ret_dots = false;
    if (!ref->has_query) {
        t.has_query = base->has_query;
        t.query = base->query;
    }
    return t;
}

struct cupel__str cupel__uri_resolve(struct cupel__arena *arena, struct cupel__str base,
                                     struct cupel__str ref)
{
    const struct cupel__uri b = split(base), r = split(ref);
    struct cupel__str prefix;
    bool dots;
    const struct cupel__uri t = target(&b, &r, &prefix, &dots);
    struct writer w = {cupel__arena_alloc(arena, base.n + ref.n + DELIMITERS), 0};
    if (w.p == NULL)
        return (struct cupel__str){NULL, 0};
    put(&w, t.scheme.p, t.scheme.n);
    put(&w, ":", t.has_scheme);
    put(&w, "//", t.has_authority ? 2 : 0);
    put(&w, t.authority.p, t.authority.n);
    size_t start = w.n;
    put(&w, prefix.p, prefix.n);
    put(&w, t.path.p, t.path.n);
    put_path_end(&w, start, &t, dots);
    put(&w, "?", t.has_query);
    put(&w, t.query.p, t.query.n);
    return (struct cupel__str){w.p, w.n};
}

/* -- Normalisation ---------------------------------------------------------------------------- */

/* Writes a part with its percent-encodings in upper case, or decoded where the character is
 * unreserved. */
static void put_normal(struct writer *w, struct cupel__str s, bool lower)
{
    for (size_t i = 0; i < s.n; i++) {
        int byte = encoded_byte(s, i);
        char c = s.p[i];
        if (byte >= 0) {
            i += 2;
            c = (char)byte;
        }
        if (byte >= 0 && !is_unreserved((char)byte)) {
            char encoded[3] = {'%', upper_hex[byte >> 4], upper_hex[byte & 15]};
            put(w, encoded, 3);
        } else {
            w->p[w->n++] = lower ? cupel__to_lower(c) : c;
        }
    }
}

static bool is_scheme(struct cupel__str scheme, const char *lower)
{
    if (scheme.n != strlen(lower))
        return false;
    for (size_t i = 0; i < scheme.n; i++) {
        if (cupel__to_lower(scheme.p[i]) != lower[i])
            return false;
    }
    return true;
}

/* The length of the default port, with its colon, at the end of a host and port (RFC 3986 6.2.3),
 * or 0.  If the host itself has a colon and is no IP literal, the result is 0: its last
 * part could look like a port, which the next normalisation would remove. */
static size_t default_port(struct cupel__str scheme, struct cupel__str s)
{
    size_t host = s.n;
    while (host > 0 && cupel__is_digit(s.p[host - 1]))
        host--;
    if (host == 0 || s.p[--host] != ':')
        return 0;
    struct cupel__str port = {s.p + host, s.n - host};
    bool literal = host > 0 && s.p[host - 1] == ']';
    if (!literal && memchr(s.p, ':', host) != NULL)
        return 0;
    bool same =
        (is_scheme(scheme, "http") && (port.n == 1 || cupel__str_eq(port, CUPEL__STR(":80")))) ||
        (is_scheme(scheme, "https") && (port.n == 1 || cupel__str_eq(port, CUPEL__STR(":443"))));
    return same ? port.n : 0;
}

/* Writes an authority: [ userinfo "@" ] host [ ":" port ].  The default port is found in the text
 * written, where a percent-encoded one has been decoded, so that normalising twice changes
 * nothing. */
static void put_authority(struct writer *w, const struct cupel__uri *u)
{
    struct cupel__str rest = u->authority;
    size_t user = rest.n;
    while (user > 0 && rest.p[user - 1] != '@')
        user--;
    put_normal(w, cut(&rest, user, 0), false);
    const struct cupel__str written = {w->p + w->n, 0};
    put_normal(w, rest, true);
    w->n -=
        default_port(u->scheme, (struct cupel__str){written.p, (size_t)(w->p + w->n - written.p)});
}

struct cupel__str cupel__uri_normalise(struct cupel__arena *arena, struct cupel__str uri)
{
    const struct cupel__uri u = split(uri);
    struct writer w = {cupel__arena_alloc(arena, uri.n + DELIMITERS), 0};
    if (w.p == NULL)
        return (struct cupel__str){NULL, 0};
    for (size_t i = 0; i < u.scheme.n; i++)
        w.p[w.n++] = cupel__to_lower(u.scheme.p[i]);
    put(&w, ":", u.has_scheme);
    if (u.has_authority) {
        put(&w, "//", 2);
        put_authority(&w, &u);
    }
    size_t start = w.n;
    put_normal(&w, u.path, false);
    put_path_end(&w, start, &u, true);
    put(&w, "?", u.has_query);
    put_normal(&w, u.query, false);
    return (struct cupel__str){w.p, w.n};
}

/* -- Percent-encoding ------------------------------------------------------------------------- */

struct cupel__str cupel__uri_decode(struct cupel__arena *arena, struct cupel__str s)
{
    char *p = cupel__arena_alloc(arena, s.n);
    size_t n = 0;
    if (p == NULL)
        return (struct cupel__str){NULL, 0};
    for (size_t i = 0; i < s.n; i++) {
        int byte = encoded_byte(s, i);
        if (byte >= 0)
            i += 2;
        p[n++] = byte >= 0 ? (char)byte : s.p[i];
    }
    return (struct cupel__str){p, n};
}
