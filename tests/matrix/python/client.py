"""A client for the matrix, with the official Python SDK.

usage: client.py URL STATE_URL json|stream|resumed

Goes through the scenarios of tests/matrix/README.md and prints a line for each: its name, a tab, and what
came of it as JSON.
"""
import asyncio
import json
import sys
import urllib.request

import mcp_types as types
from mcp.client.client import Client

URL, STATE_URL, MODE = sys.argv[1:]
ABSENT = {"task": "the SDK has no tasks"}
if MODE == "json":
    ABSENT |= {"progress": "a JSON response carries no notification", "ping": "2026-07-28 has no ping"}
changes = 0


async def on_elicitation(ctx, params):
    return types.ElicitResult(action="accept", content={"colour": "blue"})


async def on_sampling(ctx, params):
    return types.CreateMessageResult(role="assistant", model="none",
                                     content=types.TextContent(type="text", text="yes"))


async def on_message(message):
    global changes
    changes += isinstance(message, types.ToolListChangedNotification)


def words(result):
    return [part.text for part in result.content]


async def list_tools(client):
    names, count, cursor = [], 0, None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        count, cursor = count + 1, page.next_cursor
        if cursor is None:
            return {"names": names, "pages": count}


async def call(client):
    return (await client.call_tool("add", {"a": 1, "b": 2})).structured_content


async def refused(client):
    try:
        return "refused" if (await client.call_tool("add", {"a": "one", "b": 2})).is_error else "passed"
    except Exception:
        return "refused"


async def result(client):
    try:
        await client.session.send_request(
            types.CallToolRequest(params=types.CallToolRequestParams(name="wrong", arguments={})),
            types.CallToolResult)
        return "passed"
    except Exception:
        return "refused"


async def elicitation(client):
    return words(await client.call_tool("ask", {}))


async def sampling(client):
    return words(await client.call_tool("sample", {}))


async def progress(client):
    seen = []

    async def on_progress(progress, total, message):
        seen.append([progress, total])
    outcome = await client.call_tool("slow", {}, progress_callback=on_progress)
    await asyncio.sleep(0.05)
    return {"seen": seen, "text": words(outcome)}


def server_state():
    with urllib.request.urlopen(STATE_URL) as answer:
        return json.load(answer)


async def cancellation(client):
    task = asyncio.ensure_future(client.call_tool("wait", {}))
    await asyncio.sleep(0.2)
    task.cancel()
    try:
        await task
        outcome = "answered"
    except asyncio.CancelledError:
        outcome = "cancelled"
    await asyncio.sleep(0.2)
    return {"outcome": outcome, "server": server_state()["cancelled"]}


async def changed(client):
    seen = 0
    if MODE == "json":
        async with client.listen(tools_list_changed=True) as events:
            await client.call_tool("grow", {})
            async for _ in events:
                seen = 1
                break
    else:
        await client.call_tool("grow", {})
        await asyncio.sleep(0.1)
        seen = changes
    names = (await list_tools(client))["names"]
    return {"changes": seen > 0, "names": names, "sum": words(await client.call_tool("grown", {"a": 2, "b": 3}))}


async def ping(client):
    return list((await client.send_ping()).model_dump(exclude_none=True, exclude={"result_type"}))


SCENARIOS = {"list": list_tools, "call": call, "refused": refused, "result": result,
             "elicitation": elicitation, "sampling": sampling, "progress": progress,
             "cancellation": cancellation, "changed": changed, "ping": ping, "task": None}


async def main():
    async with Client(URL, mode="2026-07-28" if MODE == "json" else "legacy", cache=None,
                      elicitation_callback=on_elicitation, sampling_callback=on_sampling,
                      message_handler=on_message) as client:
        for name, run in SCENARIOS.items():
            if name in ABSENT:
                print(f"{name}\tabsent: {ABSENT[name]}", flush=True)
                continue
            try:
                outcome = await asyncio.wait_for(run(client), 5)
            except TimeoutError:
                outcome = "no answer in 5 s"
            except Exception as error:
                outcome = f"failed: {error}"
            print(f"{name}\t{json.dumps(outcome, separators=(',', ':'))}", flush=True)
    print('end\t"ended"')


asyncio.run(main())
