/* parts.c: images whose parts do not stand to each other as they should: lists and tables that are
 * shared, or taken for one another, or too large.  What is broken in one place is in refuse.c. */
#include "image_file.h"

#define PATTERNS_1 "{\"patternProperties\": {\"^a\": {\"minLength\": 1}}}"
#define PATTERNS_2 "{\"patternProperties\": {\"^b\": {\"minLength\": 2}}}"
#define MEMBERS_1  "{\"properties\": {\"a\": {\"minLength\": 1}}}"
#define MEMBERS_2  "{\"properties\": {\"b\": {\"minLength\": 2}}}"
#define OTHER_TAGGED                                                                      \
    "{\"type\": \"object\", \"required\": [\"k\"], \"oneOf\": [{\"properties\": {\"k\": " \
    "{\"const\": \"c\"}}}, {\"properties\": {\"k\": {\"const\": \"d\"}}}]}"
/* Of the members that tell its branches apart neither does alone. */
#define TWO_KEYS                                                                              \
    "{\"type\": \"object\", \"anyOf\": [{\"properties\": {\"k\": {\"const\": \"a\"}, \"l\": " \
    "{\"const\": \"c\"}}}, "                                                                  \
    "{\"properties\": {\"k\": {\"const\": \"b\"}, \"l\": {\"const\": \"c\"}}}, "              \
    "{\"properties\": {\"k\": {\"const\": \"a\"}, \"l\": {\"const\": \"d\"}}}]}"
/* Each branch is a choice itself, with a tag for each of its own. */
#define NESTED_TAGS                                                                           \
    "{\"type\": \"object\", \"required\": [\"k\"], \"oneOf\": ["                              \
    "{\"oneOf\": [{\"properties\": {\"k\": {\"const\": \"a\"}, \"x\": {\"minLength\": 1}}}, " \
    "{\"properties\": {\"k\": {\"const\": \"b\"}, \"x\": {\"minLength\": 2}}}]}, "            \
    "{\"oneOf\": [{\"properties\": {\"k\": {\"const\": \"c\"}, \"x\": {\"minLength\": 3}}}, " \
    "{\"properties\": {\"k\": {\"const\": \"d\"}, \"x\": {\"minLength\": 4}}}]}]}"
#define LENGTH_1 "{\"type\": \"string\", \"minLength\": 1}"

/* One long list for every ANY_OF: what would take time in proportion to the square. */
static void test_shared_lists(void)
{
    struct cupel_text schema;
    struct file f = {0};
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "{\"allOf\": [true");
    for (int i = 0; i < 300; i++)
        cupel_text_addf(&schema, ", {\"anyOf\": [{\"minLength\": %d}, true]}", i);
    cupel_text_adds(&schema, "]}");
    if (CHECK(compile_file(schema.bytes, PLAIN, &f))) {
        uint32_t *code = words_at(f.image, f.image->code.at);
        *words_at(f.image, f.image->tables.at) = f.image->tables.count - 1;
        for (uint32_t pc = 1; pc < f.image->code.count;
             pc += cupel__op_info[CUPEL__WORD_OP(code[pc])].words)
            if (CUPEL__WORD_OP(code[pc]) == CUPEL__OP_ANY_OF)
                code[pc + 1] = f.image->tables.at;
        repair_checksum(&f);
        struct cupel_program *program = NULL;
        struct cupel_error err = {0};
        CHECK_INT(cupel_program_load(f.bytes, f.len, 0, NULL, &program, &err), CUPEL_E_BAD_IMAGE);
        CHECK_MEM(err.detail, strcspn(err.detail, "0123456789"), "too many references at ");
        cupel_program_free(program);
    }
    free(f.bytes);
    cupel_text_free(&schema);
}

/* A list that begins inside another one, or a table: as many lists as words, each as long as the
 * section, would take time in proportion to the square. */
