// A server for the matrix, with the official TypeScript SDK, version 2.
//
// usage: node server.mjs PORT json|stream|resumed
//
// json and stream serve the specification of 2026-07-28, which has neither sessions nor resumption; resumed
// serves sessions of 2025-11-25, and closes the stream of each call after its first event.  The tools are
// those of tests/matrix/README.md.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { Server, acceptedContent, createMcpHandler, inputRequired, inputResponse }
    from "@modelcontextprotocol/server";

const [port, mode] = [Number(process.argv[2]), process.argv[3]];
const numbers = { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"] };
const sum = { type: "object", properties: { sum: { type: "integer" } }, required: ["sum"] };
const none = { type: "object" };
const pages = [
    [{ name: "add", inputSchema: numbers, outputSchema: sum },
     { name: "wrong", inputSchema: none, outputSchema: sum },
     { name: "ask", inputSchema: none }, { name: "sample", inputSchema: none }],
    [{ name: "slow", inputSchema: none }, { name: "wait", inputSchema: none },
     { name: "grow", inputSchema: none }],
];
const text = (value) => ({ content: [{ type: "text", text: value }] });
const structured = (value) => ({ ...text(JSON.stringify(value)), structuredContent: value });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const question = { message: "Which colour?", requestedSchema: { type: "object",
    properties: { colour: { type: "string", enum: ["red", "blue"] } }, required: ["colour"] } };
const prompt = { messages: [{ role: "user", content: { type: "text", text: "Say yes" } }], maxTokens: 5 };

const calls = {
    add: ({ a, b }) => Number.isInteger(a) ? structured({ sum: a + b })
        : { ...text("a is not an integer"), isError: true },
    wrong: () => structured({ sum: "three" }),
    grown: ({ a, b }) => text(String(a + b)),
    ask(_, ctx) {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, "colour");
        return answer ? text(`accept ${answer.colour}`)
            : inputRequired({ inputRequests: { colour: inputRequired.elicit(question) } });
    },
    sample(_, ctx) {
        const answer = inputResponse(ctx.mcpReq.inputResponses, "yes");
        return answer.kind === "sampling" ? text(answer.result.content.text)
            : inputRequired({ inputRequests: { yes: inputRequired.createMessage(prompt) } });
    },
    async slow(_, ctx) {
        for (let progress = 1; progress <= 3; progress++)
            await ctx.mcpReq.notify({ method: "notifications/progress", params: {
                progressToken: ctx.mcpReq._meta.progressToken, progress, total: 3 } });
        return text("done");
    },
    async wait(_, ctx) {
        await new Promise((resolve) => ctx.mcpReq.signal.addEventListener("abort", resolve));
        state.cancelled = true;
        return text("cancelled");
    },
    async grow(_, ctx, session) {
        session.tools[1].push({ name: "grown", inputSchema: numbers });
        await session.notify(ctx);
        return text("grown");
    },
};
const state = { cancelled: false };

function makeServer(session) {
    const server = new Server({ name: "matrix", version: "1.0.0" },
        { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler("tools/list", ({ params }) => params?.cursor === "2"
        ? { tools: session.tools[1] } : { tools: session.tools[0], nextCursor: "2" });
    server.setRequestHandler("tools/call", async ({ params }, ctx) => {
        if (mode === "resumed" && ctx.http?.closeSSE) {
            ctx.http.closeSSE();
            await pause(30);
        }
        return calls[params.name](params.arguments, ctx, session);
    });
    return server;
}

// Events of one session, in order, so that a stream can be taken up again.
class EventStore {
    events = [];
    async storeEvent(streamId, message) {
        this.events.push({ streamId, message });
        return String(this.events.length);
    }
    async replayEventsAfter(lastEventId, { send }) {
        const { streamId } = this.events[Number(lastEventId) - 1];
        for (let i = Number(lastEventId); i < this.events.length; i++)
            if (this.events[i].streamId === streamId && Object.keys(this.events[i].message).length)
                await send(String(i + 1), this.events[i].message);
        return streamId;
    }
}

const transports = new Map();
async function legacy(req, res) {
    const id = req.headers["mcp-session-id"];
    let transport = transports.get(id);
    if (!transport) {
        if (id)
            return res.writeHead(404).end();
        transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID,
            eventStore: new EventStore(), retryInterval: 20,
            onsessioninitialized: (made) => transports.set(made, transport) });
        await makeServer({ tools: pages.map((page) => [...page]),
            notify: (ctx) => ctx.mcpReq.notify({ method: "notifications/tools/list_changed" }) }).connect(transport);
    }
    await transport.handleRequest(req, res);
}

const shared = { tools: pages.map((page) => [...page]), notify: () => handler.notify.toolsChanged() };
const handler = createMcpHandler(() => makeServer(shared),
    { legacy: "reject", responseMode: mode === "json" ? "json" : "sse" });
const modern = toNodeHandler(handler);
createServer((req, res) => {
    if (req.url === "/state")
        return res.end(JSON.stringify(state));
    return mode === "resumed" ? legacy(req, res) : modern(req, res);
}).listen(port, "127.0.0.1", () => console.log("ready"));
