/* render_lines.c: puts the text for models behind a pipe, for mutate.py.
 *
 * Reads lines {"schema":…,"instance":…}; for each it prints one: the rendering as a JSON string, or
 * null where the instance is valid, or false where schema or verdict could not be had. */
#include <cupel/cupel.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct pipe {
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text text;
};

static void answer(struct pipe *p, const char *line, size_t len)
{
    struct cupel_program *program = NULL;
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    cupel_text_clear(&p->text);
    if (cupel_document_read(p->doc, line, len, NULL) == CUPEL_OK) {
        uint32_t schema = cupel_json_member(p->doc, 0, "schema", 6);
        uint32_t instance = cupel_json_member(p->doc, 0, "instance", 8);
        if (cupel_compile_node(p->doc, schema, NULL, &program, NULL) == CUPEL_OK)
            verdict = cupel_render(program, p->scratch, p->doc, instance, CUPEL_RENDER_MODEL, NULL,
                                   &p->text, NULL);
    }
    if (verdict == CUPEL_INVALID) {
        struct cupel_text json;
        cupel_text_init(&json, NULL);
        cupel_text_add_json(&json, p->text.bytes, p->text.len);
        fwrite(json.bytes, 1, json.len, stdout);
        cupel_text_free(&json);
    } else {
        fputs(verdict == CUPEL_VALID ? "null" : "false", stdout);
    }
    putchar('\n');
    cupel_program_free(program);
}

int main(void)
{
    struct pipe p;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    bool ok = cupel_document_new(NULL, &p.doc) == CUPEL_OK &&
              cupel_scratch_new(NULL, &p.scratch) == CUPEL_OK;
    cupel_text_init(&p.text, NULL);
    while (ok && (len = getline(&line, &capacity, stdin)) >= 0)
        answer(&p, line, (size_t)len);
    free(line);
    cupel_text_free(&p.text);
    cupel_scratch_free(p.scratch);
    cupel_document_free(p.doc);
    return ok ? 0 : 1;
}
