#!/usr/bin/env python3
"""Differences between lists of tools, held to a second reader.

usage: diff_model.py DIFF_PAIRS CUPEL [PAIRS [SEED]]

Makes pairs of lists (20,000 unless given), the second one a mutation of the first: of its envelope, its
pages, its definitions, its numbers, its order, and of the way in which all of that is written.  The reader
here shares nothing with cupel: it parses with Python's json, takes the envelope apart as the official SDK
does, and compares the definitions by value.  Checked for each pair: a change that it sees is reported for
the tool that has it, with the part, and no other change is.  Some of the pairs go through the command too.
"""
import collections
import concurrent.futures
import decimal
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PARTS = ["all", "semantic", "text", "inputSchema", "outputSchema", "annotations", "other"]
FIELDS = {"name": "text", "title": "text", "description": "text", "inputSchema": "inputSchema",
          "outputSchema": "outputSchema", "annotations": "annotations"}
RESULT = {"tools", "nextCursor", "ttlMs", "cacheScope", "_meta", "resultType"}
MESSAGE = {"jsonrpc", "id", "method", "params", "result", "error"}
SETS = ("required", "enum", "type")
KNOWN = {*SETS, "properties", "not", "title", "description", "default", "const", "examples"}
BATCH = 2000


# -- Values ------------------------------------------------------------------------------------------
# Objects are lists of pairs under a mark, so that a member may stand twice; numbers are their spelling.

class Object(list):
    pass


class Number(str):
    pass


def obj(**members):
    return Object([[k, v] for k, v in members.items()])


def get(value, key):
    """The member that the official SDK takes: the last."""
    return next((v for k, v in reversed(value) if k == key), None)


# -- The reader --------------------------------------------------------------------------------------

class Refused(Exception):
    pass


def parse(text):
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: Object([list(p) for p in pairs]),
                          parse_int=Number, parse_float=Number)
    except ValueError as error:
        raise Refused from error


def check_names(value, protocol):
    keys = [k for k, _ in value]
    if len(set(keys)) != len(keys):
        raise Refused
    for key in keys:
        if key not in protocol and key.casefold() in {p.casefold() for p in protocol}:
            raise Refused


def read_page(text):
    """(tools, cursor) of one page, or Refused."""
    value = parse(text)
    if isinstance(value, list) and not isinstance(value, Object):
        return value, None
    if not isinstance(value, Object):
        raise Refused
    check_names(value, MESSAGE | RESULT)
    members = dict(map(tuple, value))
    if "error" in members:
        raise Refused
    if "result" in members or "jsonrpc" in members:
        if members.get("jsonrpc", "2.0") != "2.0" or isinstance(members.get("jsonrpc"), Number):
            raise Refused
        if {"tools", "nextCursor", "method"} & members.keys():
            raise Refused
        value = members.get("result")
        if not isinstance(value, Object):
            raise Refused
        check_names(value, RESULT)
        members = dict(map(tuple, value))
    elif "cupelLock" in members:
        raise Refused
    tools, cursor = members.get("tools"), members.get("nextCursor")
    if not isinstance(tools, list) or isinstance(tools, Object):
        raise Refused
    if cursor is not None and (not isinstance(cursor, str) or isinstance(cursor, Number)):
        raise Refused
    return tools, cursor


def read_list(pages):
    tools, cursor = [], None
    for i, page in enumerate(pages):
        if i != 0 and cursor is None:
            raise Refused
        more, cursor = read_page(page)
        tools += more
    if cursor is not None:
        raise Refused
    return tools


def has_twice(value):
    if isinstance(value, Object):
        keys = [k for k, _ in value]
        return len(set(keys)) != len(keys) or any(has_twice(v) for _, v in value)
    return isinstance(value, list) and any(map(has_twice, value))


def exact(spelling):
    """A number by value: sign, digits and exponent."""
    sign, digits, exponent = decimal.Decimal(spelling).as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    short = text.rstrip("0")
    return ("number", sign, short, exponent + len(text) - len(short)) if short else ("number", 0, "", 0)


def plain(value):
    """A value such that equal ones are equal in Python."""
    if isinstance(value, Object):
        return ("object", tuple(sorted((k, plain(v)) for k, v in value)))
    if isinstance(value, list):
        return ("array", tuple(map(plain, value)))
    return exact(value) if isinstance(value, Number) else (type(value).__name__, value)


