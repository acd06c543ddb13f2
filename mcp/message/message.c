/* message.c: reads the envelope of a JSON-RPC message so that every receiver would read the same.
 *
 * Receivers differ in what they do with two members of one name, with names that differ in case
 * only, with NUL in a string, and with ids that are no safe integers.  A gateway that reads such a
 * message in one way while the server behind it reads it in another can be bypassed.  So this
 * reader refuses every message that two receivers could read in different ways (rules
 * request-… of rules/rules.def).  Duplicate names were refused by the JSON reader before.
 *
 * A refusal is a struct cupel_message_problem: the rule, a JSON-RPC code, a text, and the id for
 * the answer if the message has a valid one. */
#include "mcp/message/protocol.h"
#include "mcp/text/characters.h"

#include <cupel/catalog.h>
#include <stdio.h>
#include <string.h>

enum { INVALID_REQUEST = -32600, INVALID_PARAMS = -32602 };

/* -- Problems --------------------------------------------------------------------------------- */

/* Fills in a problem, apart from its id. */
static enum cupel_status refuse(struct cupel_message_problem *problem, const char *rule, int code,
                                const char *text)
{
    problem->rule = rule;
    problem->code = code;
    snprintf(problem->text, sizeof(problem->text), "%s: %s",
             code == INVALID_PARAMS ? "Invalid params" : "Invalid request", text);
    return CUPEL_E_ARGUMENT;
}

/* Writes a name in printable ASCII: other characters, quotes and backslashes as \u and hexadecimal
 * digits, one escape for each code point.  A longer name ends with "...". */
static void write_name(char *to, size_t size, const char *name, size_t len)
{
    enum { LONGEST = 13 }; /* of one escape, dots and a NUL */
    size_t used = 0;
    for (size_t i = 0; i < len && used + LONGEST < size;) {
        unsigned char c = (unsigned char)name[i];
        size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        uint32_t point = n == 1 ? c : c & (0x7fu >> n);
        for (size_t k = 1; k < n && i + k < len; k++)
            point = point << 6 | ((unsigned char)name[i + k] & 0x3f);
        bool plain = c > 0x20 && c < 0x7f && c != '"' && c != '\\';
        used += (size_t)snprintf(to + used, size - used, plain ? "%c" : "\\u%04X", (int)point);
        i += n;
        if (i < len && used + LONGEST >= size)
            used += (size_t)snprintf(to + used, size - used, "...");
    }
    to[used] = '\0';
}

/* Refuses a member: its name folds to `like`, or (like_len 0) holds NUL. */
static enum cupel_status refuse_name(struct cupel_message_problem *problem, const char *name,
                                     size_t len, const char *like, size_t like_len)
{
    char shown[80], text[200];
    write_name(shown, sizeof(shown), name, len);
    if (like_len != 0)
        snprintf(text, sizeof(text), "the member \"%s\" could be read as \"%.*s\"", shown,
                 (int)like_len, like);
    else
        snprintf(text, sizeof(text), "the name of the member \"%s\" holds NUL", shown);
    return refuse(problem, like_len != 0 ? "request-name" : "request-nul", INVALID_REQUEST, text);
}

/* -- Names ------------------------------------------------------------------------------------ */

/* Checks the name of one member of an object whose names the specification lists. */
static enum cupel_status check_name(const struct cupel__protocol_names *names, const char *name,
                                    size_t len, struct cupel_message_problem *problem)
{
    const char *like = "";
    size_t like_len = cupel__protocol_confused(names, name, len, &like);
    if (like_len == 0 && memchr(name, '\0', len) == NULL)
        return CUPEL_OK;
    return refuse_name(problem, name, len, like, like_len);
}

