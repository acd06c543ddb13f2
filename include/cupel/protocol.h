/* protocol.h: one reading of the JSON-RPC messages of the Model Context Protocol.
 *
 * A receiver may be written in any language.  Some decoders match names of members without regard
 * to case, some end strings at a NUL, some round numbers.  A message that is read here means the
 * same to all of them, as far as the names, the structure and the id are concerned; any other is
 * refused with the rule that it breaks (docs/rules.md).
 *
 *     struct cupel_message message;
 *     struct cupel_message_problem problem;
 *     if (cupel_document_read(doc, text, len, &err) != CUPEL_OK) …
 *     if (cupel_message_read(doc, 0, &message, &problem) != CUPEL_OK)
 *         refuse(problem.code, problem.text);
 *
 * Threads: the functions keep nothing; a document belongs to one thread at a time. */
#ifndef CUPEL_PROTOCOL_H
#define CUPEL_PROTOCOL_H

#include <cupel/json.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Names ------------------------------------------------------------------------------------ */

/* 1 if the two names (UTF-8, may hold NUL) are the same without regard to case, 0 if not.  The
 * comparison is the most generous that a decoder may make: letters count as the same if Unicode
 * simple case folding, the upper case or the lower case of both is equal, or if a chain of such
 * pairs connects them; upper cases of several letters count as these.  Linear in the names. */
int cupel_names_fold_equal(const char *a, size_t a_len, const char *b, size_t b_len);

/* The objects whose members the specification names. */
enum cupel_place {
    CUPEL_PLACE_ENVELOPE = 0, /* of a message */
    CUPEL_PLACE_PARAMS,       /* of a request or notification, by its method */
    CUPEL_PLACE_RESULT,       /* of an answer, by the method of the request */
    CUPEL_PLACE_ERROR,        /* of an answer */
    CUPEL_PLACE_META,         /* _meta of params */
    CUPEL_PLACE_TOOL,         /* a definition in a list */
    CUPEL_PLACE_ANNOTATIONS,  /* of a definition */
    CUPEL_PLACE_CONTENT       /* a block of a result's content */
};

/* The length of the specification's name that `name` folds to without being a name of that place,
 * with *ret (static, not terminated) pointing to it; 0 if there is none.  `method` matters in
 * PARAMS and RESULT; of a method that is not known, or NULL, only `_meta` and, in a result,
 * `resultType` are names there. */
size_t cupel_protocol_name(enum cupel_place place, const char *method, size_t method_len,
                           const char *name, size_t len, const char **ret);

/* -- Messages --------------------------------------------------------------------------------- */

enum cupel_message_kind {
    CUPEL_MESSAGE_REQUEST = 0,  /* a method and an id */
    CUPEL_MESSAGE_NOTIFICATION, /* a method, no id */
    CUPEL_MESSAGE_RESULT,       /* a result and an id */
    CUPEL_MESSAGE_ERROR         /* an error; its id may be null */
};

/* Nodes of the document; CUPEL_NO_NODE where there is none. */
struct cupel_message {
    enum cupel_message_kind kind;
    uint32_t node;   /* the message */
    uint32_t id;     /* a string or an integer within ±(2^53 - 1), or null in an error */
    uint32_t method; /* a string without NUL */
    uint32_t params; /* an object */
    uint32_t result; /* any value */
    uint32_t error;  /* an object */
};

/* Why a message is refused. */
struct cupel_message_problem {
    const char *rule; /* of docs/rules.md, such as "message-name"; static */
    int code;         /* the JSON-RPC error code to answer with */
    uint32_t id;      /* a node that an answer may carry as its id, or CUPEL_NO_NODE */
    char text[256];   /* one sentence without a full stop, in ASCII */
};

/* Reads the message at `node`: its envelope, the names in `params`, in `error` and in `_meta` of
 * params.  Names in `result` are left to cupel_message_names_check, which needs the method.
 * CUPEL_OK, or CUPEL_E_ARGUMENT with *problem saying why; *ret is untouched then.  Takes time
 * linear in the members of these objects. */
enum cupel_status cupel_message_read(struct cupel_document *doc, uint32_t node,
                                     struct cupel_message *ret,
                                     struct cupel_message_problem *problem);

/* Holds the names of the object at `node` to the table: none folds to a name of the specification
 * without being it, none holds NUL.  What is no object passes.  CUPEL_OK, or CUPEL_E_ARGUMENT with
 * *problem, whose id is CUPEL_NO_NODE. */
enum cupel_status cupel_message_names_check(struct cupel_document *doc, uint32_t node,
                                            enum cupel_place place, const char *method,
                                            size_t method_len,
                                            struct cupel_message_problem *problem);

/* 1 if the node is a string, or an integer within ±(2^53 - 1) written without fraction and
 * exponent: an id that every receiver reads, keeps and sends back as it is. */
int cupel_message_id_valid(struct cupel_document *doc, uint32_t node);

/* Appends a form of an id that is the same for equal ids and different for others: of a string `"`
 * and its bytes unescaped, of an integer its decimal digits.  The id is a valid one. */
void cupel_message_id_key(struct cupel_document *doc, uint32_t node, struct cupel_text *text);

/* Whether the specification knows the version, such as "2025-06-18". */
int cupel_protocol_version_known(const char *version, size_t len);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
