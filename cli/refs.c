/* refs.c: resolves references to documents of --ref and, for the suite, of the folder of remotes.
 * A document is read when it is first resolved and kept to the end. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Adds a reference, which owns `path`. */
static struct cli_ref *add(struct cli_refs *refs, const char *uri, size_t uri_len, char *path)
{
    refs->refs = cli_grow(refs->refs, &refs->capacity, refs->count + 1, sizeof(*refs->refs));
    struct cli_ref *ref = &refs->refs[refs->count++];
    memset(ref, 0, sizeof(*ref));
    ref->uri = cli_copy(uri, uri_len);
    ref->path = path;
    return ref;
}

bool cli_refs_add(struct cli_refs *refs, const char *definition)
{
    /* Split at the last "=": URIs contain it more often than file names do. */
    const char *equals = strrchr(definition, '=');
    if (equals == NULL || equals == definition || equals[1] == '\0')
        return false;
    add(refs, definition, (size_t)(equals - definition), cli_copy(equals + 1, strlen(equals + 1)));
    return true;
}

void cli_refs_free(struct cli_refs *refs)
{
    for (size_t i = 0; i < refs->count; i++) {
        cli_file_free(&refs->refs[i].file);
        free(refs->refs[i].uri);
        free(refs->refs[i].path);
    }
    free(refs->refs);
    refs->refs = NULL;
    refs->count = refs->capacity = 0;
}

/* The reference for a URI below http://localhost:1234/, if there is a folder of remotes. */
static struct cli_ref *find_remote(struct cli_refs *refs, const char *uri, size_t len)
{
    static const char base[] = "http://localhost:1234/";
    size_t n = sizeof(base) - 1;
    if (refs->remotes == NULL || len <= n || memcmp(uri, base, n) != 0)
        return NULL;
    char *path = NULL;
    size_t capacity = 0, folder = strlen(refs->remotes);
    path = cli_grow(path, &capacity, folder + 1 + (len - n) + 1, 1);
    memcpy(path, refs->remotes, folder);
    path[folder] = '/';
    memcpy(path + folder + 1, uri + n, len - n);
    path[folder + 1 + len - n] = '\0';
    FILE *there = strstr(path + folder, "/..") == NULL ? fopen(path, "rb") : NULL;
    if (there == NULL) {
        free(path);
        return NULL;
    }
    fclose(there);
    return add(refs, uri, len, path);
}

static struct cli_ref *find(struct cli_refs *refs, const char *uri, size_t len)
{
    for (size_t i = 0; i < refs->count; i++)
        if (strlen(refs->refs[i].uri) == len && memcmp(refs->refs[i].uri, uri, len) == 0)
            return &refs->refs[i];
    return find_remote(refs, uri, len);
}

/* Reads the document when it is resolved first; -1 if there is none or it cannot be read. */
int cli_refs_resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                     size_t *ret_len)
{
    struct cli_ref *ref = find(ctx, uri, uri_len);
    if (ref == NULL)
        return -1;
    if (!ref->loaded && !cli_read(ref->path, &ref->file))
        return -1;
    ref->loaded = true;
    *ret_text = ref->file.text.bytes;
    *ret_len = ref->file.text.len;
    return 0;
}
