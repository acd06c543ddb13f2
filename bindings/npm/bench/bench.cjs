/* bench.cjs: the package beside ajv and @cfworker/json-schema, on the sets of the public jsonschema-benchmark, recorded
 * MCP calls and real catalogs of tools.  scripts/test-bindings.sh --bench runs it in a folder where all are installed.
 *
 * usage: node bench.cjs PACKAGE CORPORA [ROUNDS]
 *
 * Every figure is a ratio of minima: the contenders of a comparison take turns, and of each the fastest round counts.
 * ajv gets the options with which it is fastest (strict: false, validateFormats: false), as cupel does not assert
 * formats here either. */
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const [, , folder, corpora, rounds = '7', only] = process.argv;
const cupel = (file) => require(path.join(folder, 'cjs', file));
const { WasmEngine } = cupel('engine-wasm.js');
const { compileWith } = cupel('validator.js');
const { engineForTools } = cupel('engine.js');
const ROUNDS = Number(rounds);
const MOST_DOCUMENTS = 300;
/* Some schemas of the sets are larger than the default limits allow. */
const OPTIONS = { dialect: 'draft-07', limits: { schema_bytes: 16 << 20, image_bytes: 64 << 20, compile_bytes: 256 << 20, body_bytes: 16 << 20, steps: 1e9, pattern_steps: 1e9 } };
const SLICE = 4e6; /* nanoseconds of one turn */

/* -- Measuring ----------------------------------------------------------------------------------------------------- */

function time(run, repeat) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < repeat; i++) run();
  return Number(process.hrtime.bigint() - start) / repeat;
}

/** The least nanoseconds of each contender, a map from names to functions. */
function race(contenders) {
  const names = Object.keys(contenders);
  const best = {}, repeat = {};
  for (const name of names) {
    contenders[name]();
    best[name] = time(contenders[name], 3);
    repeat[name] = Math.max(1, Math.min(1e5, Math.round(SLICE / best[name])));
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) best[name] = Math.min(best[name], time(contenders[name], repeat[name]));
  return best;
}

const geomean = (numbers) => Math.exp(numbers.reduce((sum, n) => sum + Math.log(n), 0) / numbers.length);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const round = (n) => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));

function summary(label, ratios) {
  const sorted = [...ratios].sort((a, b) => a.ratio - b.ratio);
  const values = sorted.map((r) => r.ratio);
  console.log(`${label.padEnd(58)} geomean ${round(geomean(values)).padStart(5)}  median ${round(median(values)).padStart(5)}` +
    `  least ${round(values[0])} (${sorted[0].name})  most ${round(values.at(-1))} (${sorted.at(-1).name})`);
}

/* -- Sets ------------------------------------------------------------------------------------------------------------ */

function loadSet(name) {
  const base = path.join(corpora, 'bench', name);
  const lines = fs.readFileSync(path.join(base, 'instances.jsonl'), 'utf8').split('\n').filter(Boolean).slice(0, MOST_DOCUMENTS);
  return { name, schema: fs.readFileSync(path.join(base, 'schema.json'), 'utf8'), lines, buffers: lines.map((l) => Buffer.from(l)), values: lines.map((l) => JSON.parse(l)) };
}

function makeAjv(schema) {
  const dialect = schema.$schema ?? '';
  const Ajv = require(dialect.includes('2020-12') ? 'ajv/dist/2020' : dialect.includes('2019-09') ? 'ajv/dist/2019' : dialect.includes('draft-04') ? 'ajv-draft-04' : 'ajv').default;
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  if (dialect.includes('draft-06')) ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
  return ajv.compile(schema);
}

function makeCfworker(schema) {
  const { Validator } = require('@cfworker/json-schema');
  const draft = /draft-0?(\d)/.exec(schema.$schema ?? '')?.[1] ?? (schema.$schema ?? '').match(/20\d\d-\d\d/)?.[0] ?? '2020-12';
  const validator = new Validator(schema, ['4', '7', '2019-09', '2020-12'].includes(draft) ? draft : '7', true);
  return (value) => validator.validate(value).valid;
}

function tryTo(make, name, what) {
  try {
    return make();
  } catch (error) {
    console.log(`  ${name}: ${what} is left out: ${error.message.split('\n')[0].slice(0, 100)}`);
    return undefined;
  }
}

const all = (items, run) => () => {
  let sum = 0;
  for (let i = 0; i < items.length; i++) sum += run(items[i]) ? 1 : 0;
  return sum;
};

function measureSet(name, native, wasm) {
  const set = loadSet(name);
  const schema = JSON.parse(set.schema);
  const n = compileWith(native, set.schema, OPTIONS), w = compileWith(wasm, set.schema, OPTIONS);
  const ajv = tryTo(() => makeAjv(schema), name, 'ajv');
  const cf = tryTo(() => makeCfworker(schema), name, 'cfworker');
  const contenders = {
    nativeBuffer: all(set.buffers, (b) => n.check(b)),
    wasmBuffer: all(set.buffers, (b) => w.check(b)),
    nativeValue: all(set.values, (v) => n.isValid(v)),
    wasmValue: all(set.values, (v) => w.isValid(v)),
  };
  if (ajv) {
    contenders.ajvBuffer = all(set.buffers, (b) => ajv(JSON.parse(b.toString())));
    contenders.ajvValue = all(set.values, (v) => ajv(v));
  }
  if (cf && tryTo(() => cf(set.values[0]), name, 'cfworker') !== undefined) contenders.cfValue = all(set.values, (v) => cf(v));
  return { name, best: race(contenders) };
}

