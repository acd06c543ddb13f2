#!/usr/bin/env python3
"""Checks that the comment of every public function has the parts of a contract (docs/hosts.md, "Comments of functions").

usage: contracts.py INCLUDE_DIRECTORY

  - The first comment of each header has a paragraph "Threads:", which holds for all its functions.
  - A function that returns a status names CUPEL_OK and its errors, or the function that returns the same ones.
  - One that returns another enumeration names every value, or the function that returns the same ones.
  - One that returns a pointer says when that is NULL and how long it is valid.
  - One that returns a number says which numbers.
  - One that makes an object says who frees it.
  - A string without a length is described as ending in a NUL.
  - "NULL: a, b." at the end names the pointers that may be NULL besides those of the general rule.
  - Every function, status and bound that a comment names exists.
"""
import pathlib
import re
import sys

import prototypes

LIFE = r"\bstatic\b|\blives?\b|\bvalid until\b|\bas long as\b|\buntil\b"
NUMBERS = r"\b(0|1|-1|number|bytes|size|length|offset|checksum|CUPEL_NO_NODE)\b"


def enumerators(include):
    """The names of each enumeration of the headers, without the part that all of them begin with."""
    found = {}
    for path in sorted(pathlib.Path(include, "cupel").glob("*.h")):
        for match in re.finditer(r"^enum (cupel_\w+) \{(.*?)\}", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            body = prototypes.COMMENT.sub("", match[2])
            found[match[1]] = re.findall(r"\bCUPEL_(\w+)\s*(?:=[^,}]*)?(?:,|$)", body.strip())
    return found


def last_words(names):
    """VALID of CALL_VALID, CALL_INVALID, …"""
    common = 0
    parts = [name.split("_") for name in names]
    while all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
        common += 1
    return ["_".join(p[common:]) for p in parts]


def refers_to(function, functions):
    """Whether the comment names another function with the same kind of result."""
    same = {f.name for f in functions.values() if f.returns.split()[-1] == function.returns.split()[-1]} - {function.name}
    return any(name in same for name in re.findall(r"\bcupel_\w+", function.comment))


def faults_of_result(function, functions, enums):
    comment, kind = function.comment, function.returns.replace("CUPEL_MUST_CHECK ", "")
    if kind == "enum cupel_status":
        if not refers_to(function, functions) and not ("CUPEL_OK" in comment and "CUPEL_E_" in comment):
            yield "does not name CUPEL_OK and its errors"
    elif kind.startswith("enum"):
        missing = [w for w in last_words(enums[kind.split()[1]]) if not re.search(rf"\b{w}\b|_{w}\b", comment)]
        if missing and not refers_to(function, functions):
            yield f"does not say when it returns {', '.join(missing)}"
    elif kind.endswith("*"):
        if "NULL" not in comment:
            yield "does not say whether the result can be NULL"
        if not re.search(LIFE, comment, re.IGNORECASE):
            yield "does not say how long the result is valid"
    elif kind != "void" and not re.search(NUMBERS, comment):
        yield "does not say which numbers it returns"


def faults_of_parameters(function):
    names = [p.name for p in function.parameters]
    for i, p in enumerate(function.parameters):
        after = function.parameters[i + 1] if i + 1 < len(names) else None
        if p.type == "const char *" and not (after and after.type in ("size_t", "const int64_t *")) and "NUL" not in function.comment.replace("NULL", ""):
            yield f"does not say that {p.name} ends in a NUL"
        if p.type.startswith("struct") and p.type.endswith("**") and "frees" not in function.comment:
            yield "does not say who frees the object"
    for name in function.may_be_null:
        if name not in names:
            yield f'"NULL:" names {name}, which is no parameter'
    if "may be NULL" in function.comment:
        yield 'says "may be NULL" in words: the line "NULL:" is the one place for that'


def faults_of_names(function, known):
    for name in re.findall(r"\b(?:cupel_\w+|CUPEL_[A-Z]\w+)", function.comment):
        if name not in known and not name.endswith("_"):
            yield f"names {name}, which does not exist"


def names_of(include):
    """All names that the headers declare."""
    text = "\n".join(prototypes.COMMENT.sub("", p.read_text(encoding="utf-8")) for p in pathlib.Path(include, "cupel").glob("*.h"))
    lists = {"E": "errors.def", "LIMIT": "limits.def", "P": "problems.def"}
    found = set(re.findall(r"\b(?:cupel_\w+|CUPEL_\w+)", text))
    for prefix, file in lists.items():
        found |= {f"CUPEL_{prefix}_{n}" for n in re.findall(r"^[ELP]\((\w+)", pathlib.Path(include, "cupel", file).read_text(encoding="utf-8"), re.MULTILINE)}
    return found


def main():
    include = sys.argv[1]
    functions = {f.name: f for f in prototypes.all_functions(include)}
    enums, known = enumerators(include), names_of(include)
    checked, wrong = 0, []
    for path in sorted(pathlib.Path(include, "cupel").glob("*.h")):
        checked += 1
        if "Threads:" not in prototypes.first_comment(path):
            wrong.append(f"{path.name}: no paragraph \"Threads:\" in the first comment")
    for function in functions.values():
        checked += 1
        faults = list(faults_of_parameters(function)) + list(faults_of_names(function, known))
        if function.comment == "":
            faults = ["has no comment"]
        else:
            faults += faults_of_result(function, functions, enums)
        wrong += [f"{function.header}: {function.name} {fault}" for fault in faults]
    for line in wrong:
        print(line)
    print(f"{max(checked - len(wrong), 0)} passed, {len(wrong)} failed")
    return 1 if wrong or checked < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
