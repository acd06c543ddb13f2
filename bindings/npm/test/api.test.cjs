/* api.test.cjs: compile() and the methods of a validator. */
'use strict';
const { check, same, throws } = require('./check.cjs');
const { compile, engine, SchemaError, UndecidedError, ValidationError, Validator } = require('cupel');

/* -- Schemas and options --------------------------------------------------------------------------------------------- */

function testSchemas() {
  const text = '{"type":"integer"}';
  for (const schema of [JSON.parse(text), text, Buffer.from(text), new TextEncoder().encode(text)]) {
    const v = compile(schema);
    same([v.check('1'), v.check('"1"'), v.check('1 1')], [0, 1, 2], typeof schema);
    same(v.schema, { type: 'integer' });
  }
  same([compile(true).isValid(1), compile(false).isValid(1)], [true, false]);
  same([compile('true').isValid(1), compile('false').isValid(1)], [true, false]);
  const error = throws(() => compile({ properties: { a: { type: 'intger' } } }), 'SchemaError', /type/);
  check(error instanceof SchemaError, 'instanceof');
  same([error.code, error.reason.pointer], ['SCHEMA', '/properties/a/type']);
  throws(() => compile('{'), 'SchemaError', /line 1/);
  throws(() => compile({ $ref: 'https://example.com/other' }), 'SchemaError', /example\.com/);
  throws(() => compile({ pattern: '(' }), 'SchemaError');
  throws(() => compile({ $schema: 'https://example.com/dialect' }), 'SchemaError', /dialect/);
  throws(() => compile(undefined), 'TypeError');
  throws(() => compile({ const: NaN }), 'TypeError', /NaN/);
  throws(() => compile({ const: 'x'.repeat(1 << 20) }, { limits: { schema_bytes: 100 } }), 'SchemaError');
}

function testOptions() {
  same(compile({ format: 'ipv4' }).isValid('no'), true);
  same(compile({ format: 'ipv4' }, { formats: true }).isValid('no'), false);
  same(compile({ $schema: 'http://json-schema.org/draft-07/schema#', format: 'ipv4' }, { formats: false }).isValid('no'), true);
  const old = { id: 'http://example.com/', exclusiveMinimum: true, minimum: 3 };
  same(compile(old, { dialect: 'draft-04' }).isValid(3), false);
  same(compile({ items: [{ type: 'string' }] }, { dialect: 'draft-07' }).isValid([1]), false);
  same(compile({ $ref: 'https://example.com/a#/$defs/n' }, { schemas: { 'https://example.com/a': { $defs: { n: { type: 'null' } } } } }).isValid(1), false);
  same(compile({}).check('{"a":1,"a":2}'), 2);
  same(compile({}, { duplicateKeys: true }).check('{"a":1,"a":2}'), 0);
  same([compile({}).check('\ufeff1'), compile({}, { byteOrderMark: true }).check('\ufeff1')], [2, 0]);
  throws(() => compile({ pattern: '(a)\\1' }, { backReferences: false }), 'SchemaError', /back/);
  throws(() => compile({ pattern: '\\-' }, { strictPatterns: true }), 'SchemaError');
  same(compile({ type: 'object', required: ['a'], properties: { a: { default: 7 } } }, { defaults: true }).validate({}).repair?.text, '{"a":7}');
  throws(() => compile({}, { speed: 'high' }), 'SchemaError', /"speed"/);
  throws(() => compile({}, { formats: 1 }), 'SchemaError', /"formats"/);
  throws(() => compile({}, { limits: { depth: -1 } }), 'SchemaError');
  throws(() => compile({}, { limits: { deepness: 1 } }), 'SchemaError');
  throws(() => compile({}, { dialect: 'draft-03' }), 'SchemaError');
}

/* -- Values ------------------------------------------------------------------------------------------------------------ */

