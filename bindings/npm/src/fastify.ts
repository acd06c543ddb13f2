/* fastify.ts: cupel/fastify: bodies judged as bytes, before they are parsed, in Fastify and in Express.
 *
 *     bytes ── check ──▶ verdict, kept by the parsed body
 *       └──── parse ──▶ body ── Fastify's validation ──▶ the kept verdict
 *
 * Fastify's own steps stay: its parser guards against prototype poisoning, and its validation step answers, attaches or
 * formats the errors. */
import type { AjvError } from './ajv.js';
import { toAjv } from './ajv.js';
import { UndecidedError } from './errors.js';
import { compile, INVALID, VALID, type Options, type Validator } from './validator.js';

/* -- Fastify ------------------------------------------------------------------------------------------------------- */

export interface RouteSchema {
  schema: unknown;
  method?: string;
  url?: string;
  httpPart?: string;
}

export interface ValidateFunction {
  (data: unknown): boolean | { error?: Error; value?: unknown };
  errors?: AjvError[] | null;
}

export type ValidatorCompiler = (route: RouteSchema) => ValidateFunction;

/** Options of ajv that change the data: query strings and headers mostly need them. */
const CHANGES = ['coerceTypes', 'useDefaults', 'removeAdditional'] as const;

/** Throws for options that ask to change what is validated, which cupel never does. */
function refuseChanges(options: Record<string, unknown> | undefined): void {
  const wanted = CHANGES.filter((name) => options?.[name]);
  if (wanted.length > 0)
    throw new Error(`cupel validates values as they are: it has no ${wanted.join(', ')}; leave these options out, or let ajv validate this part`);
}

/** Shared schemas by absolute URI, as references to them are resolved. */
function sharedSchemas(schemas: Record<string, unknown> | undefined): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (const [id, schema] of Object.entries(schemas ?? {})) named[new URL(id, BASE).href.replace(/#$/, '')] = schema;
  return named;
}

/** The base of schemas that have no `$id`, so that `user#` refers to the shared schema `user`. */
const BASE = 'cupel://fastify/';

function withBase(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id } = schema as { $id?: unknown };
  const base = new URL(typeof $id === 'string' ? $id : '', BASE).href.replace(/#$/, '');
  /* Beside $ref, draft 7 ignores $id. */
  return '$ref' in schema ? { $id: base, allOf: [schema] } : { ...schema, $id: base };
}

/** Draft 7 is what Fastify's schemas are written in. */
function compileRoute(schema: unknown, options: Options | undefined, shared: Record<string, unknown>): Validator {
  return compile(withBase(schema) as object, { dialect: 'draft-07', formats: true, ...options, schemas: { ...shared, ...options?.schemas } });
}

function undecided(error: UndecidedError): AjvError {
  return { keyword: 'undecided', instancePath: error.reason.pointer, schemaPath: '#', params: { code: error.code }, message: error.message };
}

/** A function as Fastify calls it; `kept` has what is known of values already. */
function validateFunction(validator: Validator, kept?: WeakMap<object, readonly AjvError[]>): ValidateFunction {
  const validate: ValidateFunction = (data) => {
    const known = typeof data === 'object' && data !== null ? kept?.get(data) : undefined;
    if (known !== undefined) {
      validate.errors = known.length > 0 ? [...known] : null;
      return known.length === 0;
    }
    try {
      const valid = validator.isValid(data);
      validate.errors = validator.errors;
      return valid;
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error;
      validate.errors = [undecided(error)];
      return false;
    }
  };
  return validate;
}

export interface CompilerOptions extends Options {
  /** The options that ajv would get.  Those that change data are refused. */
  ajv?: Record<string, unknown>;
  /** Schemas that routes refer to, by `$id`, as `fastify.getSchemas()` has them. */
  shared?: Record<string, unknown>;
}

/** For `fastify.setValidatorCompiler`: every part of a request by cupel, nothing coerced. */
export function validatorCompiler(options: CompilerOptions = {}): ValidatorCompiler {
  const { ajv, shared, ...rest } = options;
  refuseChanges(ajv);
  const schemas = sharedSchemas(shared);
  return ({ schema }) => validateFunction(compileRoute(schema, rest, schemas));
}

/** For `schemaController.compilersFactory.buildValidator`: the same for the whole server, with its shared schemas and
 * the options that it has for ajv. */
export function buildValidator(shared: Record<string, unknown>, ajv?: { customOptions?: Record<string, unknown> }): ValidatorCompiler {
  return validatorCompiler({ shared, ...(ajv?.customOptions === undefined ? {} : { ajv: ajv.customOptions }) });
}

type ValidatorBuilder = (shared: Record<string, unknown>, ajv?: object) => ValidatorCompiler;

interface FastifyLike {
  getDefaultJsonParser(proto: string, constructor: string): (request: unknown, body: string, done: ParserDone) => void;
  removeContentTypeParser(type: string): void;
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: (request: never, body: never, done: ParserDone) => void): unknown;
  setSchemaController(controller: { compilersFactory: { buildValidator: ValidatorBuilder } }): unknown;
}

type ParserDone = (error: Error | null, body?: unknown) => void;

interface RequestLike {
  readonly headers: Record<string, string | string[] | undefined>;
  readonly routeOptions?: { readonly schema?: { readonly body?: unknown } };
}

export interface BodyOptions extends Options {
  /** Compiles the schemas of the other parts: parameters, query strings, headers.  Unless given, ajv does, as
   * `@fastify/ajv-compiler` builds it; that package is installed with Fastify. */
  others?: ValidatorCompiler;
  onProtoPoisoning?: 'error' | 'remove' | 'ignore';
  onConstructorPoisoning?: 'error' | 'remove' | 'ignore';
}

