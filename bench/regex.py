#!/usr/bin/env python3
"""The time of matching patterns with each engine: the tables of docs/regex.md.

    regex.py REGEX [EVIL]

REGEX is the program built from bench/regex.c, EVIL is tests/regex/evil.txt.  Prints tables in Markdown:
patterns as people write them, those that the catalogs of the corpora have, and what the evil ones take on
64 KiB.  Subjects are random but repeatable strings that match, and some that do not.
"""
import json
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "tools"))
import corpora  # noqa: E402

try:
    from re import _constants as sre, _parser as sre_parse
except ImportError:
    import sre_constants as sre
    import sre_parse

COUNT = 256
USUAL = [
    ("slug", r"^[a-z0-9-]+$"),
    ("slug, strict", r"^[a-z0-9]+(?:-[a-z0-9]+)*$"),
    ("identifier", r"^[A-Za-z_][A-Za-z0-9_]*$"),
    ("name, bounded", r"^[a-zA-Z0-9_-]{1,64}$"),
    ("word", r"^\w+$"),
    ("digits", r"^\d+$"),
    ("length", r"^.{1,64}$"),
    ("not empty", r"\S"),
    ("anything", r".+"),
    ("uuid", r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
    ("uuid 4", r"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"),
    ("date", r"^\d{4}-\d{2}-\d{2}$"),
    ("date, exact", r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"),
    ("time", r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"),
    ("timestamp", r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$"),
    ("version", r"^\d+\.\d+\.\d+$"),
    ("semver", r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
               r"(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$"),
    ("web address", r"^https?://"),
    ("web address, whole", r"^https?://[^\s/$.?#]+\.[^\s]*$"),
    ("mail address", r"^[^@\s]+@[^@\s]+\.[^@\s]+$"),
    ("mail address, long", r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$"),
    ("host name", r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$"),
    ("IPv4", r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$"),
    ("hex colour", r"^#(?:[0-9a-fA-F]{3}){1,2}$"),
    ("sha-1", r"^[0-9a-f]{40}$"),
    ("phone", r"^\+[1-9]\d{1,14}$"),
    ("file name", r"\.(json|ya?ml|toml)$"),
    ("choice", r"^(asc|desc)$"),
    ("extension", r"^x-"),
    ("code", r"^[A-Z]{2,3}-\d{4,6}$"),
    ("arn", r"^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$"),
    ("password", r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$"),
    ("not reserved", r"^(?!admin$|root$)[a-z]+$"),
    ("letters", r"^[\p{L}\p{M} .'-]+$"),
]


class Sampler:
    """Strings that a pattern matches, as far as sre can say."""

    def __init__(self, rnd):
        self.rnd = rnd

    def set(self, items):
        negated = items[0][0] is sre.NEGATE
        chars = set()
        for kind, value in items[negated:]:
            if kind is sre.LITERAL:
                chars.add(chr(value))
            elif kind is sre.RANGE:
                chars.update(map(chr, range(value[0], value[1] + 1)))
            elif kind is sre.CATEGORY:
                name = str(value)[len("CATEGORY_"):]
                chars.update({"DIGIT": "0123456789", "SPACE": " "}.get(name, "abcdefghijkl0123456789_"))
        if negated:
            chars = set("abcdefghijklmnopqrstuvwxyz0123456789-/") - chars
        return self.rnd.choice(sorted(chars))

    def make(self, tree):
        return "".join(self.part(kind, value) for kind, value in tree)

    def part(self, kind, value):
        if kind is sre.LITERAL:
            return chr(value)
        if kind is sre.ANY:
            return self.rnd.choice("abcdeXYZ019 ")
        if kind is sre.IN:
            return self.set(value)
        if kind is sre.NOT_LITERAL:
            return self.rnd.choice("abc")
        if kind is sre.BRANCH:
            return self.make(self.rnd.choice(value[1]))
        if kind is sre.SUBPATTERN:
            return self.make(value[3])
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, body = value
            times = self.rnd.randint(low, min(high, low + 7))
            return "".join(self.make(body) for _ in range(times))
        return ""  # anchors, look-arounds


def subjects(pattern, rnd):
    text = pattern.replace(r"\p{L}\p{M}", "a-zA-Z\u00e9")
    sampler = Sampler(rnd)
    tree = sre_parse.parse(text)
    found = []
    for _ in range(20 * COUNT):
        s = sampler.make(tree)
        if "(?=" in text:
            s = "".join(rnd.choices("abcdeXYZ0189!", k=rnd.randint(8, 16)))
        if re.search(text, s):
            found.append(s)
        if len(found) == COUNT:
            break
    for i in range(0, len(found), 16):
        found[i] += "\n"  # of these few match
    return found


def hexed(text):
    return text.encode().hex() or "-"


def ask(program, rows, *options):
    lines = "".join(" ".join(map(hexed, [pattern] + list(texts))) + "\n" for pattern, texts in rows)
    done = subprocess.run([program, *options], input=lines, stdout=subprocess.PIPE, check=True, text=True)
    return [line.split() for line in done.stdout.splitlines()]


def catalog_patterns():
    """The patterns of the catalogs in the corpora, most frequent first."""
    counts = {}

    def walk(value):
        if isinstance(value, list):
            for item in value:
                walk(item)
        elif isinstance(value, dict):
            names = value.get("patternProperties")
            written = [value.get("pattern")] + list(names if isinstance(names, dict) else [])
            for pattern in written:
                if isinstance(pattern, str):
                    counts[pattern] = counts.get(pattern, 0) + 1
            for item in value.values():
                walk(item)

    folder = corpora.folder("mcp-tools")
    for path in sorted(folder.glob("*.json")) if folder else []:
        walk(json.loads(path.read_text()))
    return sorted(counts, key=lambda p: (-counts[p], p))


def shorten(pattern, width=58):
    text = pattern if len(pattern) <= width else pattern[:width - 1] + "\u2026"
    return "`" + text.replace("|", "\\|") + "`"


def table(program, rows):
    """rows of (name, pattern)."""
    rnd = random.Random(1)
    rows = [(name, pattern, subjects(pattern, rnd)) for name, pattern in rows]
    print("| | pattern | engine | simple | automaton | PCRE2 JIT | chosen / JIT | compiled in, µs | PCRE2, µs | bytes |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|--:|")
    slower = 0
    for (name, pattern, _), figures in zip(rows, ask(program, [(p, s) for _, p, s in rows])):
        engine, chosen, automaton, pcre2, compiled, jit, size = figures
        ratio = float(chosen) / float(pcre2) if pcre2 != "-" else 0
        slower += ratio > 1
        simple = chosen if engine == "simple" else ""
        print("| %s | %s | %s | %s | %s | %s | %.2f | %.1f | %.1f | %s |" %
              (name, shorten(pattern), engine, simple, automaton, pcre2, ratio, float(compiled) / 1000,
               float(jit) / 1000, size))
    print("\n%d of %d slower than PCRE2 JIT\n" % (slower, len(rows)))


def evil_table(program, path):
    rows = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, unit, tail = line.split("\t")[:3]
            unit = unit.replace("\\n", "\n")
            text = (unit * (65536 // len(unit.encode()) + 1)).encode()[:65536].decode(errors="ignore")
            rows.append((pattern, [text + tail]))
    print("| pattern | engine | 64 KiB, ms |\n|---|---|--:|")
    slow = 0
    for (pattern, _), figures in zip(rows, ask(program, rows, "--long")):
        ms = float(figures[1]) / 1e6
        slow += ms > 10
        print("| %s | %s | %.2f |" % (shorten(pattern), figures[0], ms))
    print("\n%d of %d over 10 ms\n" % (slow, len(rows)))


def main():
    print("## Usual patterns\n\nNanoseconds a match.\n")
    table(sys.argv[1], USUAL)
    found = catalog_patterns()
    print("## Patterns of the catalogs\n")
    table(sys.argv[1], [(str(i + 1), p) for i, p in enumerate(found)])
    if len(sys.argv) > 2:
        print("## Evil patterns\n")
        evil_table(sys.argv[1], pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