function testNumbers() {
  const any = compile(true), integer = compile('{"type":"integer","maximum":18446744073709551616}');
  for (const odd of [NaN, Infinity, -Infinity, [NaN], { a: { b: [1, -Infinity] } }, new Number(NaN), { a: null, b: NaN }]) {
    throws(() => any.isValid(odd), 'TypeError', /NaN|Infinity/);
    throws(() => any.validate(odd), 'TypeError', /NaN|Infinity/);
  }
  same([any.isValid(null), any.isValid([null, { a: null }]), any.isValid(-0)], [true, true, true]);
  same(integer.isValid(12345678901234567890n), true);
  same(integer.isValid(18446744073709551617n), false);
  const exact = compile('{"const":9007199254740993}');
  same([exact.isValid(9007199254740993n), exact.isValid(9007199254740992n), exact.isValid(9007199254740992)], [true, false, false]);
  same(exact.isValid(-9007199254740993n), false);
  same(compile({ properties: { a: { type: 'integer' }, b: { type: 'string' } } }).isValid({ a: 1n, b: '1n' }), true);
  throws(() => any.isValid([1n, NaN]), 'TypeError', /NaN/);
}

function testOtherValues() {
  const any = compile(true), text = compile({ type: 'string', format: 'date-time' }, { formats: true });
  for (const none of [undefined, () => 1, Symbol('s')]) throws(() => any.isValid(none), 'TypeError', /not a JSON value/);
  same(compile({ maxProperties: 1 }).isValid({ a: 1, b: undefined, c: () => 1 }), true);
  same(compile({ items: { type: 'null' } }).isValid([undefined, () => 1, Symbol('s')]), true);
  same(text.isValid(new Date(0)), true);
  same(compile({ type: 'null' }).isValid(new Date(NaN)), true);
  same(compile({ const: 'x' }).isValid({ toJSON: () => 'x' }), true);
  throws(() => any.isValid({ toJSON: () => NaN }), 'TypeError', /NaN/);
  same(compile({ const: { a: [1, 'b', true] } }).isValid({ a: [new Number(1), new String('b'), new Boolean(true)] }), true);
  same(compile({ type: 'object', maxProperties: 0 }).isValid(new Map([[1, 2]])), true);
  const cycle = {};
  cycle.self = cycle;
  throws(() => any.isValid(cycle), 'TypeError', /circular|cyclic/i);
  same(compile({ maxLength: 1 }).isValid('😀'), true);
  same(compile({ const: '\ud800' === '' }).check('"\\ud800"'), 2);
  let nested = [];
  for (let i = 0; i < 5000; i++) nested = [nested];
  throws(() => any.isValid(nested), 'UndecidedError');
}

function testTexts() {
  const v = compile({ type: 'object', properties: { name: { type: 'string' }, n: { maximum: 5 } } }, { limits: { body_bytes: 1 << 23 } });
  for (const [text, wanted] of [['{}', 0], [' {"name":"é😀"} ', 0], ['[]', 1], ['{"name":1}', 1], ['{"n":6}', 1], ['', 2], ['{', 2], ['{"a":01}', 2], ['nul', 2], ['{"a":"\u0001"}', 2]]) {
    same(v.check(text), wanted, text);
    same(v.check(Buffer.from(text)), wanted, text);
    same(v.check(new Uint8Array([...Buffer.from(`..${text}..`)]).subarray(2, 2 + Buffer.byteLength(text))), wanted, text);
  }
  same(v.check(Buffer.from([0x22, 0xff, 0x22])), 2, 'UTF-8');
  same(compile({ type: 'string' }).check('"\ud800"'), 0, 'a lone surrogate of a string is U+FFFD, as TextEncoder has it');
  for (const size of [1, 4095, 4096, 4097, 65536, 1 << 20, (1 << 20) + 1]) {
    const long = JSON.stringify({ name: 'é'.repeat(size) });
    same([v.check(long), v.check(Buffer.from(long)), v.check(`${long}x`)], [0, 0, 2], String(size));
  }
  if (typeof SharedArrayBuffer === 'function') {
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    shared.set([0x5b, 0x31, 0x5d, 0x20]);
    same(v.check(shared), 1);
  }
  for (const wrong of [1, null, undefined, {}, [1]]) throws(() => v.check(wrong), 'TypeError', /string or a Uint8Array/);
}

/* -- What is said -------------------------------------------------------------------------------------------------------- */

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', minimum: 1 }, unit: { enum: ['c', 'f'] } },
  required: ['city'],
  additionalProperties: false,
};