enum cupel_status cupel_message_names_check(struct cupel_document *doc, uint32_t node,
                                            enum cupel_place place, const char *method,
                                            size_t method_len,
                                            struct cupel_message_problem *problem)
{
    if (doc == NULL || problem == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel__protocol_names names = cupel__protocol_names_of(place, method, method_len);
    problem->id = CUPEL_NO_NODE;
    if (cupel_json_type(doc, node) != CUPEL_JSON_OBJECT)
        return CUPEL_OK;
    uint32_t key = cupel_json_first(doc, node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(doc, key, &len);
        enum cupel_status status = check_name(&names, name, len, problem);
        if (status != CUPEL_OK)
            return status;
    }
    return CUPEL_OK;
}

/* -- Ids -------------------------------------------------------------------------------------- */

/* Whether the text is an integer within ±(2^53 - 1), in decimal digits only.  All receivers read
 * such a number as the same value; a double cannot hold every larger one. */
static bool is_safe_integer(const char *text, size_t len)
{
    static const char most[] = "9007199254740991";
    size_t sign = len != 0 && text[0] == '-', digits = len - sign;
    for (size_t i = sign; i < len; i++)
        if (!cupel__mcp_is_digit(text[i]))
            return false;
    if (digits != sizeof(most) - 1)
        return digits < sizeof(most) - 1;
    return memcmp(text + sign, most, digits) <= 0;
}

int cupel_message_id_valid(struct cupel_document *doc, uint32_t node)
{
    if (doc == NULL)
        return 0;
    size_t len;
    enum cupel_json_type type = cupel_json_type(doc, node);
    if (type != CUPEL_JSON_NUMBER)
        return type == CUPEL_JSON_STRING;
    const char *text = cupel_json_span(doc, node, &len);
    return is_safe_integer(text, len);
}

/* Writes a key that is equal for equal ids: a string behind a quotation mark, an integer without
 * it. -0 equals 0. */
void cupel_message_id_key(struct cupel_document *doc, uint32_t node, struct cupel_text *text)
{
    if (doc == NULL || text == NULL)
        return;
    size_t len;
    const char *bytes = cupel_json_string(doc, node, &len);
    if (bytes != NULL) {
        cupel_text_add(text, "\"", 1);
    } else {
        bytes = cupel_json_span(doc, node, &len);
        bool negative_zero = len == 2 && bytes[0] == '-' && bytes[1] == '0';
        bytes += negative_zero;
        len -= negative_zero;
    }
    cupel_text_add(text, bytes, len);
}

/* -- The envelope ----------------------------------------------------------------------------- */

/* The members of the envelope, in the order of `names`. */
enum member { VERSION, ID, METHOD, PARAMS, RESULT, ERROR, MEMBERS };

static enum member member_of(const char *name, size_t len)
{
    static const char *const names[] = {"jsonrpc", "id", "method", "params", "result", "error"};
    for (int i = 0; i < MEMBERS; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return (enum member)i;
    return MEMBERS;
}

/* Finds the members of the envelope and checks all names.  Continues after a bad name, so that the
 * id is known for the answer. */
static enum cupel_status find_members(struct cupel_document *doc, uint32_t node,
                                      uint32_t found[MEMBERS],
                                      struct cupel_message_problem *problem)
{
    struct cupel__protocol_names names = cupel__protocol_names_of(CUPEL_PLACE_ENVELOPE, NULL, 0);
    enum cupel_status status = CUPEL_OK;
    uint32_t key = cupel_json_first(doc, node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(doc, key, &len);
        enum member member = member_of(name, len);
        if (member != MEMBERS)
            found[member] = key + 1;
        else if (status == CUPEL_OK)
            status = check_name(&names, name, len, problem);
    }
    if (found[ID] != CUPEL_NO_NODE && cupel_message_id_valid(doc, found[ID]))
        problem->id = found[ID];
    return status;
}

/* A result needs an id; an error may have null (JSON-RPC 2.0 section 5). */
static enum cupel_status check_id(struct cupel_document *doc, const uint32_t found[MEMBERS],
                                  struct cupel_message_problem *problem)
{
    uint32_t id = found[ID];
    if (id == CUPEL_NO_NODE && found[RESULT] == CUPEL_NO_NODE)
        return CUPEL_OK;
    if (id == CUPEL_NO_NODE)
        return refuse(problem, "request-id", INVALID_REQUEST, "a result has no id");
    enum cupel_json_type type = cupel_json_type(doc, id);
    if (type == CUPEL_JSON_NULL && found[ERROR] != CUPEL_NO_NODE)
        return CUPEL_OK;
    if (type != CUPEL_JSON_STRING && type != CUPEL_JSON_NUMBER)
        return refuse(problem, "request-id", INVALID_REQUEST,
                      "id is neither a string nor a number");
    if (!cupel_message_id_valid(doc, id))
        return refuse(problem, "request-id-integer", INVALID_REQUEST,
                      "a number as id is an integer of at most 9007199254740991, without fraction "
                      "and exponent");
    return CUPEL_OK;
}

/* Checks `jsonrpc`, and that exactly one of method, result and error is there. */
static enum cupel_status check_kind(struct cupel_document *doc, const uint32_t found[MEMBERS],
                                    struct cupel_message_problem *problem)
{
    uint32_t version = found[VERSION], method = found[METHOD];
    unsigned parts = (unsigned)(method != CUPEL_NO_NODE) + (found[RESULT] != CUPEL_NO_NODE) +
                     (found[ERROR] != CUPEL_NO_NODE);
    size_t len;
    if (version == CUPEL_NO_NODE || !cupel_json_is(doc, version, "2.0"))
        return refuse(problem, "request-version", INVALID_REQUEST, "jsonrpc is not \"2.0\"");
    if (parts > 1)
        return refuse(problem, "request-kind", INVALID_REQUEST,
                      "a message has one of method, result and error");
    if (parts == 0 ||
        (method != CUPEL_NO_NODE && cupel_json_type(doc, method) != CUPEL_JSON_STRING))
        return refuse(problem, "request-method", INVALID_REQUEST, "method is not a string");
    if (found[ERROR] != CUPEL_NO_NODE && cupel_json_type(doc, found[ERROR]) != CUPEL_JSON_OBJECT)
        return refuse(problem, "request-error", INVALID_REQUEST, "error is not an object");
    if (method == CUPEL_NO_NODE)
        return CUPEL_OK;
    const char *name = cupel_json_string(doc, method, &len);
    if (memchr(name, '\0', len) != NULL)
        return refuse(problem, "request-nul", INVALID_REQUEST, "method holds NUL");
    return CUPEL_OK;
}

/* -- Params ----------------------------------------------------------------------------------- */

/* Checks the strings by which a server finds a tool, a resource or a task.  A server with C strings
 * would end them at NUL and find another one. */
static enum cupel_status check_keys(struct cupel_document *doc, uint32_t params,
                                    struct cupel_message_problem *problem)
{
    static const char *const keys[] = {"name", "uri", "taskId"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        size_t len = 0;
        char text[40];
        uint32_t node = cupel_json_member(doc, params, keys[i], strlen(keys[i]));
        const char *value = node != CUPEL_NO_NODE ? cupel_json_string(doc, node, &len) : NULL;
        if (value == NULL || memchr(value, '\0', len) == NULL)
            continue;
        snprintf(text, sizeof(text), "%s holds NUL", keys[i]);
        return refuse(problem, "request-nul", INVALID_PARAMS, text);
    }
    return CUPEL_OK;
}

/* Checks the names of the members of params and of its _meta, and the strings of check_keys. */
static enum cupel_status check_params(struct cupel_document *doc, uint32_t params,
                                      const char *method, size_t len,
                                      struct cupel_message_problem *problem)
{
    uint32_t id = problem->id;
    if (cupel_json_type(doc, params) != CUPEL_JSON_OBJECT)
        return refuse(problem, "params-object", INVALID_PARAMS, "params is not an object");
    enum cupel_status status =
        cupel_message_names_check(doc, params, CUPEL_PLACE_PARAMS, method, len, problem);
    uint32_t meta = cupel_json_member(doc, params, "_meta", 5);
    if (status == CUPEL_OK && meta != CUPEL_NO_NODE)
        status = cupel_message_names_check(doc, meta, CUPEL_PLACE_META, NULL, 0, problem);
    problem->id = id;
    return status == CUPEL_OK ? check_keys(doc, params, problem) : status;
}

/* -- The message ------------------------------------------------------------------------------ */

static enum cupel_message_kind kind_of(const uint32_t found[MEMBERS])
{
    if (found[RESULT] != CUPEL_NO_NODE)
        return CUPEL_MESSAGE_RESULT;
    if (found[ERROR] != CUPEL_NO_NODE)
        return CUPEL_MESSAGE_ERROR;
    return found[ID] != CUPEL_NO_NODE ? CUPEL_MESSAGE_REQUEST : CUPEL_MESSAGE_NOTIFICATION;
}

/* Checks the params of a request, or the error of a response.  params null counts as absent. */
static enum cupel_status check_parts(struct cupel_document *doc, uint32_t found[MEMBERS],
                                     struct cupel_message_problem *problem)
{
    size_t len = 0;
    const char *method =
        found[METHOD] != CUPEL_NO_NODE ? cupel_json_string(doc, found[METHOD], &len) : NULL;
    uint32_t id = problem->id;
    if (found[ERROR] != CUPEL_NO_NODE) {
        enum cupel_status status =
            cupel_message_names_check(doc, found[ERROR], CUPEL_PLACE_ERROR, NULL, 0, problem);
        problem->id = id;
        return status;
    }
    if (found[PARAMS] != CUPEL_NO_NODE && cupel_json_type(doc, found[PARAMS]) == CUPEL_JSON_NULL)
        found[PARAMS] = CUPEL_NO_NODE;
    return found[PARAMS] != CUPEL_NO_NODE ? check_params(doc, found[PARAMS], method, len, problem)
                                          : CUPEL_OK;
}

/* Reads the message at `node`.  Sets *ret only if it returns CUPEL_OK, and *problem otherwise. */
enum cupel_status cupel_message_read(struct cupel_document *doc, uint32_t node,
                                     struct cupel_message *ret,
                                     struct cupel_message_problem *problem)
{
    if (doc == NULL || ret == NULL || problem == NULL)
        return CUPEL_E_ARGUMENT;
    uint32_t found[MEMBERS];
    for (int i = 0; i < MEMBERS; i++)
        found[i] = CUPEL_NO_NODE;
    problem->id = CUPEL_NO_NODE;
    if (cupel_json_type(doc, node) != CUPEL_JSON_OBJECT)
        return refuse(problem, "request-object", INVALID_REQUEST, "not an object");
    enum cupel_status status = find_members(doc, node, found, problem);
    if (status == CUPEL_OK)
        status = check_id(doc, found, problem);
    if (status == CUPEL_OK)
        status = check_kind(doc, found, problem);
    if (status == CUPEL_OK)
        status = check_parts(doc, found, problem);
    if (status != CUPEL_OK)
        return status;
    *ret = (struct cupel_message){.kind = kind_of(found),
                                  .node = node,
                                  .id = found[ID],
                                  .method = found[METHOD],
                                  .params = found[PARAMS],
                                  .result = found[RESULT],
                                  .error = found[ERROR]};
    return CUPEL_OK;
}

int cupel_protocol_version_known(const char *version, size_t len)
{
    if (version == NULL && len > 0)
        return 0;
    static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                           "2026-07-28"};
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        if (strlen(versions[i]) == len && memcmp(versions[i], version, len) == 0)
            return 1;
    return 0;
}
