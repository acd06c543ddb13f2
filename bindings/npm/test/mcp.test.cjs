/* mcp.test.cjs: cupel/mcp: the provider for SDKs, and catalogs. */
'use strict';
const crypto = require('node:crypto');
const { check, same, throws } = require('./check.cjs');
const { Catalog, catalog, CupelJsonSchemaValidator, exportTool, findHidden } = require('cupel/mcp');
const { engineForTools } = require('../node_modules/cupel/cjs/engine.js');

const weather = {
  name: 'weather',
  description: 'The weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } }, required: ['city'] },
  outputSchema: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
};

/* -- The provider ------------------------------------------------------------------------------------------------------ */

function testProvider() {
  const provider = new CupelJsonSchemaValidator();
  const validate = provider.getValidator(weather.inputSchema);
  const value = { city: 'Rome' };
  const good = validate(value);
  check(good.valid && good.data === value && good.errorMessage === undefined, 'valid');
  const bad = validate({ city: 1 });
  same([bad.valid, bad.data], [false, undefined]);
  check(/city/.test(bad.errorMessage) && /string/.test(bad.errorMessage), bad.errorMessage);
  same(provider.getValidator({ format: 'ipv4' })('no').valid, false, 'formats assert');
  same(new CupelJsonSchemaValidator({ compile: { formats: false } }).getValidator({ format: 'ipv4' })('no').valid, true);
  for (const odd of [NaN, undefined, () => 1]) same(provider.getValidator({})(odd).valid, false);
  same(provider.getValidator({ type: 'integer' })(12345678901234567890n).valid, true);
  throws(() => provider.getValidator({ type: 'intger' }), 'SchemaError');
}

/** Undecided is never valid. */
function testProviderUndecided() {
  const provider = new CupelJsonSchemaValidator({ compile: { limits: { steps: 50 } } });
  const result = provider.getValidator({ pattern: '^(a|b|ab)*c\\1$' })('ab'.repeat(200));
  same(result.valid, false);
  check(result.errorMessage.startsWith('could not be decided: '), result.errorMessage);
  let nested = [];
  for (let i = 0; i < 20000; i++) nested = [nested];
  check(provider.getValidator({})(nested).errorMessage.startsWith('could not be decided: '), 'nested');
}

function testDialects() {
  const provider = new CupelJsonSchemaValidator();
  const tuple = { items: [{ type: 'string' }] }, prefix = { prefixItems: [{ type: 'string' }] };
  for (const scheme of ['http', 'https'])
    for (const end of ['', '#']) {
      for (const old of ['draft-07', 'draft-06', 'draft/2019-09'])
        same(provider.getValidator({ ...tuple, $schema: `${scheme}://json-schema.org/${old}/schema${end}` })([1]).valid, false, `${scheme} ${old} ${end}`);
      same(provider.getValidator({ ...prefix, $schema: `${scheme}://json-schema.org/draft/2020-12/schema${end}` })([1]).valid, false, scheme);
    }
  for (const other of ['https://json-schema.org/draft-03/schema', 'http://json-schema.org/draft-04/schema#', 'urn:x', ''])
    throws(() => provider.getValidator({ $schema: other }), 'Error', /unsupported dialect.*2020-12, 2019-09, draft-07, and draft-06/s);
}

/** Schemas are told apart by their content; the least recently used ones go. */
function testCache() {
  const provider = new CupelJsonSchemaValidator({ cacheSize: 2 });
  const $id = 'https://example.com/same';
  same([provider.getValidator({ $id, type: 'string' })('x').valid, provider.getValidator({ $id, type: 'number' })('x').valid], [true, false]);
  for (let i = 0; i < 50; i++) same(provider.getValidator({ const: i })(i).valid, true);
  const kept = provider.getValidator({ const: 'kept' });
  for (let i = 0; i < 50; i++) provider.getValidator({ const: i });
  same([kept('kept').valid, kept('other').valid], [true, false], 'a function outlives the cache');
  same(new CupelJsonSchemaValidator({ cacheSize: 0 }).getValidator({ type: 'null' })(null).valid, true);
}

/* -- Catalogs ------------------------------------------------------------------------------------------------------------ */

const request = (args, id = 1, name = 'weather') => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