static void test_overlap(void)
{
    static const char schema[] =
        "{\"items\": {\"anyOf\": [{\"minLength\": 1}, {\"minItems\": 1}]}, \"contains\": "
        "{\"anyOf\": [{\"minLength\": 2}, {\"minItems\": 2}]}, \"required\": [\"a\"]}";
    for (int i = 0; i < 3; i++) {
        struct file f = {0};
        if (!CHECK(compile_file(schema, PLAIN, &f)))
            return;
        uint32_t *first = find_op(f.image, CUPEL__OP_ANY_OF),
                 *code = words_at(f.image, f.image->code.at);
        uint32_t *second = find_op_from(f.image, CUPEL__OP_ANY_OF, (uint32_t)(first - code) + 2);
        uint32_t *table = find_op(f.image, CUPEL__OP_REQUIRED);
        if (CHECK(second != NULL && table != NULL)) {
            words_at(f.image, first[1])[1] =
                0; /* a reference to nothing, or the length of an empty list */
            second[1] = i < 2 ? first[1] + 4 * (uint32_t)i : table[1] + IN_TABLE(other) * 4;
            repair_checksum(&f);
            struct cupel_program *program = NULL;
            CHECK_INT(cupel_program_load(f.bytes, f.len, 0, NULL, &program, NULL),
                      i == 0 ? CUPEL_OK : CUPEL_E_BAD_IMAGE);
            cupel_program_free(program);
        }
        free(f.bytes);
    }
}

/* The same words as two kinds of list: each is examined as one kind only. */
static void test_clash(void)
{
    static const char schema[] =
        "{\"enum\": [[1], [2]], \"anyOf\": [{\"type\": \"null\"}, {\"minItems\": 1}]}";
    struct file f = {0};
    if (!CHECK(compile_file(schema, PLAIN, &f)))
        return;
    uint32_t *values = find_op(f.image, CUPEL__OP_ENUM),
             *any_of = find_op(f.image, CUPEL__OP_ANY_OF);
    if (CHECK(values != NULL && any_of != NULL)) {
        uint32_t later =
            (uint32_t)((values > any_of ? values : any_of) - words_at(f.image, f.image->code.at));
        char detail[40];
        any_of[1] = values[1];
        repair_checksum(&f);
        snprintf(detail, sizeof detail, "bad operand at %u", later);
        check_refused(&f, schema, detail);
    }
    free(f.bytes);
}

/* A choice that tells branches apart by a member, before it a long enumeration and a table of many
 * names. */
static void add_large(struct cupel_text *schema)
{
    cupel_text_adds(schema, "{\"required\": [\"a\"], \"properties\": {\"a\": {\"enum\": [");
    for (int i = 0; i < 1100; i++)
        cupel_text_addf(schema, "%s{\"v\": %d}", i > 0 ? ", " : "", i);
    cupel_text_adds(schema, "]}, \"b\": " TAGGED ", \"c\": {\"enum\": [\"x\", \"y\"]}");
    for (int i = 0; i < 100; i++)
        cupel_text_addf(schema, ", \"name %d\": {\"type\": \"string\"}", i);
    cupel_text_adds(schema, "}}");
}

enum {
    NOTHING,
    MANY_FORMATS,
    MANY_KEYS,
    NAMES_AS_KEYS,
    DISCRIMINATOR_IN_ITSELF,
    HASHES_AS_SETS,
    NAMES_AS_MEMBERS
};

/* The table of the members that are many; 0 if there is none. */
static uint32_t find_large(struct cupel__image *image)
{
    const uint32_t *code = words_at(image, image->code.at);
    for (uint32_t *op = find_op(image, CUPEL__OP_OBJECT); op != NULL;
         op = find_op_from(image, CUPEL__OP_OBJECT, (uint32_t)(op - code) + 2))
        if (words_at(image, op[1])[IN_TABLE(count)] > 63)
            return op[1];
    CHECK(false);
    return 0;
}

/* Points one thing to where another is; what comes of it. */
static void redirect(struct cupel__image *image, int what)
{
    uint32_t *lookup = find_op(image, CUPEL__OP_LOOKUP), *choose = find_op(image, CUPEL__OP_CHOOSE);
    uint32_t *names = find_op(image, CUPEL__OP_STRINGS),
             *members = find_op(image, CUPEL__OP_OBJECT);
    if (!CHECK(lookup != NULL && choose != NULL && names != NULL && members != NULL))
        return;
    uint32_t *discriminator = words_at(image, choose[2]);
    if (what == MANY_FORMATS)
        image->formats = lookup[2];
    else if (what == MANY_KEYS)
        discriminator[IN_TABLE(count)] = 64;
    else if (what == NAMES_AS_KEYS)
        choose[2] = find_large(image);
    else if (what == DISCRIMINATOR_IN_ITSELF)
        discriminator[IN_ENTRY(sub)] = choose[2];
    else if (what == HASHES_AS_SETS)
        lookup[2] = discriminator[IN_TABLE(matches)];
    else if (what == NAMES_AS_MEMBERS)
        names[1] = members[1];
}

