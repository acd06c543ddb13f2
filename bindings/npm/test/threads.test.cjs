/* threads.test.cjs: ten worker threads at once, each with its own engine, judge the same documents; one is ended while it
 * works. */
'use strict';
const { isMainThread, parentPort, Worker, workerData } = require('node:worker_threads');
const { compile } = require('cupel');
const { catalog } = require('cupel/mcp');

const schema = { type: 'object', properties: { id: { type: 'integer' }, name: { pattern: '^item [0-9]+$' } }, required: ['id', 'name'] };

/** The verdicts on 20,000 documents, a third of which is wrong. */
function judge(seed) {
  const v = compile(schema), tools = catalog([{ name: 't', inputSchema: schema }]);
  let valid = 0, calls = 0;
  for (let i = seed; i < seed + 20000; i++) {
    const value = { id: i % 3 === 0 ? String(i) : i, name: `item ${i}` };
    if (v.check(Buffer.from(JSON.stringify(value))) === 0) valid++;
    if (i % 20 === 0 && tools.call({ jsonrpc: '2.0', id: i, method: 'tools/call', params: { name: 't', arguments: value } }).valid) calls++;
    if (i % 1000 === 0) compile({ const: i }).dispose();
  }
  return [valid, calls];
}

if (!isMainThread) {
  if (workerData.endless) for (;;) judge(0);
  parentPort.postMessage(judge(workerData.seed));
} else {
  const { check, same } = require('./check.cjs');
  const run = (seed) => new Promise((resolve, reject) => new Worker(__filename, { workerData: { seed } }).on('message', resolve).on('error', reject));
  const wanted = judge(0);
  const endless = new Worker(__filename, { workerData: { endless: true } });
  Promise.all(Array.from({ length: 10 }, () => run(0)))
    .then((found) => {
      for (const each of found) same(each, wanted);
      return endless.terminate();
    })
    .then(() => same(judge(0), wanted, 'the main thread'), (error) => check(false, error.stack));
}
