#!/usr/bin/env python3
"""C that does what a schema says, from the intermediate form that the last pass leaves.

usage: generate.py --cupel PROGRAM --corpus FOLDER [SET...] > sets.c

Sets with operations that this does not know are left out, with a word on stderr.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

SCHEMA_BYTES = 1 << 20
TYPES = ["null", "false", "true", "int", "bigint", "intreal", "real", "plain", "escaped", "array",
         "object"]
SETS = {"none": [], "any": TYPES, "boolean": ["false", "true"], "string": ["plain", "escaped"],
        "integer": ["int", "bigint", "intreal"], "number": ["int", "bigint", "intreal", "real"]}
ON = {"array": {"items", "items_count", "unique", "prefix"}, "object": {"props", "props_count", "names"},
      "string": {"length", "pattern"}, "number": {"min", "max"}}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[@:,]|[^\s@:,"]+')


class Unknown(Exception):
    """An operation or an operand that has no C here."""


def mask(text):
    bits = 0
    for name in text.split("|"):
        for one in SETS.get(name, [name]):
            bits |= 1 << TYPES.index(one)
    return bits


def literal(name):
    data = json.loads(name).encode()
    return len(data), '"' + "".join(f"\\{b:03o}" if b < 32 or b > 126 or chr(b) in '"\\?' else chr(b)
                                    for b in data) + '"'


def read_module(text):
    """{number: (types, operations)}, root; an operation is a list of tokens."""
    schemas, root, ops = {}, None, []
    for line in text.splitlines():
        tokens = TOKEN.findall(re.sub(r"( loc \d+)?$", "", line))
        if line.startswith("root"):
            root = int(tokens[-1])
        elif line.startswith("schema"):
            ops = []
            schemas[int(tokens[2])] = (mask(tokens[3]), ops)
        elif line.startswith("  "):
            ops.append(tokens)
    return schemas, root


def references(tokens):
    """The schemas of an operation; None for one that is absent."""
    return [int(tokens[i + 1]) if t == "@" else None for i, t in enumerate(tokens) if t in "@-"]


def most(count):
    return "UINT32_MAX" if count == "many" else count + "u"


class Writer:
    """The functions of one set."""

    def __init__(self, prefix, schemas):
        self.prefix, self.schemas, self.lines = prefix, schemas, []

    def call(self, schema, value):
        if schema is None:
            return "true"
        types, ops = self.schemas[schema]
        if types == mask("any") and not ops:
            return "true"
        test = f"is({value}, {types:#x})"
        return test if not ops else f"({test} && {self.prefix}{schema}(g, {value}))"

    def put(self, line):
        self.lines.append(line)

    def refuse_unless(self, condition):
        if condition != "true":
            self.put(f"        if (!{condition}) return false;")

    def props(self, tokens):
        names, matches, other, beyond = [], [], None, False
        for part in split(tokens[1:]):
            if part[0] == "other":
                other = int(part[3])
            elif part[0] in ("pattern", "beyond"):
                beyond = part[0] == "beyond"
                matches.append((int(part[1]), int(part[4])))
            else:
                known = len(part) > 2 and part[1] == ":"
                names.append((part[0], int(part[3]) if known else None, part[-1] == "required"))
        required = sum(r for _, _, r in names)
        self.put("        uint32_t met = 0; (void)met;")
        self.put("        for (struct cupel__node *k = v + 1, *e = g->doc->nodes + v->end, *c = k + 1; "
                 "k < e; k = after(g, c), c = k + 1) {")
        self.put("        struct cupel__str n = name_of(g, k); (void)n; bool known = false;")
        self.put("        switch (n.n) {")
        lengths = {}
        for name, schema, must in names:
            size, text = literal(name)
            lengths.setdefault(size, []).append((text, schema, must))
        for size, entries in sorted(lengths.items()):
            self.put(f"        case {size}:")
            for text, schema, must in entries:
                self.put(f"        if (memcmp(n.p, {text}, {size}) == 0) {{")
                if must:
                    self.put("        met++;")
                if schema is not None:
                    self.refuse_unless(self.call(schema, "c"))
                    self.put("        known = true;")
                self.put("        break; }")
            self.put("        break;")
        self.put("        default: break; }")
        for pattern, schema in matches:
            unless = "!known && " if beyond and len(matches) == 1 else ""
            self.put(f"        if ({unless}matches(g, n, {pattern})) {{ known = true;")
            self.refuse_unless(self.call(schema, "c"))
            self.put("        }")
        if other is not None and self.call(other, "c") != "true":
            self.put(f"        if (!known && !{self.call(other, 'c')}) return false;")
        self.put("        (void)known; }")
        if required:
            self.put(f"        if (met != {required}) return false;")

    def among(self, tokens):
        values = tokens[2:]
        if tokens[1] == "string":
            self.put("        struct cupel__str s = text_of(g, v); bool found = false;")
            self.put("        switch (s.n) {")
            lengths = {}
            for value in values:
                size, text = literal(value)
                lengths.setdefault(size, []).append(text)
            for size, texts in sorted(lengths.items()):
                tests = " || ".join(f"memcmp(s.p, {t}, {size}) == 0" for t in texts)
                self.put(f"        case {size}: found = {tests}; break;")
            self.put("        default: break; }\n        if (!found) return false;")
        elif tokens[1] == "number" and all(re.fullmatch(r"-?\d{1,9}", x) for x in values):
            self.refuse_unless("(" + " || ".join(f"compare_int(g, v, {x}) == 0" for x in values) + ")")
        else:
            raise Unknown("among")

    def operation(self, tokens):
        kind, refs = tokens[0], references(tokens)
        if kind == "props":
            self.props(tokens)
        elif kind == "among":
            self.among(tokens)
        elif kind == "items":
            self.put("        struct cupel__node *i = v + 1, *e = g->doc->nodes + v->end;")
            if tokens[1] != "0":
                raise Unknown("items from another index")
            self.put("        for (; i < e; i = after(g, i))")
            self.put(f"            if (!{self.call(refs[0], 'i')}) return false;")
        elif kind == "prefix":
            self.put("        struct cupel__node *i = v + 1, *e = g->doc->nodes + v->end;")
            for ref in refs:
                self.put(f"        if (i < e) {{ if (!{self.call(ref, 'i')}) return false; i = after(g, i); }}")
        elif kind in ("items_count", "props_count"):
            self.refuse_unless(f"(v->count >= {tokens[1]}u && v->count <= {most(tokens[2])})")
        elif kind == "length":
            self.refuse_unless(f"has_length(g, v, {tokens[1]}u, {most(tokens[2])})")
        elif kind == "unique":
            self.refuse_unless("all_different(g, v)")
        elif kind == "pattern":
            self.refuse_unless(f"matches(g, text_of(g, v), {tokens[1]})")
        elif kind in ("min", "max"):
            value, exclusive = tokens[-1], "exclusive" in tokens
            if not re.fullmatch(r"-?\d{1,9}", value):
                raise Unknown("bound")
            sign = (">" if kind == "min" else "<") + ("" if exclusive else "=")
            self.refuse_unless(f"(compare_int(g, v, {value}) {sign} 0)")
        elif kind == "ref":
            self.refuse_unless(self.call(refs[0], "v"))
        elif kind == "any":
            self.refuse_unless("(" + " || ".join(self.call(r, "v") for r in refs) + ")")
        elif kind == "one":
            self.refuse_unless("(" + " + ".join(f"{self.call(r, 'v')}" for r in refs) + " == 1)")
        elif kind == "not":
            self.refuse_unless(f"(!{self.call(refs[0], 'v')})")
        elif kind == "names":
            self.put("        for (struct cupel__node *k = v + 1, *e = g->doc->nodes + v->end; k < e; "
                     "k = after(g, k + 1))")
            self.put(f"            if (!{self.call(refs[0], 'k')}) return false;")
        elif kind == "if":
            yes, no = self.call(refs[1], "v"), self.call(refs[2], "v")
            self.refuse_unless(f"({self.call(refs[0], 'v')} ? {yes} : {no})")
        else:
            raise Unknown(kind)

    def function(self, number):
        types, ops = self.schemas[number]
        self.put(f"static bool {self.prefix}{number}(const struct generated *g, struct cupel__node *v)")
        self.put("{\n    (void)g, (void)v;")
        for tokens in ops:
            on = next((t for t, kinds in ON.items() if tokens[0] in kinds), "any")
            on = mask(tokens[1] if tokens[0] == "among" else on)
            self.put("    {" if types & ~on == 0 else f"    if (is(v, {on:#x})) {{")
            self.operation(tokens)
            self.put("    }")
        self.put("    return true;\n}\n")


def split(tokens):
    """Parts between commas."""
    parts = [[]]
    for token in tokens:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [p for p in parts if p]


def generate(name, text):
    schemas, root = read_module(text)
    prefix = re.sub(r"\W", "_", name) + "_"
    writer = Writer(prefix, schemas)
    for number in schemas:
        writer.put(f"static generated_check {prefix}{number};")
    for number in schemas:
        writer.function(number)
    writer.put(f"static bool {prefix}root(const struct generated *g, struct cupel__node *v)")
    writer.put(f"{{\n    return {writer.call(root, 'v')};\n}}\n")
    return "\n".join(writer.lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cupel", required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("sets", nargs="*")
    args = parser.parse_args()
    done = []
    print('#include "generated.h"\n')
    for folder in sorted(p for p in args.corpus.iterdir() if p.is_dir()):
        if args.sets and folder.name not in args.sets:
            continue
        run = subprocess.run([args.cupel, "compile", "--dump=dedupe", "--limit",
                              f"schema_bytes={SCHEMA_BYTES}", folder / "schema.json"],
                             check=True, text=True, stdout=subprocess.PIPE)
        try:
            print(generate(folder.name, run.stdout))
            done.append(folder.name)
        except Unknown as what:
            print(f"{folder.name}: left out: {what}", file=sys.stderr)
    print("const struct generated_set generated_sets[] = {")
    for name in done:
        print(f'    {{"{name}", {re.sub(chr(92) + "W", "_", name)}_root}},')
    print("    {NULL, NULL}};")


if __name__ == "__main__":
    main()
