/* node.ts: cupel in Node.js, Deno and Bun: the addon if it is installed, else WebAssembly. */
import { provideNode } from './node-engine.js';

provideNode();

export { compile, engine, SchemaError, UndecidedError, ValidationError, Validator } from './index.js';
export type { AjvError, Dialect, LimitName, Options, Problem, Reason, Repair, Schema, StandardIssue, StandardProps, ValidationResult, Verdict } from './index.js';

/** For code that runs in browsers too: the engine is there already. */
export async function init(): Promise<void> {}
