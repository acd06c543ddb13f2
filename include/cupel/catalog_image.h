/* catalog_image.h: a catalog as bytes, and back without compiling.
 *
 *     cupel_catalog_save(catalog, NULL, NULL, &text);              // in one process
 *     …
 *     cupel_catalog_load(&options, bytes, len, 0, &again, &err);   // in another one
 *
 * An image holds the definitions as they were added, the images of their programs, and why a schema
 * was refused.  Loading reads the definitions again, by the rules that cupel_catalog_add has, and
 * takes each program from the image in place of compiling the schema.  The catalog has the same
 * tools, problems and verdicts as the one that was saved; offsets of problems count from a text in
 * which the definitions follow one another, and there is no next cursor.
 *
 * A checksum finds damage by accident.  It does not find an image that somebody forged: a forged
 * image can say what it likes about which calls are valid.  No image, forged or not, makes the VM
 * read outside it: every program passes the verifier.
 *
 * An image is for the version of cupel and for the options that made it (mcp.h: profile, flags,
 * names, target and of the engine all that compiling looks at). */
#ifndef CUPEL_CATALOG_IMAGE_H
#define CUPEL_CATALOG_IMAGE_H

#include <cupel/mcp.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Keeps a program's image outside the catalog's.  `schema` is the text of the schema.  Returns 0
 * and sets *ret_ref to a number by which cupel_find_program finds the image again, or non-zero if
 * the image has to go into the catalog's. */
typedef int cupel_keep_program(void *ctx, const char *schema, size_t schema_len, const void *image,
                               size_t len, uint64_t *ret_ref);

/* Finds what cupel_keep_program kept: returns 0 and sets *ret_image (aligned to 8) and *ret_len, or
 * non-zero if there is none. */
typedef int cupel_find_program(void *ctx, uint64_t ref, const void **ret_image, size_t *ret_len);

/* Appends the image of a catalog.  `keep` NULL: all programs go into it.  The same catalog gives
 * the same bytes if `keep` gives the same references.  CUPEL_OK; CUPEL_E_ARGUMENT if `text` is not
 * empty; CUPEL_E_NO_MEMORY, with `text` emptied.  Any thread. */
enum cupel_status cupel_catalog_save(const struct cupel_catalog *catalog, cupel_keep_program *keep,
                                     void *ctx, struct cupel_text *text);

/* Checks that `image` is whole and was made with these options, and sets *ret_tools to the number
 * of tools.  CUPEL_OK; CUPEL_E_BAD_IMAGE; CUPEL_E_IMAGE_VERSION if another version of cupel or
 * other options made it.  The detail is in *err, which may be NULL. */
enum cupel_status cupel_catalog_image_check(const void *image, size_t len,
                                            const struct cupel_mcp_options *options,
                                            uint32_t *ret_tools, struct cupel_error *err);

/* Adds `count` tools of an image, from the `first` one on, to a catalog.  Call
 * cupel_catalog_image_check first: this function does not compute the checksum again.  All tools
 * added in one call or in several give the same catalog, apart from offsets of problems.
 *
 * CUPEL_LOAD_BORROW in `flags`: programs are not copied; then `image` is aligned to 8, and it and
 * what `find` finds outlive this catalog and every catalog that shares programs with it.  `find`
 * may be NULL if no program was kept outside.
 *
 * CUPEL_OK; CUPEL_E_BAD_IMAGE, also where `find` does not find a program; CUPEL_E_IMAGE_VERSION;
 * CUPEL_E_ARGUMENT if there are not so many tools, here or in the limit, or a borrowed image is not
 * aligned; another status of cupel_program_load or of reading JSON; CUPEL_E_NO_MEMORY.  After a
 * failure the catalog is as it was. */
enum cupel_status cupel_catalog_add_image(struct cupel_catalog *catalog, const void *image,
                                          size_t len, uint32_t first, uint32_t count,
                                          unsigned flags, cupel_find_program *find, void *ctx,
                                          struct cupel_error *err);

/* Makes a catalog of an image without outside programs: the check, a new catalog, and all tools.
 * NULL options are the defaults.  The statuses of both.  The caller frees it. */
enum cupel_status cupel_catalog_load(const struct cupel_mcp_options *options, const void *image,
                                     size_t len, unsigned flags, struct cupel_catalog **ret,
                                     struct cupel_error *err);

/* The checksum of an image: 64 bits that differ for bytes that were damaged by accident.  It does
 * not hold against somebody who chooses the bytes.  The same on every machine. */
uint64_t cupel_checksum(const void *bytes, size_t len);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
