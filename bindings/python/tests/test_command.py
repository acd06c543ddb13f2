"""python -m cupel_jsonschema."""
import json

import pytest

from cupel_jsonschema.__main__ import main


@pytest.fixture
def files(tmp_path):
    def write(name, value):
        path = tmp_path / name
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return str(path)
    return write


def test_validate(files, capsys):
    schema = files("schema.json", {"required": ["a"]})
    assert main(["validate", schema, files("good.json", {"a": 1})]) == 0
    assert main(["validate", schema, files("bad.json", {})]) == 1
    assert "a" in capsys.readouterr().out
    assert main(["validate", schema, files("text.json", b"{")]) == 2
    assert main(["validate", schema, files("deep.json", b"[" * 999)]) == 2
    assert main(["validate", schema, "/nowhere"]) == 2
    assert main(["validate", files("s.json", {"type": 5}), files("good.json", {})]) == 2
    assert main(["validate", "--dialect", "draft-07", schema, files("good.json", {"a": 1})]) == 0


def test_lint(files, capsys):
    assert main(["lint", files("s.json", {"type": 5})]) == 1
    assert "type" in capsys.readouterr().out
    assert main(["lint", files("s.json", {"minLenght": 5})]) == 0
    assert "minLength" in capsys.readouterr().out


def test_tools(files):
    assert main(["tools", "check", files("t.json", {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]})]) == 0
    assert main(["tools", "check", files("t.json", {"tools": [{"name": "a", "inputSchema": {"type": 5}}]})]) == 1


def test_usage():
    with pytest.raises(SystemExit):
        main([])
