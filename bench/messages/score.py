#!/usr/bin/env python3
"""Scores what validators say of mistakes in real documents.

usage: score.py CUPEL [--corpora DIR] [--documents N] [--peers] [--show]

Each document of the public sets (a folder each, with schema.json and instances.jsonl) gets one mistake of each kind at
a place that a seed chooses: a misspelt name, a misspelt value, a number in quotes, a number for a text, a list for a
text, a missing member, an unknown member.  A document that cupel still finds valid is left out: the schema
allows it.  The mistake is known, so the messages can be scored without a person:

  place       the line or the location of the mistake is in the output
  first       … and in what is said first
  suggestion  of a misspelt name or value: the original is in the output
  lines       the median of the lines of the output

--peers installs the other commands from their registries (pip, npm) into bench/build and scores them too.  Jargon,
branches and whether a sentence helps are for people to judge.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "bench" / "build" / "messages"
SEED = 21


# -- Mistakes ------------------------------------------------------------------------------------------------


def walk(value, path=()):
    """All (path, value) below a value."""
    yield path, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from walk(member, path + (name,))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from walk(item, path + (i,))


def parent_of(document, path):
    for step in path[:-1]:
        document = document[step]
    return document


def misspell(word, rng):
    """The word with one letter dropped, doubled, or two swapped."""
    i = rng.randrange(len(word) - 1)
    way = rng.randrange(3)
    if way == 0:
        return word[:i] + word[i + 1:]
    if way == 1:
        return word[:i] + word[i] + word[i:]
    return word[:i] + word[i + 1] + word[i] + word[i + 2:]


def rename(document, path, rng):
    parent, old = parent_of(document, path), path[-1]
    if not isinstance(parent, dict) or len(old) < 4:
        return None
    new = misspell(old, rng)
    if new in parent:
        return None
    members = list(parent.items())
    parent.clear()
    parent.update((new if k == old else k, v) for k, v in members)
    return path[:-1] + (new,), old


def replace(make):
    """A mistake that replaces a value by what `make` makes of it; None leaves the value."""
    def mistake(document, path, rng):
        parent = parent_of(document, path)
        old = parent[path[-1]]
        new = make(old, rng)
        if new is None or new == old:
            return None
        parent[path[-1]] = new
        return path, old if isinstance(old, str) and isinstance(new, str) else None
    return mistake


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def delete(document, path, rng):
    parent = parent_of(document, path)
    if not isinstance(parent, dict):
        return None
    del parent[path[-1]]
    return path[:-1], path[-1]


def add(document, path, rng):
    value = document
    for step in path:
        value = value[step]
    if not isinstance(value, dict):
        return None
    value["zzUnknown"] = 1
    return path + ("zzUnknown",), None


KINDS = {
    "misspelt-name": rename,
    "misspelt-value": replace(lambda v, rng: misspell(v, rng) if isinstance(v, str) and 3 < len(v) < 20 else None),
    "number-in-quotes": replace(lambda v, rng: str(v) if is_number(v) else None),
    "number-for-text": replace(lambda v, rng: 7 if isinstance(v, str) else None),
    "list-for-text": replace(lambda v, rng: [v] if isinstance(v, str) else None),
    "text-for-list": replace(lambda v, rng: v[0] if isinstance(v, list) and v and isinstance(v[0], str) else None),
    "missing": delete,
    "unknown": add,
}


def mutations(text, rng):
    """(kind, document, path of the mistake, original) of one document, at most one of each kind."""
    for kind, mistake in KINDS.items():
        document = json.loads(text)
        paths = [p for p, _ in walk(document) if p or kind == "unknown"]
        rng.shuffle(paths)
        for path in paths[:8]:
            document = json.loads(text)
            made = mistake(document, path, rng)
            if made is not None:
                yield kind, document, made[0], made[1]
                break


# -- Output --------------------------------------------------------------------------------------------------


def line_of(text, document, path):
    """The line of a text, as json.dumps indents it, on which the value at the path begins."""
    marked = json.loads(json.dumps(document))
    value = marked
    for step in path[:-1]:
        value = value[step]
    if not path:
        return 1
    lines = text.splitlines()
    if isinstance(value, dict):
        renamed = {("\x01" if k == path[-1] else k): v for k, v in value.items()}
        value.clear()
        value.update(renamed)
    else:
        value[path[-1]] = "\x01"
    for number, line in enumerate(json.dumps(marked, indent=2).splitlines(), 1):
        if "\\u0001" in line:
            return number
    return len(lines)


def spellings(path):
    """How commands write the location of a value."""
    dots = "$" + "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path)
    pointer = "".join(f"/{s}" for s in path)
    return [dots, pointer] if path else ["$", "''", '""']


def score(output, line, path, original):
    """(place, first, suggestion or None) of an output."""
    lines = output.splitlines()
    where = [f":{line}:"] + spellings(path) + spellings(path[:-1] if path else path)
    if path:
        where.append(f'"{path[-1]}"')
    place = any(w in output for w in where)
    head = "\n".join(lines[:3])
    first = any(w in head for w in where)
    suggestion = None if original is None else original in output
    return place, first, suggestion


# -- Commands ------------------------------------------------------------------------------------------------


def install_peers():
    """The commands of the other validators by name, from their registries."""
    BUILD.mkdir(parents=True, exist_ok=True)
    commands = {}
    venv = BUILD / "venv"
    if subprocess.run([sys.executable, "-m", "venv", venv], check=False).returncode == 0 and \
            subprocess.run([venv / "bin/pip", "install", "-q", "check-jsonschema"], check=False).returncode == 0:
        commands["check-jsonschema"] = [venv / "bin/check-jsonschema", "--schemafile", "{schema}", "{document}"]
    if subprocess.run(["npm", "install", "--silent", "--prefix", BUILD, "ajv-cli", "ajv-formats",
                       "@sourcemeta/jsonschema"], check=False).returncode == 0:
        tools = BUILD / "node_modules" / ".bin"
        commands["ajv-cli"] = [tools / "ajv", "validate", "--strict=false", "--all-errors", "-c", "ajv-formats",
                               "-s", "{schema}", "-d", "{document}"]
        commands["sourcemeta"] = [tools / "jsonschema", "validate", "{schema}", "{document}"]
    return commands


def run(command, schema, document):
    words = [str(w).format(schema=schema, document=document) for w in command]
    try:
        result = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.returncode, result.stdout + result.stderr


# -- The table -----------------------------------------------------------------------------------------------


def cases(corpora, documents):
    rng = random.Random(SEED)
    for folder in sorted(p for p in corpora.iterdir() if (p / "schema.json").is_file()):
        texts = (folder / "instances.jsonl").read_text(encoding="utf-8").splitlines()
        small = [t for t in texts if len(t) < 4000]
        for text in rng.sample(small, min(documents, len(small))):
            for case in mutations(text, rng):
                yield (folder / "schema.json", *case)


def report(name, rows):
    if not rows:
        print(f"| {name} | - | - | - | - | 0 |")
        return
    def share(values):
        values = [v for v in values if v is not None]
        return f"{100 * sum(values) / len(values):.1f} %" if values else "-"
    print(f"| {name} | {share(r[0] for r in rows)} | {share(r[1] for r in rows)} | {share(r[2] for r in rows)} "
          f"| {statistics.median(r[3] for r in rows):g} | {len(rows)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cupel")
    parser.add_argument("--corpora", type=pathlib.Path, default=ROOT / ".." / "shared" / "corpora" / "bench")
    parser.add_argument("--documents", type=int, default=4)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--show", action="store_true", help="print the outputs of cupel that miss something")
    options = parser.parse_args()
    commands = {"cupel": [options.cupel, "validate", "-q", "{schema}", "{document}"]}
    commands.update(install_peers() if options.peers else {})
    rows, kinds = {name: [] for name in commands}, {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "document.json")
        for schema, kind, document, where, original in cases(options.corpora, options.documents):
            text = json.dumps(document, indent=2)
            path.write_text(text, encoding="utf-8")
            line = line_of(text, document, where)
            for name, command in commands.items():
                result = run(command, schema, path)
                if name == "cupel" and (result is None or result[0] != 1):
                    break  # the schema allows it
                if result is None:
                    continue
                wanted = original if kind.startswith("misspelt") else None
                got = (*score(result[1], line, where, wanted), len(result[1].splitlines()))
                rows[name].append(got)
                if name == "cupel":
                    kinds.setdefault(kind, []).append(got)
                    if options.show and not (got[0] and got[1] and got[2] is not False):
                        print(f"-- {schema.parent.name} {kind} {where} {original}\n{result[1]}")
    print("| command | place | first | suggestion | lines | documents |\n|---|---|---|---|---|---|")
    for name in commands:
        report(name, rows[name])
    for kind, got in sorted(kinds.items()):
        report(f"cupel: {kind}", got)


if __name__ == "__main__":
    main()
