/* messages.h: the problems of an instance as text, for people, models and programs.
 *
 *     struct cupel_render_options options;
 *     struct cupel_text text;
 *     cupel_render_options_init(&options);
 *     cupel_text_init(&text, NULL);
 *     options.tool = "read";
 *     options.tool_len = 4;
 *     if (cupel_validate(program, scratch, arguments, len, NULL) == CUPEL_INVALID)
 *         cupel_render(program, scratch, NULL, 0, CUPEL_RENDER_MODEL, &options, &text, NULL);
 *
 * Every rendering is made from the records of report.h.  The same schema and instance give the same
 * text.  VERBOSE runs the program once more, to list the keywords that passed too, and leaves no
 * records.
 *
 * Values of the instance are repeated only with CUPEL_SHOW_VALUES; the frames of HUMAN also show
 * lines of the text.  Names and constants are cut at 64 bytes, locations at an eighth of
 * options->bytes; a cut text ends with "…".  Control characters, bidirectional controls and
 * invisible characters become escapes.  Titles, descriptions and comments of a schema appear only
 * as annotations in the standard's output formats.
 *
 * Threads: a scratch, a document and a text belong to one thread at a time; threads share
 * programs. */
#ifndef CUPEL_MESSAGES_H
#define CUPEL_MESSAGES_H

#include <cupel/report.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum cupel_rendering {
    CUPEL_RENDER_MODEL,       /* a text that a language model can act on: no keyword, no pointer */
    CUPEL_RENDER_TOOL_RESULT, /* that text in a CallToolResult with isError (of MCP) */
    CUPEL_RENDER_HUMAN,       /* a frame for each problem: file, line, a caret, the keyword */
    CUPEL_RENDER_JSON,        /* an array of objects, one for each problem (docs/messages.md) */
    CUPEL_RENDER_GITHUB, /* a workflow command for each problem, as GitHub's runners take them */
    CUPEL_RENDER_SARIF,  /* SARIF 2.1.0: `result` objects with commas between them */
    CUPEL_RENDER_JUNIT,  /* a `testcase` element, with a failure if there are problems */
    /* The output formats of 2020-12 (core 12.4). */
    CUPEL_RENDER_FLAG,
    CUPEL_RENDER_BASIC,
    CUPEL_RENDER_DETAILED,
    CUPEL_RENDER_VERBOSE,
    /* The output formats of the version after 2020-12. */
    CUPEL_RENDER_LIST,
    CUPEL_RENDER_HIERARCHICAL
};

enum cupel_render_flag {
    CUPEL_SHOW_VALUES = 1 << 0,   /* MODEL to JUNIT: scalars of the instance are repeated, cut at 64
                                     bytes; the lines that HUMAN shows have them in any case */
    CUPEL_OUTPUT_RESULT = 1 << 1, /* MODEL: the instance is what a tool returned, not arguments */
    CUPEL_DOCUMENT = 1 << 2       /* MODEL: the instance is a document: it has properties */
};

/* Finds the place of a keyword, for a host that has the schema as a file.  `uri` is that of the
 * document (`uri_len` 0: the compiled one), `pointer` a JSON Pointer into it.  Returns 0 and sets
 * *ret_file (NUL-terminated, valid until the rendering ends) and line and column, counted from 1;
 * returns another number if the place is not known. */
typedef int cupel_schema_place(void *ctx, const char *uri, size_t uri_len, const char *pointer,
                               size_t pointer_len, const char **ret_file, uint32_t *ret_line,
                               uint32_t *ret_column);

struct cupel_render_options {
    size_t size;      /* of this struct as the program was compiled with it */
    uint32_t flags;   /* enum cupel_render_flag */
    const char *tool; /* MODEL: the name of the tool, or NULL */
    size_t tool_len;
    const char *file;  /* HUMAN and the formats for machines: the name of the instance's file */
    uint32_t line;     /* the line in it on which the text begins, counted from 1 */
    const char *base;  /* the URI of a schema that has no identifier */
    uint32_t problems; /* the most problems to report; 0: 10 for MODEL, CUPEL_LIMIT_ERRORS for
                          HUMAN and JSON to GITHUB */
    size_t bytes;      /* the most bytes to write, at least 256; 0: 2,048 for MODEL (in TOOL_RESULT
                          that text, before it is quoted), otherwise CUPEL_LIMIT_ERROR_BYTES */
    cupel_schema_place *schema_place; /* finds keywords in the files of schemas, or NULL */
    void *schema_place_ctx;           /* the first argument of schema_place */
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header. */
void cupel_render_options_init_sized(struct cupel_render_options *options, size_t size);

/* Fills in the defaults. */
static inline void cupel_render_options_init(struct cupel_render_options *options)
{
    cupel_render_options_init_sized(options, sizeof(*options));
}

/* Runs the report program on a node, as cupel_report_run does (also without `doc`), and appends its
 * result to a text in at most options->bytes.  A result that does not fit is cut, with the number
 * of problems left out; in the standard's formats the form of FLAG replaces it.  For an instance
 * that is VALID, JSON appends an empty array, and MODEL, TOOL_RESULT, HUMAN and GITHUB append
 * nothing.
 *
 * Returns the verdict of cupel_report_run; UNDECIDED also with CUPEL_E_NO_MEMORY in *ret if the
 * text could not grow, and with CUPEL_E_ARGUMENT for an unknown rendering.
 * NULL: doc. */
CUPEL_MUST_CHECK enum cupel_verdict
cupel_render(const struct cupel_program *program, struct cupel_scratch *scratch,
             struct cupel_document *doc, uint32_t node, enum cupel_rendering rendering,
             const struct cupel_render_options *options, struct cupel_text *text,
             struct cupel_outcome *ret);

/* Append the text that SARIF and JUNIT need before the first instance and after the last; the other
 * renderings need none.  Between two instances with SARIF results the caller appends a comma. */
void cupel_render_begin(enum cupel_rendering rendering, struct cupel_text *text);
void cupel_render_end(enum cupel_rendering rendering, struct cupel_text *text);

/* Appends why there is no verdict for an instance, from the error of reading it; GITHUB, SARIF and
 * JUNIT have a form for that.  An unknown rendering appends nothing. */
void cupel_render_status(enum cupel_rendering rendering, const struct cupel_error *err,
                         const struct cupel_render_options *options, struct cupel_text *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
