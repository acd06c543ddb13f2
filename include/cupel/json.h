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

/* Makes an empty document, which the caller frees.  CUPEL_OK, CUPEL_E_ARGUMENT or
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_document_new(const struct cupel_options *options,
                                     struct cupel_document **ret);

/* Frees a document. */
void cupel_document_free(struct cupel_document *doc);

/* Reads a JSON text (RFC 8259) of `len` bytes in place of the document's content; memory is used
 * again.  The text is copied and may go away, unless CUPEL_INPUT_PADDED is set.  The options given
 * to cupel_document_new apply: duplicate keys, lone surrogates, a byte order mark, text after the
 * value and nesting beyond CUPEL_LIMIT_DEPTH are refused.  CUPEL_OK; CUPEL_E_NO_MEMORY;
 * CUPEL_E_ARGUMENT; a status of the group "Reading JSON" with the place in *err.  After a failure
 * the document is empty, and has no nodes to look at. */
enum cupel_status cupel_document_read(struct cupel_document *doc, const char *text, size_t len,
                                      struct cupel_error *err);

/* The functions below take a node of the document's present content, never CUPEL_NO_NODE: compare
 * the result of a look-up with CUPEL_NO_NODE before passing it on. */

/* The type of a node: NULL, BOOLEAN, NUMBER, STRING, ARRAY or OBJECT. */
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

/* 1 if the node is the string `text` (NUL-terminated), 0 if it is another one or no string. */
int cupel_json_is(struct cupel_document *doc, uint32_t node, const char *text);

/* 1 for true, 0 for false, -1 if the node is no boolean. */
int cupel_json_boolean(const struct cupel_document *doc, uint32_t node);

/* The value of an integer node that int64_t holds, however it is written (5, 5.0, 50e-1).  Returns
 * 0 and sets *ret, or -1. */
int cupel_json_integer(const struct cupel_document *doc, uint32_t node, int64_t *ret);

/* The double nearest to the number `node`, ties to even.
 * CUPEL_OK, CUPEL_E_ARGUMENT if it is no number, CUPEL_E_LIMIT_NUMBER if it is too large. */
enum cupel_status cupel_json_double(struct cupel_document *doc, uint32_t node, double *ret);

/* The node's own text as it was read, quotes and brackets included: *ret_len bytes that live until
 * the next read.  Never NULL for a node of the document. */
const char *cupel_json_span(const struct cupel_document *doc, uint32_t node, size_t *ret_len);

/* The byte offset at which a node begins.  Takes constant time. */
uint64_t cupel_json_offset(const struct cupel_document *doc, uint32_t node);

/* Where a node begins: the byte offset, and line and column counted from 1 (columns in code
 * points).  Counting lines takes time in proportion to the offset. */
void cupel_json_place(const struct cupel_document *doc, uint32_t node, uint64_t *ret_offset,
                      uint32_t *ret_line, uint32_t *ret_column);

/* Whether two values are equal as JSON Schema defines it (core 4.2.2): numbers by value, objects
 * without order.  1, 0, or -1 if that was not decided (numbers beyond exact comparison). */
int cupel_json_equal(struct cupel_document *a, uint32_t node_a, struct cupel_document *b,
                     uint32_t node_b);

/* -- Making a document value by value --------------------------------------------------------- */

/* Empties the document and begins one.  The document's memory is used again. */
void cupel_document_begin(struct cupel_document *doc);

/* Begin an object or an array, which cupel_document_close ends.  CUPEL_OK; CUPEL_E_JSON_DEPTH
 * beyond the limit of nesting; CUPEL_E_ARGUMENT where no value is allowed (a member without a name,
 * a second root, a document that was not begun); CUPEL_E_JSON_SIZE if the text would be longer than
 * the limit; CUPEL_E_NO_MEMORY.  A function that returned an error returns it again until
 * cupel_document_begin. */
enum cupel_status cupel_document_open_object(struct cupel_document *doc);
enum cupel_status cupel_document_open_array(struct cupel_document *doc);

/* Ends the innermost object or array.  The statuses of cupel_document_open_object;
 * CUPEL_E_ARGUMENT also if none is open or a name has no value; CUPEL_E_DUPLICATE_KEY if two
 * members have one name, unless the options allow it: then the last of them counts. */
enum cupel_status cupel_document_close(struct cupel_document *doc);

/* Sets the name of the next member of the innermost object: `len` bytes, which may hold NUL and are
 * copied.  The statuses of cupel_document_open_object; CUPEL_E_UTF8 if they are not UTF-8 (RFC
 * 3629; surrogates are not). */
enum cupel_status cupel_document_add_name(struct cupel_document *doc, const char *name, size_t len);

/* Add a value: a string, copied as a name is; true for any number but 0, false for 0; null.  The
 * statuses of cupel_document_add_name. */
enum cupel_status cupel_document_add_string(struct cupel_document *doc, const char *text,
                                            size_t len);
enum cupel_status cupel_document_add_boolean(struct cupel_document *doc, int value);
enum cupel_status cupel_document_add_null(struct cupel_document *doc);

/* Add a number: an integer; a number as a JSON text (RFC 8259 section 6), whose value is kept
 * exactly; a double, which is written with the fewest digits that give the same double back, as
 * ECMA-262 6.1.6.1.20 counts them, and with ".0" if it is integral.  The statuses of
 * cupel_document_open_object; CUPEL_E_NUMBER_SIZE beyond the limit; CUPEL_E_SYNTAX if the text is
 * no JSON number, and for a double that is infinite or not a number. */
enum cupel_status cupel_document_add_integer(struct cupel_document *doc, int64_t value);
enum cupel_status cupel_document_add_unsigned(struct cupel_document *doc, uint64_t value);
enum cupel_status cupel_document_add_number(struct cupel_document *doc, const char *text,
                                            size_t len);
enum cupel_status cupel_document_add_double(struct cupel_document *doc, double value);

/* Ends the document.  CUPEL_OK; the first error that one of the functions above returned;
 * CUPEL_E_ARGUMENT if an object or array is open or nothing was added.  On failure *err has the
 * JSON Pointer to the value that failed, and the document is empty. */
enum cupel_status cupel_document_end(struct cupel_document *doc, struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
