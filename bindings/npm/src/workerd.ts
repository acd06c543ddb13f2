/* workerd.ts: cupel in workerd, which compiles modules when a Worker is deployed. */
import module from '../wasm/cupel-core.wasm';
import { provide } from './engine.js';
import { WasmEngine } from './engine-wasm.js';

provide(new WasmEngine(module), false);

export { compile, engine, SchemaError, UndecidedError, ValidationError, Validator } from './index.js';
export type { AjvError, Dialect, LimitName, Options, Problem, Reason, Repair, Schema, StandardIssue, StandardProps, ValidationResult, Verdict } from './index.js';

/** For code that runs in browsers too: the engine is there already. */
export async function init(): Promise<void> {}
