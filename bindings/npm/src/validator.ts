/* validator.ts: compiling schemas, and judging values and texts by them.
 *
 * A Validator holds the handle of a program in its engine.  The handle is 0, which is none, once the validator was
 * disposed of; validators that nobody disposed of are released when they are collected. */
import { toAjv, type AjvError } from './ajv.js';
import { Detail, engineForValidators, Op, type Engine, type Text } from './engine.js';
import { SchemaError, UndecidedError, ValidationError, type Problem, type Reason, type Repair, type ValidationResult } from './errors.js';
import { isBytes, segments, toJson } from './json.js';

export type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

/** The bounds of compiling and validating; the command `cupel help limits` describes them. */
export type LimitName =
  | 'body_bytes' | 'depth' | 'number_chars' | 'schema_bytes' | 'schema_depth' | 'subschemas' | 'image_bytes'
  | 'pattern_bytes' | 'matcher_bytes' | 'pattern_steps' | 'catalog_pattern_steps' | 'errors' | 'error_bytes' | 'steps'
  | 'steps_per_byte' | 'scratch_bytes' | 'compile_bytes';

export interface Options {
  /** The dialect of schemas without `$schema`; 2020-12 unless given. */
  dialect?: Dialect;
  /** `format` asserts (true), or nowhere does (false).  Unless given, the dialect decides, which is mostly no. */
  formats?: boolean;
  /** Host names that need IDNA pass a format; otherwise they are undecided. */
  idnOptional?: boolean;
  /** `contentEncoding` and `contentMediaType` assert, in schemas of draft 7. */
  content?: boolean;
  /** Missing properties get their `default` in a repair. */
  defaults?: boolean;
  /** Of several members with one name the last counts; otherwise such a text is refused. */
  duplicateKeys?: boolean;
  /** A text may begin with a byte order mark. */
  byteOrderMark?: boolean;
  /** Patterns must follow ECMA-262 with the flag `u` exactly. */
  strictPatterns?: boolean;
  /** False refuses patterns with back-references, whose work only a budget bounds. */
  backReferences?: boolean;
  limits?: Partial<Record<LimitName, number>>;
  /** Documents that schemas may refer to, by absolute URI.  Nothing is ever fetched. */
  schemas?: Record<string, unknown>;
}

/** A JSON Schema: as a value, or as JSON text. */
export type Schema = object | boolean | string | Uint8Array;

/** What Standard Schema (standardschema.dev, version 1) asks for, and Standard JSON Schema. */
export interface StandardProps<T> {
  readonly version: 1;
  readonly vendor: 'cupel';
  readonly validate: (value: unknown) => { value: T; issues?: undefined } | { issues: readonly StandardIssue[] };
  readonly jsonSchema: {
    readonly input: (options?: { target?: string }) => Record<string, unknown>;
    readonly output: (options?: { target?: string }) => Record<string, unknown>;
  };
  readonly types?: { readonly input: T; readonly output: T } | undefined;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
}

export const VALID = 0;
export const INVALID = 1;
export const UNDECIDED = 2;
/** 0 valid, 1 invalid, 2 undecided or no JSON text. */
export type Verdict = typeof VALID | typeof INVALID | typeof UNDECIDED;

interface Raw {
  verdict: number;
  reason: Reason | null;
  errors?: Problem[];
  model?: string;
  repair?: { result: string; patch?: Repair['patch']; text?: string };
}

const VALID_RESULT: ValidationResult = Object.freeze({ valid: true, undecided: false, errors: Object.freeze([]) as readonly Problem[] });

/** Releases programs of validators that were collected. */
const collected = new FinalizationRegistry<{ engine: Engine; handle: number }>(({ engine, handle }) => engine.release(handle));

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A list without the places in the text, for a value that was no text. */
function withoutPlaces(problems: readonly Problem[]): Problem[] {
  return problems.map(({ code, keyword, pointer, schemaPointer, message }) => ({ code, keyword, pointer, schemaPointer, message }));
}

/** The path of a Standard Schema issue: indexes of arrays as numbers. */
function pathOf(root: unknown, pointer: string): PropertyKey[] {
  let value = root;
  return segments(pointer).map((part) => {
    const key = Array.isArray(value) ? Number(part) : part;
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
    return key;
  });
}

