/* ref_files.c: references that are files: relative ones beneath the root of a schema, and those
 * below the prefixes of --ref-dir.
 *
 * The base URI of a schema file is "cupel:/root/" and its path from the root, so that images and
 * reports do not hold where the root is.  A reference that leads out of the root has another
 * prefix.  Paths come from schemas, which strangers may have written: they are opened beneath their
 * folder (beneath.h), and their number and size are bounded. */
#include "cli/beneath.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT_URI "cupel:/root/"

enum { MOST_FILES = 10000, MOST_BYTES = 256 << 20 };

/* -- Folders ----------------------------------------------------------------------------------- */

bool cli_refs_add_folder(struct cli_refs *refs, const char *definition)
{
    const char *equals = strrchr(definition, '=');
    if (equals == NULL || equals == definition || equals[1] == '\0')
        return false;
    refs->folders = cli_grow(refs->folders, &refs->folders_capacity, refs->nfolders + 1,
                             sizeof(*refs->folders));
    size_t len = (size_t)(equals - definition);
    char *prefix = cli_copy(definition, len + 1);
    prefix[len - (prefix[len - 1] == '/')] = '/';
    prefix[len + (prefix[len - 1] != '/')] = '\0';
    refs->folders[refs->nfolders++] =
        (struct cli_ref_folder){.prefix = prefix, .name = equals + 1, .fd = -1};
    return true;
}

/* The part of a real path beneath a real folder, or NULL. */
static const char *beneath(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    if (strcmp(folder, "/") == 0)
        return path + 1;
    return strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

/* The folder of a path, resolved; NULL if there is none.  The caller frees it. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? cli_copy(".", 1)
                   : slash == path ? cli_copy("/", 1)
                                   : cli_copy(path, (size_t)(slash - path));
    char *real = realpath(folder, NULL);
    free(folder);
    return real;
}

/* What messages put before paths beneath the root: what the user wrote, never the resolved path. */
static char *name_of_root(const struct cli_refs *refs, const char *schema, bool is_working)
{
    struct cupel_text name;
    const char *slash = strrchr(schema, '/');
    char *folder = is_working ? NULL : folder_of(schema);
    cupel_text_init(&name, NULL);
    if (!is_working && refs->root_option != NULL)
        cupel_text_addf(&name, "%s/", refs->root_option);
    else if (folder != NULL && slash != NULL && strcmp(folder, refs->root_path) == 0)
        cupel_text_add(&name, schema, (size_t)(slash - schema) + 1);
    free(folder);
    char *copy = cli_copy(name.len > 0 ? name.bytes : "", name.len);
    cupel_text_free(&name);
    return copy;
}

/* Appends a path as that of a URI: what is not unreserved (RFC 3986 2.3) is encoded. */
static void add_encoded(struct cupel_text *uri, const char *path)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    for (; *path != '\0'; path++)
        cupel_text_addf(uri, strchr(plain, *path) != NULL ? "%c" : "%%%02X", (unsigned char)*path);
}

/* The root is the folder of --root, the working folder if the schema is beneath it, or the folder
 * of the schema. */
static char *choose_root(const struct cli_refs *refs, const char *real, bool *ret_is_working)
{
    char *working = realpath(".", NULL);
    char *root = refs->root_option != NULL ? realpath(refs->root_option, NULL) : NULL;
    if (refs->root_option == NULL && working != NULL && beneath(real, working) != NULL)
        root = cli_copy(working, strlen(working));
    if (refs->root_option == NULL && root == NULL)
        root = folder_of(real);
    *ret_is_working = root != NULL && working != NULL && strcmp(root, working) == 0;
    free(working);
    return root;
}

int cli_refs_begin(struct cli_refs *refs, const char *schema, struct cupel_options *options)
{
    struct cupel_text uri;
    bool is_working;
    refs->most = (size_t)options->limits[CUPEL_LIMIT_SCHEMA_BYTES];
    char *real = refs->finds_files && strcmp(schema, "-") != 0 ? realpath(schema, NULL) : NULL;
    if (real == NULL || refs->base != NULL) {
        free(real);
        return CLI_VALID; /* a pipe has no folder; a file that is missing is reported by its reader
                           */
    }
    refs->root_path = choose_root(refs, real, &is_working);
    const char *path = refs->root_path != NULL ? beneath(real, refs->root_path) : NULL;
    if (path == NULL) {
        cli_print_error(refs->root_path == NULL ? "--root: there is no folder %s"
                                                : "--root: the schema is not beneath %s",
                        refs->root_option != NULL ? refs->root_option : ".");
        free(real);
        return CLI_USAGE;
    }
    refs->root_name = name_of_root(refs, schema, is_working);
    cupel_text_init(&uri, NULL);
    cupel_text_adds(&uri, ROOT_URI);
    add_encoded(&uri, path);
    refs->base = uri.failed ? NULL : cli_copy(uri.bytes, uri.len);
    options->base_uri = refs->base;
    cupel_text_free(&uri);
    free(real);
    return CLI_VALID;
}

