/* repair_lines.c: puts repairs and the text for models behind a pipe, for repairs.py.
 *
 * Reads lines {"schema":…,"instance":…}; for each it prints one: null where the instance is valid,
 * false where schema or verdict could not be had, otherwise {"text":…,"result":…,"value":…}: the
 * text for models, the result of the repair, and the repaired instance or null. */
#include <cupel/cupel.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct pipe {
    struct cupel_options options;
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text text, value, out;
};

static void print(struct pipe *p, const struct cupel_program *program, uint32_t instance)
{
    enum cupel_repair_result result;
    result = cupel_repair(program, p->scratch, p->doc, instance, NULL, &p->value, NULL);
    cupel_text_clear(&p->out);
    cupel_text_adds(&p->out, "{\"text\":");
    cupel_text_add_json(&p->out, p->text.bytes, p->text.len);
    cupel_text_addf(&p->out, ",\"result\":\"%s\",\"value\":", cupel_repair_name(result));
    if (result == CUPEL_REPAIRED)
        cupel_text_add(&p->out, p->value.bytes, p->value.len);
    else
        cupel_text_adds(&p->out, "null");
    cupel_text_adds(&p->out, "}");
    for (size_t i = 0; i < p->out.len; i++)
        if (p->out.bytes[i] == '\n')
            p->out.bytes[i] = ' ';
    fwrite(p->out.bytes, 1, p->out.len, stdout);
}

static void answer(struct pipe *p, const char *line, size_t len)
{
    struct cupel_program *program = NULL;
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    uint32_t instance = CUPEL_NO_NODE;
    cupel_text_clear(&p->text);
    cupel_text_clear(&p->value);
    if (cupel_document_read(p->doc, line, len, NULL) == CUPEL_OK) {
        uint32_t schema = cupel_json_member(p->doc, 0, "schema", 6);
        instance = cupel_json_member(p->doc, 0, "instance", 8);
        if (cupel_compile_node(p->doc, schema, &p->options, &program, NULL) == CUPEL_OK)
            verdict = cupel_render(program, p->scratch, p->doc, instance, CUPEL_RENDER_MODEL, NULL,
                                   &p->text, NULL);
    }
    if (verdict == CUPEL_INVALID)
        print(p, program, instance);
    else
        fputs(verdict == CUPEL_VALID ? "null" : "false", stdout);
    putchar('\n');
    cupel_program_free(program);
}

int main(void)
{
    struct pipe p;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    cupel_options_init(&p.options);
    p.options.flags |= CUPEL_ANNOTATIONS;
    bool ok = cupel_document_new(NULL, &p.doc) == CUPEL_OK &&
              cupel_scratch_new(NULL, &p.scratch) == CUPEL_OK;
    cupel_text_init(&p.text, NULL);
    cupel_text_init(&p.value, NULL);
    cupel_text_init(&p.out, NULL);
    while (ok && (len = getline(&line, &capacity, stdin)) >= 0)
        answer(&p, line, (size_t)len);
    free(line);
    cupel_text_free(&p.text);
    cupel_text_free(&p.value);
    cupel_text_free(&p.out);
    cupel_scratch_free(p.scratch);
    cupel_document_free(p.doc);
    return ok ? 0 : 1;
}