function testValidate() {
  const v = compile(schema);
  const good = v.validate({ city: 'Rome' });
  same([good.valid, good.undecided, good.errors], [true, false, []]);
  const result = v.validate(Buffer.from('{\n  "days": "3",\n  "town": 1\n}'));
  same([result.valid, result.undecided], [false, false]);
  const days = result.errors.find((e) => e.pointer === '/days');
  same([days.keyword, days.schemaPointer, days.line, days.column, days.offset, days.length], ['type', '/properties/days/type', 2, 11, 12, 3]);
  check(/integer/.test(days.message), days.message);
  check(result.errors.some((e) => e.keyword === 'required') && result.errors.some((e) => e.pointer === '/town'), 'all problems');
  check(/days/.test(result.modelMessage) && /city/.test(result.modelMessage), result.modelMessage);
  const value = v.validate({ city: 'Rome', days: '3' });
  same(value.repair, { patch: [{ op: 'replace', path: '/days', value: 3 }], text: '{"city":"Rome","days":3}' });
  check(!('line' in value.errors[0]), 'a value has no lines');
  check(!value.modelMessage.includes('Rome'), 'no value is repeated');
  check(/weather/.test(v.modelMessage({ city: 'Rome', days: 0 }, { tool: 'weather' })), 'the tool');
  same(v.modelMessage({ city: 'Rome' }), undefined);
  const hopeless = v.validate({ city: 5 });
  same([hopeless.valid, hopeless.repair], [false, undefined]);
}

/** Reports are compiled when the first one is needed: by then, the schema's object may be another one. */
function testLaterReports() {
  const given = { properties: { a: { type: 'integer' } }, required: ['a'] };
  const v = compile(given, { formats: true, limits: { errors: 3 } });
  const steps = () => v.check('{"a":"x"}');
  same(steps(), 1);
  given.properties = { b: false };
  given.required = [];
  same(v.validate({ a: 'x' }).errors.map((e) => [e.pointer, e.keyword]), [['/a', 'type']]);
  same([v.check('{"a":1}'), steps(), v.validate({}).errors[0].keyword], [0, 1, 'required']);
  const other = compile({ $ref: 'https://example.com/a' }, { schemas: { 'https://example.com/a': { type: 'null' } } });
  same(other.validate(1).errors.map((e) => e.keyword), ['type'], 'with documents of the options');
  const many = Array.from({ length: 300 }, (_, i) => compile({ const: i }));
  for (const [i, each] of many.entries()) same([each.isValid(i), each.isValid(-1), each.errors[0].keyword], [true, false, 'const']);
  for (const each of many) each.dispose();
}

/** The errors that ajv has for the same value. */
function testAjvShape() {
  const v = compile(schema);
  for (const [value, keyword, instancePath, schemaPath, params] of [
    [{ city: 1 }, 'type', '/city', '#/properties/city/type', { type: 'string' }],
    [{ city: 'x' }, 'minLength', '/city', '#/properties/city/minLength', { limit: 2 }],
    [{ city: 'Rome', days: 0 }, 'minimum', '/days', '#/properties/days/minimum', { comparison: '>=', limit: 1 }],
    [{ city: 'Rome', unit: 'k' }, 'enum', '/unit', '#/properties/unit/enum', { allowedValues: ['c', 'f'] }],
    [{}, 'required', '', '#/required', { missingProperty: 'city' }],
    [{ city: 'Rome', zip: 1 }, 'additionalProperties', '', '#/additionalProperties', { additionalProperty: 'zip' }],
  ]) {
    same(v.isValid(value), false);
    const [error, ...rest] = v.errors;
    same([error.keyword, error.instancePath, error.schemaPath, error.params, rest.length, typeof error.message], [keyword, instancePath, schemaPath, params, 0, 'string'], keyword);
  }
  same([v.isValid({ city: 'Rome' }), v.errors], [true, null]);
  const escaped = compile({ properties: { 'a/b~c': { const: 1 } } });
  same([escaped.isValid({ 'a/b~c': 2 }), escaped.errors[0].instancePath], [false, '/a~1b~0c']);
  const name = 'n'.repeat(100);
  const long = compile({ required: [name] });
  same([long.isValid({}), long.errors[0].params.missingProperty], [false, name]);
}

