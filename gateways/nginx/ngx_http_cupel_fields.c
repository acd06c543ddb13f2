/* ngx_http_cupel_fields.c: the header of a request, as libcupel compares it with the body
 * (specification 2026-07-28, "Streamable HTTP": Mcp-Method, Mcp-Name, Mcp-Param-…).
 *
 * Older clients send none of these fields.  So, unless the location requires them, they are
 * compared as soon as one of them is there, or the version says that they have to be: a client
 * cannot get out of the comparison and still have an upstream believe its header. */
#include "ngx_http_cupel.h"

static ngx_uint_t begins(const ngx_str_t *name, const char *start, size_t len)
{
    return name->len >= len && ngx_strncasecmp(name->data, (u_char *)start, len) == 0;
}

/* Whether the field is of the specification that has these rules. */
static ngx_uint_t calls_for_comparison(const ngx_table_elt_t *field)
{
    static const char version[] = "mcp-protocol-version", first[] = "2026-07-28";
    enum { VERSION = sizeof(version) - 1, DATE = sizeof(first) - 1 };
    if (field->key.len == VERSION && begins(&field->key, version, VERSION))
        return field->value.len == DATE && ngx_memcmp(field->value.data, first, DATE) >= 0;
    return begins(&field->key, "mcp-method", 10) || begins(&field->key, "mcp-name", 8) ||
           begins(&field->key, "mcp-param-", 10);
}

static ngx_int_t add_field(ngx_array_t *fields, const ngx_table_elt_t *field)
{
    struct cupel_header *to = ngx_array_push(fields);
    if (to == NULL)
        return NGX_ERROR;
    to->name = (const char *)field->key.data;
    to->name_len = field->key.len;
    to->value = (const char *)field->value.data;
    to->value_len = field->value.len;
    return NGX_OK;
}

ngx_int_t ngx_http_cupel_fields(ngx_http_request_t *r, ngx_uint_t mode, ngx_array_t **ret)
{
    ngx_uint_t compare = mode == NGX_HTTP_CUPEL_REQUIRE;
    *ret = NULL;
    if (mode == NGX_HTTP_CUPEL_OFF)
        return NGX_OK;
    ngx_array_t *fields = ngx_array_create(r->pool, 8, sizeof(struct cupel_header));
    if (fields == NULL)
        return NGX_ERROR;
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        const ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (!begins(&field[i].key, "mcp-", 4))
                continue;
            compare |= calls_for_comparison(&field[i]);
            if (add_field(fields, &field[i]) != NGX_OK)
                return NGX_ERROR;
        }
    }
    if (compare)
        *ret = fields;
    return NGX_OK;
}
