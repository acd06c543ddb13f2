/* browser-cjs.ts: cupel in browsers, as CommonJS, which cannot wait for the module: call init() first. */
import { provideFrom, type ModuleSource } from './engine-web.js';

export { compile, engine, SchemaError, UndecidedError, ValidationError, Validator } from './index.js';
export type { AjvError, Dialect, LimitName, Options, Problem, Reason, Repair, Schema, StandardIssue, StandardProps, ValidationResult, Verdict } from './index.js';

/** Makes the engine of wasm/cupel-core.wasm: its URL, bytes, or the compiled module. */
export async function init(source: ModuleSource): Promise<void> {
  await provideFrom(source, false);
}
