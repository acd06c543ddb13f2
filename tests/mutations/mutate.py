#!/usr/bin/env python3
"""The text for models names every mistake in a call, and nothing else.

usage: mutate.py RENDER_LINES [--show N] [--seed N]

RENDER_LINES is the program built from render_lines.c.  Valid calls of ../shared/corpora/calls are
mutated: a required member is dropped or renamed, a value gets another type, a value of an enum is
misspelt, a member is added where none may be, the tag of a tagged union gets a wrong value.  Each
call is tried with one mutation and with three.  The generator keeps a list of what it did; a
rendering is right if every mutation is named by a line of its own place, and every line is about
a mutation.  At least 99 % have to be right with one mutation, 95 % with three.

Schemas are closed (additionalProperties: false) for the mutation that adds; for the tag, two calls
of a file are put into a union whose branches a member `kind` distinguishes.

Seeded: the same corpus and --seed give the same calls.  --show prints the first N that are not
right.
"""
import argparse
import copy
import json
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402

SEED = 20260822
NAMES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
         "object": dict, "null": type(None)}
PLAIN = re.compile(r"[A-Za-z0-9_$@-]{1,64}\Z")


# -- Places ---------------------------------------------------------------------------------------

def path_text(path):
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif PLAIN.match(step):
            text += ("." if text else "") + step
        else:
            text += f'["{step}"]'
    return text or "arguments"


def at(value, path):
    for step in path:
        value = value[step]
    return value


def is_type(value, name):
    if name in ("integer", "number") and isinstance(value, bool):
        return False
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, NAMES[name])


def types_of(schema):
    types = schema.get("type", [])
    return [types] if isinstance(types, str) else types


def sites(schema, value, path=()):
    """Every object schema on the way into the value, and every typed value."""
    if not isinstance(schema, dict):
        return
    yield path, schema, value
    if isinstance(value, dict):
        for name, sub in schema.get("properties", {}).items():
            if name in value:
                yield from sites(sub, value[name], path + (name,))
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for i, item in enumerate(value):
            yield from sites(schema["items"], item, path + (i,))


# -- Mutations ------------------------------------------------------------------------------------
# Each returns (kind, places that it touches, names that a line must have, function that does it).

def drop(rng, path, schema, value):
    names = [n for n in schema.get("required", []) if n in value]
    if not names:
        return None
    name = rng.choice(names)
    return "drop", path + (name,), [path + (name,)], lambda v: at(v, path).pop(name)


def renamed(rng, name):
    ways = [name.upper() if name.lower() == name else name.lower(),
            re.sub(r"_(.)", lambda m: m[1].upper(), name), name.replace("_", ""),
            name + "s", "the_" + name]
    if len(name) > 4:
        i = rng.randrange(1, len(name) - 1)
        ways += [name[:i] + name[i + 1:], name[:i] + name[i + 1] + name[i] + name[i + 2:]]
    ways = [w for w in ways if w and w != name]
    return rng.choice(ways)


def rename(rng, path, schema, value):
    names = [n for n in schema.get("required", []) if n in value]
    if not names:
        return None
    name = rng.choice(names)
    new = renamed(rng, name)
    if new in schema.get("properties", {}) or new in value:
        return None

    def change(v):
        parent = at(v, path)
        items = [(new if k == name else k, x) for k, x in parent.items()]
        parent.clear()
        parent.update(items)
    return "rename", path + (name,), [path + (name,), path + (new,)], change


def replace(path, new):
    def change(v):
        at(v, path[:-1])[path[-1]] = new
    return change


def retype(rng, path, schema, value):
    types = types_of(schema)
    if not path or not types:
        return None
    others = {"string": ["x1", "17", "true", "[]"], "integer": [7], "number": [2.5],
              "boolean": [True, False], "array": [["x"]], "object": [{"zq": 1}], "null": [None]}
    fits = [x for kind, values in others.items() for x in values
            if not any(is_type(x, t) for t in types)]
    if not fits:
        return None
    return "retype", path, [path], replace(path, rng.choice(fits))


def misspell(rng, path, schema, value):
    values = schema.get("enum", [])
    if not path or not isinstance(value, str) or len(value) < 3 or value not in values:
        return None
    i = rng.randrange(len(value) - 1)
    new = rng.choice([value[:i] + value[i + 1] + value[i] + value[i + 2:], value[:i] + value[i + 1:],
                      value[:i] + "q" + value[i:], value.swapcase()])
    if new in values:
        return None
    return "misspell", path, [path], replace(path, new)


def extra(rng, path, schema, value):
    if schema.get("additionalProperties") is not False:
        return None
    name = rng.choice(["zqxv", "verbose_qq", "wwwkk", "foo_bar_baz"]) + str(rng.randrange(100))
    if name in schema.get("properties", {}) or name in value:
        return None

    def change(v):
        at(v, path)[name] = rng.choice([1, "x", True])
    return "extra", path + (name,), [path + (name,)], change


def wrong_tag(rng, path, schema, value):
    if "oneOf" not in schema or not isinstance(value, dict) or "kind" not in value:
        return None
    place = path + ("kind",)
    kinds = [b["properties"]["kind"]["const"] for b in schema["oneOf"]]
    new = rng.choice([value["kind"] + "x", "no_such_kind_at_all"])
    if new in kinds:
        return None
    return "tag", place, [place], replace(place, new)


OBJECTS = [drop, rename, extra, wrong_tag]
VALUES = [retype, misspell]


