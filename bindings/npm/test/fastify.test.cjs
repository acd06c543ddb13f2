/* fastify.test.cjs: cupel/fastify in a server of Fastify and in one of Express, over HTTP. */
'use strict';
const { check, same, throws, rejects } = require('./check.cjs');
const Fastify = require('fastify');
const express = require('express');
const { buildValidator, cupelBody, expressBody, validatorCompiler } = require('cupel/fastify');

const body = { type: 'object', properties: { name: { type: 'string', minLength: 2 }, at: { type: 'string', format: 'date' } }, required: ['name'] };
const json = { 'content-type': 'application/json' };

async function post(base, path, text, headers = json) {
  const answer = await fetch(base + path, { method: 'POST', body: text, headers });
  const content = await answer.text();
  return { status: answer.status, body: content.startsWith('{') ? JSON.parse(content) : content };
}

/* -- Fastify ---------------------------------------------------------------------------------------------------------- */

async function startFastify() {
  const fastify = Fastify();
  await fastify.register(cupelBody);
  fastify.addSchema({ $id: 'shared', type: 'object', required: ['n'], properties: { n: { type: 'integer' } } });
  const querystring = { type: 'object', properties: { page: { type: 'integer', default: 1 } } };
  fastify.post('/user', { schema: { body, querystring } }, (request) => ({ body: request.body, page: request.query.page }));
  fastify.post('/shared', { schema: { body: { $ref: 'shared#' } } }, () => ({ ok: true }));
  fastify.post('/attached', { schema: { body }, attachValidation: true }, (request) => ({ text: request.validationError?.message }));
  fastify.post('/content', { schema: { body: { content: { 'application/json': { schema: body } } } } }, () => ({ ok: true }));
  await fastify.register(async (child) => {
    child.addSchema({ $id: 'inner', type: 'string' });
    child.post('/inner', { schema: { body: { $ref: 'inner#' }, headers: { type: 'object', dependencies: { 'X-One': ['X-Two'] } } } }, () => ({ ok: true }));
  });
  fastify.post('/free', (request) => ({ got: request.body }));
  fastify.post('/slow', { schema: { body: { type: 'string', pattern: '^(a|b|ab)*c\\1$' } } }, () => ({ ok: true }));
  return { fastify, base: await fastify.listen({ port: 0, host: '127.0.0.1' }) };
}

async function testFastify() {
  const { fastify, base } = await startFastify();
  same(await post(base, '/user?page=3', '{"name":"Ada"}'), { status: 200, body: { body: { name: 'Ada' }, page: 3 } }, 'ajv coerces the query');
  same((await post(base, '/user', '{"name":"Ada"}')).body.page, 1);
  for (const [text, told] of [['{"name":1}', /^body\/name /], ['{}', /^body .*"name"/], ['{"name":"Ada","at":"2024-02-30"}', /^body\/at /], ['[]', /^body /], ['null', /^body /]]) {
    const { status, body: answer } = await post(base, '/user', text);
    check(status === 400 && answer.code === 'FST_ERR_VALIDATION' && told.test(answer.message), `${text}: ${JSON.stringify(answer)}`);
  }
  same([(await post(base, '/user', '{"name":')).status, (await post(base, '/user', '')).status], [400, 400]);
  same((await post(base, '/user', '{"name":"Ada","__proto__":{"x":1}}')).status, 400, 'prototype poisoning');
  same((await post(base, '/user', '{"name":"Ada","name":"Bob"}')).status, 400, 'a name twice');
  same([(await post(base, '/shared', '{"n":1}')).status, (await post(base, '/shared', '{"n":"1"}')).status], [200, 400]);
  same([(await post(base, '/inner', '"x"')).status, (await post(base, '/inner', '1')).status], [200, 400], 'schemas of a context');
  same((await post(base, '/inner', '"x"', { ...json, 'x-one': '1' })).status, 400, 'names of header fields in lower case');
  check(/name/.test((await post(base, '/attached', '{}')).body.text), 'attachValidation');
  same([(await post(base, '/content', '{"name":"Ada"}')).status, (await post(base, '/content', '{}')).status], [200, 400]);
  same((await post(base, '/free', '{"any":[1]}')).body, { got: { any: [1] } });
  const slow = await post(base, '/slow', JSON.stringify('ab'.repeat(60000)));
  check(slow.status === 400 && /could not be decided/.test(slow.body.message), JSON.stringify(slow));
  await fastify.close();
}

async function testCompiler() {
  const fastify = Fastify();
  fastify.setValidatorCompiler(validatorCompiler());
  fastify.post('/', { schema: { body, headers: { type: 'object', required: ['x-key'] } } }, () => ({ ok: true }));
  const inject = (payload, headers = {}) => fastify.inject({ method: 'POST', url: '/', payload, headers: { ...json, ...headers } });
  same([(await inject('{"name":"Ada"}', { 'x-key': 'a' })).statusCode, (await inject('{"name":"Ada"}')).statusCode, (await inject('{}', { 'x-key': 'a' })).statusCode], [200, 400, 400]);
  await fastify.close();
  for (const wanted of ['coerceTypes', 'useDefaults', 'removeAdditional']) throws(() => validatorCompiler({ ajv: { [wanted]: true } }), 'Error', new RegExp(wanted));
  const whole = Fastify({ schemaController: { compilersFactory: { buildValidator } }, ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } } });
  whole.addSchema({ $id: 'n', type: 'integer' });
  whole.post('/', { schema: { body: { $ref: 'n#' } } }, () => ({ ok: true }));
  same([(await whole.inject({ method: 'POST', url: '/', payload: '1', headers: json })).statusCode, (await whole.inject({ method: 'POST', url: '/', payload: '"1"', headers: json })).statusCode], [200, 400]);
  await whole.close();
  const broken = Fastify();
  broken.setValidatorCompiler(validatorCompiler());
  broken.post('/', { schema: { body: { type: 'intger' } } }, () => 1);
  await rejects(Promise.resolve(broken.ready()), 'FastifyError', /intger|type/);
}

/* -- Express ------------------------------------------------------------------------------------------------------------ */

async function testExpress() {
  const app = express();
  app.post('/user', expressBody(body, { limits: { body_bytes: 1000 } }), (request, response) => response.json({ got: request.body ?? null }));
  app.use((error, request, response, next) => response.status(error.status ?? 500).json({ message: error.message, errors: error.errors ?? [] }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  same(await post(base, '/user', '{"name":"Ada"}'), { status: 200, body: { got: { name: 'Ada' } } });
  const bad = await post(base, '/user', '{"name":1}');
  same([bad.status, bad.body.errors[0].instancePath, bad.body.errors[0].keyword], [400, '/name', 'type']);
  same([(await post(base, '/user', '{')).status, (await post(base, '/user', '{"name":"a","name":"b"}')).status], [400, 400]);
  same((await post(base, '/user', JSON.stringify({ name: 'x'.repeat(2000) }))).status, 413);
  same((await post(base, '/user', 'text', { 'content-type': 'text/plain' })).body, { got: null });
  same(Object.keys((await post(base, '/user', '{"name":"Ada","__proto__":{"x":1}}')).body.got), ['name']);
  server.close();
  server.closeAllConnections();
}

testFastify().then(testCompiler).then(testExpress).catch((error) => {
  check(false, error.stack);
  process.exit(1);
});
