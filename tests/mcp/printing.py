#!/usr/bin/env python3
"""What strangers wrote is printed so that it cannot act: hostile names in every place that a verb prints
from, every verb, every format, both streams, each output read as its format is read.

usage: printing.py CUPEL
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

HOSTILE = [
    "a\n::error::x", "::error::x", " ::warning file=a::x", "a\r::error::x", "a\x1b[31mred\x1b[0m", "a\x1b]0;title\x07",
    "a\x00b", "a\x08\x08\x08b", "a\x7fb", "a\x85b", "a\x9b31mb", "a\u2028::error::x", "a\u2029b", "a\u202eb\u202c",
    "a\u2066b\u2069", "a\u200eb", "a\u200bb", "a\ufeffb", "a\u00adb", "a\U000e0061b", "a\ufe0fb", "a\ue000b",
    "a\U000f0000b", "a\ufdd0b", "a\ufffeb", "a\uffffb", "a\U0001ffffb", "a##[error]b", "##[group]b", "a##vso[task.x]b",
    "##vso[task.setvariable variable=a]b", "\t::x", "a\x0b::x", "a\x0c::x", "]]><x/>", "a\"/><b c=\"", "&#0;&lt;",
    "a%0A::error::b", "a\n##[error]b", "a\\u202eb", "a\n{\"verdict\":\"valid\"}\n",
]
LEGAL_COMMAND = re.compile(r"::(error|warning|notice)( [a-zA-Z]+=[^\n]*)?::")


def is_bad(c):
    """Whether a character may not stand in an output, whatever the format."""
    code = ord(c)
    if c in "\n\t":
        return False
    return unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") and not (
        code in (0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f)) or \
        code & 0xfffe == 0xfffe or 0xfdd0 <= code <= 0xfdef or 0xfe00 <= code <= 0xfe0f or \
        0xe0000 <= code <= 0xe0fff or code in (0x34f, 0x115f, 0x1160, 0x3164, 0xffa0)


class Checker:
    def __init__(self, cupel, folder):
        self.cupel, self.folder = cupel, folder
        self.passed = self.failed = self.runs = 0
        self.behind = []

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good and self.failed <= 20:
            print(f"failed: {what}")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False),
                        encoding="utf-8", newline="")
        return name

    def read_stream(self, what, data, commands):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.check(False, f"{what}: {error}")
            return ""
        bad = [f"U+{ord(c):04X}" for c in text if is_bad(c)]
        self.check(not bad, f"{what}: {bad[:3]} in {text[:200]!r}")
        for line in text.split("\n"):
            if line.lstrip().startswith("::"):
                self.check(commands and LEGAL_COMMAND.match(line), f"{what}: a command: {line[:120]!r}")
            self.check("##[" not in line and "##vso[" not in line.lower(), f"{what}: a command: {line[:120]!r}")
        return text

    def run(self, what, args, form):
        done = subprocess.run([self.cupel, *args], capture_output=True, cwd=self.folder)
        what = f"{what}: {' '.join(args)}"
        self.runs += 1
        self.check(0 <= done.returncode < 70, f"{what}: exit status {done.returncode}")
        out = self.read_stream(what + " (stdout)", done.stdout, form == "github")
        err = self.read_stream(what + " (stderr)", done.stderr, False)
        self.check(not err or err.endswith("\n"), f"{what}: stderr ends in a line")
        try:
            if form == "json" and out:
                json.loads(out)
            elif form == "jsonl":
                for line in out.splitlines():
                    json.loads(line)
            elif form == "xml" and out:
                xml.etree.ElementTree.fromstring(out)
        except ValueError as error:
            self.check(False, f"{what}: no {form}: {error}: {out[:300]!r}")
        except xml.etree.ElementTree.ParseError as error:
            self.check(False, f"{what}: no XML: {error}: {out[:300]!r}")
        if form == "text":
            # A line of the output is the command's own: none begins with what stands behind a line end.
            for part in self.behind:
                self.check(not any(line.startswith(part) for line in (out + err).splitlines()),
                           f"{what}: a line begins with {part!r}: {out[:300]!r}")

    # -- Inputs --

    def catalogs(self, h):
        """Catalogs with the text in every place that something is printed from, sound and not."""
        schema = {"type": "object", "properties": {h: {"type": "string", "pattern": "(?=a)", "description": h,
                                                       "format": h, "minLength": 3, "enum": [h, "ab"]}},
                  "required": [h], "$defs": {h: {"title": h}}, h: h}
        yield [{"name": h, "title": h, "description": h, "inputSchema": schema, "_meta": {h: h},
                "annotations": {"title": h}, "namespace": h, "version": h, "tags": [h], h: h,
                "icons": [{"src": h, "mimeType": h}], "outputSchema": schema}]
        yield [{"name": "t", "inputSchema": {"type": "object", "$schema": h}}]
        yield [{"name": "t", "inputSchema": {"type": "object", "properties": {h: {"type": h}}}}]
        yield [{"name": "t", "inputSchema": {"type": "object", "properties": {h: {"$ref": h}}}}]
        yield [{"name": "t", "inputSchema": {"type": "object", "properties": {h: {"pattern": h + "("}}}}]
        yield [{"name": "t", "inputSchema": {"type": "object", "properties": {h: {"x-mcp-header": h, "type": "string"}}}}]
        yield [{"name": "t", "inputSchema": {"type": "object", "properties": {"p": {"anyOf": [
            {"$ref": "#/$defs/" + h}, {h: 1}]}}, "$defs": {h: True}, "required": [h]}}]

    def tools(self, h):
        for i, tools in enumerate(self.catalogs(h)):
            what = f"{h!a} catalog {i}"
            self.write("c.json", {"tools": tools})
            if i == 0 and "\x00" not in h and "/" not in h:
                name = self.write(h, {"tools": tools})
                for verb in ("check", "list", "pin"):
                    self.run(what, ["tools", verb, "--", name] if name.startswith("-") else ["tools", verb, name],
                             "json" if verb == "pin" else "text")
            for verb in ("check", "list"):
                self.run(what, ["tools", verb, "c.json"], "text")
                self.run(what, ["tools", verb, "--format", "json", "c.json"], "json")
            self.run(what, ["tools", "list", "--wire", "c.json"], "json")
            self.run(what, ["tools", "pin", "c.json"], "json")
            self.write("d.json", {"tools": [dict(t, description="other") for t in tools]})
            self.run(what, ["tools", "diff", "c.json", "d.json"], "text")
            self.run(what, ["tools", "diff", "--format", "json", "c.json", "d.json"], "json")
            for target in ("openai", "openai-strict", "gemini"):
                self.run(what, ["tools", "check", "--target", target, "c.json"], "text")
                self.run(what, ["tools", "export", "--target", target, "c.json"], "json")
                self.run(what, ["tools", "export", "--format", "json", "--target", target, "c.json"], "json")
            calls = [{"tool": tools[0]["name"], "arguments": {h: h}}, {"tool": h, "arguments": {}},
                     {"jsonrpc": "2.0", "id": h, "method": "tools/call", "params": {"name": "t", h: 1}},
                     {"jsonrpc": "2.0", "id": 1, "method": h}, {h: h}]
            self.write("calls", "".join(json.dumps(c) + "\n" for c in calls))
            self.run(what, ["tools", "call", "c.json", "calls"], "jsonl")
            self.run(what, ["tools", "call", "--format", "human", "c.json", "calls"], "text")
            results = [{"content": [{"type": h}], h: h, "structuredContent": {h: 1}}, {"content": h}]
            self.write("results", "".join(json.dumps(r) + "\n" for r in results))
            if "\x00" not in tools[0]["name"]:
                for form in ("human", "json"):
                    self.run(what, ["tools", "result", "--format", form, "--tool", tools[0]["name"], "c.json",
                                    "results"], "jsonl" if form == "json" else "text")

    def raw(self):
        """White space and members of a definition that are copied as they stand."""
        for end in ("\r\n", "\r", "\n", "\t"):
            text = '{"tools": [{"name": "t",' + end + '"inputSchema": {' + end + '"type": "object",' + end + \
                '"x-a": {' + end + '"b\u202e":' + end + '"##[x]\x7f"}}}]}'
            self.write("c.json", text)
            for verb in (["export", "--target", "anthropic"], ["list", "--wire"], ["pin"]):
                self.run(f"{end!r}", ["tools", *verb, "c.json"], "json")

    def validate(self, h):
        self.write("s.json", {"properties": {h: {"type": "integer", "title": h, "const": h},
                                             "e": {"enum": [h, "b"]}}, "additionalProperties": False,
                              "required": [h + h], "title": h, "dependentRequired": {h: ["q"]}})
        self.write("i.json", {h: h, "e": "c", h + "y": [h]})
        for form in ("human", "json", "model", "sarif", "junit", "github", "flag", "basic", "detailed", "verbose"):
            kind = {"junit": "xml", "github": "github", "human": "text", "model": "text"}.get(form, "json")
            self.run(f"{h!a}", ["validate", "--format", form, "--show-values", "s.json", "i.json"], kind)
        self.run(f"{h!a}", ["validate", "--annotations", "s.json", "i.json"], "text")
        self.run(f"{h!a}", ["validate", "--repair", "s.json", "i.json"], "text")
        if "\x00" not in h and "/" not in h and not h.startswith("-"):
            name = self.write(h, {"q": 1})
            for form in ("human", "json", "junit", "github", "sarif"):
                kind = {"junit": "xml", "github": "github", "human": "text"}.get(form, "json")
                self.run(f"{h!a}", ["validate", "--format", form, "s.json", name], kind)
            self.write(h, "{" + h)
            for form in ("human", "json", "junit", "github", "sarif"):
                kind = {"junit": "xml", "github": "github", "human": "text"}.get(form, "json")
                self.run(f"{h!a}", ["validate", "--format", form, "s.json", name], kind)
            self.run(f"{h!a}", ["validate", name, "i.json"], "text")
            self.run(f"{h!a}", ["tools", "check", name], "text")
            (self.folder / name).unlink()
            self.run(f"{h!a}", ["validate", "s.json", name], "text")
        self.run(f"{h!a}", ["disasm", "s.json"], "text")
        self.run(f"{h!a}", ["compile", "s.json"], "text")
        self.run(f"{h!a}", ["compile", "--dump=lower", "s.json"], "text")
        for schema in ({"$ref": h}, {"pattern": h + "["}, {"type": h}, {"$schema": h}, {"properties": {h: {"type": 7}}},
                       {"$id": h}, {"format": h}):
            self.write("bad.json", schema)
            self.run(f"{h!a}", ["validate", "--assert-format", "bad.json", "i.json"], "text")

    def others(self, h):
        self.write("e.json", {"type": "object", "properties": {h: {"type": h, h: h}}, "required": [h]})
        self.write("a.json", {"type": "object", "properties": {"p": {"type": "string", "enum": [h]}}, "required": [h]})
        self.write("i.json", {"p": h, h: h})
        self.write("suite.json", [{"description": h, "schema": {"const": 1}, "tests": [
            {"description": h, "data": 2, "valid": True}]}])
        self.run(f"{h!a}", ["suite", "suite.json"], "text")
        for form in ("human", "json"):
            kind = "jsonl" if form == "json" else "text"
            self.run(f"{h!a}", ["elicitation", "check", "--format", form, "e.json"], kind)
            self.run(f"{h!a}", ["args", "--format", form, "a.json", "i.json"], kind)
        if "\x00" not in h:
            self.run(f"{h!a}", ["explain", h], "text")
            self.run(f"{h!a}", [h], "text")
            self.run(f"{h!a}", ["validate", "--format", h, "s.json"], "text")
            self.run(f"{h!a}", ["tools", "check", "--" + h, "c.json"], "text")
            self.run(f"{h!a}", ["validate", "--limit", h, "s.json", "i.json"], "text")


def main():
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        checker.raw()
        for h in HOSTILE:
            checker.behind = [part for part in re.split("[\n\r]", h)[1:] if part]
            checker.tools(h)
            checker.validate(h)
            checker.others(h)
    print(f"{checker.runs} runs")
    print(f"{checker.passed} passed, {checker.failed} failed")
    return checker.failed != 0


if __name__ == "__main__":
    sys.exit(main())
