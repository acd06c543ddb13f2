/* ngx_modules.c: what nginx looks for in a dynamic module: its parts, their names, and where the
 * filter belongs in the order of filters. */
#include <ngx_config.h>
#include <ngx_core.h>

extern ngx_module_t ngx_http_cupel_module;
extern ngx_module_t ngx_http_cupel_filter_module;

extern ngx_module_t *ngx_modules[];
extern char *ngx_module_names[];
extern char *ngx_module_order[];

__attribute__((visibility("default")))
ngx_module_t *ngx_modules[] = {&ngx_http_cupel_module, &ngx_http_cupel_filter_module, NULL};

__attribute__((visibility("default"))) char *ngx_module_names[] = {
    "ngx_http_cupel_module", "ngx_http_cupel_filter_module", NULL};

/* Before the copy filter in the list, so after it in time: what we see lies in memory. */
__attribute__((visibility("default"))) char *ngx_module_order[] = {
    "ngx_http_cupel_module", "ngx_http_cupel_filter_module", "ngx_http_copy_filter_module", NULL};
