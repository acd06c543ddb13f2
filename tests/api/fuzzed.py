#!/usr/bin/env python3
"""Lists the public functions and the options of the library against the fuzz targets that use them.

usage: fuzzed.py PROJECT_ROOT [--list]

A function of tests/api/libcupel.symbols, an enumerator of a set of options in include/cupel, and a field of an
options struct need a target that names them: in fuzz/NAME/target.c, or in a header that it includes from fuzz/.
Those that need none stand in fuzzed.txt, each with its reason; an entry that a target names fails the run too.
"""
import pathlib
import re
import sys

# Enumerations of which a caller chooses values, and structs of which it sets fields.
ENUMS = ("cupel_dialect", "cupel_option", "cupel_debug_option", "cupel_limit", "cupel_pass", "cupel_mcp_profile", "cupel_catalog_flag", "cupel_name_rules",
         "cupel_target", "cupel_request_flag", "cupel_argument_schema_flag", "cupel_report_flag", "cupel_rendering",
         "cupel_render_flag", "cupel_text_flag", "")
STRUCTS = ("cupel_options", "cupel_catalog_options", "cupel_request_options", "cupel_argument_schema_options",
           "cupel_render_options", "cupel_persona", "cupel_header")
INCLUDE = re.compile(r'^#include "\.\./([a-z_]+\.h)"|^#include "([a-z_]+\.h)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def bare(path):
    return COMMENT.sub(" ", path.read_text())


def target_text(folder, fuzz):
    """The text of a target with the headers of fuzz/ that it includes."""
    todo, seen, text = [folder / "target.c"], set(), ""
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        raw = path.read_text()
        text += COMMENT.sub(" ", raw)
        todo += [fuzz / (up or same) for up, same in INCLUDE.findall(raw)]
    return text


def enumerators(header):
    for name, body in re.findall(r"\benum\s*(\w*)\s*\{([^}]*)\}", header):
        if name not in ENUMS:
            continue
        for value in re.findall(r"\b(CUPEL_[A-Z][A-Z0-9_]*)\b\s*(?:=|,|$)", body.strip() + ","):
            if name or value.startswith("CUPEL_LOAD_"):
                yield value


def fields(header):
    for name, body in re.findall(r"\bstruct\s+(\w+)\s*\{(.*?)\n\};", header, re.DOTALL):
        if name in STRUCTS:
            for declaration in body.split(";"):
                found = re.search(r"\(\*(\w+)\)|(\w+)\s*(?:\[\d+\])?\s*$", declaration.strip())
                if found:
                    yield f"{name}.{found.group(1) or found.group(2)}"


def pattern_of(item):
    """What a target has to hold: a word; for a field, an assignment to it or a value for it in braces."""
    if "." not in item:
        return re.compile(rf"\b{item}\b")
    struct, field = item.split(".")
    return re.compile(rf"(\.|->){field}(\[\d+\])?\s*(\|=|&=|=[^=])|\bstruct {struct} \w+ = \{{\w|\(struct {struct}\)\{{\w|"
                      rf"static const struct {struct} \w+\[\]")


def read_reasons(path):
    reasons = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            item, _, reason = line.partition(": ")
            reasons[item] = reason
    return reasons


def main():
    root = pathlib.Path(sys.argv[1])
    fuzz, here = root / "fuzz", root / "tests" / "api"
    targets = {p.parent.name: target_text(p.parent, fuzz) for p in sorted(fuzz.glob("*/target.c"))}
    headers = [bare(p) for p in sorted((root / "include" / "cupel").glob("*.h"))]
    items = (here / "libcupel.symbols").read_text().split()
    for header in headers:
        items += [*enumerators(header), *fields(header)]
    reasons = read_reasons(here / "fuzzed.txt")
    passed = failed = 0
    for item in dict.fromkeys(items):
        found = [name for name, text in targets.items() if pattern_of(item).search(text)]
        reason = reasons.pop(item, None)
        if "--list" in sys.argv:
            print(f"{item}: {' '.join(found) or reason}")
        if found and reason is not None:
            print(f"{item}: in fuzzed.txt, but {found[0]} uses it")
        elif not found and not reason:
            print(f"{item}: no fuzz target uses it, and fuzzed.txt has no reason")
        else:
            passed += 1
            continue
        failed += 1
    for item in reasons:
        print(f"{item}: in fuzzed.txt, but not in the library")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed < 200 else 0


sys.exit(main())
