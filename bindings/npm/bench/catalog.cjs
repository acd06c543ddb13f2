/* catalog.cjs: makes a validator for each schema of all tools of the corpus with one provider, and prints the time and
 * the growth of memory.
 *
 * usage: node --expose-gc catalog.cjs sdk|native|wasm PACKAGE CORPORA */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const [, , kind, folder, corpora] = process.argv;

const schemas = [];
for (const file of fs.readdirSync(path.join(corpora, 'mcp-tools')).filter((f) => f.endsWith('.json'))) {
  const { tools } = JSON.parse(fs.readFileSync(path.join(corpora, 'mcp-tools', file), 'utf8'));
  for (const tool of tools) schemas.push(tool.inputSchema);
}
const load = () => {
  if (kind === 'sdk') return new (require('@modelcontextprotocol/sdk/validation/ajv').AjvJsonSchemaValidator)();
  return new (require(path.join(folder, 'cjs/node-mcp.js')).CupelJsonSchemaValidator)({ cacheSize: 0 });
};
const provider = load();
provider.getValidator({ type: 'object' });
global.gc();
/** Bytes of memory that belong to the process alone: neither its program nor files. */
const memory = () => Number(/RssAnon:\s*(\d+) kB/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
const before = memory();
const start = process.hrtime.bigint();
const made = [];
for (const schema of schemas)
  try {
    made.push(provider.getValidator(schema));
  } catch {
    /* a schema that the provider refuses */
  }
const ms = Number(process.hrtime.bigint() - start) / 1e6;
global.gc();
console.log(JSON.stringify({ ms, bytes: memory() - before, tools: made.length }));
