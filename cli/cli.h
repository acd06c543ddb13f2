/* cli.h: what the files of the command share.
 *
 * The command uses the public headers alone, like any program that embeds cupel. */
#ifndef CUPEL_CLI_H
#define CUPEL_CLI_H

#include "cli/option_table.h"
#include <cupel/cupel.h>
#include <cupel/fault.h>
#include <stdbool.h>
#include <stdio.h>

/* The exit statuses.  With several inputs the largest one is returned. */
enum cli_exit {
    CLI_VALID = 0,
    CLI_INVALID = 1,
    CLI_USAGE = 2,
    CLI_SCHEMA = 3,    /* a schema was refused */
    CLI_INPUT = 4,     /* an input is not JSON or cannot be read */
    CLI_UNDECIDED = 5, /* a limit was reached */
    CLI_INTERNAL = 70
};

static inline int cli_worst(int a, int b)
{
    return a > b ? a : b;
}

/* -- Input (input.c) -------------------------------------------------------------------------- */

/* The contents of a file, followed by CLI_PADDING zero bytes. */
struct cli_file {
    const char *name; /* as messages show it */
    struct cupel_text text;
};

enum { CLI_PADDING = 64 };

/* Reads a file or, for "-", the standard input.  False after an error message.  Free the file in
 * either case. */
bool cli_read(const char *path, struct cli_file *ret);
/* The same for an open file of at most `most` bytes, which is closed.  `name` must outlive it. */
bool cli_read_fd(int fd, const char *name, size_t most, struct cli_file *ret);
void cli_file_free(struct cli_file *file);

/* Converts offsets in a text to lines and columns.  Initialise as {.text = …}. */
struct cli_line_index {
    const struct cupel_text *text;
    struct cli_mark *marks; /* positions of every so many bytes, made by the first look-up */
    size_t count, capacity;
};

/* Line and column, counted from 1, columns in code points. */
void cli_line_index_find(struct cli_line_index *index, size_t offset, uint32_t *ret_line,
                         uint32_t *ret_column);
void cli_line_index_free(struct cli_line_index *index);

/* Iterates over the lines of a text, without their ends; skips blank lines. */
struct cli_lines {
    const char *text;
    size_t len, at;
    uint32_t number; /* of the line last returned, counted from 1 */
};

bool cli_next_line(struct cli_lines *lines, const char **ret_line, size_t *ret_len);

/* Where a document comes from: a file, or a line of one. */
struct cli_origin {
    const char *file;
    uint32_t line; /* 0: the file is one document */
};

/* Handles a document and returns its exit status; `text` is NULL if the file cannot be read. */
typedef int cli_on_document(void *ctx, const struct cli_origin *origin, const char *text,
                            size_t len);

struct cli_settings;

/* Calls on_document for every document of a file: the file, or each of its lines with --lines or a
 * name in .jsonl or .ndjson.  Returns the worst status. */
int cli_each_document(const struct cli_settings *settings, const char *path,
                      cli_on_document *on_document, void *ctx);

/* Calls on_line for every line of a file.  Returns the worst status, CLI_INPUT if it cannot be
 * read. */
int cli_each_line(const char *path, cli_on_document *on_line, void *ctx);

bool cli_has_suffix(const char *path, const char *suffix);

/* Memory for the command's own lists.  Ends the process when there is none. */
void *cli_grow(void *array, size_t *capacity, size_t need, size_t size);
char *cli_copy(const char *text, size_t len);

/* -- References (refs.c, ref_files.c, resolve.c)
 * --------------------------------------------------- */

/* Documents that schemas may refer to. */
struct cli_ref {
    char *uri, *path; /* `path` as messages show it */
    bool loaded;
    bool hidden; /* outside the root: messages quote none of its lines */
    struct cli_file file;
};

/* A folder of --ref-dir. */
struct cli_ref_folder {
    char *prefix; /* of the URIs, which ends with "/" */
    const char *name;
    int fd; /* -1: not opened yet */
};

struct cli_refs {
    struct cli_ref *refs;
    size_t count, capacity;
    const char *remotes; /* the folder served as http://localhost:1234/, or NULL */
    struct cli_ref_folder *folders;
    size_t nfolders, folders_capacity;
    const char *root_option; /* of --root, or NULL */
    bool finds_files;        /* the verb resolves relative references */
    int root;                /* the folder of the schema's files, or -1 */
    char *root_path;         /* resolved, for absolute file: URIs; never printed */
    char *root_name;         /* what messages put before paths beneath it: "" or "DIR/" */
    char *base;              /* the URI of the schema, or NULL */
    size_t most, bytes;      /* of one file; read so far */
    uint32_t files;
    char why[160], help[240]; /* why the last reference was not resolved; "" if there is no more to
                                 say */
};

