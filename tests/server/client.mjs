// Lists and calls the tools of the example server with the SDK's own clients, which check what they
// are told: the answers by the protocol's types, structured content by the outputSchema.
//
//     node client.mjs SERVER FOLDER     FOLDER is where node_modules is

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const [, , server, folder] = process.argv;
const resolver = createRequire(pathToFileURL(`${folder}/package.json`));
const load = async (name) => import(pathToFileURL(resolver.resolve(name)));

let passed = 0;
let failed = 0;

function check(what, got, want) {
  if (isDeepStrictEqual(got, want)) {
    passed++;
  } else {
    failed++;
    console.log(`${what}:\n  got  ${JSON.stringify(got)}\n  want ${JSON.stringify(want)}`);
  }
}

async function code(promise) {
  try {
    return await promise;
  } catch (error) {
    return error.code;
  }
}

async function talk(name, Client, Transport) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new Transport({ command: server, args: [] }));
  check(`${name}: server`, client.getServerVersion().name, 'cupel-example');

  const { tools } = await client.listTools();
  check(`${name}: names`, tools.map((t) => t.name), ['search_files', 'add_up', 'set_clock']);
  check(`${name}: annotations`, tools[0].annotations, { readOnlyHint: true, openWorldHint: false });
  check(`${name}: inputSchema`, tools[0].inputSchema, {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'the text to search for', minLength: 1 },
      max_results: {
        type: 'integer', description: 'how many matches to return', minimum: 1, maximum: 100,
      },
      case_sensitive: { type: 'boolean', description: 'match case exactly' },
    },
    required: ['query'],
    additionalProperties: false,
  });

  const call = (tool, args) => client.callTool({ name: tool, arguments: args });
  const text = async (tool, args) => (await call(tool, args)).content[0].text;
  check(`${name}: found`, await text('search_files', { query: 'READ' }),
    'README.md\nreadme-first.txt\nsrc/reader.c\ndocs/reading.md');
  check(`${name}: exactly`,
    await text('search_files', { query: 'READ', case_sensitive: true }), 'README.md');
  check(`${name}: at most`,
    await text('search_files', { query: 'read', max_results: 1 }), 'README.md');
  check(`${name}: structured`, (await call('add_up', { values: [1, 2.5, 1e-3], scale: 2 }))
    .structuredContent, { sum: 7.002 });
  check(`${name}: by hand`, await text('set_clock', { mode: '24h' }), '18:00');

  for (const [tool, args, word] of [
    ['search_files', {}, 'query'],
    ['search_files', { query: 1 }, 'query'],
    ['search_files', { query: 'x', max_results: 1.5 }, 'max_results'],
    ['search_files', { query: 'x', foo: 1 }, 'foo'],
    ['add_up', { values: [] }, 'values'],
    ['set_clock', { mode: 'noon' }, 'mode'],
  ]) {
    const result = await call(tool, args);
    check(`${name}: refused ${tool} ${JSON.stringify(args)}`,
      [result.isError, result.content[0].text.includes(word)], [true, true]);
  }
  check(`${name}: 1.0 is an integer`, await text('search_files', { query: 'main', max_results: 1.0 }),
    'src/main.c');
  check(`${name}: unknown tool`, await code(call('nope', {})), -32602);
  check(`${name}: ping`, typeof (await client.ping()), 'object');
  await client.close();
}

const one = await load('@modelcontextprotocol/sdk/client/index.js');
const oneStdio = await load('@modelcontextprotocol/sdk/client/stdio.js');
await talk('sdk 1', one.Client, oneStdio.StdioClientTransport);
const two = await load('@modelcontextprotocol/client');
const twoStdio = await load('@modelcontextprotocol/client/stdio');
await talk('sdk 2', two.Client, twoStdio.StdioClientTransport);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
