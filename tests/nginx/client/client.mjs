// A client of the official SDK over Streamable HTTP.
//
// usage: client.mjs list URL       prints the result of tools/list
//        client.mjs calls URL      makes calls, good and bad, and prints an outcome for each, as JSON lines
import {createRequire} from "node:module";

const require = createRequire(process.cwd() + "/");
const {Client} = await import(require.resolve("@modelcontextprotocol/sdk/client/index.js"));
const {StreamableHTTPClientTransport} =
    await import(require.resolve("@modelcontextprotocol/sdk/client/streamableHttp.js"));

const CALLS = [
    ["echo", {message: "hello"}],
    ["get-sum", {a: 1, b: 2}],
    ["get-structured-content", {location: "New York"}],
    ["get-sum", {a: "1", b: 2}],
    ["get-sum", {a: 1}],
    ["echo", {}],
    ["get-structured-content", {location: "Atlantis"}],
    ["no-such-tool", {}],
];

const [mode, url] = process.argv.slice(2);
const client = new Client({name: "gateway-test", version: "1"});
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const list = await client.listTools();
if (mode === "list") {
    console.log(JSON.stringify(list));
} else {
    for (const [name, args] of CALLS) {
        let outcome;
        try {
            const result = await client.callTool({name, arguments: args});
            outcome = {isError: result.isError === true, text: result.content?.[0]?.text};
        } catch (error) {
            outcome = {code: error.code, text: error.message};
        }
        console.log(JSON.stringify({name, args, ...outcome}));
    }
}
await client.close();
