/* browser.ts: cupel in browsers, as an ES module: the module is fetched from beside this file. */
import { hasSimd } from './engine-wasm.js';
import { provideFrom } from './engine-web.js';

await provideFrom(hasSimd() ? new URL('../wasm/cupel-core.wasm', import.meta.url) : new URL('../wasm/cupel-scalar.wasm', import.meta.url), false);

export { compile, engine, SchemaError, UndecidedError, ValidationError, Validator } from './index.js';
export type { AjvError, Dialect, LimitName, Options, Problem, Reason, Repair, Schema, StandardIssue, StandardProps, ValidationResult, Verdict } from './index.js';

/** For code that runs as CommonJS too: the engine is there already. */
export async function init(): Promise<void> {}
