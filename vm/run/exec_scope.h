/* exec_scope.h: evaluation, dynamic scope and annotations.  Part of exec_loop.h, which includes it.
 */

/* The next child that an UNEVALUATED's first part left; its frame is on the stack, its `n` the
 * position of the child. */
static int next_unevaluated(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    bool object = vm->nodes[sp->v].type == CUPEL__OBJECT;
    uint32_t sub = object ? word[2] : word[3];
    bool any = sub == CUPEL__SUB_ANY, ok = true;
    for (; sp->left > 0 && !any; sp->left--, sp->n++) {
        struct cupel__node *child = vm->nodes + sp->at + object;
        CHARGE(1);
        if (!cupel__is_evaluated(vm, sp, sp->n)) {
            ok = cupel__admits(sub, child);
            if (!ok)
                break;
            if (CUPEL__SUB_PC(sub) != 0) {
                v = child;
                ENTER(sub);
            }
        }
        sp->at = (uint32_t)(cupel__node_next(vm->nodes, (uint32_t)(child - vm->nodes)));
    }
    WITH_WORK(cupel__track_end(vm, sp));
    POP();
    if (!ok)
        FAIL();
    NEXT(4);
}

static int passed_UNEVALUATED(ARGS)
{
    bool object = vm->nodes[sp->v].type == CUPEL__OBJECT;
    if (sp->stage == 0) {
        sp->stage = 1;
        sp->at = sp->v + 1;
        sp->left = vm->nodes[sp->v].count;
        sp->n = 0;
    } else {
        sp->at = cupel__node_next(vm->nodes, sp->at + object);
        sp->left--;
        sp->n++;
    }
    TAIL_CALL(next_unevaluated);
}

static int op_UNEVALUATED(ARGS)
{
    uint32_t sub = pc[1], left = v->type == CUPEL__OBJECT ? pc[2] : pc[3];
    if (v->type < CUPEL__ARRAY || left == CUPEL__NO_SUB)
        INPLACE(sub, 4);
    if (!cupel__admits(sub, v))
        FAIL();
    PUSH(UNEVALUATED);
    bool begun;
    WITH_WORK(begun = cupel__track_begin(vm, sp));
    if (!begun)
        STOP(vm->reason);
    if (CUPEL__SUB_PC(sub) == 0)
        TAIL_CALL(passed_UNEVALUATED);
    ENTER(sub);
}

static int passed_SCOPE(ARGS)
{
    vm->scope.bound &= ~sp->bound;
    vm->scope.number = sp->scope;
    POP();
    NEXT(3);
}

static int op_SCOPE(ARGS)
{
    uint32_t sub = pc[1];
    const struct cupel__list *list = cupel__image_list(vm->image, pc[2]);
    CHARGE(list->count);
    if (!cupel__admits(sub, v))
        FAIL();
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(3);
    PUSH(SCOPE);
    sp->bound = cupel__scope_bind(&vm->scope, list->item, list->count);
    sp->scope = vm->scope.number;
    if (sp->bound != 0 && vm->memos && !cupel__memo_scope(vm, sp->pc))
        STOP(vm->reason);
    ENTER(sub);
}

static int op_DYNAMIC(ARGS)
{
    INPLACE(cupel__dynamic_sub(&vm->scope, pc), 2);
}

static int op_NOTE(ARGS)
{
    NEXT(2);
}
