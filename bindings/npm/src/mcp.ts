/* mcp.ts: cupel/mcp: the Model Context Protocol: a validator for its SDKs, and catalogs that judge calls and results. */
import { engineForTools, Op, type Engine, type Text } from './engine.js';
import { SchemaError, UndecidedError, type Reason } from './errors.js';
import { isBytes, toJson } from './json.js';
import { compileWith, optionsText, schemaError, schemaText, type Options, type Validator } from './validator.js';

/* -- A validator for SDKs ------------------------------------------------------------------------------------------ */

export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** The dialects that the SDKs know, by `$schema` without a trailing `#` and without the scheme. */
const DIALECTS = new Set([
  '//json-schema.org/draft/2020-12/schema',
  '//json-schema.org/draft/2019-09/schema',
  '//json-schema.org/draft-07/schema',
  '//json-schema.org/draft-06/schema',
]);

/** The schema with its dialect as the library spells it: the SDKs take either scheme, with or without `#`. */
function inDialect(schema: object): object {
  const { $schema } = schema as { $schema?: unknown };
  if (typeof $schema !== 'string') return schema;
  const path = $schema.replace(/^https?:/, '').replace(/#$/, '');
  if (!/^https?:/.test($schema) || !DIALECTS.has(path))
    throw new Error(
      `JSON Schema declares an unsupported dialect ("$schema": "${$schema.slice(0, 200)}"). ` +
        'cupel in an SDK supports JSON Schema 2020-12, 2019-09, draft-07, and draft-06; compile() supports draft-04 too.',
    );
  const spelled = path.includes('/draft/') ? `https:${path}` : `http:${path}#`;
  return spelled === $schema ? schema : { ...schema, $schema: spelled };
}

export interface ProviderOptions {
  /** How many compiled schemas are kept; 256 unless given. */
  cacheSize?: number;
  /** Further options of compile(); formats assert unless `formats` is false. */
  compile?: Options;
}

/** Validators for `@modelcontextprotocol/sdk` 1.x and `@modelcontextprotocol/{server,client}` 2.x: pass an instance as
 * `jsonSchemaValidator`.  Compiled schemas are kept by their content, never by `$id`, the least recently used ones go
 * first.  What cannot be decided is not valid. */
export class CupelJsonSchemaValidator {
  readonly #kept = new Map<string, Validator>();
  readonly #most: number;
  readonly #options: string; /* as the engine takes them */

  constructor(options: ProviderOptions = {}) {
    this.#most = options.cacheSize ?? 256;
    this.#options = optionsText({ formats: true, ...options.compile });
  }

  getValidator<T>(schema: object): JsonSchemaValidator<T> {
    const spelled = inDialect(schema);
    const validator = this.#compiled(spelled, toJson(spelled));
    return (input) => {
      let errorMessage: string;
      try {
        const message = validator.modelMessage(input);
        if (message === undefined) return { valid: true, data: input as T, errorMessage: undefined };
        errorMessage = message.replace(/^(\d+ problems?) in the arguments/, '$1');
      } catch (error) {
        if (!(error instanceof UndecidedError || error instanceof TypeError)) throw error;
        errorMessage = error.message;
      }
      return { valid: false, data: undefined, errorMessage };
    };
  }

  #compiled(schema: object, text: string): Validator {
    let validator = this.#kept.get(text);
    if (validator === undefined) {
      validator = compileWith(engineForTools(), schema, this.#options, text);
      if (this.#kept.size >= this.#most) {
        const [oldest] = this.#kept.keys();
        if (oldest !== undefined) this.#kept.delete(oldest);
      }
    } else {
      this.#kept.delete(text);
    }
    if (this.#most > 0) this.#kept.set(text, validator);
    return validator;
  }
}

/* -- Catalogs -------------------------------------------------------------------------------------------------------- */

export type ProtocolVersion = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

export interface CatalogOptions extends Options {
  /** 2026-07-28 unless given. */
  protocolVersion?: ProtocolVersion;
  /** What names should be, they must be. */
  strictNames?: boolean;
  /** Schemas are of 2020-12 or draft 7, or refused. */
  strictDialects?: boolean;
  /** A definition with hidden text is refused. */
  strictText?: boolean;
  /** In calls, no argument may have a name that differs from a declared one by case alone. */
  exactArguments?: boolean;
}

/** One thing that is wrong with a definition; docs/rules.md lists the rules. */
export interface ToolProblem {
  rule: string;
  severity: 'info' | 'warning' | 'error';
  part: 'tool' | 'inputSchema' | 'outputSchema';
  pointer: string;
  message: string;
  offset: number;
}

export interface Tool {
  readonly name: string;
  readonly id: string;
  readonly label: string;
  /** `invalid`: calls of this tool are refused. */
  readonly verdict: 'ok' | 'warning' | 'invalid';
  readonly input: boolean;
  readonly output: boolean;
  /** The definition has text that a model may read otherwise than a person. */
  readonly hiddenText: boolean;
  readonly problems: readonly ToolProblem[];
}

export type CallVerdictName = 'valid' | 'invalid' | 'undecided' | 'unknown-tool' | 'bad-request' | 'header-mismatch';

export interface CallMessage {
  readonly verdict: CallVerdictName;
  /** Why there is no verdict or the request is none; empty for `valid` and `invalid`. */
  readonly reason: string;
  readonly method?: string;
  readonly tool?: string;
  readonly id: string | number | null;
  readonly problems: number;
  readonly steps: number;
  /** The JSON-RPC message to send back in place of passing the request on; null for a notification. */
  readonly answer: Record<string, unknown> | null;
}

export interface CallVerdict extends CallMessage {
  /** Pass the message on as it is. */
  readonly valid: boolean;
  /** Every message of a batch; otherwise the one. */
  readonly messages: readonly CallMessage[];
}

export interface ResultVerdict {
  /** Pass the result on as it is. */
  readonly valid: boolean;
  readonly verdict: 'valid' | 'invalid' | 'undecided' | 'bad-result';
  readonly reason: string;
  /** The tool says that it failed. */
  readonly isError: boolean;
  readonly problems: readonly { rule?: string; keyword?: string; severity?: string; pointer: string; message: string }[];
  /** The JSON-RPC error to send on in place of the result. */
  readonly answer: Record<string, unknown> | null;
}

/** SHA-256 digests of a definition, in hexadecimal. */
export interface Pin {
  readonly name: string;
  readonly all: string;
  readonly semantic: string;
  readonly text: string;
  readonly inputSchema?: string;
  readonly outputSchema?: string;
  readonly annotations?: string;
  readonly other?: string;
}

export interface ToolChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'reordered';
  readonly name: string;
  readonly parts: readonly string[];
  readonly orderOnly: boolean;
}

export type Target = 'openai' | 'openai-strict' | 'anthropic' | 'gemini';

export interface Exported {
  readonly tool: Record<string, unknown>;
  readonly changes: readonly ToolProblem[];
}

export interface Hidden {
  readonly kind: string;
  readonly codePoint: number;
  /** In bytes of UTF-8. */
  readonly offset: number;
}

const collected = new FinalizationRegistry<{ engine: Engine; handle: number }>(({ engine, handle }) => engine.release(handle));

function textOf(message: unknown): Text {
  return typeof message === 'string' || isBytes(message) ? message : toJson(message);
}

const decoder = new TextDecoder();

/** The definitions in a list of tools: an array, a ListToolsResult, or a response with one. */
function definitionsOf(list: unknown): unknown[] {
  const value = typeof list === 'string' ? JSON.parse(list) : isBytes(list) ? JSON.parse(decoder.decode(list)) : list;
  if (Array.isArray(value)) return value;
  const { result, tools } = value as { result?: { tools?: unknown[] }; tools?: unknown[] };
  return result?.tools ?? tools ?? [];
}

/** The tools of one server.  Definitions that break rules are kept with their problems; calls of those that are refused
 * are refused. */
export class Catalog {
  readonly tools: readonly Tool[];
  readonly #engine: Engine;
  readonly #list: unknown;
  #handle: number;

  /** Use catalog(). */
  constructor(engine: Engine, list: unknown, options?: CatalogOptions) {
    this.#engine = engine;
    this.#list = list;
    this.#handle = engine.invoke(Op.catalog, 0, textOf(list), optionsText(options), 0);
    if (this.#handle <= 0) throw schemaError(engine, this.#handle);
    this.tools = JSON.parse(engine.output()) as Tool[];
    collected.register(this, { engine, handle: this.#handle }, this);
  }

  /** Judges whatever a client may send.  A `tools/call` is valid if its arguments conform to the tool's schema; any
   * other message is valid if every receiver reads it the same way. */
  call(request: unknown): CallVerdict {
    const raw = this.#invoke<{ verdict: CallVerdictName; messages: CallMessage[] }>(Op.call, textOf(request));
    const [first] = raw.messages;
    return { ...first!, verdict: raw.verdict, valid: raw.verdict === 'valid', messages: raw.messages };
  }

  /** Judges the response of a tool: a CallToolResult, or a JSON-RPC response with one.  Pass on `answer` in place of what
   * is not valid. */
  result(tool: string, response: unknown): ResultVerdict {
    const raw = this.#invoke<Omit<ResultVerdict, 'valid'>>(Op.result, textOf(response), tool);
    return { ...raw, valid: raw.verdict === 'valid' };
  }

  /** Answers a `tools/list` request from the catalog: refused definitions are left out.  `page`: the most tools in one
   * answer. */
  list(request: unknown, page = 0): Record<string, unknown> {
    return this.#invoke(Op.list, textOf(request), '', page);
  }

  /** The digests of all definitions. */
  async pins(): Promise<Pin[]> {
    return this.#engine.digests.run(() => this.#checked<Pin[]>(Op.pins));
  }

  /** The same at once, in hosts that have node:crypto. */
  pinsNow(): Pin[] {
    return this.#engine.digests.runNow(() => this.#checked<Pin[]>(Op.pins));
  }

  /** The text of a lock file, which records the digests of approved definitions. */
  async lock(): Promise<string> {
    return this.#engine.digests.run(() => {
      this.#run(Op.lock, '', '', 0, true);
      return this.#engine.output();
    });
  }

  /** What changed since a lock file was written; nothing if no definition did. */
  async diff(lock: Text): Promise<ToolChange[]> {
    return this.#engine.digests.run(() => this.#checked<ToolChange[]>(Op.lockDiff, lock));
  }

  /** The definitions as a vendor of models takes them, with what was changed. */
  export(target: Target): Exported[] {
    return definitionsOf(this.#list).map((tool) => exportTool(tool as object, target));
  }

  dispose(): void {
    if (this.#handle === 0) return;
    collected.unregister(this);
    this.#engine.release(this.#handle);
    this.#handle = 0;
  }

  #run(op: number, text: Text, more: string, number: number, zeroFails: boolean): void {
    if (this.#handle === 0) throw new Error('the catalog was disposed of');
    const result = this.#engine.invoke(op, this.#handle, text, more, number);
    if (result === -1) throw op === Op.result ? new Error(`the catalog has no tool ${JSON.stringify(more)}`) : schemaError(this.#engine, -1);
    if (zeroFails && result === 0) throw new SchemaError(JSON.parse(this.#engine.output()) as Reason);
  }

  #invoke<R>(op: number, text: Text, more = '', number = 0): R {
    this.#run(op, text, more, number, false);
    return JSON.parse(this.#engine.output()) as R;
  }

  #checked<R>(op: number, text: Text = ''): R {
    this.#run(op, text, '', 0, true);
    return JSON.parse(this.#engine.output()) as R;
  }
}

export interface Catalog extends Disposable {}
if (Symbol.dispose !== undefined)
  Object.defineProperty(Catalog.prototype, Symbol.dispose, { value: Catalog.prototype.dispose, configurable: true, writable: true });

/** Checks a list of tools and compiles their schemas: an array of definitions, a ListToolsResult, or its JSON text. */
export function catalog(tools: unknown, options?: CatalogOptions): Catalog {
  return new Catalog(engineForTools(), tools, options);
}

/** One definition as a vendor of models takes it. */
export function exportTool(tool: object | Text, target: Target): Exported {
  const engine = engineForTools();
  const result = engine.invoke(Op.export, 0, schemaText(tool), target, 0);
  if (result !== 1) throw schemaError(engine, result);
  return JSON.parse(engine.output()) as Exported;
}

/** The first text in which a model may read something else than a person; undefined if there is none.  `name`: the text
 * is a name, in which line ends and unusual spaces count as well. */
export function findHidden(text: string, options: { name?: boolean } = {}): Hidden | undefined {
  const engine = engineForTools();
  if (engine.invoke(Op.hidden, 0, text, '', options.name === true ? 1 : 0) !== 1) throw schemaError(engine, -1);
  return (JSON.parse(engine.output()) as Hidden | null) ?? undefined;
}
