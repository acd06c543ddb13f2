/* json.h: documents: reading JSON, making it value by value, and looking into it.
 *
 * A document is one JSON text (RFC 8259) as a flat array of nodes; a node is an index, the root 0.
 * The validator runs on documents too: a host that has to look into a message reads it once, finds
 * the part to be validated and passes that node on (cupel_validate_node), without a second parse.
 *
 *     struct cupel_document *doc;
 *     if (cupel_document_new(NULL, &doc) != CUPEL_OK) ...
 *     if (cupel_document_read(doc, text, len, &err) != CUPEL_OK) ...
 *     uint32_t method = cupel_json_member(doc, 0, "method", 6);
 *     ...
 *     cupel_document_free(doc);
 *
 * A host that has values already (objects of a scripting language, MessagePack, CBOR, YAML) makes
 * the document of them without a text:
 *
 *     cupel_document_begin(doc);
 *     cupel_document_open_object(doc);
 *     cupel_document_add_name(doc, "limit", 5);
 *     cupel_document_add_integer(doc, 20);
 *     cupel_document_close(doc);
 *     if (cupel_document_end(doc, &err) != CUPEL_OK) ...
 *     verdict = cupel_validate_node(program, scratch, doc, 0, &outcome);
 *
 * Threads: a document belongs to one thread at a time, reading included (strings are decoded in the
 * document's own memory when they are first requested).  libcupel-vm has only the functions that
 * read. */
#ifndef CUPEL_JSON_H
#define CUPEL_JSON_H

#include <cupel/common.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Reading ---------------------------------------------------------------------------------- */

struct cupel_document;

/* No node: what look-ups return when there is nothing. */
#define CUPEL_NO_NODE UINT32_MAX

enum cupel_json_type {
    CUPEL_JSON_NULL,
    CUPEL_JSON_BOOLEAN,
    CUPEL_JSON_NUMBER,
    CUPEL_JSON_STRING,
    CUPEL_JSON_ARRAY,
    CUPEL_JSON_OBJECT
};

/* Makes an empty document. CUPEL_OK or CUPEL_E_NO_MEMORY.  The caller frees it. */
enum cupel_status cupel_document_new(const struct cupel_options *options,
                                     struct cupel_document **ret);

/* Frees it. NULL does nothing. */
void cupel_document_free(struct cupel_document *doc);

/* Reads `len` bytes of UTF-8, replacing what the document held; memory is kept and used again.  The
 * text is copied, so the caller's may go away (unless CUPEL_INPUT_PADDED).  The options given to
 * cupel_document_new apply: duplicate keys, lone surrogates, a byte order mark, trailing text and
 * nesting beyond CUPEL_LIMIT_DEPTH are refused. CUPEL_OK, CUPEL_E_NO_MEMORY, or a status of the
 * group "Reading JSON" with *err (which may be NULL) saying where; then the document is empty and
 * must not be walked. */
enum cupel_status cupel_document_read(struct cupel_document *doc, const char *text, size_t len,
                                      struct cupel_error *err);

/* In what follows a node is one of the document that was read last, never CUPEL_NO_NODE: look at
 * what a look-up returns before it is passed on. */

/* The type of a node. */
enum cupel_json_type cupel_json_type(const struct cupel_document *doc, uint32_t node);

/* The number of items of an array or of members of an object; 0 for everything else. */
uint32_t cupel_json_count(const struct cupel_document *doc, uint32_t node);

/* The first item of an array, or the first member's key of an object; CUPEL_NO_NODE if it is empty
 * or no container. */
uint32_t cupel_json_first(const struct cupel_document *doc, uint32_t node);

/* The node after `node` and everything in it; CUPEL_NO_NODE at the end of `parent`.  From an item
 * to the next item; from a key to its value (the value of key k is always k + 1); from a value to
 * the next key. */
uint32_t cupel_json_next(const struct cupel_document *doc, uint32_t parent, uint32_t node);

/* The key of the first member after `node` in the order of the text, at any depth within the value
 * `root`, with its unescaped bytes as in cupel_json_string; CUPEL_NO_NODE if there is none.  A loop
 * that starts with `node` = `root` visits the names of all members in it, without a stack. */
uint32_t cupel_json_next_name(struct cupel_document *doc, uint32_t root, uint32_t node,
                              const char **ret_name, size_t *ret_len);

/* The value of the member `key` (compared after unescaping; may hold NUL), or CUPEL_NO_NODE if
 * there is none or `node` is no object. */
uint32_t cupel_json_member(struct cupel_document *doc, uint32_t node, const char *key, size_t len);

/* A string's bytes, unescaped: UTF-8, not terminated, may hold NUL; they live until the next read.
 * NULL (and *ret_len 0) if the node is no string. */