export class Validator<T = unknown> {
  readonly #engine: Engine;
  readonly #schema: Schema;
  #handle: number;
  #last: string | Uint8Array | undefined; /* the text of the last value that isValid found invalid */
  #errors: AjvError[] | null = null;
  #lastIsValue = true;

  /** Use compile(). */
  constructor(engine: Engine, handle: number, schema: Schema) {
    this.#engine = engine;
    this.#handle = handle;
    this.#schema = schema;
    collected.register(this, { engine, handle }, this);
  }

  /** Judges a JSON text: 0 valid, 1 invalid, 2 undecided, or no JSON text. */
  check(text: Text): Verdict {
    const verdict = typeof text === 'string' ? this.#engine.checkText(this.#handle, text) : this.#engine.check(this.#handle, text);
    if (verdict === VALID || verdict === INVALID || verdict === UNDECIDED) return verdict;
    return this.#refuse(text);
  }

  /** Judges a value, or a JSON text in bytes.  UndecidedError if there is no verdict. */
  isValid(value: unknown): value is T {
    const text = isBytes(value) ? value : toJson(value);
    const verdict = this.check(text);
    this.#errors = null;
    this.#last = undefined;
    if (verdict === UNDECIDED) throw new UndecidedError(this.#reason());
    if (verdict === INVALID) {
      this.#last = typeof text === 'string' ? text : text.slice();
      this.#lastIsValue = typeof text === 'string';
    }
    return verdict === VALID;
  }

  /** What was wrong with the value that isValid or validate judged last, in the shape of ajv's errors; null if nothing.
   * They are found when they are asked for. */
  get errors(): AjvError[] | null {
    if (this.#errors === null && this.#last !== undefined) {
      const { errors } = this.#judge(this.#last, Detail.problems, this.#lastIsValue);
      this.#setErrors(errors);
    }
    return this.#errors;
  }

  /** Judges a value, or a JSON text in bytes, and says what is wrong with it. */
  validate(value: unknown): ValidationResult {
    const isText = isBytes(value);
    const text = isText ? value : toJson(value);
    this.#errors = null;
    this.#last = undefined;
    if (this.check(text) === VALID) return VALID_RESULT;
    const result = this.#judge(text, Detail.problems | Detail.model | Detail.repair, !isText);
    if (!result.undecided) this.#setErrors(result.errors);
    return result;
  }

  /** Judges a JSON text and parses it.  ValidationError if it is not valid, UndecidedError if there is no verdict. */
  loads(text: Text): T {
    const verdict = this.check(text);
    if (verdict === UNDECIDED) throw new UndecidedError(this.#reason());
    if (verdict === INVALID) throw new ValidationError(this.#judge(text, Detail.problems | Detail.model, false));
    return JSON.parse(typeof text === 'string' ? text : decoder.decode(text)) as T;
  }

  /** What is wrong with a value, in words for a language model; undefined if it is valid.  UndecidedError if there is no
   * verdict.  `tool` is the name of the tool whose arguments the value is; `result`: it is what a tool returned. */
  modelMessage(value: unknown, options: { tool?: string; result?: boolean } = {}): string | undefined {
    const text = isBytes(value) ? value : toJson(value);
    const verdict = this.check(text);
    if (verdict === VALID) return undefined;
    if (verdict === UNDECIDED) throw new UndecidedError(this.#reason());
    return this.#run(text, Detail.model | (options.result === true ? Detail.result : 0), options.tool ?? '').model ?? 'not valid';
  }

  /** The schema's value, parsed if it was given as text. */
  get schema(): unknown {
    const schema = this.#schema;
    if (typeof schema === 'string') return JSON.parse(schema);
    return isBytes(schema) ? JSON.parse(decoder.decode(schema)) : schema;
  }

  /** Gives the program's memory back.  A later use of the validator throws. */
  dispose(): void {
    if (this.#handle === 0) return;
    collected.unregister(this);
    this.#engine.release(this.#handle);
    this.#handle = 0;
  }

  /** Standard Schema, version 1. */
  get '~standard'(): StandardProps<T> {
    const jsonSchema = (): Record<string, unknown> => structuredClone(this.schema) as Record<string, unknown>;
    return {
      version: 1,
      vendor: 'cupel',
      validate: (value) => this.#standard(value),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    };
  }

  #standard(value: unknown): ReturnType<StandardProps<T>['validate']> {
    let text: string;
    try {
      text = toJson(value);
    } catch (error) {
      return { issues: [{ message: (error as Error).message }] };
    }
    if (this.check(text) === VALID) return { value: value as T };
    const result = this.#judge(text, Detail.problems, true);
    if (result.reason !== undefined) return { issues: [{ message: `could not be decided: ${result.reason.message}` }] };
    return { issues: result.errors.map(({ message, pointer }) => ({ message, path: pathOf(value, pointer) })) };
  }

  #setErrors(problems: readonly Problem[]): void {
    const { schema } = this;
    this.#errors = problems.map((problem) => toAjv(problem, schema));
  }

  #run(text: Text, details: number, tool = ''): Raw {
    const verdict = this.#engine.invoke(Op.validate, this.#handle, text, tool, details);
    if (verdict === -1) return { verdict: UNDECIDED, reason: this.#reason() };
    if (verdict > UNDECIDED) this.#refuse(text);
    return JSON.parse(this.#engine.output()) as Raw;
  }

  /** The result of a text that is not valid. */
  #judge(text: Text, details: number, isValue: boolean): ValidationResult {
    const raw = this.#run(text, details);
    if (raw.verdict === VALID) return VALID_RESULT;
    if (raw.verdict === UNDECIDED) return { valid: false, undecided: true, errors: [], reason: raw.reason! };
    const errors = isValue ? withoutPlaces(raw.errors ?? []) : (raw.errors ?? []);
    const { repair } = raw;
    return {
      valid: false,
      undecided: false,
      errors,
      ...(raw.model === undefined ? {} : { modelMessage: raw.model }),
      ...(repair?.patch === undefined ? {} : { repair: { patch: repair.patch, text: repair.text! } }),
    };
  }

  /** Why the last text has no verdict. */
  #reason(): Reason {
    this.#engine.invoke(Op.outcome, 0, '', '', 0);
    return (JSON.parse(this.#engine.output()) as { reason: Reason | null }).reason ?? { code: 'INTERNAL', message: 'unknown', pointer: '' };
  }

  #refuse(text: unknown): never {
    if (this.#handle === 0) throw new Error('the validator was disposed of');
    throw new TypeError(`a JSON text is a string or a Uint8Array, not ${text === null ? 'null' : typeof text}`);
  }
}

export interface Validator<T> extends Disposable {}
/* Hosts without explicit resource management have no such symbol. */
if (Symbol.dispose !== undefined)
  Object.defineProperty(Validator.prototype, Symbol.dispose, { value: Validator.prototype.dispose, configurable: true, writable: true });

/** The options as JSON for the engine. */
export function optionsText(options: object | string | undefined): string {
  if (typeof options === 'string') return options;
  return options === undefined ? '' : toJson(options);
}

/** The error that an engine wrote in place of a result. */
export function schemaError(engine: Engine, result: number): SchemaError {
  if (result === -1) engine.invoke(Op.outcome, 0, '', '', 0);
  const written = JSON.parse(engine.output()) as Reason & { reason?: Reason };
  return new SchemaError(written.reason ?? written);
}

export function schemaText(schema: Schema): Text {
  if (typeof schema === 'string' || isBytes(schema)) return schema;
  try {
    return toJson(schema);
  } catch (error) {
    throw error instanceof UndecidedError ? new SchemaError(error.reason) : error;
  }
}

/** Compiles a schema, with an engine of one's own.  `text` is the schema's text where it is known already, `options` may
 * be what optionsText returned. */
export function compileWith<T = unknown>(engine: Engine, schema: Schema, options?: Options | string, text: Text = schemaText(schema)): Validator<T> {
  const handle = engine.invoke(Op.compile, 0, text, optionsText(options), 0);
  if (handle <= 0) throw schemaError(engine, handle);
  return new Validator<T>(engine, handle, schema);
}

/** Compiles a schema.  SchemaError says what is wrong with it, and where. */
export function compile<T = unknown>(schema: Schema, options?: Options): Validator<T> {
  return compileWith<T>(engineForValidators(), schema, options);
}
