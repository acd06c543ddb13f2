// A client for the matrix, with the official TypeScript SDK, version 2.
//
// usage: node client.mjs URL STATE_URL json|stream|resumed
//
// Goes through the scenarios of tests/matrix/README.md and prints a line for each: its name, a tab, and what
// came of it as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, stateUrl, mode] = process.argv.slice(2);
let changes = 0;
const client = new Client({ name: "matrix", version: "1.0.0" }, {
    capabilities: { elicitation: {}, sampling: {}, roots: {} },
    versionNegotiation: { mode: mode === "resumed" ? "legacy" : { pin: "2026-07-28" } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 10, onChanged: () => { changes++; } } },
});
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { colour: "blue" } }));
client.setRequestHandler("sampling/createMessage", () => ({
    model: "none", role: "assistant", content: { type: "text", text: "yes" } }));
const transport = new StreamableHTTPClientTransport(new URL(url), { reconnectionOptions: {
    initialReconnectionDelay: 20, maxReconnectionDelay: 100, reconnectionDelayGrowFactor: 1.5, maxRetries: 5 } });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const words = (result) => result.content.map((part) => part.text);

async function list() {
    const names = [];
    let cursor, count = 0;
    do {
        const page = await client.request({ method: "tools/list", params: cursor ? { cursor } : {} });
        names.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
        count++;
    } while (cursor);
    return { names, pages: count };
}

const scenarios = {
    list,
    call: async () => (await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).structuredContent,
    async refused() {
        try {
            const result = await client.callTool({ name: "add", arguments: { a: "one", b: 2 } });
            return result.isError ? "refused" : "passed";
        } catch {
            return "refused";
        }
    },
    async result() {
        try {
            await client.callTool({ name: "wrong", arguments: {} });
            return "passed";
        } catch {
            return "refused";
        }
    },
    elicitation: async () => words(await client.callTool({ name: "ask", arguments: {} })),
    sampling: async () => words(await client.callTool({ name: "sample", arguments: {} })),
    async progress() {
        const seen = [];
        const result = await client.callTool({ name: "slow", arguments: {} },
            { onprogress: ({ progress, total }) => seen.push([progress, total]) });
        await pause(50);
        return { seen, text: words(result) };
    },
    async cancellation() {
        const abort = new AbortController();
        setTimeout(() => abort.abort("enough"), 100);
        const outcome = await client.callTool({ name: "wait", arguments: {} },
            { signal: abort.signal }).then(() => "answered", () => "cancelled");
        await pause(100);
        const { cancelled } = await (await fetch(stateUrl)).json();
        return { outcome, server: cancelled };
    },
    async changed() {
        await client.callTool({ name: "grow", arguments: {} });
        await pause(100);
        const { names } = await list();
        return { changes: changes > 0, names, sum: words(await client.callTool(
            { name: "grown", arguments: { a: 2, b: 3 } })) };
    },
    ping: async () => Object.keys(await client.ping()),
    async end() {
        await transport.terminateSession();
        return "ended";
    },
};

// What the SDK does not do in this mode, with the reason.
const absent = {
    task: "the SDK has no tasks",
    ...(mode === "json" ? { progress: "a JSON response carries no notification" } : {}),
    ...(mode !== "resumed" ? { ping: "2026-07-28 has no ping", end: "2026-07-28 has no sessions" } : {}),
};

await client.connect(transport);
for (const name of [...Object.keys(scenarios), "task"]) {
    if (absent[name]) {
        console.log(`${name}\tabsent: ${absent[name]}`);
        continue;
    }
    const outcome = await Promise.race([scenarios[name]().catch((error) => `failed: ${error.message}`),
        pause(5000).then(() => "no answer in 5 s")]);
    console.log(`${name}\t${JSON.stringify(outcome)}`);
}
await client.close();
process.exit(0);
