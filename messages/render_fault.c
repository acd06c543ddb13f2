/* render_fault.c: the faults of schemas and texts in the formats of problems (fault.h).
 *
 * HUMAN has the frame of human.c; JSON the members that a problem has, without those of a schema.
 */
#include "base/utf8.h"
#include "messages/frame.h"
#include "messages/render.h"
#include <cupel/fault.h>
#include <string.h>

/* The options with what is missing, and the texts of one fault. */
struct rendering {
    const struct cupel_fault *f;
    const char *text;
    size_t len;
    const struct cupel_render_options *o;
    struct cupel_text *out;
    uint32_t line;
};

static void add_quoted(const struct rendering *g, const char *before, const char *s)
{
    cupel_text_adds(g->out, before);
    cupel__text_quoted(g->out, (struct cupel__str){s, strlen(s)}, SIZE_MAX);
}

static void add_member(const struct rendering *g, const char *name, const char *s)
{
    if (*s == '\0')
        return;
    cupel_text_addf(g->out, ",\"%s\":", name);
    add_quoted(g, "", s);
}

static void add_clean(const struct rendering *g, const char *s)
{
    cupel__escape_untrusted(g->out, (struct cupel__str){s, strlen(s)}, 1024, 0);
}

static const char *level_of(const struct rendering *g)
{
    return g->f->is_warning ? "warning" : "error";
}

/* The message, and the help behind it. */
static void message_of(const struct rendering *g, struct cupel_text *ret)
{
    cupel_text_init(ret, &g->out->alloc);
    cupel_text_adds(ret, g->f->detail);
    cupel_text_adds(ret, g->f->help[0] != '\0' ? "; " : "");
    cupel_text_adds(ret, g->f->help);
    g->out->failed |= ret->failed;
}

static void render_human(const struct rendering *g)
{
    const struct cupel_fault *f = g->f;
    add_clean(g, g->o->file);
    if (f->line > 0)
        cupel_text_addf(g->out, ":%u:%u", (unsigned)g->line, (unsigned)f->column);
    cupel_text_addf(g->out, ": %s[%s]: ", level_of(g), f->kind);
    add_clean(g, f->detail);
    cupel_text_adds(g->out, "\n");
    if (f->line > 0 && g->text != NULL) {
        cupel__add_frame(g->out, (struct cupel__str){g->text, g->len},
                         (struct cupel__str){g->text + f->offset, (size_t)f->length}, g->line);
        cupel_text_adds(g->out, f->where[0] != '\0' ? " at " : "");
        add_clean(g, f->where);
        cupel_text_adds(g->out, "\n");
    }
    if (f->help[0] == '\0')
        return;
    cupel_text_adds(g->out, "  help: ");
    add_clean(g, f->help);
    cupel_text_adds(g->out, "\n");
}

static void render_json(const struct rendering *g)
{
    const struct cupel_fault *f = g->f;
    cupel_text_addf(g->out, "{\"offset\":%llu,\"length\":%llu,\"line\":%u,\"column\":%u",
                    (unsigned long long)f->offset, (unsigned long long)f->length,
                    (unsigned)(f->line > 0 ? g->line : 0), (unsigned)f->column);
    cupel_text_addf(g->out, ",\"level\":\"%s\"", level_of(g));
    add_quoted(g, ",\"code\":", f->kind);
    add_quoted(g, ",\"instance\":", f->where);
    add_quoted(g, ",\"message\":", f->detail);
    add_member(g, "suggestion", f->replacement);
    add_member(g, "help", f->help);
    cupel_text_adds(g->out, "}");
}

static void render_github(const struct rendering *g)
{
    struct cupel_text message;
    message_of(g, &message);
    cupel__open_command(g->out, level_of(g), g->o->file, g->f->line > 0 ? g->line : 1,
                        g->f->column > 0 ? g->f->column : 1, g->f->kind);
    cupel__add_command_text(g->out, message.bytes, message.len, false);
    cupel_text_adds(g->out, "\n");
    cupel_text_free(&message);
}

static void render_sarif(const struct rendering *g)
{
    struct cupel_text message;
    message_of(g, &message);
    cupel_text_addf(g->out,
                    "{\"ruleId\":\"%s\",\"level\":\"%s\",\"message\":{\"text\":", g->f->kind,
                    level_of(g));
    cupel__add_json(g->out, &message);
    cupel_text_adds(g->out,
                    "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    cupel__add_file_uri(g->out, g->o->file);
    cupel_text_addf(g->out, "},\"region\":{\"startLine\":%u,\"startColumn\":%u}}}]}",
                    (unsigned)(g->f->line > 0 ? g->line : 1),
                    (unsigned)(g->f->column > 0 ? g->f->column : 1));
    cupel_text_free(&message);
}

static void render_junit(const struct rendering *g)
{
    struct cupel_text message;
    message_of(g, &message);
    cupel_text_adds(g->out, "<testcase classname=\"cupel\" name=\"");
    cupel__add_xml(g->out, g->o->file, strlen(g->o->file));
    cupel_text_addf(g->out, "\">\n<error type=\"%s\" message=\"%u:%u: ", g->f->kind,
                    (unsigned)g->line, (unsigned)g->f->column);
    cupel__add_xml(g->out, message.bytes, message.len);
    cupel_text_adds(g->out, "\"/>\n</testcase>\n");
    cupel_text_free(&message);
}

void cupel_render_fault(enum cupel_rendering rendering, const struct cupel_fault *fault,
                        const char *text, size_t len, const struct cupel_render_options *options,
                        struct cupel_text *ret)
{
    struct cupel_render_options copy;
    if (fault == NULL || ret == NULL || !cupel__render_options_copy(options, &copy))
        return;
    copy.file = copy.file != NULL ? copy.file : "-";
    bool inside = text != NULL && fault->offset <= len && fault->length <= len - fault->offset;
    const struct rendering g = {fault, inside ? text : NULL,
                                len,   &copy,
                                ret,   fault->line + (copy.line > 0 ? copy.line - 1 : 0)};
    if (rendering == CUPEL_RENDER_HUMAN || rendering == CUPEL_RENDER_MODEL)
        render_human(&g);
    else if (rendering == CUPEL_RENDER_JSON)
        render_json(&g);
    else if (rendering == CUPEL_RENDER_GITHUB)
        render_github(&g);
    else if (rendering == CUPEL_RENDER_SARIF)
        render_sarif(&g);
    else if (rendering == CUPEL_RENDER_JUNIT)
        render_junit(&g);
}
