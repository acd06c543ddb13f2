/* embed.c: a stranger's program, in C and in C++, for install.sh. */
#include <cupel/cupel.h>
#include <string.h>

int main(void)
{
    const char *schema = "{\"type\":\"object\",\"required\":[\"a\"]}";
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    if (cupel_compile(schema, strlen(schema), NULL, &program, NULL) != CUPEL_OK)
        return 1;
    if (cupel_scratch_new(NULL, &scratch) != CUPEL_OK)
        return 1;
    int good = cupel_validate(program, scratch, "{\"a\":1}", 7, NULL);
    int bad = cupel_validate(program, scratch, "{}", 2, NULL);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return !(good == CUPEL_VALID && bad == CUPEL_INVALID);
}
