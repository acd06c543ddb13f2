// ajv in the protocol of ../driver.h: node ajv.js SCHEMAS INSTANCES MILLISECONDS
//
// One instance of ajv for each dialect compiles all its schemas, so that its own meta-schema, which takes ten
// times as long as a tool's schema, is compiled once; what the dialects need is not counted.
'use strict';

const fs = require('fs');

const DIALECTS = [
  ['draft-04', 'ajv-draft-04'],
  ['2020-12', 'ajv/dist/2020'],
  ['2019-09', 'ajv/dist/2019'],
];
const OPTIONS = { strict: false, validateFormats: false, logger: false };

// The class that knows the dialect of a schema; without one that of a tool's arguments.
function classFor(schema) {
  const declared = schema !== null && typeof schema === 'object' ? String(schema.$schema) : '';
  const found = DIALECTS.find(([name]) => declared.includes(name));
  return require(found ? found[1] : declared === 'undefined' ? 'ajv/dist/2020' : 'ajv').default;
}

const engines = new Map();

function engineFor(schema) {
  const Engine = classFor(schema);
  if (!engines.has(Engine)) engines.set(Engine, new Engine(OPTIONS));
  return engines.get(Engine);
}

// An engine keeps what it compiled, and refuses another schema with the same $id: it is told to forget, and a
// schema that clashes all the same gets an engine of its own.
function compileOnce(schema) {
  const engine = engineFor(schema);
  try {
    return engine.compile(schema);
  } catch (error) {
    if (!String(error.message).includes('resolves to more than one schema')) throw error;
    return new (classFor(schema))(OPTIONS).compile(schema);
  } finally {
    engine.removeSchema(schema);
  }
}

function compile(text) {
  try {
    return compileOnce(JSON.parse(text));
  } catch {
    return null;
  }
}

function timed(run) {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start);
}

// What the process uses of the processor, all its threads.
function used(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

function middle(times) {
  return times.length ? [...times].sort((a, b) => a - b)[times.length >> 1] : 0;
}

// The median time of a pass, after some that warm up.
function measure(budget, run) {
  const times = [];
  const first = used(run);
  const fewest = first > budget ? 1 : 3;
  for (let i = 1, spent = first; i < fewest || (i < 20 && spent < budget / 2); i++) spent += used(run);
  for (let spent = 0; times.length < fewest || (times.length < 2001 && spent < budget);) {
    const ns = used(run);
    times.push(ns);
    spent += ns;
  }
  return middle(times);
}

// Loads the modules, and has each engine compile its meta-schema: by a schema that nobody has.
function warmUp(schemas) {
  for (const text of schemas) {
    const { $schema } = JSON.parse(text);
    compile(JSON.stringify({ $schema, const: 'warm' }));
  }
}

// All programs, and for each schema the least time of some, which is the first if that took long.
function compileAll(budget, schemas) {
  const programs = [];
  let best = schemas.map((schema, i) => used(() => { programs[i] = compile(schema); }));
  const sum = (times) => times.reduce((total, ns) => total + ns, 0);
  for (let spent = sum(best); spent < budget;) {
    const times = schemas.map((schema) => used(() => compile(schema)));
    spent += sum(times);
    best = best.map((ns, i) => Math.min(ns, times[i]));
  }
  return { programs, times: best };
}

// Each document many times before the next, the least of three; twice and once if a pass takes long.
function measureHot(budget, evalNs, programs, instances) {
  const slow = evalNs > budget;
  const repeats = Math.min(Math.max(Math.floor(budget / 3 / (evalNs + 1)), slow ? 2 : 4), 1000);
  let total = 0;
  for (const { schema, document } of instances) {
    const judge = programs[schema];
    if (!judge) continue;
    const repeat = () => { for (let i = 0; i < repeats; i++) judge(document); };
    total += slow ? timed(repeat) : Math.min(timed(repeat), timed(repeat), timed(repeat));
  }
  return Math.round(total / repeats);
}

function load(path) {
  return fs.readFileSync(path, 'utf8').split('\n').filter((line) => line).map((line) => {
    const tab = line.indexOf('\t');
    const text = line.slice(tab + 1);
    return { schema: Number(line.slice(0, tab)), text, document: JSON.parse(text) };
  });
}

// With --expose-gc, what is in use after a collection.
function memory() {
  if (global.gc) global.gc();
  return process.memoryUsage().heapUsed;
}

function main([schemasFile, instancesFile, milliseconds]) {
  const schemas = fs.readFileSync(schemasFile, 'utf8').split('\n').filter((line) => line);
  const instances = load(instancesFile);
  const budget = Number(milliseconds) * 1e6;
  warmUp(schemas);
  const before = memory();
  const { programs, times } = compileAll(budget, schemas);
  const used = Math.max(memory() - before, 0);
  const judge = ({ schema, text }) => programs[schema] !== null && programs[schema](JSON.parse(text));
  const result = {
    instances: instances.length,
    bytes: instances.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    schemas: schemas.length,
    refused: programs.filter((program) => program === null).length,
    valid: instances.filter(judge).length,
    memory_bytes: used,
    compile_ns: times.reduce((sum, ns) => sum + ns, 0),
    compile_median_ns: middle(times),
  };
  if (instances.length) {
    result.eval_ns = measure(budget, () => {
      for (const { schema, document } of instances) if (programs[schema]) programs[schema](document);
    });
    result.eval_hot_ns = measureHot(budget, result.eval_ns, programs, instances);
    result.e2e_ns = measure(budget, () => { for (const i of instances) judge(i); });
    result.parse_ns = measure(budget, () => { for (const { text } of instances) JSON.parse(text); });
  }
  console.log(JSON.stringify(result));
}

main(process.argv.slice(2));
