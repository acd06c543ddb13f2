/* invoke.c: all functions of core.h that take inputs and write outputs, by number, so that the
 * addon and the module need one entry for them. */
#include "core.h"

int64_t core_invoke(struct core *core, enum core_op op, uint32_t handle, size_t len, size_t more,
                    uint32_t number)
{
    switch (op) {
    case CORE_COMPILE:
        return core_compile(core, len, more);
    case CORE_OUTCOME:
        core_outcome(core);
        return 1;
    case CORE_VALIDATE:
        return core_validate(core, handle, len, more, number);
#ifdef CORE_WITH_TRACE
    case CORE_DISASSEMBLE:
        core_disassemble(core, handle, number != 0);
        return 1;
    case CORE_TRACE:
        return core_trace(core, handle, len);
#endif
#ifndef CORE_WITHOUT_MCP
    case CORE_CATALOG:
        return core_catalog(core, len, more);
    case CORE_CALL:
        return core_call(core, handle, len);
    case CORE_RESULT_OF:
        return core_result(core, handle, len, more);
    case CORE_LIST:
        return core_list(core, handle, len, number);
    case CORE_PINS:
        return core_pins(core, handle);
    case CORE_LOCK:
        return core_lock(core, handle);
    case CORE_LOCK_DIFF:
        return core_lock_diff(core, handle, len);
    case CORE_HIDDEN:
        core_hidden(core, len, number != 0);
        return 1;
    case CORE_EXPORT:
        return core_export(core, len, more);
#endif
    default:
        return -1;
    }
}