function measureSets(native, wasm) {
  const measured = fs.readdirSync(path.join(corpora, 'bench')).filter((n) => !only || n === only).map((name) => measureSet(name, native, wasm));
  const ratios = (slow, fast) => measured.filter((m) => m.best[slow] !== undefined).map((m) => ({ name: m.name, ratio: m.best[slow] / m.best[fast] }));
  summary('Buffer: JSON.parse + ajv / addon', ratios('ajvBuffer', 'nativeBuffer'));
  summary('Buffer: JSON.parse + ajv / wasm', ratios('ajvBuffer', 'wasmBuffer'));
  summary('values: ajv / addon', ratios('ajvValue', 'nativeValue'));
  summary('values: ajv / wasm', ratios('ajvValue', 'wasmValue'));
  summary('values: cfworker / wasm', ratios('cfValue', 'wasmValue'));
  summary('the same Buffer: wasm / addon', ratios('wasmBuffer', 'nativeBuffer'));
}

/* -- Recorded calls ----------------------------------------------------------------------------------------------------- */

/** The first calls whose arguments and schema the corpus has. */
function recordedCalls(most) {
  const calls = [];
  for (const file of fs.readdirSync(path.join(corpora, 'calls')))
    for (const line of fs.readFileSync(path.join(corpora, 'calls', file), 'utf8').split('\n').filter(Boolean).slice(0, 40)) {
      const call = JSON.parse(line);
      if (call.inputSchema && call.arguments !== undefined && calls.length < most) calls.push(call);
    }
  return calls;
}

function measureCalls(native, wasm) {
  const calls = recordedCalls(200);
  const make = (engine) => calls.map((c) => ({ v: compileWith(engine, c.inputSchema), b: Buffer.from(JSON.stringify(c.arguments)) }));
  const n = make(native), w = make(wasm);
  const size = median(n.map(({ b }) => b.length));
  /* The host compiles a module a second time, in the background, where it has run for a while. */
  const contenders = { addon: all(n, ({ v, b }) => v.check(b)), wasm: all(w, ({ v, b }) => v.check(b)) };
  for (let i = 0; i < 2000; i++) contenders.wasm();
  const best = race(contenders);
  console.log(`recorded calls (${calls.length}, median ${size} bytes): addon ${round(best.addon / calls.length)} ns, wasm ${round(best.wasm / calls.length)} ns, wasm / addon ${round(best.wasm / best.addon)}`);
  const schema = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 40 }, on: { type: 'boolean' } }, required: ['id', 'name'] } };
  const big = Buffer.from(JSON.stringify(Array.from({ length: 341 }, (_, i) => ({ id: i, name: `the item number ${i}`, on: i % 2 === 0 }))));
  const nb = compileWith(native, schema), wb = compileWith(wasm, schema);
  const large = race({ addon: () => nb.check(big), wasm: () => wb.check(big) });
  console.log(`a text of ${big.length} bytes: addon ${round(large.addon)} ns, wasm ${round(large.wasm)} ns, wasm / addon ${round(large.wasm / large.addon)}`);
}

/* -- Catalogs ------------------------------------------------------------------------------------------------------------- */

/** Makes a validator for every schema of every tool, in a process of its own: milliseconds and bytes of memory. */
function catalogTime(kind) {
  const env = { ...process.env, CUPEL_ENGINE: kind === 'wasm' ? 'wasm' : kind === 'native' ? 'native' : '' };
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', path.join(__dirname, 'catalog.cjs'), kind, folder, corpora], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

function measureCatalogs() {
  const best = {};
  for (let i = 0; i < 3; i++)
    for (const kind of ['sdk', 'native', 'wasm']) {
      const { ms, bytes, tools } = catalogTime(kind);
      best[kind] = { ms: Math.min(ms, best[kind]?.ms ?? Infinity), bytes: Math.min(bytes, best[kind]?.bytes ?? Infinity), tools };
    }
  const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  console.log(`validators for ${best.sdk.tools} tools: SDK's default ${best.sdk.ms.toFixed(0)} ms, ${mib(best.sdk.bytes)}; addon ${best.native.ms.toFixed(0)} ms, ${mib(best.native.bytes)}; wasm ${best.wasm.ms.toFixed(0)} ms, ${mib(best.wasm.bytes)}`);
  console.log(`  SDK's default / addon ${round(best.sdk.ms / best.native.ms)}, memory ${round(best.sdk.bytes / best.native.bytes)}; SDK's default / wasm ${round(best.sdk.ms / best.wasm.ms)}, memory ${round(best.sdk.bytes / best.wasm.bytes)}`);
}

cupel('node.js');
const native = engineForTools();
if (native.kind !== 'native') throw new Error('the platform package is not installed');
const modules = path.join(folder, 'wasm/cupel.wasm');
const wasm = new WasmEngine(new WebAssembly.Module(fs.readFileSync(modules)));
console.log(`node ${process.version}, cupel ${native.version}, ${ROUNDS} rounds`);
if (!only) measureCatalogs();
measureCalls(native, wasm);
measureSets(native, wasm);
