#!/usr/bin/env node
/* cli.ts: the command `npx cupel`: validate, lint, tools check.  Files in JSON, in YAML if the package `yaml` is there.
 * The exit status is that of cupel's own command: 0 valid, 1 invalid, 2 wrong usage, 3 a refused schema, 4 input that is
 * no JSON or cannot be read, 5 undecided. */
import { readFileSync } from 'node:fs';
import { SchemaError, type Reason, type ValidationResult } from './errors.js';
import type { Tool } from './mcp.js';
import { catalog } from './node-mcp.js';
import { compile, engine } from './node.js';
import type { Dialect, Options, Validator } from './validator.js';

const HELP = `usage: cupel validate [OPTION…] SCHEMA INSTANCE…    judge documents by a schema
       cupel lint [OPTION…] SCHEMA…                 say whether schemas compile, and where not
       cupel tools check [OPTION…] LIST…            check definitions of MCP tools
       cupel --version

Files end in .json, .jsonl (a document a line), .yaml or .yml; - is the standard input.

  --format human|json   how results are printed; json: an object a line
  --formats             the keyword format asserts
  --dialect DIALECT     of schemas without $schema: draft-04, draft-06, draft-07, 2019-09, 2020-12
  --ref URI=FILE        a document that schemas may refer to; may be given more than once
  --model               print problems as a language model should read them
  --repair              print how an invalid document could be repaired
`;

/** The exit statuses, from the best to the worst. */
const STATUS = { valid: 0, invalid: 1, usage: 2, schema: 3, input: 4, undecided: 5 } as const;

class UsageError extends Error {}

interface Settings {
  json: boolean;
  model: boolean;
  repair: boolean;
  options: Options;
  files: string[];
}

interface Document {
  name: string;
  text: string;
  line: number;
}

let status: number = STATUS.valid;
function note(found: number): void {
  status = Math.max(status, found);
}

/* -- Files -------------------------------------------------------------------------------------------------------------- */

class InputError extends Error {}

function yamlToJson(name: string, text: string): string {
  let yaml: { parse(text: string, options: object): unknown };
  try {
    yaml = require('yaml') as typeof yaml;
  } catch {
    throw new InputError(`${name}: YAML needs the package yaml: npm install yaml`);
  }
  try {
    return JSON.stringify(yaml.parse(text, { version: '1.2', schema: 'core', intAsBigInt: false }));
  } catch (error) {
    throw new InputError(`${name}: ${(error as Error).message}`);
  }
}

