/* refs.c: the list of documents that schemas may refer to.  resolve.c finds a document in it,
 * ref_files.c adds those that are files beneath a folder. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_ref *cli_refs_append(struct cli_refs *refs, const char *uri, size_t uri_len, char *path)
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
    cli_refs_append(refs, definition, (size_t)(equals - definition),
                    cli_copy(equals + 1, strlen(equals + 1)));
    return true;
}

void cli_refs_free(struct cli_refs *refs)
{
    for (size_t i = 0; i < refs->count; i++) {
        cli_file_free(&refs->refs[i].file);
        free(refs->refs[i].uri);
        free(refs->refs[i].path);
    }
    for (size_t i = 0; i < refs->nfolders; i++) {
        free(refs->folders[i].prefix);
        if (refs->folders[i].fd >= 0)
            close(refs->folders[i].fd);
    }
    if (refs->root >= 0)
        close(refs->root);
    free(refs->folders);
    free(refs->root_path);
    free(refs->root_name);
    free(refs->base);
    free(refs->refs);
    refs->refs = NULL;
    refs->count = refs->capacity = 0;
}
