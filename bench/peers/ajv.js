// ajv.js: what `cupel bench --json` measures, measured for ajv: compile, evaluate (streaming and hot),
// JSON.parse and evaluate.  Nanoseconds per pass over all instances, medians.
//
// usage: node ajv.js SCHEMA INSTANCES.jsonl
'use strict';

const fs = require('fs');

const DIALECTS = [
  ['draft-04', 'ajv-draft-04'],
  ['2020-12', 'ajv/dist/2020'],
  ['2019-09', 'ajv/dist/2019'],
];
const BUDGET_NS = 1e9; // for each figure
const HOT_REPEATS = 100;

// The class that knows the dialect of a schema.
function engineFor(schema) {
  const declared = typeof schema === 'object' ? String(schema.$schema) : '';
  const found = DIALECTS.find(([name]) => declared.includes(name));
  return require(found ? found[1] : 'ajv').default;
}

function timed(run) {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start);
}

// The median time of `run`, called at least five times and then until the budget is spent.
function median(run) {
  const times = [];
  for (let spent = 0; times.length < 5 || (spent < BUDGET_NS && times.length < 1001);) {
    const ns = timed(run);
    times.push(ns);
    spent += ns;
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

// Each document many times before the next one: the sum over documents of the mean time.
function hotPass(validate, documents) {
  let total = 0;
  for (const document of documents) {
    total += timed(() => {
      for (let i = 0; i < HOT_REPEATS; i++) validate(document);
    }) / HOT_REPEATS;
  }
  return total;
}

function main([schemaFile, instancesFile]) {
  const schema = JSON.parse(fs.readFileSync(schemaFile, 'utf8'));
  const lines = fs.readFileSync(instancesFile, 'utf8').split('\n').filter((line) => line.trim());
  const documents = lines.map((line) => JSON.parse(line));

  let validate;
  const Ajv = engineFor(schema);
  const compileNs = timed(() => {
    validate = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
  });
  const valid = documents.filter((document) => validate(document)).length;
  hotPass(validate, documents);
  const hot = [1, 2, 3].map(() => hotPass(validate, documents)).sort((a, b) => a - b)[1];
  console.log(JSON.stringify({
    instances: documents.length,
    valid,
    compile_ns: compileNs,
    eval_ns: median(() => { for (const document of documents) validate(document); }),
    eval_hot_ns: Math.round(hot),
    e2e_ns: median(() => { for (const line of lines) validate(JSON.parse(line)); }),
  }));
}

main(process.argv.slice(2));
