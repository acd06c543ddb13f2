"""A server for the matrix, with the official Python SDK.

usage: server.py PORT json|stream|resumed

json serves the specification of 2026-07-28 in application/json, stream sessions of 2025-11-25 in event
streams, and resumed closes the stream of each call after its first event, so that the client has to fetch
the result with Last-Event-ID.  The tools are those of tests/matrix/README.md.
"""
import asyncio
import sys

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import EventMessage, EventStore
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ToolsListChanged
from starlette.responses import JSONResponse
from starlette.routing import Route

PORT, MODE = int(sys.argv[1]), sys.argv[2]
NUMBERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
           "required": ["a", "b"]}
SUM = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
COLOUR = {"type": "object", "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
          "required": ["colour"]}
NONE = {"type": "object"}
PAGES = [
    [types.Tool(name="add", input_schema=NUMBERS, output_schema=SUM),
     types.Tool(name="wrong", input_schema=NONE, output_schema=SUM),
     types.Tool(name="ask", input_schema=NONE), types.Tool(name="sample", input_schema=NONE)],
    [types.Tool(name="slow", input_schema=NONE), types.Tool(name="wait", input_schema=NONE),
     types.Tool(name="grow", input_schema=NONE)],
]
STATE = {"cancelled": False}
BUS = InMemorySubscriptionBus()


def text(value, **more):
    return types.CallToolResult(content=[types.TextContent(type="text", text=value)], **more)


def prompt():
    return [types.SamplingMessage(role="user", content=types.TextContent(type="text", text="Say yes"))]


async def add(ctx, arguments):
    if not isinstance(arguments.get("a"), int):
        return text("a is not an integer", is_error=True)
    total = arguments["a"] + arguments["b"]
    return text('{"sum":%d}' % total, structured_content={"sum": total})


async def wrong(ctx, arguments):
    return text('{"sum":"three"}', structured_content={"sum": "three"})


async def ask(ctx, arguments, responses):
    if MODE == "json":
        if not responses:
            return types.InputRequiredResult(input_requests={"colour": types.ElicitRequest(
                params=types.ElicitRequestFormParams(message="Which colour?", requested_schema=COLOUR))})
        answer = responses["colour"]
    else:
        answer = await ctx.session.elicit_form("Which colour?", COLOUR, ctx.request_id)
    return text(f"{answer.action} {answer.content['colour']}")


async def sample(ctx, arguments, responses):
    if MODE == "json":
        if not responses:
            return types.InputRequiredResult(input_requests={"yes": types.CreateMessageRequest(
                params=types.CreateMessageRequestParams(messages=prompt(), max_tokens=5))})
        answer = responses["yes"]
    else:
        answer = await ctx.session.create_message(prompt(), max_tokens=5, related_request_id=ctx.request_id)
    return text(answer.content.text)


async def slow(ctx, arguments):
    for progress in (1, 2, 3):
        await ctx.session.report_progress(progress, 3)
    return text("done")


async def wait(ctx, arguments):
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        STATE["cancelled"] = True
        raise
    return text("never")


async def grow(ctx, arguments):
    PAGES[1].append(types.Tool(name="grown", input_schema=NUMBERS))
    if MODE == "json":
        await BUS.publish(ToolsListChanged())
    else:
        await ctx.session.send_tool_list_changed()
    return text("grown")


async def grown(ctx, arguments):
    return text(str(arguments["a"] + arguments["b"]))


async def on_list_tools(ctx, params):
    if params is not None and params.cursor == "2":
        return types.ListToolsResult(tools=PAGES[1])
    return types.ListToolsResult(tools=PAGES[0], next_cursor="2")


async def on_call_tool(ctx, params):
    if MODE == "resumed" and ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
        await asyncio.sleep(0.03)
    arguments = params.arguments or {}
    if params.name in ("ask", "sample"):
        return await globals()[params.name](ctx, arguments, params.input_responses)
    return await {"add": add, "wrong": wrong, "slow": slow, "wait": wait, "grow": grow,
                  "grown": grown}[params.name](ctx, arguments)


class Events(EventStore):
    """Events in order, so that a stream can be taken up again."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        stream = self.events[int(last_event_id) - 1][0]
        for i, (other, message) in enumerate(self.events[int(last_event_id):], int(last_event_id) + 1):
            if other == stream and message is not None:
                await send_callback(EventMessage(message, str(i)))
        return stream


async def state(request):
    return JSONResponse(STATE)


server = Server("matrix", version="1.0.0", on_list_tools=on_list_tools, on_call_tool=on_call_tool,
                on_subscriptions_listen=ListenHandler(BUS))
app = server.streamable_http_app(
    json_response=MODE == "json", event_store=Events() if MODE == "resumed" else None,
    retry_interval=20 if MODE == "resumed" else None, custom_starlette_routes=[Route("/state", state)])
print("ready", flush=True)
uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="error")