static void test_redirected(void)
{
    struct cupel_text schema;
    cupel_text_init(&schema, NULL);
    add_large(&schema);
    for (int what = NOTHING; what <= NAMES_AS_MEMBERS; what++) {
        struct cupel_program *program = NULL;
        struct cupel_error err = {0};
        struct file f = {0};
        if (!CHECK(compile_file(schema.bytes, 0, &f)))
            break;
        redirect(f.image, what);
        repair_checksum(&f);
        enum cupel_status s = cupel_program_load(f.bytes, f.len, 0, NULL, &program, &err);
        CHECK_INT(s, what == NOTHING ? CUPEL_OK : CUPEL_E_BAD_IMAGE);
        if (what != NOTHING)
            CHECK_MEM(err.detail, strcspn(err.detail, "0123456789"),
                      what == MANY_FORMATS ? "bad list of formats at " : "bad operand at ");
        cupel_program_free(program);
        free(f.bytes);
    }
    cupel_text_free(&schema);
}

/* Two objects may have the same members or pattern properties, two choices the same discriminator.
 */
static const struct {
    const char *schema;
    enum cupel__op op;
    uint32_t operand; /* the word that leads to a table … */
    bool matches;     /* … which is not shared itself, but its pattern properties */
} shared[] = {
    {"{\"items\": " TAGGED ", \"contains\": " OTHER_TAGGED "}", CUPEL__OP_CHOOSE, 2, false},
    {"{\"items\": " PATTERNS_1 ", \"contains\": " PATTERNS_2 "}", CUPEL__OP_OBJECT, 1, true},
    {"{\"items\": " MEMBERS_1 ", \"contains\": " MEMBERS_2 "}", CUPEL__OP_OBJECT, 1, false},
};

static void test_shared_parts(void)
{
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        struct cupel_program *program = NULL;
        struct file f = {0};
        if (!CHECK(compile_file(shared[i].schema, 0, &f)))
            continue;
        uint32_t *code = words_at(f.image, f.image->code.at),
                 *first = find_op(f.image, shared[i].op);
        uint32_t *second = NULL;
        if (CHECK(first != NULL))
            second = find_op_from(f.image, shared[i].op,
                                  (uint32_t)(first - code) + cupel__op_info[shared[i].op].words);
        if (CHECK(second != NULL) && shared[i].matches)
            words_at(f.image, second[1])[IN_TABLE(matches)] =
                words_at(f.image, first[1])[IN_TABLE(matches)];
        else if (second != NULL)
            second[shared[i].operand] = first[shared[i].operand];
        repair_checksum(&f);
        CHECK_INT(cupel_program_load(f.bytes, f.len, 0, NULL, &program, NULL), CUPEL_OK);
        cupel_program_free(program);
        free(f.bytes);
    }
}

/* -- Sets
 * -------------------------------------------------------------------------------------------------
 */

/* What is changed of a choice so that all of it fits again, but for one thing. */
enum { FEW_SETS = 1, NO_TYPES_OF_MEMBER, ONE_BRANCH, CHANGES };

static void shrink_sets(struct cupel__image *image, const uint32_t *choice, int what)
{
    uint32_t *discriminator = words_at(image, choice[2]),
             *tags = words_at(image, discriminator[IN_ENTRY(sub)]);
    struct cupel__masks *sets = (void *)words_at(image, discriminator[IN_TABLE(matches)]);
    const uint32_t branches = what == ONE_BRANCH ? 1 : 2;
    if (what != ONE_BRANCH) {
        sets->count = CUPEL__TYPES + (what == NO_TYPES_OF_MEMBER ? 2 : 0);
        sets->words = IN_SETS(set) - 1 + 2 * sets->count + sets->bits;
        tags[IN_ENTRY(sub)] = tags[IN_TABLE(other)] = 0;
    }
    sets->branches = branches;
    uint32_t *spans = (void *)(sets->set + sets->count);
    spans[0] = CUPEL__SPAN(0, 1);
    spans[1] = CUPEL__SPAN(branches - 1, 1);
}

/* Sets for all types of a value, for each key, for all types of a member of a CASES, and a branch
 * for each of its bits: without what the change leaves out it is refused. */
