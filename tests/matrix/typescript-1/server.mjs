// A server for the matrix, with the official TypeScript SDK, version 1.
//
// usage: node server.mjs PORT json|stream|resumed
//
// json answers in application/json where the transport can, stream answers in event streams, and resumed
// closes the stream of each call after its first event, so that the client has to fetch the result with
// Last-Event-ID.  The tools are those of tests/matrix/README.md.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { InMemoryTaskStore, InMemoryTaskMessageQueue }
    from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import {
    CallToolRequestSchema, CreateMessageResultSchema, ElicitResultSchema, GetTaskPayloadRequestSchema,
    GetTaskRequestSchema, ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

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
     { name: "grow", inputSchema: none },
     { name: "task", inputSchema: numbers, outputSchema: sum, execution: { taskSupport: "required" } }],
];
const grown = { name: "grown", inputSchema: numbers };
const text = (value) => ({ content: [{ type: "text", text: value }] });
const structured = (value) => ({ ...text(JSON.stringify(value)), structuredContent: value });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const calls = {
    add: ({ a, b }) => structured({ sum: a + b }),
    wrong: () => structured({ sum: "three" }),
    grown: ({ a, b }) => text(String(a + b)),
    async ask(_, extra) {
        const answer = await extra.sendRequest({ method: "elicitation/create", params: {
            message: "Which colour?", requestedSchema: { type: "object",
                properties: { colour: { type: "string", enum: ["red", "blue"] } }, required: ["colour"] } } },
            ElicitResultSchema);
        return text(`${answer.action} ${answer.content?.colour}`);
    },
    async sample(_, extra) {
        const answer = await extra.sendRequest({ method: "sampling/createMessage", params: {
            messages: [{ role: "user", content: { type: "text", text: "Say yes" } }], maxTokens: 5 } },
            CreateMessageResultSchema);
        return text(answer.content.text);
    },
    async slow(_, extra) {
        for (let progress = 1; progress <= 3; progress++)
            await extra.sendNotification({ method: "notifications/progress", params: {
                progressToken: extra._meta.progressToken, progress, total: 3 } });
        return text("done");
    },
    async wait(_, extra) {
        await new Promise((resolve) => extra.signal.addEventListener("abort", resolve));
        state.cancelled = true;
        return text("cancelled");
    },
    async grow(_, extra, session) {
        session.tools[1].push(grown);
        await extra.sendNotification({ method: "notifications/tools/list_changed" });
        return text("grown");
    },
};
const state = { cancelled: false };

function makeServer() {
    const taskStore = new InMemoryTaskStore();
    const session = { tools: pages.map((page) => [...page]) };
    const server = new Server({ name: "matrix", version: "1.0.0" }, {
        capabilities: { tools: { listChanged: true }, tasks: { requests: { tools: { call: {} } } } },
        taskStore, taskMessageQueue: new InMemoryTaskMessageQueue(),
    });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => params?.cursor === "2"
        ? { tools: session.tools[1] } : { tools: session.tools[0], nextCursor: "2" });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
        if (params.name === "task") {
            const task = await extra.taskStore.createTask({ ttl: 60000, pollInterval: 20 });
            const { a, b } = params.arguments;
            setTimeout(() => taskStore.storeTaskResult(task.taskId, "completed", structured({ sum: a + b })), 30);
            return { task };
        }
        if (mode === "resumed" && extra.closeSSEStream) {
            extra.closeSSEStream();
            await pause(30);
        }
        if (params.name === "add" && !Number.isInteger(params.arguments?.a))
            return { ...text("a is not an integer"), isError: true };
        return calls[params.name](params.arguments, extra, session);
    });
    server.setRequestHandler(GetTaskRequestSchema, async ({ params }) => taskStore.getTask(params.taskId));
    server.setRequestHandler(GetTaskPayloadRequestSchema, async ({ params }) =>
        taskStore.getTaskResult(params.taskId));
    return server;
}

// Events of one process, in order, so that a stream can be taken up again.
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
createServer(async (req, res) => {
    if (req.url === "/state")
        return res.end(JSON.stringify(state));
    const id = req.headers["mcp-session-id"];
    let transport = transports.get(id);
    if (!transport) {
        if (id)
            return res.writeHead(404).end();
        transport = new StreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID, enableJsonResponse: mode === "json",
            eventStore: mode === "resumed" ? new EventStore() : undefined, retryInterval: 20,
            onsessioninitialized: (made) => transports.set(made, transport),
        });
        await makeServer().connect(transport);
    }
    await transport.handleRequest(req, res);
}).listen(port, "127.0.0.1", () => console.log("ready"));