def possible(rng, schema, value):
    """One mutation of each kind at each site where it can be made."""
    found = []
    for path, sub, part in sites(schema, value):
        for make in OBJECTS if isinstance(part, dict) else []:
            found.append(make(rng, path, sub, part))
        for make in VALUES:
            found.append(make(rng, path, sub, part))
    found = [m for m in found if m is not None]
    rng.shuffle(found)
    return found


def apart(a, b):
    """Neither is in the other, so that each stays a mistake of its own."""
    n = min(len(a), len(b))
    return a[:n] != b[:n]


def choose(rng, schema, value, count):
    chosen, kinds = [], set()
    for m in possible(rng, schema, value):
        if len(chosen) < count and all(apart(m[1], c[1]) for c in chosen):
            if m[0] in kinds and rng.random() < 0.5:
                continue
            chosen.append(m)
            kinds.add(m[0])
    return chosen if len(chosen) == count else None


# -- Calls ----------------------------------------------------------------------------------------

def close(schema):
    """A copy in which objects with properties take no others."""
    if isinstance(schema, list):
        return [close(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {k: close(v) for k, v in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema and \
            not {"oneOf", "anyOf", "allOf", "patternProperties"} & schema.keys():
        copied["additionalProperties"] = False
    return copied


def union(first, second):
    """Two calls as one parameter whose member `kind` says which."""
    branches = [{"type": "object", "required": ["kind", "arguments"], "additionalProperties": False,
                 "properties": {"kind": {"const": name}, "arguments": schema}}
                for name, schema in ((first["tool"], first["schema"]),
                                     (second["tool"], second["schema"]))]
    schema = {"type": "object", "required": ["action"], "additionalProperties": False,
              "properties": {"action": {"oneOf": branches}}}
    return schema, {"action": {"kind": first["tool"], "arguments": first["instance"]}}


def calls(folder):
    for file in sorted(folder.glob("*.jsonl")):
        before = None
        for line in file.read_text(encoding="utf-8").splitlines():
            call = json.loads(line)
            if call["oracle"].get("ajv") is not True or not isinstance(call["arguments"], dict):
                continue
            schema = call["inputSchema"]
            yield schema, call["arguments"]
            closed = {"tool": call["tool"], "schema": close(schema), "instance": call["arguments"]}
            yield closed["schema"], call["arguments"]
            if before is not None and before["tool"] != closed["tool"]:
                yield union(closed, before)
            before = closed


def cases(folder, count, seed):
    rng = random.Random(seed + count)
    for schema, instance in calls(folder):
        chosen = choose(rng, schema, instance, count)
        if chosen is None:
            continue
        mutant = copy.deepcopy(instance)
        for _, _, _, change in chosen:
            change(mutant)
        yield schema, mutant, chosen


# -- Judging --------------------------------------------------------------------------------------

def lines_of(text):
    """(paths, body) of each line about a problem."""
    for line in text.split("\n"):
        if line.startswith("- "):
            depth, quoted, end = 0, False, 0
            for end, c in enumerate(line):
                quoted ^= c == '"'
                if c == ":" and not quoted and line[end:end + 2] == ": ":
                    break
            yield line[2:end], line[end + 2:]


def judge(text, chosen):
    """Why a rendering is not right, or None."""
    lines = list(lines_of(text))
    used = set()
    for kind, place, names, _ in chosen:
        wanted = path_text(names[0])
        hits = [i for i, (path, _) in enumerate(lines) if wanted in path.split(", ")]
        for i, (path, body) in enumerate(lines):
            items = re.search(r" \(in items ([^)]*)\)$", body)
            if items and "[]" in path:
                for k in re.findall(r"\d+", items[1]):
                    if wanted == path.replace("[]", f"[{k}]"):
                        hits.append(i)
        if kind == "rename":
            other = path_text(names[1])
            hits += [i for i, (path, _) in enumerate(lines) if other in path.split(", ")]
        if not hits:
            return f"{kind} of {wanted} is not named"
        used.update(hits)
    for i, (path, _) in enumerate(lines):
        if i not in used:
            return f"the line about {path} is about no mutation"
    return None


def measure(options, folder, count):
    todo = list(cases(folder, count, options.seed))
    given = "".join(json.dumps({"schema": s, "instance": i}) + "\n" for s, i, _ in todo)
    out = subprocess.run([options.program], input=given, check=True, text=True, encoding="utf-8",
                         stdout=subprocess.PIPE).stdout.splitlines()
    right, wrong, by_kind = 0, 0, {}
    for (schema, instance, chosen), line in zip(todo, out):
        text = json.loads(line)
        why = judge(text, chosen) if isinstance(text, str) else "not invalid"
        for kind, *_ in chosen:
            tally = by_kind.setdefault(kind, [0, 0])
            tally[why is not None] += 1
        right += why is None
        wrong += why is not None
        if why is not None and wrong <= options.show:
            print(why, json.dumps(schema)[:1500], json.dumps(instance)[:600], text, sep="\n  ")
    share = right / max(1, right + wrong)
    kinds = ", ".join(f"{k} {a}/{a + b}" for k, (a, b) in sorted(by_kind.items()))
    print(f"{count} mutation{'s' * (count > 1)}: {right} of {right + wrong} right "
          f"({100 * share:.2f} %): {kinds}")
    return share


def main():
    folder = corpora.folder("calls")
    if folder is None:
        corpora.skip()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    results = [measure(options, folder, 1) >= 0.99, measure(options, folder, 3) >= 0.95]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
