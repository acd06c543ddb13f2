/* memory.test.cjs: a million compilations with level memory, disposed of one by one, and a hundred thousand that only the
 * garbage collector gives back.  CUPEL_TEST_COMPILATIONS changes the million. */
'use strict';
const fs = require('node:fs');
const { check, same } = require('./check.cjs');
const { compile } = require('cupel');
const { engineForTools } = require('../node_modules/cupel/cjs/engine.js');

const COUNT = Number(process.env.CUPEL_TEST_COMPILATIONS ?? 1e6);
const engine = engineForTools();
/** Bytes of memory: WebAssembly's, or those of the process that belong to it alone. */
const used = () => (engine.kind === 'wasm' ? engine.memory() : Number(/RssAnon:\s*(\d+) kB/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) * 1024);

const schemas = Array.from({ length: 100 }, (_, i) =>
  JSON.stringify({ type: 'object', properties: Object.fromEntries(Array.from({ length: i % 9 }, (_, j) => [`p${i}_${j}`, j % 2 ? { type: 'integer', minimum: i } : { pattern: `^[a-z]{${j + 1}}-${i}$` }])), required: i % 2 ? ['a'] : [] }));

function run(count, dispose) {
  let valid = 0;
  for (let i = 0; i < count; i++) {
    const v = compile(schemas[i % schemas.length]);
    if (i % 16 === 0 && v.check('{"a":1}') === 0) valid++;
    if (dispose) v.dispose();
  }
  return valid;
}

async function main() {
  run(Math.max(COUNT / 2, 300000), true); /* the heap of JavaScript has its size then */
  global.gc();
  const before = used();
  same(run(COUNT, true) > 0, true);
  global.gc();
  const after = used();
  console.log(`${COUNT} compilations: ${(before / 2 ** 20).toFixed(1)} MiB before, ${(after / 2 ** 20).toFixed(1)} MiB after`);
  check(after - before < 16 << 20, `memory grew by ${after - before} bytes`);
  if (engine.kind === 'wasm') same(after, before, 'the memory of the module');
  for (let i = 0; i < 100; i++) {
    run(1000, false);
    global.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const collected = used();
  console.log(`100,000 more without dispose(): ${(collected / 2 ** 20).toFixed(1)} MiB`);
  check(collected - after < 32 << 20, `memory grew by ${collected - after} bytes`);
}

main().catch((error) => check(false, error.stack));