function readText(name: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(name === '-' ? 0 : name);
  } catch (error) {
    throw new InputError(`${name}: ${(error as Error).message}`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /\.ya?ml$/.test(name) ? yamlToJson(name, text) : text;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: not UTF-8`);
  }
}

function documents(name: string): Document[] {
  const text = readText(name);
  if (!/\.(jsonl|ndjson)$/.test(name)) return [{ name, text, line: 0 }];
  return text
    .split('\n')
    .map((line, i) => ({ name, text: line, line: i + 1 }))
    .filter((document) => document.text.trim() !== '');
}

/* -- Options -------------------------------------------------------------------------------------------------------------- */

function parse(args: string[]): Settings {
  const settings: Settings = { json: false, model: false, repair: false, options: {}, files: [] };
  const schemas: Record<string, unknown> = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const value = (): string => {
      const next = args[++i];
      if (next === undefined) throw new UsageError(`${arg} needs a value`);
      return next;
    };
    if (arg === '--format') settings.json = oneOf(value(), ['human', 'json']) === 'json';
    else if (arg === '--formats') settings.options.formats = true;
    else if (arg === '--model') settings.model = true;
    else if (arg === '--repair') settings.repair = true;
    else if (arg === '--dialect') settings.options.dialect = oneOf(value(), ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']) as Dialect;
    else if (arg === '--ref') {
      const [, uri, file] = /^([^=]+)=(.+)$/.exec(value()) ?? [];
      if (uri === undefined || file === undefined) throw new UsageError('--ref needs URI=FILE');
      schemas[uri] = JSON.parse(readText(file));
    } else if (arg.startsWith('-') && arg !== '-') throw new UsageError(`no such option: ${arg}`);
    else settings.files.push(arg);
  }
  if (Object.keys(schemas).length > 0) settings.options.schemas = schemas;
  return settings;
}

function oneOf(value: string, allowed: readonly string[]): string {
  if (!allowed.includes(value)) throw new UsageError(`${value} is none of ${allowed.join(', ')}`);
  return value;
}

/* -- Printing ------------------------------------------------------------------------------------------------------------- */

/** Text from a file on its way to a terminal: control characters and marks of direction become escapes. */
function clean(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function reasonText(reason: Reason): string {
  const where = reason.line === undefined ? '' : `${reason.line}:${reason.column}: `;
  const at = reason.pointer === '' ? '' : ` at ${reason.pointer}`;
  return clean(`${where}error[${reason.code}]: ${reason.message}${at}`);
}

/** A status of the group "Reading JSON": the document is no JSON text that is accepted. */
const READING = new Set(['SYNTAX', 'UTF8', 'SURROGATE', 'BOM', 'TRAILING', 'DUPLICATE_KEY', 'JSON_DEPTH', 'JSON_SIZE', 'NUMBER_SIZE']);

function printResult(document: Document, result: ValidationResult, settings: Settings): void {
  const file = document.line > 0 ? `${document.name}:${document.line}` : document.name;
  const verdict = result.valid ? 'valid' : result.undecided ? 'undecided' : 'invalid';
  if (result.undecided) note(READING.has(result.reason!.code) ? STATUS.input : STATUS.undecided);
  else if (!result.valid) note(STATUS.invalid);
  if (settings.json) {
    const { errors, reason, modelMessage, repair } = result;
    print(JSON.stringify({ file: document.name, line: document.line || 1, verdict, reason, errors, model: settings.model ? modelMessage : undefined, repair: settings.repair ? repair : undefined }));
    return;
  }
  print(`${clean(file)}: ${verdict}`);
  if (result.reason !== undefined) print(`${clean(file)}:${reasonText(result.reason)}`);
  if (settings.model) print(result.modelMessage ?? '');
  else
    for (const e of result.errors)
      print(clean(`${document.name}:${(document.line || 1) + e.line! - 1}:${e.column}: error[${e.code}]: ${e.message}${e.pointer === '' ? '' : ` at ${e.pointer}`} (schema: #${e.schemaPointer})`));
  if (settings.repair && result.repair !== undefined) print(clean(`repair: ${JSON.stringify(result.repair.patch)}`));
}

/* -- Verbs ----------------------------------------------------------------------------------------------------------------- */

/** The validator of a schema file, or undefined after its error was printed. */
function compiled(name: string, settings: Settings): Validator | undefined {
  try {
    return compile(readText(name), settings.options);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    note(STATUS.schema);
    if (settings.json) print(JSON.stringify({ file: name, verdict: 'refused', reason: error.reason }));
    else print(`${clean(name)}:${reasonText(error.reason)}`);
    return undefined;
  }
}

function validate(settings: Settings): void {
  const [schema, ...files] = settings.files;
  if (schema === undefined || files.length === 0) throw new UsageError('validate needs a schema and a document');
  const validator = compiled(schema, settings);
  if (validator === undefined) return;
  for (const file of files) for (const document of documents(file)) printResult(document, validator.validate(Buffer.from(document.text)), settings);
}

function lint(settings: Settings): void {
  if (settings.files.length === 0) throw new UsageError('lint needs a schema');
  for (const file of settings.files)
    if (compiled(file, settings) !== undefined) print(settings.json ? JSON.stringify({ file, verdict: 'compiles' }) : `${clean(file)}: compiles`);
}

function printTool(file: string, tool: Tool, settings: Settings): void {
  if (tool.verdict === 'invalid') note(STATUS.invalid);
  if (settings.json) {
    print(JSON.stringify({ file, ...tool }));
    return;
  }
  print(clean(`${file}: ${tool.name}: ${tool.verdict}`));
  for (const p of tool.problems) print(clean(`  ${p.severity}[${p.rule}]: ${p.message} at ${p.part}${p.pointer}`));
}

function toolsCheck(settings: Settings): void {
  if (settings.files.length === 0) throw new UsageError('tools check needs a list of tools');
  for (const file of settings.files)
    try {
      for (const tool of catalog(readText(file), settings.options).tools) printTool(file, tool, settings);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      note(STATUS.input);
      print(`${clean(file)}:${reasonText(error.reason)}`);
    }
}

function main(args: string[]): void {
  const [verb, second] = args;
  if (verb === '--help' || verb === 'help') process.stdout.write(HELP);
  else if (verb === '--version') print(`cupel ${engine().version} (${engine().kind})`);
  else if (verb === 'validate') validate(parse(args.slice(1)));
  else if (verb === 'lint') lint(parse(args.slice(1)));
  else if (verb === 'tools' && second === 'check') toolsCheck(parse(args.slice(2)));
  else throw new UsageError(verb === undefined ? 'a verb is missing' : `no such verb: ${verb}`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`cupel: ${error.message}\n${HELP}`);
    status = STATUS.usage;
  } else if (error instanceof InputError) {
    process.stderr.write(`cupel: ${clean(error.message)}\n`);
    status = STATUS.input;
  } else throw error;
}
process.exitCode = status;