def array_lengths(value):
    """The lengths of the arrays in a value."""
    if isinstance(value, Object):
        return set().union(*(array_lengths(v) for _, v in value))
    return {len(value)}.union(*map(array_lengths, value)) if isinstance(value, list) else set()


def unordered(value, around=frozenset()):
    """The same of a schema, where sets that nothing goes with have no order.  `around` are the lengths of
    the arrays in the unknown keywords of the schemas around it."""
    if isinstance(value, list) and not isinstance(value, Object):
        return ("array", tuple(unordered(v, around) for v in value))  # of schemas
    if not isinstance(value, Object):
        return plain(value)
    around = around.union(*(array_lengths(v) for k, v in value if k not in KNOWN))
    beside = {len(v) for k, v in value if k not in SETS and isinstance(v, list) and not isinstance(v, Object)}
    result = []
    for key, item in value:
        is_array = isinstance(item, list) and not isinstance(item, Object)
        if key in SETS and is_array and not (key == "enum" and len(item) in around | beside):
            result.append((key, ("set", tuple(sorted(map(repr, map(plain, item)))))))
        elif key == "properties" and isinstance(item, Object):
            result.append((key, ("object", tuple(sorted((k, unordered(v, around)) for k, v in item)))))
        elif key == "not":
            result.append((key, unordered(item, around)))
        else:
            result.append((key, plain(item)))
    return ("object", tuple(sorted(result)))


def name_of(tool):
    name = get(tool, "name") if isinstance(tool, Object) else None
    return name if isinstance(name, str) and not isinstance(name, Number) else ""


def part_values(tool):
    """The value of each part but text; a definition with a member twice is its own."""
    if not isinstance(tool, Object):
        return {"other": plain(tool)}
    parts = collections.defaultdict(list)
    for key, value in tool:
        parts[FIELDS.get(key, "other")].append((key, plain(value)))
    return {part: tuple(sorted(values)) for part, values in parts.items()}


def semantic(tool):
    if not isinstance(tool, Object):
        return plain(tool)
    return tuple(sorted((k, unordered(v) if k in ("inputSchema", "outputSchema") else plain(v))
                        for k, v in tool))


def compare(before, after):
    """{(kind, name, index): (parts that must be there, parts that may be there, order alone or None)}."""
    by_name = [collections.defaultdict(list), collections.defaultdict(list)]
    for side, tools in enumerate((before, after)):
        for tool in tools:
            by_name[side][name_of(tool)].append(tool)
    found = {}
    for name in by_name[0].keys() | by_name[1].keys():
        old, new = by_name[0][name], by_name[1][name]
        for i in range(max(len(old), len(new))):
            if i >= len(new):
                found["removed", name, i] = (set(), set(), False)
            elif i >= len(old):
                found["added", name, i] = (set(), set(), False)
            elif has_twice(old[i]) or has_twice(new[i]):
                if old[i] != new[i]:
                    found["changed", name, i] = ({"other"}, set(PARTS), None)
            elif plain(old[i]) != plain(new[i]):
                a, b = part_values(old[i]), part_values(new[i])
                parts = {p for p in a.keys() | b.keys() if a.get(p) != b.get(p)}
                found["changed", name, i] = (parts, parts | {"text"}, semantic(old[i]) == semantic(new[i]))
    common = [[(name_of(t)) for t in tools if len(by_name[0][name_of(t)]) == len(by_name[1][name_of(t)])]
              for tools in (before, after)]
    if common[0] != common[1]:
        found["reordered", "", 0] = (set(), set(), False)
    return found


# -- The writer --------------------------------------------------------------------------------------

def spell_number(rng, text):
    """Another spelling of the same number."""
    sign, digits, exponent = decimal.Decimal(text).as_tuple()
    digits = "".join(map(str, digits))
    choice = rng.randrange(6)
    minus = "-" if sign else ""
    if choice == 0:
        return f"{minus}{int(digits)}e{exponent}"
    if choice == 1:
        return f"{minus}{int(digits)}0E{exponent - 1}"
    if choice == 2:
        return f"{minus}{int(digits)}.000e{'-' if exponent < 0 else '+'}{abs(exponent):012d}"
    if choice == 3 and digits.strip("0"):
        return f"{minus}0.{digits}e{exponent + len(digits)}"
    return text