static void test_sets(void)
{
    for (int what = 0; what < CHANGES; what++) {
        struct file f = {0};
        if (!CHECK(compile_file(SWITCHED, 0, &f)))
            return;
        const uint32_t *cases = find_op(f.image, CUPEL__OP_CASES);
        if (CHECK(cases != NULL) && what != 0) {
            shrink_sets(f.image, cases, what);
            repair_checksum(&f);
            check_refused(&f, SWITCHED, "bad operand at 1");
        }
        free(f.bytes);
    }
}

/* A CASES has one key. */
static void test_keys(void)
{
    struct file f = {0};
    if (!CHECK(compile_file(TWO_KEYS, 0, &f)))
        return;
    uint32_t *choose = find_op(f.image, CUPEL__OP_CHOOSE);
    if (CHECK(choose != NULL) && CHECK_INT(words_at(f.image, choose[2])[IN_TABLE(count)], 2)) {
        *choose = CUPEL__OP_CASES | CUPEL__LAST;
        choose[3] = CUPEL__OP_FAIL | CUPEL__LAST; /* which is a word shorter */
        repair_checksum(&f);
        check_refused(&f, TWO_KEYS, "bad operand at 1");
    }
    free(f.bytes);
}

/* A CHOOSE has a schema for each bit of its discriminator, of which there are more than branches.
 */
static void test_targets(void)
{
    struct file f = {0};
    if (!CHECK(compile_file(NESTED_TAGS, 0, &f)))
        return;
    uint32_t *choose = find_op(f.image, CUPEL__OP_CHOOSE);
    if (CHECK(choose != NULL) &&
        CHECK(*words_at(f.image, choose[3]) > *words_at(f.image, choose[1]))) {
        uint32_t *targets = words_at(f.image, choose[3]);
        targets[0]--;
        repair_checksum(&f);
        check_refused(&f, NESTED_TAGS, "bad choice at 3");
        targets[0]++;
        choose[3] = choose[1];
        repair_checksum(&f);
        check_refused(&f, NESTED_TAGS, "bad operand at 3");
    }
    free(f.bytes);
}

/* The list of branches is not the list of targets either where both have as many: as soon as bits
 * are shared, an index into one means something else in the other. */
static void test_branches_as_targets(void)
{
    struct file f = {0};
    if (!CHECK(compile_file(TAGGED, 0, &f)))
        return;
    uint32_t *choose = find_op(f.image, CUPEL__OP_CHOOSE);
    if (CHECK(choose != NULL) &&
        CHECK(*words_at(f.image, choose[3]) == *words_at(f.image, choose[1]))) {
        choose[3] = choose[1];
        repair_checksum(&f);
        check_refused(&f, TAGGED, "bad operand at 3");
    }
    free(f.bytes);
}

/* An array of a long string and of many that are alike. */
static bool compile_alike(int len, struct file *ret)
{
    enum { LONG = 2000, ALIKE = 900 };
    struct cupel_text schema;
    cupel_text_init(&schema, NULL);
    cupel_text_addf(&schema, "{\"const\": [\"%0*d\"", LONG, 0);
    for (int i = 0; i < ALIKE; i++)
        cupel_text_addf(&schema, ", \"%0*d\"", len, 1);
    cupel_text_adds(&schema, "]}");
    bool ok = CHECK(compile_file(schema.bytes, 0, ret));
    cupel_text_free(&schema);
    return ok;
}

/* Constants share a text as long as the compiler lets them; not all of them a long one. */
static void test_shared_text(void)
{
    for (int len = CUPEL__SHARED_TEXT; len <= CUPEL__SHARED_TEXT + 1; len++) {
        struct file f = {0};
        if (!compile_alike(len, &f))
            return;
        CHECK((f.image->strings.count > 900u * CUPEL__SHARED_TEXT) == (len > CUPEL__SHARED_TEXT));
        struct cupel__node *array = (void *)words_at(f.image, f.image->values.at);
        for (uint32_t i = 2; i <= array->count && len == CUPEL__SHARED_TEXT; i++)
            array[i] = array[1];
        repair_checksum(&f);
        struct cupel_program *program = NULL;
        enum cupel_status s = cupel_program_load(f.bytes, f.len, 0, NULL, &program, NULL);
        CHECK_INT(s, len == CUPEL__SHARED_TEXT ? CUPEL_E_BAD_IMAGE : CUPEL_OK);
        cupel_program_free(program);
        free(f.bytes);
    }
}

