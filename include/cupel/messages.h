/* messages.h: what is wrong with an instance, rendered for whoever reads it.
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
 * Every rendering is made from the records of report.h, in the same order whenever schema and
 * instance are the same; VERBOSE runs the program once more, for what passed too, and leaves no
 * records.  Values of the instance are not repeated unless CUPEL_SHOW_VALUES is set
 * (the frames of HUMAN show lines of the text, for whoever wrote it).  Names and constants are cut
 * at 64 bytes, locations at an eighth of what may be written, where they end with "…"; control
 * characters, marks of direction and what is invisible become escapes. Titles, descriptions and
 * comments of a schema are never repeated, but for annotations in the standard's output formats,
 * when they were asked for. */
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
    /* The standard's output formats: 2020-12 core 12.4 … */
    CUPEL_RENDER_FLAG,
    CUPEL_RENDER_BASIC,
    CUPEL_RENDER_DETAILED,
    CUPEL_RENDER_VERBOSE,
    /* … and those of the version after it. */
    CUPEL_RENDER_LIST,
    CUPEL_RENDER_HIERARCHICAL
};

enum cupel_render_flag {
    CUPEL_SHOW_VALUES = 1 << 0,   /* MODEL to JUNIT: scalars of the instance are repeated, cut at 64
                                     bytes; HUMAN repeats those of the lines that it shows anyway */
    CUPEL_OUTPUT_RESULT = 1 << 1, /* MODEL: the instance is what a tool returned, not arguments */
    CUPEL_DOCUMENT = 1 << 2       /* MODEL: the instance is a document: it has properties */
};

/* Where a keyword of a schema stands, for a host that has the schema as a file.  `uri` is that of
 * the document (`uri_len` 0: the compiled one), `pointer` a JSON Pointer into it.  Returns 0 with a
 * file name that lives until the rendering ends, and line and column counted from 1; anything else
 * if it is not known. */
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
    uint32_t problems; /* most that are told; unless set 10 for MODEL, and CUPEL_LIMIT_ERRORS for
                          HUMAN and JSON to GITHUB */
    size_t bytes;      /* most that are written, at least 256; unless set 2,048 for MODEL (in
                          TOOL_RESULT that text, before it is quoted), and limits.error_bytes
                          otherwise */
    cupel_schema_place *schema_place; /* finds keywords in the files of schemas, or NULL … */
    void *schema_place_ctx;           /* … and its first argument */
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header.  Any thread. */
void cupel_render_options_init_sized(struct cupel_render_options *options, size_t size);

/* Fills in the defaults.  Any thread. */
static inline void cupel_render_options_init(struct cupel_render_options *options)
{
    cupel_render_options_init_sized(options, sizeof(*options));
}

/* Runs the report program on a node (as cupel_report_run does, which says what doc NULL means) and
 * appends its result to a text, in at most options->bytes (where it does not fit, what is left out
 * is counted or, in the standard's formats, replaced by FLAG's form).  options NULL: the defaults.
 * Of an instance that is VALID, MODEL, HUMAN and GITHUB say nothing, JSON has an empty array,
 * TOOL_RESULT nothing. The verdict, as cupel_report_run; UNDECIDED with CUPEL_E_NO_MEMORY in *ret
 * if the text could not grow. */
CUPEL_MUST_CHECK enum cupel_verdict
cupel_render(const struct cupel_program *program, struct cupel_scratch *scratch,
             struct cupel_document *doc, uint32_t node, enum cupel_rendering rendering,
             const struct cupel_render_options *options, struct cupel_text *text,
             struct cupel_outcome *ret);

/* What SARIF and JUNIT need before the first instance and after the last; of the other renderings,
 * nothing. Between two instances with SARIF results comes a comma, which is the caller's. */
void cupel_render_begin(enum cupel_rendering rendering, struct cupel_text *text);
void cupel_render_end(enum cupel_rendering rendering, struct cupel_text *text);

/* Of an instance for which there is no verdict: GITHUB, SARIF and JUNIT say why. */
void cupel_render_status(enum cupel_rendering rendering, const struct cupel_error *err,
                         const struct cupel_render_options *options, struct cupel_text *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
