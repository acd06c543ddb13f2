/* errors.ts: what is thrown. */

/** Why a text could not be read, a schema not be compiled, or a value not be judged. */
export interface Reason {
  /** A status of the library, such as `SYNTAX`, `SCHEMA` or `LIMIT_STEPS`. */
  code: string;
  /** One sentence without a full stop. */
  message: string;
  /** JSON Pointer of the place, where it is known. */
  pointer: string;
  /** Where it is in the text: line and column are counted from 1, the offset in bytes from 0. */
  line?: number;
  column?: number;
  offset?: number;
}

/** One thing that is wrong with a value. */
export interface Problem {
  /** What kind of problem, such as `required` or `unknown-property`. */
  code: string;
  /** The keyword of the schema that failed. */
  keyword: string;
  /** JSON Pointer of the value. */
  pointer: string;
  /** JSON Pointer of the keyword in the schema. */
  schemaPointer: string;
  /** One sentence without a full stop. */
  message: string;
  /** Where the value is, if a text was judged: line and column are counted from 1; offset and length are bytes. */
  line?: number;
  column?: number;
  offset?: number;
  length?: number;
}

/** How a value could be made valid, where there is one way to read it. */
export interface Repair {
  /** The changes, a JSON Patch (RFC 6902). */
  patch: { op: string; path: string; from?: string; value?: unknown }[];
  /** The JSON text of the value after them. */
  text: string;
}

export interface ValidationResult {
  readonly valid: boolean;
  /** Nobody knows whether the value is valid; `reason` says why.  `valid` is false then. */
  readonly undecided: boolean;
  readonly errors: readonly Problem[];
  readonly reason?: Reason;
  /** What is wrong, in words that a language model can act on. */
  readonly modelMessage?: string;
  readonly repair?: Repair;
}

function place(reason: Reason): string {
  const where = reason.line === undefined ? '' : ` (line ${reason.line}, column ${reason.column})`;
  return reason.pointer === '' ? where : ` at ${reason.pointer}${where}`;
}

/** A schema that cannot be compiled, or options that the library does not know. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError';
  readonly code: string;
  constructor(readonly reason: Reason) {
    super(reason.message + place(reason));
    this.code = reason.code;
  }
}

/** A value on which there is no verdict: a limit was reached, memory ran out, or a text is no JSON. */
export class UndecidedError extends Error {
  override readonly name: string = 'UndecidedError';
  readonly code: string;
  constructor(readonly reason: Reason) {
    super(`could not be decided: ${reason.message}${place(reason)}`);
    this.code = reason.code;
  }
}

/** A text that is not valid. */
export class ValidationError extends Error {
  override readonly name: string = 'ValidationError';
  readonly errors: readonly Problem[];
  constructor(readonly result: ValidationResult) {
    const [first, ...rest] = result.errors;
    const more = rest.length > 0 ? `, and ${rest.length} more` : '';
    super(first === undefined ? 'not valid' : `${first.pointer || 'the value'}: ${first.message}${more}`);
    this.errors = result.errors;
  }
}
