// The server that the official conformance suite asks for: tools, resources and prompts under the names that
// its scenarios call.  It is there to be run directly and behind the gateway, with the same outcome.
//
// usage: node conformance-server.mjs PORT
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const text = (value) => ({ type: "text", text: value });
const said = (...content) => ({ content });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const object = (properties = {}, required = []) => ({ type: "object", properties, required });
const string = { type: "string" };
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = { type: "resource", resource: { uri: "test://embedded-resource", mimeType: "text/plain",
    text: "This is an embedded resource content." } };

function elicit(extra, message, properties, required = []) {
    return extra.sendRequest({ method: "elicitation/create", params: { message,
        requestedSchema: object(properties, required) } }, types.ElicitResultSchema);
}

const colours = ["red", "green", "blue"];
const titled = colours.map((value) => ({ const: value, title: value.toUpperCase() }));
const tools = {
    test_simple_text: [object(), () => said(text("This is a simple text response for testing."))],
    test_image_content: [object(), () => said(image)],
    test_audio_content: [object(), () => said({ type: "audio", data: SOUND, mimeType: "audio/wav" })],
    test_embedded_resource: [object(), () => said(embedded)],
    test_multiple_content_types: [object(), () => said(text("Multiple content types test:"), image,
        { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json",
            text: '{"test":"data","value":123}' } })],
    test_error_handling: [object(), () => ({ ...said(text("This tool intentionally returns an error for testing")),
        isError: true })],
    test_tool_with_logging: [object(), async (_, extra) => {
        for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
            await extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
            await pause(50);
        }
        return said(text("Tool with logging executed successfully"));
    }],
    test_tool_with_progress: [object(), async (_, extra) => {
        for (const progress of [0, 50, 100]) {
            await extra.sendNotification({ method: "notifications/progress", params: {
                progressToken: extra._meta?.progressToken ?? 0, progress, total: 100 } });
            await pause(50);
        }
        return said(text("done"));
    }],
    test_sampling: [object({ prompt: string }, ["prompt"]), async ({ prompt }, extra) => {
        const answer = await extra.sendRequest({ method: "sampling/createMessage", params: { maxTokens: 100,
            messages: [{ role: "user", content: text(prompt) }] } }, types.CreateMessageResultSchema);
        return said(text(`LLM response: ${answer.content.text}`));
    }],
    test_elicitation: [object({ message: string }, ["message"]), async ({ message }, extra) => {
        const answer = await elicit(extra, message, { username: string, email: string }, ["username", "email"]);
        return said(text(`User response: ${JSON.stringify(answer)}`));
    }],
    test_elicitation_sep1034_defaults: [object(), async (_, extra) => said(text(JSON.stringify(await elicit(extra,
        "Defaults", { name: { ...string, default: "John Doe" }, age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 }, verified: { type: "boolean", default: true },
            status: { ...string, enum: ["active", "inactive", "pending"], default: "active" } }))))],
    test_elicitation_sep1330_enums: [object(), async (_, extra) => said(text(JSON.stringify(await elicit(extra,
        "Enumerations", { untitledSingle: { ...string, enum: colours }, titledSingle: { ...string, oneOf: titled },
            legacyEnum: { ...string, enum: colours, enumNames: ["Red", "Green", "Blue"] },
            untitledMulti: { type: "array", items: { ...string, enum: colours } },
            titledMulti: { type: "array", items: { anyOf: titled } } }))))],
    test_reconnection: [object(), async (_, extra) => {
        extra.closeSSEStream?.();
        await pause(100);
        return said(text("Reconnection test completed"));
    }],
    json_schema_2020_12_tool: [{ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object",
        $defs: { address: { type: "object", properties: { street: string, city: string } } },
        properties: { name: string, address: { $ref: "#/$defs/address" } }, additionalProperties: false },
        () => said(text("ok"))],
};

const resources = {
    "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
    "test://static-binary": { mimeType: "image/png", blob: PIXEL },
    "test://watched-resource": { mimeType: "text/plain", text: "watched" },
};
const prompts = {
    test_simple_prompt: [[], () => text("This is a simple prompt for testing.")],
    test_prompt_with_arguments: [["arg1", "arg2"],
        ({ arg1, arg2 }) => text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    test_prompt_with_embedded_resource: [["resourceUri"], ({ resourceUri }) => ({ type: "resource",
        resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } })],
    test_prompt_with_image: [[], () => image],
};

function makeServer() {
    const server = new Server({ name: "conformance", version: "1.0.0" }, { capabilities: {
        completions: {}, logging: {}, prompts: {}, resources: { subscribe: true }, tools: {} } });
    const on = (schema, run) => server.setRequestHandler(schema, ({ params }, extra) => run(params, extra));
    on(types.ListToolsRequestSchema, () => ({ tools: Object.entries(tools).map(([name, [inputSchema]]) =>
        ({ name, description: name, inputSchema })) }));
    on(types.CallToolRequestSchema, (params, extra) => tools[params.name][1](params.arguments, extra));
    on(types.SetLevelRequestSchema, () => ({}));
    on(types.CompleteRequestSchema, () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }));
    on(types.ListResourcesRequestSchema, () => ({ resources: Object.entries(resources).map(([uri, { mimeType }]) =>
        ({ uri, name: uri.slice(7), mimeType })) }));
    on(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [
        { uriTemplate: "test://template/{id}/data", name: "template" }] }));
    on(types.ReadResourceRequestSchema, ({ uri }) => ({ contents: [{ uri, ...(resources[uri] ??
        { mimeType: "application/json", text: JSON.stringify({ id: uri.split("/")[3], data: uri }) }) }] }));
    on(types.SubscribeRequestSchema, () => ({}));
    on(types.UnsubscribeRequestSchema, () => ({}));
    on(types.ListPromptsRequestSchema, () => ({ prompts: Object.entries(prompts).map(([name, [names]]) =>
        ({ name, description: name,
            arguments: names.map((argument) => ({ name: argument, description: argument, required: true })) })) }));
    on(types.GetPromptRequestSchema, ({ name, arguments: given }) => ({ messages: [
        { role: "user", content: prompts[name][1](given) }] }));
    return server;
}

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
    const id = req.headers["mcp-session-id"];
    let transport = transports.get(id);
    if (!transport) {
        if (id)
            return res.writeHead(404).end();
        transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, eventStore: new EventStore(),
            retryInterval: 50, onsessioninitialized: (made) => transports.set(made, transport) });
        await makeServer().connect(transport);
    }
    await transport.handleRequest(req, res);
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));