def spell_string(rng, text, wild):
    quoted = json.dumps(text, ensure_ascii=rng.random() < 0.5)
    if wild and rng.random() < 0.2 and text.isascii() and text.isprintable():
        return '"' + "".join(f"\\u{ord(c):04x}" if rng.random() < 0.5 or c in '"\\' else c for c in text) + '"'
    return quoted


def write(rng, value, wild):
    """JSON text; `wild` has other white space, spellings and orders of members."""
    def gap():
        return rng.choice(("", "", " ", "\n", "\t ", "\r\n")) if wild else ""
    if isinstance(value, Object):
        members = list(value)
        if wild and not has_twice(value):
            rng.shuffle(members)
        return "{" + ",".join(f"{gap()}{spell_string(rng, k, wild)}{gap()}:{gap()}{write(rng, v, wild)}{gap()}"
                              for k, v in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(gap() + write(rng, v, wild) + gap() for v in value) + "]"
    if isinstance(value, Number):
        return spell_number(rng, value) if wild else str(value)
    return spell_string(rng, value, wild) if isinstance(value, str) else json.dumps(value)


# -- Lists -------------------------------------------------------------------------------------------

NUMBERS = ["0", "1", "-1", "10", "0.1", "1e400", "-2.5e-7", "9007199254740993", "1e21", "333333333.33333329",
           "123456789012345678901234567890", "4.9e-324", "0.30000000000000004", "-0.0", "1e15"]
WORDS = ["a", "b", "title", "enum", "required", "é", "\u2028", "name", "x y", "\"", "\\", "\U0001f600", ""]


def make_schema(rng, depth=0):
    schema = obj(type=rng.choice(["string", "integer", ["string", "null"], ["null", "object", "array"]]))
    kind = rng.randrange(9 if depth < 2 else 6)
    if kind == 0:
        schema.append(["enum", [rng.choice(WORDS) for _ in range(rng.randrange(1, 4))]])
        if rng.random() < 0.4:
            schema.append([rng.choice(["enumNames", "x-labels"]), ["L"] * rng.randrange(1, 4)])
    elif kind == 1:
        schema.append([rng.choice(["minimum", "const", "default", "multipleOf"]), Number(rng.choice(NUMBERS[1:]))])
    elif kind == 2:
        schema.append(["description", rng.choice(WORDS)])
    elif kind == 3:
        schema.append(["not", obj(const=Number(rng.choice(NUMBERS)))])
    elif kind == 4:
        schema.append(["examples", [Number(rng.choice(NUMBERS)), rng.choice(WORDS), None, True]])
    elif kind > 5:
        names = rng.sample(WORDS, rng.randrange(1, 4))
        schema = obj(type="object", properties=Object([[n, make_schema(rng, depth + 1)] for n in names]),
                     required=names[:rng.randrange(1, 4)])
    return schema


def make_tool(rng, name):
    tool = obj(name=name, inputSchema=make_schema(rng))
    tool[1][1][0][1] = "object"
    for key, value in (("description", rng.choice(WORDS)), ("title", rng.choice(WORDS)),
                       ("outputSchema", obj(type="object")), ("annotations", obj(readOnlyHint=rng.random() < 0.5)),
                       ("_meta", obj(v=Number(rng.choice(NUMBERS)))), ("icons", [])):
        if rng.random() < 0.3:
            tool.append([key, value])
    return tool


def make_list(rng):
    names = [rng.choice("abcdefgh") for _ in range(rng.randrange(0, 5))] if rng.random() < 0.2 else \
        rng.sample("abcdefgh", rng.randrange(1, 5))
    return [make_tool(rng, name) for name in names]


def copy(value):
    if isinstance(value, Object):
        return Object([[k, copy(v)] for k, v in value])
    return [copy(v) for v in value] if isinstance(value, list) else value


def places(value):
    """Every container within, the value itself first."""
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, list):
            yield here
            stack += [v for _, v in here] if isinstance(here, Object) else here


# -- Mutations ---------------------------------------------------------------------------------------

OTHERS = [None, True, False, "", "x", Number("1"), Number("1.00000000000000000001"), Number("1e401"), [], ["x"]]


def mutate_value(rng, value):
    if isinstance(value, Number):
        if rng.random() < 0.5:
            return Number(spell_number(rng, value))
        digits = str(value)
        return Number(digits if "e" in digits or "." in digits else digits + ".00000000000000000001")
    return copy(rng.choice(OTHERS))


