/* ngx_http_cupel_catalog.c: reads and compiles the catalogs and the lock files that a
 * configuration names.
 *
 * This happens in the master, while the configuration is read, so an error keeps the old
 * configuration in force.  The catalogs are immutable afterwards, and the workers share their
 * pages.  A cleanup of the configuration's pool frees them. */
#include "gateways/nginx/ngx_http_cupel.h"

#include <fcntl.h>

enum { MOST_FILE = 16 << 20 };

/* -- Making the catalogs --------------------------------------------------------------------- */

static void free_catalog(void *data)
{
    cupel_catalog_free(data);
}

/* Why an open file cannot be a catalog, or NULL.  Reading a FIFO or a device might never end. */
static const char *unfit_file(const ngx_file_info_t *info)
{
    if (!S_ISREG(info->st_mode))
        return "is not a regular file";
    if (info->st_size == 0)
        return "is empty";
    return info->st_size > MOST_FILE ? "is larger than 16 MiB" : NULL;
}

/* Reads all of a file into cf->temp_pool, or logs why that cannot be done. */
static ngx_int_t read_open_file(ngx_conf_t *cf, ngx_file_t *file, ngx_str_t *ret)
{
    if (ngx_fd_info(file->fd, &file->info) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, "cupel: cannot examine \"%V\"",
                           &file->name);
        return NGX_ERROR;
    }
    const char *unfit = unfit_file(&file->info);
    if (unfit != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: \"%V\" %s", &file->name, unfit);
        return NGX_ERROR;
    }
    ret->len = (size_t)ngx_file_size(&file->info);
    ret->data = ngx_pnalloc(cf->temp_pool, ret->len + 1);
    if (ret->data == NULL)
        return NGX_ERROR;
    if (ngx_read_file(file, ret->data, ret->len, 0) == (ssize_t)ret->len)
        return NGX_OK;
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: cannot read all of \"%V\"", &file->name);
    return NGX_ERROR;
}

/* The content of a regular file, in a pool that goes away after the configuration is made.
 * O_NONBLOCK: opening a FIFO must not wait for its writer. */
static ngx_int_t read_file(ngx_conf_t *cf, const ngx_str_t *name, ngx_str_t *ret)
{
    ngx_file_t file;
    ngx_memzero(&file, sizeof(file));
    file.name = *name;
    file.log = cf->log;
    file.fd = ngx_open_file(name->data, NGX_FILE_RDONLY | O_NONBLOCK, NGX_FILE_OPEN, 0);
    if (file.fd == NGX_INVALID_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, "cupel: cannot open \"%V\"", name);
        return NGX_ERROR;
    }
    ngx_int_t rc = read_open_file(cf, &file, ret);
    ngx_close_file(file.fd);
    return rc;
}

/* Warns of each tool whose definition is refused.  Calls of it are refused; the other tools are
 * not affected. */
static void log_tools(ngx_conf_t *cf, const ngx_http_cupel_catalog_t *catalog)
{
    for (uint32_t i = 0; i < cupel_catalog_count(catalog->tools); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog->tools, i);
        if (tool->verdict != CUPEL_TOOL_INVALID)
            continue;
        const struct cupel_rule_problem *problem = tool->problems;
        while (problem->severity != CUPEL_SEVERITY_ERROR)
            problem++;
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "cupel: catalog \"%V\": calls of tool %uD will be refused: %s: %s",
                           &catalog->name, i, cupel_part_name(problem->part), problem->message);
    }
}

/* Adds the tools of a file to the catalog, or logs why it holds none. */
static char *add_file(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog, const ngx_str_t *file)
{
    ngx_str_t text;
    struct cupel_error err;
    if (read_file(cf, file, &text) != NGX_OK)
        return NGX_CONF_ERROR;
    enum cupel_status status =
        cupel_catalog_add(catalog->tools, (const char *)text.data, text.len, &err);
    if (status == CUPEL_OK)
        return NGX_CONF_OK;
    if (status == CUPEL_E_ARGUMENT)
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: \"%V\" does not contain a list of tools",
                           file);
    else
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: \"%V\":%uD:%uD: %s", file, err.line,
                           err.column, cupel_status_message(status));
    return NGX_CONF_ERROR;
}

/* The options under which definitions are compiled.  Learned catalogs have limits of their own,
 * because their definitions come from servers. */
static void set_options(const ngx_http_cupel_main_conf_t *main,
                        const ngx_http_cupel_catalog_t *catalog, struct cupel_catalog_options *ret)
{
    ret->profile = catalog->profile;
    if (catalog->strict_names)
        ret->flags |= CUPEL_CATALOG_STRICT_NAMES;
    if (!catalog->learns)
        ret->engine = &main->options;
}

