/* index.ts: what every entry point of the package exports. */
export { compile, Validator, type Dialect, type LimitName, type Options, type Schema, type StandardIssue, type StandardProps, type Verdict } from './validator.js';
export { SchemaError, UndecidedError, ValidationError, type Problem, type Reason, type Repair, type ValidationResult } from './errors.js';
export type { AjvError } from './ajv.js';
import { engineForValidators } from './engine.js';

/** The engine in use and the version of the library in it. */
export function engine(): { kind: 'native' | 'wasm'; version: string } {
  const { kind, version } = engineForValidators();
  return { kind, version };
}
