/* sdk.test.mjs: real servers and clients of the official SDKs, versions 1 and 2, with the provider and with a catalog that
 * judges what passes between them. */
import { createRequire } from 'node:module';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as Memory1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as Server1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ElicitRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { fromJsonSchema, InMemoryTransport as Memory2, McpServer } from '@modelcontextprotocol/server';
import { catalog, CupelJsonSchemaValidator } from 'cupel/mcp';
const { check, same, rejects } = createRequire(import.meta.url)('./check.cjs');

const inputSchema = { type: 'object', properties: { city: { type: 'string', minLength: 2 } }, required: ['city'], additionalProperties: false };
const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
const definition = { name: 'weather', description: 'The weather', inputSchema, outputSchema };
const info = { name: 'test', version: '1.0.0' };

/** Counts what the SDK asks of the provider. */
class Counted extends CupelJsonSchemaValidator {
  judged = 0;
  getValidator(schema) {
    const validate = super.getValidator(schema);
    return (input) => {
      this.judged++;
      return validate(input);
    };
  }
}

const answerOf = (args) => ({
  content: [{ type: 'text', text: 'weather' }],
  structuredContent: { degrees: args.city === 'Wrong' ? 'many' : 21 },
});

/* -- Version 1 -------------------------------------------------------------------------------------------------------- */

async function start1() {
  const jsonSchemaValidator = new Counted();
  const server = new Server1(info, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [definition] }));
  const tools = catalog([definition], { protocolVersion: '2025-11-25' });
  server.setRequestHandler(CallToolRequestSchema, (request, { requestId }) => {
    const judged = tools.call({ jsonrpc: '2.0', id: requestId, ...request });
    return judged.valid ? answerOf(request.params.arguments) : judged.answer.result;
  });
  const client = new Client1(info, { capabilities: { elicitation: {} }, jsonSchemaValidator });
  const [one, other] = Memory1.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  return { server, client, jsonSchemaValidator };
}

async function test1() {
  const { server, client, jsonSchemaValidator } = await start1();
  await client.listTools();
  const good = await client.callTool({ name: 'weather', arguments: { city: 'Rome' } });
  same(good.structuredContent, { degrees: 21 });
  check(jsonSchemaValidator.judged > 0, 'the client asked the provider');
  const bad = await client.callTool({ name: 'weather', arguments: { city: 'R' } });
  check(bad.isError === true && /city/.test(bad.content[0].text), 'a message for the model');
  await rejects(client.callTool({ name: 'weather', arguments: { city: 'Wrong' } }), 'McpError', /output schema.*degrees/s);
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { age: 'old' } }));
  await rejects(server.elicitInput({ message: 'Age?', requestedSchema: { type: 'object', properties: { age: { type: 'integer' } } } }), 'McpError', /age/);
  await client.close();
}

/* -- Version 2 -------------------------------------------------------------------------------------------------------- */

async function test2() {
  const jsonSchemaValidator = new Counted();
  const server = new McpServer(info, { jsonSchemaValidator });
  server.registerTool('weather', {
    description: 'The weather',
    inputSchema: fromJsonSchema(inputSchema, jsonSchemaValidator),
    outputSchema: fromJsonSchema(outputSchema, jsonSchemaValidator),
  }, answerOf);
  const client = new Client2(info, { jsonSchemaValidator });
  const [one, other] = Memory2.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const { tools } = await client.listTools();
  same(tools[0].inputSchema.properties, inputSchema.properties);
  const good = await client.callTool({ name: 'weather', arguments: { city: 'Rome' } });
  same(good.structuredContent, { degrees: 21 });
  check(jsonSchemaValidator.judged >= 2, 'arguments and result were judged');
  const outcome = await client.callTool({ name: 'weather', arguments: { city: 'R' } }).then((r) => r.content[0].text, (error) => error.message);
  check(/city/.test(outcome), outcome);
  const wrong = await client.callTool({ name: 'weather', arguments: { city: 'Wrong' } }).then((r) => (r.isError ? r.content[0].text : 'passed'), (error) => error.message);
  check(/degrees/.test(wrong), wrong);
  await client.close();
}

await test1();
await test2();
