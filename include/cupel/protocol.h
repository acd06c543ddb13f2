/* protocol.h: one reading of the JSON-RPC messages of the Model Context Protocol.
 *
 * Decoders differ between languages: some match names of members without regard to case, some end
 * strings at a NUL, some round numbers.  The functions here accept a message only if all of them
 * read the same names, the same structure and the same id.  They refuse any other with the rule
 * that it breaks (docs/rules.md).
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

/* 1 if two names (UTF-8, may contain NUL) are equal without regard to case, otherwise 0.  Letters
 * count as equal if any decoder could take them for equal: if Unicode simple case folding, the
 * upper case or the lower case of both is equal, or if a chain of such pairs connects them.  An
 * upper case of several letters counts as these.  Takes time linear in the names. */
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

/* Finds the name of the specification to which `name` folds, if `name` is not itself a name of that
 * place.  Returns its length and sets *ret (static, not terminated), or returns 0 if there is none.
 * `method` selects the names of PARAMS and RESULT; without one, or with an unknown one, these are
 * `_meta` and, in a result, `resultType`.
 * NULL: method. */
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
 * params.  cupel_message_names_check checks the names in `result`, for which it needs the method.
 * CUPEL_OK, or CUPEL_E_ARGUMENT with the reason in *problem and *ret untouched.  Takes time linear
 * in the members of these objects. */
enum cupel_status cupel_message_read(struct cupel_document *doc, uint32_t node,
                                     struct cupel_message *ret,
                                     struct cupel_message_problem *problem);

/* Checks the names of the object at `node`: none may fold to a name of the specification without
 * being that name, and none may contain NUL.  CUPEL_OK, also for a value that is no object;
 * CUPEL_E_ARGUMENT with the reason in *problem, whose id is CUPEL_NO_NODE.
 * NULL: method. */
enum cupel_status cupel_message_names_check(struct cupel_document *doc, uint32_t node,
                                            enum cupel_place place, const char *method,
                                            size_t method_len,
                                            struct cupel_message_problem *problem);

/* 1 if the node is a string, or an integer within ±(2^53 - 1) written without fraction and
 * exponent: an id that every receiver sends back unchanged.  Otherwise 0. */
int cupel_message_id_valid(struct cupel_document *doc, uint32_t node);

/* Appends a key for a valid id, the same for equal ids and different for others: for a string `"`
 * and its bytes unescaped, for an integer its decimal digits. */
void cupel_message_id_key(struct cupel_document *doc, uint32_t node, struct cupel_text *text);

/* 1 if the specification has the version, such as "2025-06-18", otherwise 0. */
int cupel_protocol_version_known(const char *version, size_t len);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