function testCalls() {
  const tools = catalog([weather, { name: 'broken', inputSchema: { type: 'intger' } }]);
  same(tools.tools.map((t) => [t.name, t.verdict, t.input, t.output]), [['weather', 'ok', true, true], ['broken', 'invalid', false, false]]);
  check(tools.tools[1].problems.length > 0 && tools.tools[1].problems[0].severity === 'error', 'problems');
  for (const form of [(m) => m, JSON.stringify, (m) => Buffer.from(JSON.stringify(m))]) {
    const good = tools.call(form(request({ city: 'Rome' })));
    same([good.valid, good.verdict, good.tool, good.id, good.answer, good.messages.length], [true, 'valid', 'weather', 1, null, 1]);
    const bad = tools.call(form(request({ city: 1, days: 0 }, 'x')));
    same([bad.valid, bad.verdict, bad.problems, bad.answer.id, bad.answer.result.isError], [false, 'invalid', 2, 'x', true]);
    check(/city/.test(bad.answer.result.content[0].text) && /days/.test(bad.answer.result.content[0].text), 'the text');
  }
  same(tools.call(request({}, 1, 'none')).verdict, 'unknown-tool');
  same([tools.call(request({}, 1, 'broken')).verdict, tools.call(request({}, 1, 'broken')).valid], ['undecided', false]);
  same([tools.call('{').verdict, tools.call('{').answer.error.code], ['bad-request', -32700]);
  same(tools.call({ jsonrpc: '2.0', id: 2, method: 'ping' }).verdict, 'valid');
  same(tools.call({ jsonrpc: '2.0', id: 2, METHOD: 'x', method: 'ping' }).verdict, 'bad-request');
  const old = catalog([weather], { protocolVersion: '2025-03-26' });
  const batch = old.call([request({ city: 'Rome' }), request({ city: 2 }, 7)]);
  same([batch.valid, batch.messages.map((m) => m.verdict), batch.messages[1].answer.error?.code], [false, ['valid', 'invalid'], -32602]);
  same(catalog([weather], { exactArguments: true }).call(request({ city: 'Rome', City: 'x' })).verdict, 'invalid');
  const listed = tools.list({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
  same(listed.result.tools, [weather]);
  throws(() => catalog('[').call(''), 'SchemaError');
  throws(() => catalog({ tools: 1 }), 'SchemaError');
  throws(() => catalog([], { protocolVersion: '2020-01-01' }), 'SchemaError', /protocolVersion/);
  tools.dispose();
  throws(() => tools.call('{}'), 'Error', /disposed/);
  check(tools instanceof Catalog, 'instanceof');
}

function testResults() {
  const tools = catalog({ jsonrpc: '2.0', id: 1, result: { tools: [weather] } });
  const content = [{ type: 'text', text: '{"degrees":3}' }];
  same(tools.result('weather', { content, structuredContent: { degrees: 3 }, resultType: 'complete' }).valid, true);
  const bad = tools.result('weather', { jsonrpc: '2.0', id: 9, result: { content, structuredContent: { degrees: 'x' }, resultType: 'complete' } });
  same([bad.valid, bad.verdict, bad.answer.id, bad.answer.error.code], [false, 'invalid', 9, -32603]);
  check(bad.problems.some((p) => p.keyword === 'type' && p.pointer === '/degrees'), 'the problem');
  same(tools.result('weather', '{').verdict, 'bad-result');
  throws(() => tools.result('none', {}), 'Error', /no tool "none"/);
}

/** The digest of a part is SHA-256 of its canonical text. */
async function testPins() {
  const tools = catalog([weather, { name: 'b', inputSchema: { type: 'object' } }]);
  const pins = await tools.pins();
  same(pins.length, 2);
  const canonical = '{"properties":{"city":{"type":"string"},"days":{"minimum":1,"type":"integer"}},"required":["city"],"type":"object"}';
  same(pins[0].inputSchema, crypto.createHash('sha256').update(canonical).digest('hex'));
  for (const pin of pins) for (const [name, digest] of Object.entries(pin)) check(name === 'name' || (/^[0-9a-f]{64}$/.test(digest) && !/^0+$/.test(digest)), `${name}: ${digest}`);
  if (engineForTools().digests.now !== undefined) same(tools.pinsNow(), pins);
  const lock = await tools.lock();
  check(/^\{"cupelLock":2,"digest":"sha256:[0-9a-f]{64}"/.test(lock), lock.slice(0, 60));
  same(await tools.diff(lock), []);
  const changed = catalog([{ ...weather, description: 'Another text' }]);
  same((await changed.diff(lock)).map((c) => [c.kind, c.name, c.parts.includes('text')]), [['changed', 'weather', true], ['removed', 'b', false]]);
  const damaged = await tools.diff(lock.replace('"weather"', '"whether"')).catch((error) => error);
  same(damaged.name, 'SchemaError');
}

function testText() {
  same(findHidden('plain text, 日本語, 👩‍👩‍👧'), undefined);
  const found = findHidden('a\u202eb');
  same([found.codePoint, found.offset], [0x202e, 1]);
  same([findHidden('a\tb'), typeof findHidden('a\tb', { name: true })], [undefined, 'object']);
  const hidden = { ...weather, description: 'Hello\u{e0041}' };
  same([catalog([hidden]).tools[0].hiddenText, catalog([hidden]).tools[0].verdict, catalog([hidden], { strictText: true }).tools[0].verdict], [true, 'warning', 'invalid']);
}

function testExport() {
  const { tool, changes } = exportTool(weather, 'openai-strict');
  same([tool.name, tool.inputSchema.additionalProperties, tool.inputSchema.required], ['weather', false, ['city', 'days']]);
  check(changes.length > 0 && changes.every((c) => typeof c.message === 'string'), 'changes');
  same(catalog([weather]).export('openai-strict')[0], { tool, changes });
  throws(() => exportTool(weather, 'nobody'), 'SchemaError', /target/);
  throws(() => exportTool('[]', 'openai'), 'SchemaError');
}

testProvider();
testProviderUndecided();
testDialects();
testCache();
testCalls();
testResults();
testText();
testExport();
testPins().catch((error) => check(false, error.stack));
