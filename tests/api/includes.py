#!/usr/bin/env python3
"""Holds the #include lines of every source file to what its folder may see (ARCHITECTURE.md).

usage: includes.py PROJECT_ROOT

The build enforces most of this by include directories; a relative path would get past those.  Also
checked here: only regex_pcre2.c knows PCRE2, file names are unique across the code folders, and no
unit test is forgotten in tests/meson.build.
"""
import pathlib
import re
import sys

# What each folder may include besides its own files, <cupel/...> and the system's headers.  `*` is
# every header of that folder.
ALLOWED = {
    "base": {},
    "vm": {"base": "*"},
    "compiler": {"base": "*", "vm": {"isa.h", "image.h", "table.h", "formats.h", "formats.def", "opcodes.def"}},
    "messages": {"base": "*", "vm": "*"},
    "mcp": {},
    "cli": {},
    "examples": {},
    "gateways": {},
}
# Headers that the build makes, and the folder they belong to.
GENERATED = {"metaschemas.inc": "compiler"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".def"))


def owners(root):
    """Which folder each internal header stands in, by its file name."""
    made = {p.name: folder for folder in ALLOWED for p in sources(root / folder)
            if p.suffix in (".h", ".def")}
    return made | GENERATED


def why_not(folder, path, bracket, name, owner):
    """A reason why a file must not include `name`, or None."""
    header = name.rsplit("/", 1)[-1]
    if header == "pcre2.h":
        return None if path.name == "regex_pcre2.c" else "only regex_pcre2.c knows PCRE2"
    if bracket == "<":
        if name.startswith("cupel/") or header not in owner:
            return None
        return "an internal header is written with quotes"
    if name.startswith("cupel/"):
        return "a public header is written with angle brackets"
    home = owner.get(header)
    if home is None:
        return "no such header in the project"
    if home == folder:
        return None
    seen = ALLOWED[folder].get(home, ())
    return None if seen == "*" or header in seen else f"{folder} must not see {home}/{header}"


def check_includes(root):
    owner = owners(root)
    checked, wrong = 0, []
    for folder in ALLOWED:
        for path in sources(root / folder):
            for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                checked += 1
                reason = why_not(folder, path, bracket, name, owner)
                if reason:
                    wrong.append(f"{path.relative_to(root)}: {name}: {reason}")
    return checked, wrong


def check_names(root):
    """A file name says where one is, in every message: it is unique, public headers apart."""
    seen, checked, wrong = {}, 0, []
    for folder in ALLOWED:
        for path in sources(root / folder):
            checked += 1
            other = seen.setdefault(path.name, path)
            if other is not path:
                wrong.append(f"{path.relative_to(root)}: {other.relative_to(root)} has that name")
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
    for check in (check_includes, check_names, check_unit_tests):
        count, found = check(root)
        checked += count
        wrong += found
    for line in wrong:
        print(line)
    print(f"{checked - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
