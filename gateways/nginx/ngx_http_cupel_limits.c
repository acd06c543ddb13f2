/* ngx_http_cupel_limits.c: the directives cupel_limits NAME=N… and cupel_learn_limits NAME=N….
 *
 * A table lists each limit with the place and the size of its value in the main configuration, so
 * a new limit is one line. */
#include "gateways/nginx/ngx_http_cupel.h"

#include <stddef.h>

ngx_uint_t ngx_http_cupel_has_prefix(const ngx_str_t *value, const char *name, ngx_str_t *ret)
{
    size_t len = ngx_strlen(name);
    if (value->len < len || ngx_memcmp(value->data, name, len) != 0)
        return 0;
    *ret = (ngx_str_t){value->len - len, value->data + len};
    return 1;
}

/* Where a limit is in the main configuration, in how many bytes, and its largest value. */
struct limit {
    ngx_str_t name;
    size_t offset;
    size_t size;
    uint64_t most;
    ngx_uint_t is_time; /* milliseconds */
};

enum {
#define L(name, number, lower, value, most, affects, meaning) NARROW_##name = (most) == UINT32_MAX,
#include <cupel/limits.def>
};

#define SIZE_OF(field) sizeof(((ngx_http_cupel_main_conf_t *)0)->field)
#define MEMBER(name, field, is_time)                                                   \
    {                                                                                  \
        ngx_string(name), offsetof(ngx_http_cupel_main_conf_t, field), SIZE_OF(field), \
            SIZE_OF(field) == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX, is_time      \
    }
#define LIMIT(name, field) MEMBER(name, field, 0)
#define TIME(name, field)  MEMBER(name, field, 1)
/* A bound of the library, by its number in an array of them. */
#define BOUND(name, field, id)                                                                 \
    {                                                                                          \
        ngx_string(name),                                                                      \
            offsetof(ngx_http_cupel_main_conf_t, field) + CUPEL_LIMIT_##id * sizeof(uint64_t), \
            sizeof(uint64_t), NARROW_##id ? UINT32_MAX : UINT64_MAX, 0                         \
    }

static const struct limit limits[] = {
    LIMIT("body=", limits.body),
    BOUND("depth=", options.limits, DEPTH),
    BOUND("errors=", options.limits, ERRORS),
    BOUND("steps=", options.limits, STEPS),
    BOUND("steps_per_byte=", options.limits, STEPS_PER_BYTE),
    BOUND("memory=", options.limits, SCRATCH_BYTES),
    LIMIT("answer=", limits.answer),
    LIMIT("batch=", limits.batch),
    LIMIT("result=", limits.result),
    LIMIT("list=", limits.list),
    LIMIT("event=", limits.event),
    LIMIT("stream=", limits.stream),
    LIMIT("worker=", limits.worker),
    TIME("time=", limits.stream_time),
    {ngx_null_string, 0, 0, 0, 0},
};

static const struct limit learn_limits[] = {
    LIMIT("pages=", learning.pages),
    LIMIT("bytes=", learning.bytes),
    LIMIT("caller=", learning.entries.of_caller),
    LIMIT("fetches=", learning.fetches.at_once),
    LIMIT("address=", learning.fetches.at_once_of_address),
    LIMIT("rate=", learning.fetches.per_second),
    TIME("time=", learning.fetches.time),
    TIME("retry=", learning.fetches.remember_failure),
    BOUND("steps=", learning.engine.limits, STEPS),
    {ngx_null_string, 0, 0, 0, 0},
};
#undef BOUND
#undef TIME
#undef LIMIT
#undef MEMBER

/* Parses a number with nginx's units (k, m; ms, s, m, h) and stores it. */
static char *store_limit(void *conf, const struct limit *limit, ngx_str_t number)
{
    ssize_t parsed = limit->is_time ? ngx_parse_time(&number, 0) : ngx_parse_size(&number);
    uint32_t narrow = (uint32_t)parsed;
    uint64_t wide = (uint64_t)parsed;
    if (parsed < 0 || wide > limit->most)
        return "has a value that is not a number or is too large";
    ngx_memcpy((char *)conf + limit->offset,
               limit->size == sizeof(narrow) ? (void *)&narrow : (void *)&wide, limit->size);
    return NGX_CONF_OK;
}

/* Sets the limit that one argument names. */
static char *set_limit(void *conf, const struct limit *known, const ngx_str_t *value)
{
    ngx_str_t rest;
    for (; known->name.len != 0; known++)
        if (ngx_http_cupel_has_prefix(value, (const char *)known->name.data, &rest) &&
            rest.len != 0)
            return store_limit(conf, known, rest);
    return "has an unknown limit";
}

static char *set_all(ngx_conf_t *cf, const struct limit *known, void *conf)
{
    const ngx_str_t *values = cf->args->elts;
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        char *result = set_limit(conf, known, &values[i]);
        if (result != NGX_CONF_OK)
            return result;
    }
    return NGX_CONF_OK;
}

char *ngx_http_cupel_set_limits(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    return set_all(cf, limits, conf);
}

char *ngx_http_cupel_set_learn_limits(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    return set_all(cf, learn_limits, conf);
}