/* A number that is read from its text is read again for each constant that has it: not a long one
 * for all. */
static void test_shared_numbers(void)
{
    enum { LONG = 1000, OTHERS = 1200 };
    struct cupel_text schema;
    struct file f = {0};
    cupel_text_init(&schema, NULL);
    cupel_text_addf(&schema, "{\"const\": [1%0*d", LONG - 1, 0);
    for (int i = 0; i < OTHERS; i++)
        cupel_text_addf(&schema, ", 1%024d", i);
    cupel_text_adds(&schema, "]}");
    if (CHECK(compile_file(schema.bytes, 0, &f))) {
        struct cupel_program *program = NULL;
        struct cupel__node *array = (void *)words_at(f.image, f.image->values.at);
        array[2] = array[1];
        repair_checksum(&f);
        CHECK_INT(cupel_program_load(f.bytes, f.len, 0, NULL, &program, NULL), CUPEL_OK);
        cupel_program_free(program);
        program = NULL;
        for (uint32_t i = 3; i <= array->count; i++)
            array[i] = array[1];
        repair_checksum(&f);
        CHECK_INT(cupel_program_load(f.bytes, f.len, 0, NULL, &program, NULL), CUPEL_E_BAD_IMAGE);
        cupel_program_free(program);
    }
    free(f.bytes);
    cupel_text_free(&schema);
}

/* More words of code than a reference can lead to. */
static void test_much_code(void)
{
    const uint32_t words = CUPEL__MAX_PC + 2;
    const size_t size = (sizeof(struct cupel__image) + 4 * (size_t)words + 31) / 16 * 16;
    struct cupel_options options;
    struct cupel_error err = {0};
    struct cupel_program *program = NULL;
    struct file f = {0};
    char *bytes = calloc(size, 1);
    if (bytes == NULL || !CHECK(compile_file(LENGTH_1, 0, &f)))
        return;
    struct cupel__image *image = (struct cupel__image *)(void *)bytes;
    *image = *f.image;
    image->size = (uint32_t)size;
    image->code = (struct cupel__section){sizeof *image, words};
    const struct cupel__section none = {sizeof *image + 4 * words, 0};
    image->tables = image->values = image->patterns = image->locs = image->marks = image->strings =
        none;
    image->checksum = cupel__image_checksum(image, size);
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_IMAGE_BYTES] = size;
    CHECK_INT(cupel_program_load(bytes, size, 0, &options, &program, &err), CUPEL_E_BAD_IMAGE);
    CHECK_STR(err.detail, "sections do not fit at 0");
    free(bytes);
    free(f.bytes);
}

static void test_arguments(void)
{
    struct file f = {0};
    struct cupel_program *program = NULL;
    struct cupel_options options;
    if (!CHECK(compile_file(LENGTH_1, 0, &f)))
        return;
    char *moved = malloc(f.len + 8);
    memcpy(moved + 4, f.bytes, f.len);
    CHECK_INT(cupel_program_load(moved + 4, f.len, CUPEL_LOAD_BORROW, NULL, &program, NULL),
              CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_program_load(moved + 4, f.len, 0, NULL, &program, NULL), CUPEL_OK);
    cupel_program_free(program);
    CHECK_INT(cupel_program_load(f.bytes, f.len, CUPEL_LOAD_BORROW, NULL, &program, NULL),
              CUPEL_OK);
    size_t len;
    CHECK(cupel_program_image(program, &len) == f.bytes && len == f.len);
    cupel_program_free(program);
    cupel_options_init(&options);
    for (size_t less = 0; less < 2; less++) {
        options.limits[CUPEL_LIMIT_IMAGE_BYTES] = f.len - less;
        program = NULL;
        CHECK_INT(cupel_program_load(f.bytes, f.len, 0, &options, &program, NULL),
                  less ? CUPEL_E_IMAGE_SIZE : CUPEL_OK);
        cupel_program_free(program);
    }
    free(moved);
    free(f.bytes);
}

int main(void)
{
    test_shared_lists();
    test_overlap();
    test_clash();
    test_redirected();
    test_shared_parts();
    test_sets();
    test_keys();
    test_targets();
    test_branches_as_targets();
    test_shared_text();
    test_shared_numbers();
    test_much_code();
    test_arguments();
    return test_end();
}