/* -- Opening ----------------------------------------------------------------------------------- */

static struct cli_ref *refuse(struct cli_refs *refs, const char *why, const char *help)
{
    snprintf(refs->why, sizeof(refs->why), "%s", why);
    snprintf(refs->help, sizeof(refs->help), "%s", help);
    return NULL;
}

/* Decodes percent escapes.  False for a path that no file has: with NUL, an encoded slash, or a
 * query. */
static bool decode(const char *from, size_t len, char *ret, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char hex[3] = {0}, c = from[i];
        if (c == '%' && i + 2 < len) {
            memcpy(hex, from + i + 1, 2);
            c = (char)strtoul(hex, NULL, 16);
            i += 2;
            if (c == '/')
                return false;
        } else if (c == '?') {
            return false;
        }
        if (c == '\0' || n + 1 == size)
            return false;
        ret[n++] = c;
    }
    ret[n] = '\0';
    return true;
}

/* Reads a file beneath a folder and enters it under the URI.  `shown` is the folder's name in
 * messages; `ending` is appended to the path. */
static struct cli_ref *read_beneath(struct cli_refs *refs, int folder, const char *shown,
                                    const char *path, const char *ending, const char *uri,
                                    size_t len)
{
    char name[PATH_MAX], whole[PATH_MAX];
    const char *why = "its name is too long";
    struct cli_file file;
    int n = snprintf(name, sizeof(name), "%s%s", path, ending);
    int m = snprintf(whole, sizeof(whole), "%s%s%s", shown, path, ending);
    int fd = n < PATH_MAX && m < PATH_MAX ? cli_open_beneath(folder, name, &why) : -1;
    if (fd < 0)
        return refuse(refs, why, "");
    if (refs->files == MOST_FILES || refs->bytes > MOST_BYTES) {
        close(fd);
        return refuse(refs, "the schema refers to too many files", "");
    }
    char *copy = cli_copy(whole, strlen(whole));
    if (!cli_read_fd(fd, copy, refs->most, &file)) {
        cli_file_free(&file);
        free(copy);
        return refuse(refs, "the file cannot be read", "");
    }
    refs->files++;
    refs->bytes += file.text.len;
    struct cli_ref *ref = cli_refs_append(refs, uri, len, copy);
    ref->file = file;
    ref->loaded = true;
    return ref;
}

static struct cli_ref *open_in_root(struct cli_refs *refs, const char *path, size_t path_len,
                                    const char *uri, size_t len)
{
    char decoded[PATH_MAX];
    if (!decode(path, path_len, decoded, sizeof(decoded)))
        return refuse(refs, "no file has such a path", "");
    struct cli_ref *ref = read_beneath(refs, refs->root, refs->root_name, decoded, "", uri, len);
    if (ref == NULL && refs->help[0] == '\0')
        snprintf(refs->help, sizeof(refs->help),
                 "files are read beneath %s only; --root DIR chooses another folder",
                 refs->root_option != NULL    ? "the folder of --root"
                 : refs->root_name[0] == '\0' ? "the working folder"
                                              : "the folder of the schema");
    return ref;
}

/* The length of "http://" or "https://" at the beginning of a URI, or 0. */
static size_t web_scheme(const char *uri, size_t len)
{
    if (len > 7 && memcmp(uri, "http://", 7) == 0)
        return 7;
    return len > 8 && memcmp(uri, "https://", 8) == 0 ? 8 : 0;
}

