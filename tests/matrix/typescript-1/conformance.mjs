// The client that the official conformance suite calls with the address of its server: it lists the tools
// and calls each of them.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const given = { add_numbers: { a: 5, b: 3 } };
const client = new Client({ name: "matrix", version: "1.0.0" },
    { capabilities: { elicitation: { form: { applyDefaults: true } } } });
client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv.at(-1))));
const { tools } = await client.listTools();
for (const { name } of tools)
    await client.callTool({ name, arguments: given[name] ?? {} });
await client.close();