/* Adds "URI=FILE"; false if the definition has another form. */
bool cli_refs_add(struct cli_refs *refs, const char *definition);
/* Adds "URI-PREFIX=DIR"; false if the definition has another form. */
bool cli_refs_add_folder(struct cli_refs *refs, const char *definition);
/* Appends a reference, which owns `path`. */
struct cli_ref *cli_refs_append(struct cli_refs *refs, const char *uri, size_t uri_len, char *path);
/* Determines the root and the base URI of a schema file, and sets options->base_uri; neither for
 * the standard input or a verb that resolves no files.  CLI_VALID, or CLI_USAGE after an error
 * message. */
int cli_refs_begin(struct cli_refs *refs, const char *schema, struct cupel_options *options);
/* The file beneath the root or a folder of --ref-dir that a URI names, read; NULL with why and help
 * if there is none. */
struct cli_ref *cli_refs_open(struct cli_refs *refs, const char *uri, size_t len);
void cli_refs_free(struct cli_refs *refs);
/* A cupel_resolver whose context is a struct cli_refs. */
int cli_refs_resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                     size_t *ret_len);

/* -- Schemas (schema.c) ----------------------------------------------------------------------- */

/* A compiled schema and the text that it was made from. */
struct cli_schema {
    struct cli_settings *settings;
    struct cli_file file;
    struct cupel_program *program; /* NULL: refused */
    struct cupel_document *doc;    /* of the text, once a place is sought */
    struct cli_line_index lines;
    const struct cli_ref *ref; /* the file of --ref in which a place was sought last */
    struct cupel_document *ref_doc;
    struct cli_line_index ref_lines;
};

/* Reads and compiles a schema file.  Prints warnings and, if it is refused, all its faults: for
 * people on the standard error, otherwise as the rendering has them, to `out`.  Returns the exit
 * status.  Close the schema in either case. */
int cli_schema_open(struct cli_schema *ret, struct cli_settings *settings, const char *path,
                    enum cupel_rendering rendering, struct cupel_text *out);
void cli_schema_close(struct cli_schema *schema);
/* A cupel_schema_place whose context is a struct cli_schema. */
int cli_schema_place(void *ctx, const char *uri, size_t uri_len, const char *pointer,
                     size_t pointer_len, const char **ret_file, uint32_t *ret_line,
                     uint32_t *ret_column);

/* -- The command line (options.c) ------------------------------------------------------------- */

enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };

enum cli_format { CLI_FORMAT_DEFAULT, CLI_FORMAT_HUMAN, CLI_FORMAT_JSON };
enum cli_emission { CLI_EMIT_IMAGE, CLI_EMIT_C_ARRAY };

/* The settings of the command line.  Each option declares its own member (options.def). */
struct cli_settings {
    struct cupel_options engine;
    struct cli_refs refs;
    uint32_t mcp_flags; /* of struct cupel_catalog_options */
    char **arguments;   /* the words that are no options */
    int count;
#define SWITCH(m)                    bool m;
#define SWITCH_AND(m, flags)         bool m;
#define TEXT(m)                      const char *m;
#define COUNT(m)                     uint32_t m;
#define CHOICE(type, m, list, first) type m;
#define CHOICE_INTO(m, list, flags)
#define ENGINE(flags)
#define MCP(flags)
#define READ
#define OPTION(id, name, letter, value, effect, verbs, help) effect
#include "cli/options.def"
#undef SWITCH
#undef SWITCH_AND
#undef TEXT
#undef COUNT
#undef CHOICE
#undef CHOICE_INTO
#undef ENGINE
#undef MCP
#undef READ
};

/* -- Suggestions (suggest.c) ------------------------------------------------------------------ */

/* The candidate closest to a word.  Initialise as {.word = …}. */
struct cli_suggestion {
    const char *word;
    const char *best; /* NULL: none is similar */
    int distance;
};

void cli_suggest(struct cli_suggestion *suggestion, const char *candidate);

void cli_settings_init(struct cli_settings *settings);
void cli_settings_free(struct cli_settings *settings);
/* Reads the words after the verb.  CLI_VALID, or CLI_USAGE after an error message.  *ret_help:
 * --help is among them. */
int cli_parse(const struct cli_verb *verb, int argc, char **argv, struct cli_settings *settings,
              bool *ret_help);