def mutate_definition(rng, tools):
    containers = list(places(rng.choice(tools)))
    here = rng.choice(containers) if containers else None
    if isinstance(here, Object):
        choice = rng.randrange(6)
        if here and choice == 0:
            member = rng.choice(here)
            member[1] = mutate_value(rng, member[1])
        elif here and choice == 1:
            here.remove(rng.choice(here))
        elif here and choice == 2:
            rng.choice(here)[0] = rng.choice(["name", "Name", "title", "inputschema", "outputSchema", "x"] + WORDS)
        elif here and choice == 3:
            member = rng.choice(here)
            here.insert(rng.randrange(len(here) + 1), [member[0], mutate_value(rng, member[1])])
        elif choice == 4:
            here.append([rng.choice(["title", "description", "_meta", "icons", "Title", "enum", "x"]), copy(rng.choice(OTHERS))])
        else:
            rng.shuffle(here)
    elif here:
        i = rng.randrange(len(here))
        choice = rng.randrange(4)
        if choice == 0:
            here[i] = mutate_value(rng, here[i])
        elif choice == 1:
            del here[i]
        elif choice == 2:
            here.insert(i, copy(rng.choice(OTHERS)))
        else:
            rng.shuffle(here)


def mutate_list(rng, tools):
    choice = rng.randrange(6)
    if choice == 0 and tools:
        del tools[rng.randrange(len(tools))]
    elif choice == 1:
        tools.insert(rng.randrange(len(tools) + 1), make_tool(rng, rng.choice("abcdefghij")))
    elif choice == 2:
        rng.shuffle(tools)
    elif choice == 3 and tools:
        tools.insert(rng.randrange(len(tools) + 1), copy(rng.choice(tools)))
    elif choice == 4 and tools:
        tools[rng.randrange(len(tools))] = copy(rng.choice([None, "x", Number("7"), [Object()], Object()]))
    elif tools:
        mutate_definition(rng, tools)


def envelope(rng, tools, more):
    """A page in one of its shapes, with its cursor."""
    result = obj(tools=tools)
    if more is not None:
        result.append(["nextCursor", more])
    elif rng.random() < 0.05:
        result.append(["nextCursor", None])
    if rng.random() < 0.2:
        result.append(["ttlMs", Number("5")])
    shape = rng.randrange(3)
    if shape == 0 and more is None and len(result) == 1:
        return tools
    return result if shape == 1 else obj(jsonrpc="2.0", id=Number("1"), result=result)


def mutate_envelope(rng, page):
    """Decoys and damage."""
    if not isinstance(page, Object):
        return page
    decoy = rng.choice([[], [obj(name="decoy", inputSchema=obj(type="object"))]])
    inner = get(page, "result")
    target = page if inner is None or rng.random() < 0.6 else inner
    member = rng.choice([
        ["tools", decoy], ["Tools", decoy], ["result", obj(tools=decoy)], ["RESULT", obj(tools=decoy)], ["result", decoy],
        ["error", obj(code=Number("1"), message="x")], ["error", None], ["cupelLock", Number("1")], ["cupelLock", Number("2")],
        ["digest", "sha256:00"], ["method", "tools/list"], ["jsonrpc", "1.0"], ["jsonrpc", "2.0"], ["jsonrpc", Number("2.0")],
        ["nextCursor", Number("7")], ["nextCursor", "next"], ["nextcursor", "next"], ["tool\u017f", decoy], ["x", decoy],
        ["id", Number("9")], ["_meta", obj(tools=decoy)]])
    target.insert(rng.randrange(len(target) + 1), member)
    return page


def split(rng, tools):
    """Pages with cursors, mostly sound ones."""
    count = rng.choice((1, 1, 1, 2, 3))
    cuts = sorted(rng.randrange(len(tools) + 1) for _ in range(count - 1))
    parts = [tools[a:b] for a, b in zip([0] + cuts, cuts + [len(tools)])]
    pages = [envelope(rng, part, f"c{i}" if i < count - 1 else None) for i, part in enumerate(parts)]
    choice = rng.randrange(40)
    if choice == 0:
        pages.pop()
    elif choice == 1:
        rng.shuffle(pages)
    elif choice == 2:
        pages.append(envelope(rng, [], "more"))
    return pages or [[]]


