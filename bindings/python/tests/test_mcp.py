"""Catalogs of tools."""
import json

import pytest
from conftest import corpus

import cupel_jsonschema as cupel
from cupel_jsonschema import mcp

READ = {"name": "read", "inputSchema": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}},
        "outputSchema": {"type": "object", "required": ["text"]}}


def call(arguments, name="read"):
    return {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


@pytest.fixture
def catalog():
    return mcp.Catalog([READ])


def test_calls(catalog):
    assert catalog.check_call(call({"path": "/"}))["verdict"] == "valid"
    outcome = catalog.check_call(json.dumps(call({"path": 5})))
    assert outcome["verdict"] == "invalid"
    assert outcome["messages"][0]["answer"]["id"] == 5
    assert catalog.check_call(b"{")["verdict"] != "valid"


def test_arguments(catalog):
    assert mcp.check_arguments(catalog, "read", {"path": "/"}) is None
    with pytest.raises(cupel.ValidationError) as caught:
        mcp.check_arguments(catalog, "read", {})
    assert "path" in caught.value.model_message
    for name, arguments in (("write", {}), ("read", None)):
        with pytest.raises((cupel.ValidationError, cupel.Undecided)):
            mcp.check_arguments(catalog, name, arguments)


def test_results(catalog):
    good = {"jsonrpc": "2.0", "id": 1, "result": {"content": [], "structuredContent": {"text": "x"}}}
    assert catalog.check_result("read", good)["verdict"] == "valid"
    good["result"]["structuredContent"] = {}
    assert catalog.check_result("read", good)["verdict"] == "invalid"
    with pytest.raises(KeyError):
        catalog.check_result("write", good)


def test_digests(catalog):
    pins = catalog.pins()
    assert [pin["name"] for pin in pins] == ["read"] and all(len(pin["all"]) == 64 for pin in pins)
    lock = catalog.lock()
    assert catalog.changes_since(lock) == []
    changed = mcp.Catalog([{**READ, "description": "other"}])
    assert [change["name"] for change in changed.changes_since(lock)] == ["read"]
    with pytest.raises((cupel.SchemaError, cupel.JSONError)):
        catalog.changes_since(b"{}")


def test_exports_and_hidden_text():
    made = mcp.export(READ, "openai-strict")
    assert made["tool"]["inputSchema"]["additionalProperties"] is False
    with pytest.raises(cupel.SchemaError):
        mcp.export(READ, "nobody")
    assert mcp.hidden_text("a\u202eb")["codePoint"] == 0x202E
    assert mcp.hidden_text("plain") is None


def test_bad_lists():
    for tools in (b"{", b"{}", [{"name": 5}], 5):
        try:
            made = mcp.Catalog(tools)
        except (cupel.JSONError, cupel.SchemaError):
            continue
        assert all(tool["verdict"] == "invalid" for tool in made.tools)
    with pytest.raises(cupel.SchemaError):
        mcp.Catalog([READ], colour="red")


def test_real_catalogs():
    tools = 0
    for path in sorted(corpus("mcp-tools").glob("*.json")):
        tools += len(mcp.Catalog(path.read_bytes()).tools)
    assert tools > 1000


def test_middleware():
    fastmcp = pytest.importorskip("fastmcp")
    import asyncio

    server = fastmcp.FastMCP("files", middleware=[mcp.middleware(mcp.Catalog([READ]))])

    @server.tool
    def read(path: str) -> str:
        return path

    async def run():
        async with fastmcp.Client(server) as client:
            good = await client.call_tool("read", {"path": "/x"})
            bad = await client.call_tool("read", {"path": 5}, raise_on_error=False)
            return good, bad
    good, bad = asyncio.run(run())
    assert good.data == "/x"
    assert bad.is_error and "path" in bad.content[0].text