function testUndecided() {
  const v = compile({ pattern: '^(a|b|ab)*c\\1$' }, { limits: { steps: 50 } });
  const text = `${'ab'.repeat(200)}x`;
  same(v.check(JSON.stringify(text)), 2);
  const error = throws(() => v.isValid(text), 'UndecidedError', /could not be decided/);
  check(error instanceof UndecidedError && error.code.startsWith('LIMIT'), error.code);
  const result = v.validate(text);
  same([result.valid, result.undecided, result.errors], [false, true, []]);
  check(result.reason.code.startsWith('LIMIT'), 'the reason');
  throws(() => v.loads(JSON.stringify(text)), 'UndecidedError');
  check(/could not be decided/.test(v['~standard'].validate(text).issues[0].message), 'issues');
  const broken = v.validate(Buffer.from('{"a":\n tru}'));
  same([broken.valid, broken.undecided, broken.reason.line], [false, true, 2]);
  const small = compile({}, { limits: { body_bytes: 10 } });
  same([small.check('"123456789"'), small.check('"1234567"'), small.check(Buffer.alloc(11, '1'))], [2, 0, 2]);
  const big = JSON.stringify('x'.repeat(5000));
  same(compile({}, { limits: { body_bytes: 4500 } }).check(big), 2, 'larger than the buffer');
  throws(() => compile({}, { limits: { body_bytes: 4500 } }).isValid('x'.repeat(5000)), 'UndecidedError', /too long|too large|bytes/i);
  throws(() => compile({ format: 'idn-hostname' }, { formats: true }).isValid('例え.テスト'), 'UndecidedError');
  same(compile({ format: 'idn-hostname' }, { formats: true, idnOptional: true }).isValid('例え.テスト'), true);
}

function testStandard() {
  const v = compile({ type: 'object', properties: { list: { items: { type: 'integer' } } } });
  const standard = v['~standard'];
  same([standard.version, standard.vendor], [1, 'cupel']);
  const value = { list: [1] };
  check(standard.validate(value).value === value, 'the value itself');
  same(standard.validate({ list: [1, 'x'] }).issues[0].path, ['list', 1]);
  check(typeof standard.validate(NaN).issues[0].message === 'string', 'no throw');
  same(standard.jsonSchema.input(), { type: 'object', properties: { list: { items: { type: 'integer' } } } });
}

function testLoads() {
  const v = compile(schema);
  same(v.loads('{"city":"Rome"}'), { city: 'Rome' });
  same(v.loads(Buffer.from('{"city":"Köln"}')), { city: 'Köln' });
  const error = throws(() => v.loads('{"city":1}'), 'ValidationError', /city/);
  check(error instanceof ValidationError && error.errors.length === 1 && error.result.modelMessage.length > 0, 'the result');
  throws(() => v.loads('{'), 'UndecidedError');
}

function testDispose() {
  const v = compile(schema), other = compile({ type: 'null' });
  v.dispose();
  v.dispose();
  for (const use of ['check', 'loads']) throws(() => v[use]('{}'), 'Error', /disposed/);
  for (const use of ['isValid', 'validate', 'modelMessage']) throws(() => v[use]({}), 'Error', /disposed/);
  const again = compile({ type: 'integer' });
  same([other.check('null'), other.check('1'), again.check('1')], [0, 1, 0]);
  throws(() => v.check('{}'), 'Error', /disposed/);
  check(v instanceof Validator, 'instanceof');
  if (Symbol.dispose !== undefined) {
    again[Symbol.dispose]();
    throws(() => again.check('1'), 'Error', /disposed/);
  }
}

function testEngine() {
  const { kind, version } = engine();
  same(version, require('cupel/package.json').version);
  if (process.env.CUPEL_ENGINE) same(kind, process.env.CUPEL_ENGINE);
}

testSchemas();
testOptions();
testNumbers();
testOtherValues();
testTexts();
testValidate();
testLaterReports();
testAjvShape();
testUndecided();
testStandard();
testLoads();
testDispose();
testEngine();