def make_pair(rng):
    """(text before, texts of the pages after)."""
    before = make_list(rng)
    after = copy(before)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        mutate_list(rng, after)
    pages = split(rng, after)
    if rng.random() < 0.25:
        i = rng.randrange(len(pages))
        pages[i] = mutate_envelope(rng, pages[i])
    wild = rng.random() < 0.7
    return (write(rng, envelope(rng, before, None), rng.random() < 0.3).encode(),
            [write(rng, page, wild).encode() for page in pages])


# -- Comparing ---------------------------------------------------------------------------------------

def expectation(before, pages):
    """What compare says, or None if a list is to be refused."""
    try:
        return compare(read_list([before]), read_list(pages))
    except Refused:
        return None


def parse_answer(line):
    if line in ("!", "="):
        return None if line == "!" else []
    changes = []
    for word in line.split():
        kind, name, parts, order = word.split(":")
        mask = int(parts, 16)
        changes.append((kind, bytes.fromhex(name).decode(), {p for i, p in enumerate(PARTS) if mask >> i & 1}, order == "1"))
    return changes


def fault(want, got):
    """What is wrong with an answer, or None."""
    if want is None or got is None:
        return None if want is got else f"refused: {got is None}, should be: {want is None}"
    left = collections.defaultdict(list)
    for (kind, name, _), rest in sorted(want.items(), key=lambda item: item[0][2]):
        left[kind, name if kind != "reordered" else ""].append(rest)
    for kind, name, parts, order in got:
        wanted = left[kind, name if kind != "reordered" else ""]
        if not wanted:
            return f"invented: {kind} {name!r}"
        must, may, order_alone = wanted.pop(0)
        if kind == "changed" and not parts:
            return f"{name!r} changed in no part"
        if not must <= parts <= may:
            return f"{name!r}: parts {parts}, must be {must}, may be {may}"
        if order_alone is not None and order != order_alone:
            return f"{name!r}: order alone {order}, should be {order_alone}"
    rest = [key for key, values in left.items() if values]
    return f"unnoticed: {rest}" if rest else None


def run_batch(harness, seed, count):
    """(refused, same, changed, faults) of a batch of pairs."""
    rng = random.Random(seed)
    pairs = [make_pair(rng) for _ in range(count)]
    data = b"".join(" ".join(str(len(t)) for t in [before, *pages]).encode() + b"\n" + before + b"".join(pages)
                    for before, pages in pairs)
    run = subprocess.run([harness], input=data, stdout=subprocess.PIPE, check=False)
    lines = run.stdout.decode().splitlines()
    faults = [] if len(lines) == count else [f"seed {seed}: {len(lines)} answers, status {run.returncode}"]
    counts = [0, 0, 0]
    for (before, pages), line in zip(pairs, lines):
        got = parse_answer(line.strip())
        counts[0 if got is None else 2 if got else 1] += 1
        wrong = fault(expectation(before, pages), got)
        if wrong:
            faults.append(f"seed {seed}: {wrong}\n  {before.decode()!r}\n  {[p.decode() for p in pages]!r}")
    return counts, faults


def run_command(cupel, seed, count):
    """The same through files and the command."""
    rng, faults = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            before, pages = make_pair(rng)
            names = []
            for i, text in enumerate([before, *pages]):
                names.append(os.path.join(folder, f"{i}.json"))
                pathlib.Path(names[-1]).write_bytes(text)
            run = subprocess.run([cupel, "tools", "diff", "--format", "json", *names], capture_output=True, check=False)
            got = None
            if run.returncode in (0, 1):
                got = [(c["change"], c["name"], set(c["parts"]), c["orderOnly"]) for c in json.loads(run.stdout)["changes"]]
            wrong = fault(expectation(before, pages), got)
            if wrong or run.returncode not in (0, 1, 4) or (run.returncode == 1) != bool(got):
                faults.append(f"command: {wrong}, status {run.returncode}\n  {before!r}\n  {pages!r}")
    return faults


def main():
    harness, cupel = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 18
    batches = [(seed * 1000003 + i, min(BATCH, pairs - i)) for i in range(0, pairs, BATCH)]
    total, faults = [0, 0, 0], []
    with concurrent.futures.ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for counts, found in pool.map(run_batch, [harness] * len(batches), *zip(*batches)):
            total = [a + b for a, b in zip(total, counts)]
            faults += found
    faults += run_command(cupel, seed, min(100, pairs))
    for text in faults[:20]:
        print(text)
    print("{} refused, {} without a change, {} with changes".format(*total))
    print(f"{sum(total) + min(100, pairs) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or min(total) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