/* A decimal number, with nothing before or after. */
bool cli_parse_number(const char *text, uint64_t *ret);
/* Sets the limit that "NAME=N" names; false after an error message. */
bool cli_limit_set(uint64_t *all, const char *definition);
/* Prints the limits with what they are for a verb unless given. */
void cli_limits_print(const struct cli_verb *verb);
/* Sets the limits to what they are for a verb unless given. */
void cli_limits_of(const struct cli_verb *verb, uint64_t *ret);
/* The verb that the words begin with, and the number of its words; NULL if there is none. */
const struct cli_verb *cli_find_verb(int argc, char **argv, int *ret_words);
/* Prints that there is no such verb, with a verb of a similar name.  Returns CLI_USAGE. */
int cli_no_verb(const char *word);

/* -- Output (output.c) ------------------------------------------------------------------------ */

/* Whatever is printed may come from strangers.  All functions here escape it
 * (cupel_text_add_escaped), so that it cannot move, hide or colour text in a terminal and a line
 * stays one line. */

/* A line on the standard error, after "cupel: ". */
void cli_print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line on a stream. */
void cli_line(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a line. */
void cli_add_line(struct cupel_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints how a verb is used, for a wrong number of arguments.  Returns CLI_USAGE. */
int cli_usage(enum cli_verb_id verb);
/* Appends "FILE:LINE: verdict (reason)"; leaves out a line that is 0 and a reason that is "". */
void cli_add_verdict(struct cupel_text *text, const struct cli_origin *origin, const char *verdict,
                     const char *reason);
/* Writes lines, or JSON, to the standard output or a stream, and empties the text. */
void cli_flush(struct cupel_text *text);
void cli_flush_to(FILE *stream, struct cupel_text *text);
/* Whether the standard output gets colours: as told, or if it is a terminal that can show them and
 * NO_COLOR is not set. */
bool cli_wants_color(enum cli_color color);
/* Writes frames of problems with colours to the standard output, and empties the text. */
void cli_flush_colored(struct cupel_text *text);
/* Writes workflow commands, which the library has escaped for the runner that reads them. */
void cli_flush_commands(struct cupel_text *text);
/* Prints "FILE:LINE:COLUMN: error[STATUS] at POINTER: detail" on the standard error.  Returns the
 * exit status of a schema that is refused for this reason. */
int cli_schema_error(const char *file, const struct cupel_error *err);
/* The same for a document that is not JSON: "FILE:LINE:COLUMN: error[STATUS]: detail". */
void cli_document_error(const struct cli_origin *origin, const struct cupel_error *err);
/* The exit status of a text that cannot be read; a limit leaves it undecided. */
int cli_read_exit(enum cupel_status status);
bool cli_is_read_status(enum cupel_status status);
/* Appends {"result":…,"patch":[…],"value":…}, the repair of an invalid text; patch and value are
 * null if there is none. */
void cli_json_repair(struct cupel_text *text, const struct cupel_options *options,
                     const struct cupel_program *program, const char *instance, size_t len);
/* Appends a name that came from a stranger: plain ASCII as it is, otherwise as a JSON string. */
void cli_add_name(struct cupel_text *text, const char *name, size_t len);
/* Appends `,"name":` and a value. */
void cli_json_string(struct cupel_text *text, const char *name, const char *value);
void cli_json_number(struct cupel_text *text, const char *name, uint64_t value);
/* Appends a problem as a JSON object, with line and column unless the line is 0. */
void cli_json_problem(struct cupel_text *text, const struct cupel_problem *problem, uint32_t line,
                      uint32_t column);
/* Nanoseconds of a monotonic clock; a `clock` of struct cupel_catalog_options. */
uint64_t cli_clock(void *ctx);
/* Sorts the values and returns the one below which `percent` of them lie. */
uint64_t cli_percentile(uint64_t *values, size_t count, unsigned percent);

/* -- Files (write_file.c) --------------------------------------------------------------------- */

/* Writes bytes to a file, or to the standard output if `path` is NULL or "-".  A regular file is
 * replaced completely or not at all; a symbolic link is refused.  Every verb that writes a file
 * uses this.  Returns the exit status, after an error message if it is not CLI_VALID. */
int cli_write(const char *path, const void *bytes, size_t len);
/* Whether the file of --output is also an input, after an error message. */
bool cli_output_is_input(const struct cli_settings *settings);

/* -- Verbs ------------------------------------------------------------------------------------ */

#define VERB(id, name, arguments, summary, explanation, run) int run(struct cli_settings *settings);
#include "cli/verbs.def"

/* Reads and compiles a schema file.  Returns the exit status, after an error message if it is not
 * CLI_VALID. */
int cli_compile_file(struct cli_settings *settings, const char *path, struct cupel_program **ret);

#endif