const char *cupel_json_string(struct cupel_document *doc, uint32_t node, size_t *ret_len);

/* 1 if the node is the string `text` (terminated by NUL), 0 if it is another one or no string. */
int cupel_json_is(struct cupel_document *doc, uint32_t node, const char *text);

/* 1 for true, 0 for false, -1 if the node is no boolean. */
int cupel_json_boolean(const struct cupel_document *doc, uint32_t node);

/* The value of an integer node that int64_t holds, however it is written (5, 5.0, 50e-1).  Returns
 * 0 and sets *ret, or -1. */
int cupel_json_integer(const struct cupel_document *doc, uint32_t node, int64_t *ret);

/* The double nearest to the number `node`, ties to even.
 * CUPEL_OK, CUPEL_E_ARGUMENT if it is no number, CUPEL_E_LIMIT_NUMBER if it is too large. */
enum cupel_status cupel_json_double(struct cupel_document *doc, uint32_t node, double *ret);

/* The node's own text, exactly as it was read: quotes and brackets included. Lives until the next
 * read. */
const char *cupel_json_span(const struct cupel_document *doc, uint32_t node, size_t *ret_len);

/* The byte offset at which a node begins, at once for any document. */
uint64_t cupel_json_offset(const struct cupel_document *doc, uint32_t node);

/* Where a node begins: the byte offset, and line and column counted from 1 (columns in code
 * points).  Counting lines takes time in proportion to the offset. */
void cupel_json_place(const struct cupel_document *doc, uint32_t node, uint64_t *ret_offset,
                      uint32_t *ret_line, uint32_t *ret_column);

/* Whether two values are equal as JSON Schema means it (core 4.2.2): numbers by value, objects
 * without order.  1, 0, or -1 where that was not decided (numbers beyond exact comparison). */
int cupel_json_equal(struct cupel_document *a, uint32_t node_a, struct cupel_document *b,
                     uint32_t node_b);

/* -- Making a document value by value --------------------------------------------------------- */

/* Empties the document and begins one.  The document's memory is used again. */
void cupel_document_begin(struct cupel_document *doc);

/* Begin an object or an array, which cupel_document_close ends.  CUPEL_OK; CUPEL_E_JSON_DEPTH
 * beyond the limit of nesting; CUPEL_E_ARGUMENT where no value may stand (a member without a name,
 * a second root, a document that was not begun); CUPEL_E_JSON_SIZE when the text would be longer
 * than the limit; CUPEL_E_NO_MEMORY.  The functions that add a value return the same, and what they
 * say.
 */
enum cupel_status cupel_document_open_object(struct cupel_document *doc);
enum cupel_status cupel_document_open_array(struct cupel_document *doc);

/* Ends the innermost object or array.  Besides: CUPEL_E_ARGUMENT where none is open or a name has
 * no value; CUPEL_E_DUPLICATE_KEY where two members have one name, unless the options allow it:
 * then the last of them counts. */
enum cupel_status cupel_document_close(struct cupel_document *doc);

/* The name of the next member of the innermost object: `len` bytes of UTF-8, which may hold NUL and
 * are copied.  CUPEL_E_UTF8 where they are not UTF-8 (RFC 3629; surrogates are not). */
enum cupel_status cupel_document_add_name(struct cupel_document *doc, const char *name, size_t len);

/* Add a value: a string as names are given; true for any number that is not 0; null. */
enum cupel_status cupel_document_add_string(struct cupel_document *doc, const char *text,
                                            size_t len);
enum cupel_status cupel_document_add_boolean(struct cupel_document *doc, int value);
enum cupel_status cupel_document_add_null(struct cupel_document *doc);

/* Add a number: an integer; a number as a JSON text (RFC 8259 section 6), whose value is kept
 * exactly; a double, which is written with the fewest digits that give the same double back, as
 * ECMA-262 6.1.6.1.20 counts them, and with ".0" where it is integral.  CUPEL_E_NUMBER_SIZE beyond
 * the limit; CUPEL_E_SYNTAX where the text is no JSON number, and for a double that is infinite or
 * no number. */
enum cupel_status cupel_document_add_integer(struct cupel_document *doc, int64_t value);
enum cupel_status cupel_document_add_unsigned(struct cupel_document *doc, uint64_t value);
enum cupel_status cupel_document_add_number(struct cupel_document *doc, const char *text,
                                            size_t len);
enum cupel_status cupel_document_add_double(struct cupel_document *doc, double value);

/* Ends the document.  CUPEL_OK, or the first status that was not; CUPEL_E_ARGUMENT where something
 * is still open or nothing was added.  On failure *err (which may be NULL) has the pointer to the
 * value that failed, and the document is empty. */
enum cupel_status cupel_document_end(struct cupel_document *doc, struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