static void free_lock(void *data)
{
    cupel_lock_free(data);
}

/* Reads the lock file, which lives as long as the configuration. */
static char *load_pins(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog)
{
    ngx_str_t text;
    struct cupel_error err;
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    if (cleanup == NULL || read_file(cf, &catalog->pins_file, &text) != NGX_OK)
        return NGX_CONF_ERROR;
    enum cupel_status status =
        cupel_lock_load((const char *)text.data, text.len, NULL, &catalog->pins, &err);
    if (status != CUPEL_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: \"%V\" is not a lock file: %s",
                           &catalog->pins_file, cupel_status_message(status));
        return NGX_CONF_ERROR;
    }
    cleanup->handler = free_lock;
    cleanup->data = catalog->pins;
    return NGX_CONF_OK;
}

/* Finds the tools of files that are withheld, and warns of each. */
static char *find_withheld(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog,
                           const struct cupel_catalog_options *options)
{
    uint32_t count = cupel_catalog_count(catalog->tools);
    catalog->withheld = ngx_pcalloc(cf->pool, count + 1);
    if (catalog->withheld == NULL)
        return NGX_CONF_ERROR;
    for (uint32_t i = 0; i < count; i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog->tools, i);
        if (cupel_gw_withheld_find(options, catalog->tools, tool, catalog->pins,
                                   &catalog->withheld[i]) != CUPEL_OK)
            catalog->withheld[i] = CUPEL_GW_WITHHELD_CHANGED;
        if (catalog->withheld[i] != 0)
            ngx_conf_log_error(NGX_LOG_WARN, cf, 0, "cupel: catalog \"%V\": tool %uD: %s",
                               &catalog->name, i, cupel_gw_withheld_word(catalog->withheld[i]));
    }
    return NGX_CONF_OK;
}

/* Compiles the files of a catalog, which lives as long as the configuration. */
static char *load_files(ngx_conf_t *cf, const ngx_http_cupel_main_conf_t *main,
                        ngx_http_cupel_catalog_t *catalog)
{
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
    set_options(main, catalog, &options);
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    if (cleanup == NULL || cupel_catalog_new(&options, &catalog->tools) != CUPEL_OK)
        return NGX_CONF_ERROR;
    cleanup->handler = free_catalog;
    cleanup->data = catalog->tools;
    const ngx_str_t *files = catalog->files.elts;
    for (ngx_uint_t i = 0; i < catalog->files.nelts; i++)
        if (add_file(cf, catalog, &files[i]) != NGX_CONF_OK)
            return NGX_CONF_ERROR;
    log_tools(cf, catalog);
    return find_withheld(cf, catalog, &options);
}

static char *load_catalog(ngx_conf_t *cf, const ngx_http_cupel_main_conf_t *main,
                          ngx_http_cupel_catalog_t *catalog)
{
    if (catalog->pins_file.len != 0 && load_pins(cf, catalog) != NGX_CONF_OK)
        return NGX_CONF_ERROR;
    if (!catalog->learns)
        return load_files(cf, main, catalog);
    catalog->learning = main->learning;
    catalog->learning.options.engine = &catalog->learning.engine;
    set_options(main, catalog, &catalog->learning.options);
    catalog->learning.pins = catalog->pins;
    if (catalog->most != 0)
        catalog->learning.entries.of_group = (uint32_t)catalog->most;
    return NGX_CONF_OK;
}

/* Loads a catalog.  Messages name the file and line of its directive, although the end of http{}
 * has been read by now. */
static char *load_from_directive(ngx_conf_t *cf, const ngx_http_cupel_main_conf_t *main,
                                 ngx_http_cupel_catalog_t *catalog)
{
    ngx_conf_file_t *reading = cf->conf_file, directive = *reading;
    directive.file.name = catalog->conf_file;
    directive.line = catalog->conf_line;
    cf->conf_file = &directive;
    char *result = load_catalog(cf, main, catalog);
    cf->conf_file = reading;
    return result;
}

char *ngx_http_cupel_load_catalogs(ngx_conf_t *cf, ngx_http_cupel_main_conf_t *conf)
{
    ngx_http_cupel_catalog_t *catalogs = conf->catalogs.elts;
    for (ngx_uint_t i = 0; i < conf->catalogs.nelts; i++)
        if (load_from_directive(cf, conf, &catalogs[i]) != NGX_CONF_OK)
            return NGX_CONF_ERROR;
    return NGX_CONF_OK;
}
