#!/usr/bin/env python3
"""The verbs on tools, and `validate` of a schema without references to files, open what they are
given and nothing else, and no socket at all.

usage: quiet.py CUPEL

Runs them under strace, on definitions that refer to other machines and files, and reads what the
system was asked for.  Skipped where strace is not installed or may not trace.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)$")
NAMED = re.compile(r'"([^"]*)"')
NETWORK = {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto",
           "sendmsg", "recvfrom", "getaddrinfo"}
LOADING = re.compile(r"/etc/ld\.so\.|(/usr)?/lib(32|64)?/.*\.so(\.|$)|/usr/lib/locale/|/$")

REFERENCES = ["https://example.org/s.json", "http://127.0.0.1:9/s.json", "file:///etc/hostname",
              "other.json", "//example.org/x", "https://json-schema.org/draft/2019-09/schema"]
TOOLS = [{"name": f"t{i}", "inputSchema": {"type": "object", "$id": "https://example.org/base",
                                           "properties": {"a": {"$ref": reference}}},
          "outputSchema": {"$schema": reference, "type": "object"},
          "icons": [{"src": "https://example.org/i.png"}]}
         for i, reference in enumerate(REFERENCES)]
CALLS = [{"tool": f"t{i}", "arguments": {"a": "https://example.org/a"}} for i in range(len(TOOLS))]
RESULT = {"content": [{"type": "resource_link", "uri": "file:///etc/hostname", "name": "n"}]}


def trace(cupel, arguments, folder):
    """The calls of a run: (name, text) pairs; None if there may be no tracing."""
    log = folder / "trace"
    run = subprocess.run(["strace", "-f", "-s", "256", "-e", "trace=%network,%file", "-o", str(log),
                          cupel, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if not log.exists() or "ptrace" in run.stderr or "Operation not permitted" in run.stderr:
        return None
    matches = map(CALL.match, log.read_text(encoding="utf-8", errors="replace").splitlines())
    return [match.groups() for match in matches if match]


def fault(name, text, given, cupel):
    """What is wrong with a call, or None."""
    if name in NETWORK:
        return "a socket"
    path = NAMED.search(text)
    if name in {"readlink", "getcwd"}:  # realpath() of the schema finds its base URI, and opens nothing
        return None
    if path is None or path[1] in {"", *given} or path[1] == cupel or LOADING.match(path[1]):
        return None
    return f"a file that was not named: {path[1]}"


def main():
    if shutil.which("strace") is None:
        print("skipped: no strace\n0 passed, 0 failed")
        return 0
    cupel, passed, failed = str(pathlib.Path(sys.argv[1]).resolve()), 0, 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "tools.json").write_text(json.dumps({"tools": TOOLS}), encoding="utf-8")
        (folder / "schema.json").write_text(json.dumps({"$defs": {"a": {"$ref": "#"}}}))
        (folder / "calls.jsonl").write_text("".join(json.dumps(c) + "\n" for c in CALLS))
        (folder / "results.jsonl").write_text(json.dumps(RESULT) + "\n")
        for arguments in (["tools", "check", "tools.json"], ["tools", "list", "tools.json"],
                          ["tools", "call", "tools.json", "calls.jsonl"],
                          ["tools", "result", "--tool", "t5", "tools.json", "results.jsonl"],
                          ["tools", "pin", "tools.json"],
                          ["tools", "diff", "tools.json", "tools.json"],
                          ["validate", "tools.json", "calls.jsonl"],
                          ["validate", "schema.json", "calls.jsonl"]):
            calls = trace(cupel, arguments, folder)
            if calls is None:
                print("skipped: strace may not trace here\n0 passed, 0 failed")
                return 0
            given = set(arguments)
            faults = [f for f in (fault(n, t, given, cupel) for n, t in calls) if f]
            seen = any(f'"{arguments[-1]}"' in text for _, text in calls)
            good = seen and not faults
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(" ".join(arguments), faults or "its argument was not seen to be opened")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
