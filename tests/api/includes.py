#!/usr/bin/env python3
"""Checks the #include lines of every source file against the layers of ARCHITECTURE.md.

usage: includes.py PROJECT_ROOT

The build enforces most of this by include directories; a relative path would get past those.  Also
checked here: only regex/pcre2.c knows PCRE2, file names are unique across the code folders, and no
unit test is forgotten in tests/meson.build.
"""
import pathlib
import re
import sys

# What each room may include besides its own headers, <cupel/...> and the system's.  A room is a folder of code; the
# order is that of the layers, so a room never includes one that stands below it in this table.
BASE = {"base", "base/json", "base/regex"}
VM = BASE | {"vm/program", "vm/formats", "vm/run", "vm/report"}
MCP = {"mcp/options", "mcp/containers", "mcp/text", "mcp/json", "mcp/rules", "mcp/definition", "mcp/catalog"}
ALLOWED = {
    "base": set(),
    "base/json": {"base"},
    "base/regex": {"base"},
    "vm/formats": BASE,
    "vm/program": BASE | {"vm/formats"},
    "vm/run": BASE | {"vm/formats", "vm/program"},
    "vm/report": VM,
    "compiler/ir": BASE | {"vm/formats"},
    "compiler/frontend": BASE | {"vm/formats"},
    "compiler/lower": BASE | {"vm/formats", "compiler/frontend", "compiler/ir"},
    "compiler/passes": BASE | {"compiler/ir"},
    "compiler/emit": BASE | {"vm/formats", "compiler/ir"},
    "compiler": BASE | {"compiler/frontend", "compiler/ir", "compiler/lower", "compiler/passes", "compiler/emit"},
    "messages": VM,
    "mcp/options": {"base"},
    "mcp/containers": {"base"},
    "mcp/text": set(),
    "mcp/json": {"mcp/containers", "mcp/text"},
    "mcp/rules": set(),
    "mcp/message": {"mcp/containers", "mcp/text"},
    "mcp/vendor": {"mcp/options", "mcp/containers", "mcp/text", "mcp/json", "mcp/rules"},
    "mcp/definition": {"mcp/containers", "mcp/text", "mcp/json", "mcp/rules"},
    "mcp/catalog": MCP,
    "mcp/identity": MCP,
    "mcp/call": MCP | {"mcp/message"},
    "mcp/result": MCP | {"mcp/message", "mcp/call"},
    "mcp/arguments": {"mcp/options", "mcp/containers", "mcp/text", "mcp/json"},
    "mcp/elicitation": {"mcp/options", "mcp/text", "mcp/json", "mcp/rules"},
    "mcp/declare": {"mcp/options", "mcp/json"},
    "cli": set(),
    "cli/generate": {"cli"},
    "cli/suite": {"cli"},
    "cli/verbs": {"cli", "cli/suite"},
    "gateways/common/base": set(),
    "gateways/common/stream": {"gateways/common/base"},
    "gateways/common/store": {"gateways/common/base"},
    "gateways/common/exchange": {"gateways/common/base", "gateways/common/store"},
    "gateways/common/learn": {"gateways/common/base", "gateways/common/store", "gateways/common/exchange"},
    "gateways/common/request": {"gateways/common/base", "gateways/common/exchange"},
    "gateways/common/response": {"gateways/common/base", "gateways/common/stream", "gateways/common/exchange"},
    "gateways/nginx": {f"gateways/common/{room}" for room in (
        "base", "stream", "store", "exchange", "learn", "request", "response")},
    "examples": set(),
}
# Of the VM the compiler sees the image that it writes.
ALSO = {"vm/program/isa.h", "vm/program/image.h", "vm/program/name_table.h", "vm/program/opcodes.def", "vm/program/operands.def"}
# Headers that the build makes.
GENERATED = {"compiler/metaschemas.inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(folder):
    return sorted(p for p in folder.glob("*") if p.suffix in (".c", ".h", ".def"))


def room_of(path, root):
    return path.parent.relative_to(root).as_posix()


def why_not(room, name, bracket, root):
    """A reason why a file of the room must not include `name`, or None."""
    if name == "pcre2.h":
        return None if room == "base/regex" else "only base/regex knows PCRE2"
    if bracket == "<":
        return None
    if name.startswith("cupel/"):
        return "a public header is written with angle brackets"
    if "/" not in name and room == "examples":
        return None
    if name in GENERATED:
        return None
    if not (root / name).exists():
        return "an internal header is written as its path from the root"
    home = name.rsplit("/", 1)[0]
    if home == room or home in ALLOWED[room] or room.startswith("compiler") and name in ALSO:
        return None
    return f"{room} must not see {home}"


def check_includes(root):
    checked, wrong = 0, []
    for room in ALLOWED:
        for path in sources(root / room):
            for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                checked += 1
                reason = why_not(room, name, bracket, root)
                if path.name != "pcre2.c" and name == "pcre2.h":
                    reason = "only base/regex/pcre2.c includes pcre2.h"
                if reason:
                    wrong.append(f"{path.relative_to(root)}: {name}: {reason}")
    return checked, wrong


def check_rooms(root):
    """Every folder of code is a room of the table and has at most 40 files."""
    checked, wrong = 0, []
    for top in sorted({room.split("/")[0] for room in ALLOWED}):
        for folder in sorted(p for p in (root / top).rglob("*") if p.is_dir()) + [root / top]:
            found = sources(folder)
            if not found:
                continue
            checked += 1
            if folder.relative_to(root).as_posix() not in ALLOWED:
                wrong.append(f"{folder.relative_to(root)}: not in the table of tests/api/includes.py")
            if len(found) > 40:
                wrong.append(f"{folder.relative_to(root)}: {len(found)} files")
    return checked, wrong


def check_unit_tests(root):
    build = (root / "tests" / "meson.build").read_text(encoding="utf-8")
    listed = re.search(r"^unit_tests = \{(.*?)^\}", build, re.MULTILINE | re.DOTALL)[1]
    checked, wrong = 0, []
    for path in sorted((root / "tests" / "unit").glob("test_*.c")):
        checked += 1
        if f"'{path.stem.removeprefix('test_')}'" not in listed:
            wrong.append(f"{path.relative_to(root)}: not in tests/meson.build")
    return checked, wrong


def main():
    root = pathlib.Path(sys.argv[1])
    checked, wrong = 0, []
    for check in (check_includes, check_rooms, check_unit_tests):
        count, found = check(root)
        checked += count
        wrong += found
    for line in wrong:
        print(line)
    print(f"{checked - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