/** The schema of a JSON body: `body` itself, or that of its content type. */
function bodySchema(request: RequestLike): unknown {
  const body = request.routeOptions?.schema?.body;
  const content = (body as { content?: Record<string, { schema?: unknown }> } | undefined)?.content;
  return content === undefined ? body : content['application/json']?.schema;
}

/** What the body is known to be: no errors, or these.  Undefined where the default parser decides: a text that is no
 * JSON is its error to report. */
function judge(validator: Validator, body: Uint8Array): readonly AjvError[] | undefined {
  const verdict = validator.check(body);
  if (verdict === VALID) return [];
  if (verdict === INVALID) {
    const { errors } = validator.validate(body);
    return errors.map((problem) => toAjv(problem, validator.schema));
  }
  const { reason } = validator.validate(body);
  return [undecided(new UndecidedError(reason!))];
}

/** A Fastify plugin: `fastify.register(cupelBody)`.  JSON bodies are judged as they came, and then parsed. */
export function cupelBody(instance: any, options: BodyOptions, done: (error?: Error) => void): void {
  const fastify = instance as FastifyLike; /* Fastify's own types are not needed to use the package without it */
  const { others, onProtoPoisoning = 'error', onConstructorPoisoning = 'error', ...rest } = options;
  const validators = new WeakMap<object, Validator>();
  const kept = new WeakMap<object, readonly AjvError[]>();
  /* Called for each context that has schemas of its own. */
  const buildValidator: ValidatorBuilder = (shared, ajv) => {
    const schemas = sharedSchemas(shared);
    let fallback = others;
    return (route) => {
      if (route.httpPart !== 'body') return (fallback ??= ajvCompiler(shared, ajv))(route);
      const validator = compileRoute(route.schema, rest, schemas);
      if (typeof route.schema === 'object' && route.schema !== null) validators.set(route.schema, validator);
      return validateFunction(validator, kept);
    };
  };
  const parse = fastify.getDefaultJsonParser(onProtoPoisoning, onConstructorPoisoning);
  const parser = (request: RequestLike, body: Buffer, finish: ParserDone): void => {
    const schema = bodySchema(request);
    const validator = typeof schema === 'object' && schema !== null ? validators.get(schema) : undefined;
    const known = validator === undefined || body.length === 0 ? undefined : judge(validator, body);
    parse(request, body.toString('utf8'), (error, value) => {
      if (known !== undefined && error === null && typeof value === 'object' && value !== null) kept.set(value, known);
      finish(error, value);
    });
  };
  try {
    fastify.removeContentTypeParser('application/json');
    fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, parser as (request: never, body: never, done: ParserDone) => void);
    fastify.setSchemaController({ compilersFactory: { buildValidator } });
    done();
  } catch (error) {
    done(error as Error);
  }
}

/* Fastify's marks of a plugin that is not encapsulated, and of its name and version range (fastify-plugin). */
Object.assign(cupelBody, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'cupel',
  [Symbol.for('plugin-meta')]: { name: 'cupel', fastify: '5.x' },
});

/** Ajv for the parts that are no body, with the server's options for it and Fastify's defaults. */
function ajvCompiler(shared: Record<string, unknown>, options: object = { customOptions: {}, plugins: [] }): ValidatorCompiler {
  const fromFastify = (require('node:module') as typeof import('node:module')).createRequire(require.resolve('fastify'));
  const selector = fromFastify('@fastify/ajv-compiler') as () => (shared: object, options: object) => ValidatorCompiler;
  return selector()(shared, options);
}

/* -- Express ------------------------------------------------------------------------------------------------------- */

interface IncomingLike extends AsyncIterable<Uint8Array> {
  readonly headers: Record<string, string | string[] | undefined>;
  body?: unknown;
}

/** An error that Express answers with its status. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly expose = true;
  constructor(
    readonly status: 400 | 413,
    message: string,
    readonly errors: readonly AjvError[] = [],
  ) {
    super(message);
  }
}

async function readAll(request: IncomingLike, most: number): Promise<Uint8Array> {
  if (request.body instanceof Uint8Array) return request.body; /* express.raw() was first */
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > most) throw new BodyError(413, `the body has more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function isJson(request: IncomingLike): boolean {
  const type = request.headers['content-type'];
  return typeof type === 'string' && /^application\/(?:json|[^;]*\+json)(?:\s*;|$)/i.test(type);
}

/** A function for Express, in place of express.json(): judges the body of a JSON request by the schema and parses it.
 * A body that is not valid is an error with status 400, one on which there is no verdict too. */
export function expressBody(
  schema: object | boolean,
  options: Options = {},
): (request: IncomingLike, response: unknown, next: (error?: unknown) => void) => void {
  const validator = compile(schema, { formats: true, ...options });
  const most = options.limits?.body_bytes ?? 1 << 20;
  return (request, _, next) => {
    if (!isJson(request)) return next();
    readAll(request, most)
      .then((body) => {
        const errors = judge(validator, body) ?? [];
        const [first] = errors;
        if (first !== undefined) throw new BodyError(400, `body${first.instancePath}: ${first.message}`, errors);
        request.body = JSON.parse(Buffer.from(body).toString('utf8'), safely);
      })
      .then(() => next(), next);
  };
}

/** Leaves members out by which an assignment would change a prototype. */
function safely(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value;
}
