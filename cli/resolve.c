/* resolve.c: the resolver of the command: documents of --ref, for the suite those of the folder of
 * remotes, then files (ref_files.c).  A document is read when it is first resolved and kept to the
 * end. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

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
    return cli_refs_append(refs, uri, len, path);
}

static struct cli_ref *find(struct cli_refs *refs, const char *uri, size_t len)
{
    for (size_t i = 0; i < refs->count; i++)
        if (strlen(refs->refs[i].uri) == len && memcmp(refs->refs[i].uri, uri, len) == 0)
            return &refs->refs[i];
    struct cli_ref *remote = find_remote(refs, uri, len);
    return remote != NULL ? remote : cli_refs_open(refs, uri, len);
}

/* Reads the document when it is resolved first; -1 if there is none or it cannot be read. */
int cli_refs_resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                     size_t *ret_len)
{
    struct cli_refs *refs = ctx;
    refs->why[0] = refs->help[0] = '\0';
    struct cli_ref *ref = find(refs, uri, uri_len);
    if (ref == NULL)
        return -1;
    if (!ref->loaded && !cli_read(ref->path, &ref->file))
        return -1;
    ref->loaded = true;
    *ret_text = ref->file.text.bytes;
    *ret_len = ref->file.text.len;
    return 0;
}
