/* ngx_http_cupel_series.h: what the counters and the page that prints them share. */
#ifndef NGX_HTTP_CUPEL_SERIES_H
#define NGX_HTTP_CUPEL_SERIES_H

#include "gateways/nginx/ngx_http_cupel.h"

enum {
    MOST_CATALOG = 64,
    MOST_TOOL = 128, /* the specification's bound on names */
    MOST_VERDICT = 24,
    MOST_REASON = 40
};

/* Printable, valid UTF-8, filled with zeros where a text ends, so that labels can be compared as
 * memory and no two series print the same. */
typedef struct {
    char catalog[MOST_CATALOG];
    char tool[MOST_TOOL];
    char verdict[MOST_VERDICT];
    char reason[MOST_REASON];
} ngx_http_cupel_labels_t;

typedef struct {
    ngx_atomic_t calls;
    ngx_atomic_t steps;
    ngx_atomic_t nanoseconds;
    ngx_http_cupel_labels_t labels;
} ngx_http_cupel_series_t;

typedef struct {
    ngx_atomic_t lost;
    ngx_atomic_t count; /* series in use; grows under the pool's lock */
    ngx_uint_t most;
    ngx_http_cupel_series_t series[];
} ngx_http_cupel_zone_t;

#endif