/* The length of the folder's prefix of a URI, or 0; http and https are alike. */
static size_t match_prefix(const struct cli_ref_folder *folder, const char *uri, size_t len)
{
    size_t n = strlen(folder->prefix), own = web_scheme(folder->prefix, n),
           other = web_scheme(uri, len);
    if ((own == 0) != (other == 0) || len - other <= n - own)
        return 0;
    return memcmp(folder->prefix + own, uri + other, n - own) == 0 ? other + n - own : 0;
}

/* The file of --ref-dir, of the folder with the longest prefix; the path, then with ".json". */
static struct cli_ref *open_in_folder(struct cli_refs *refs, const char *uri, size_t len)
{
    struct cli_ref_folder *best = NULL;
    size_t longest = 0;
    char path[PATH_MAX], shown[PATH_MAX];
    for (size_t i = 0; i < refs->nfolders; i++) {
        size_t n = match_prefix(&refs->folders[i], uri, len);
        if (n > longest) {
            longest = n;
            best = &refs->folders[i];
        }
    }
    if (best == NULL)
        return NULL;
    if (best->fd < 0)
        best->fd = open(best->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (best->fd < 0)
        return refuse(refs, "the folder of --ref-dir cannot be opened", "");
    if (!decode(uri + longest, len - longest, path, sizeof(path)))
        return refuse(refs, "no file has such a path", "");
    snprintf(shown, sizeof(shown), "%s%s", best->name,
             best->name[strlen(best->name) - 1] == '/' ? "" : "/");
    struct cli_ref *ref = read_beneath(refs, best->fd, shown, path, "", uri, len);
    if (ref == NULL)
        ref = read_beneath(refs, best->fd, shown, path, ".json", uri, len);
    if (ref == NULL)
        return refuse(refs, "the folder of --ref-dir has no such file", "");
    char *real = realpath(best->name, NULL);
    ref->hidden = real == NULL || refs->root_path == NULL ||
                  (strcmp(real, refs->root_path) != 0 && beneath(real, refs->root_path) == NULL);
    free(real);
    return ref;
}

/* A file: URI is allowed if the file is beneath the root. */
static struct cli_ref *open_absolute(struct cli_refs *refs, const char *uri, size_t len)
{
    char path[PATH_MAX];
    size_t skip = len > 16 && memcmp(uri, "file://localhost", 16) == 0 ? 16
                  : len > 7 && memcmp(uri, "file://", 7) == 0          ? 7
                                                                       : 5;
    const char *inside = NULL;
    if (decode(uri + skip, len - skip, path, sizeof(path)) && path[0] == '/')
        inside = beneath(path, refs->root_path);
    if (inside == NULL)
        return refuse(refs, "the file is outside the root",
                      "pass --root DIR with a folder that has this file and the schema");
    return read_beneath(refs, refs->root, refs->root_name, inside, "", uri, len);
}

/* Says which option makes a URI known that nothing else resolves. */
static struct cli_ref *refuse_web(struct cli_refs *refs, const char *uri, size_t len)
{
    size_t folder = len;
    while (folder > 0 && uri[folder - 1] != '/')
        folder--;
    if (web_scheme(uri, len) == 0 || len > 90)
        return refuse(refs, "no schema has this URI", "");
    refuse(refs, "no schema has this URI", "");
    snprintf(refs->help, sizeof(refs->help),
             "cupel fetches nothing: save the schema to a file and pass --ref %.*s=FILE, or "
             "--ref-dir %.*s=DIR",
             (int)len, uri, (int)folder, uri);
    return NULL;
}

struct cli_ref *cli_refs_open(struct cli_refs *refs, const char *uri, size_t len)
{
    const size_t n = sizeof(ROOT_URI) - 1;
    if (!refs->finds_files)
        return NULL;
    struct cli_ref *ref = open_in_folder(refs, uri, len);
    if (ref != NULL || refs->why[0] != '\0')
        return ref;
    if (refs->root < 0 && refs->root_path != NULL)
        refs->root = open(refs->root_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (refs->root < 0)
        return refuse_web(refs, uri, len);
    if (len > n && memcmp(uri, ROOT_URI, n) == 0)
        return open_in_root(refs, uri + n, len - n, uri, len);
    if (len > 6 && memcmp(uri, "cupel:/", 7) == 0)
        return refuse(refs, "it leads out of the root",
                      "pass --root DIR with a folder that has this file and the schema");
    if (len > 5 && memcmp(uri, "file:", 5) == 0)
        return open_absolute(refs, uri, len);
    return refuse_web(refs, uri, len);
}
