/* examples.js: what the page shows first, and the others of its list.  `left` and `right` are texts, or names of files
 * beside the page. */
const show = (value) => JSON.stringify(value, null, 2);

export const EXAMPLES = [
  {
    name: 'an order', mode: 'schema',
    left: show({ type: 'object', properties: { item: { type: 'string', minLength: 2 }, count: { type: 'integer', minimum: 1 }, gift: { type: 'boolean' } }, required: ['item', 'count'], additionalProperties: false }),
    right: '{\n  "item": "lamp",\n  "count": "3",\n  "Gift": true\n}',
  },
  {
    name: 'an MCP catalog', mode: 'catalog',
    left: show({ tools: [
      { name: 'weather', description: 'The weather of a city', inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 14 } }, required: ['city'] } },
      { name: 'broken', inputSchema: { type: 'intger' } },
    ] }),
    right: show({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather', arguments: { city: 'Rome', days: '3' } } }),
  },
  { name: 'the meta-schema of draft 7', mode: 'schema', file: 'draft-07.json', right: show({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { type: 'strin' }, b: { minLength: -1 } }, required: ['a', 'a'] }) },
  { name: 'a hostile pattern', mode: 'schema', left: show({ type: 'string', pattern: '^(a|b|ab)*c\\1$' }), right: JSON.stringify('ab'.repeat(5000)) },
];
