#!/usr/bin/env python3
"""Lists the constants at which product code takes another way, and checks that tests reach both sides of each.

usage: thresholds.py BUILD [--jobs N] [--list] [--bless]

A threshold is a comparison with a named constant of an enumeration, or with a number of at least 8, whose other
side is no constant.  The comparison `n <= SMALL` turns between SMALL and SMALL + 1: a test has to compare both.
All comparisons are compiled with a probe (mutant.h) into one build, every test of the project runs, and
what is missing is held against thresholds.txt, which has a reason for each and only shrinks.  --bless writes
that list and keeps its reasons; --list prints the thresholds without a build.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import sys

import mutants
import run

LIST = run.HERE / "thresholds.txt"
FOLDERS = (*run.FOLDERS, "gateways/common")
LEAST = 8  # the smallest number without a name that counts as a threshold
HEAD = """\
# Thresholds whose two sides no test compares, with the reason (thresholds.py).  This list only shrinks.
# FILE FUNCTION: COMPARISON | what is missing | reason
"""

# Which of the values constant - 1, constant and constant + 1 a comparison has to see, as bits.
SIDES = {"<": 3, ">=": 3, "<=": 6, ">": 6}
EQUAL = 2


@dataclasses.dataclass
class Threshold:
    file: str
    function: str
    text: str
    operator: str
    places: tuple  # offsets of the two sides
    constant: int  # which side is the constant, 0 or 1
    number: int = -1

    def key(self):
        return f"{self.file} {self.function}: {self.text}"

    def missing(self, seen):
        """What no test has compared, in words; "" if nothing."""
        names = ["one less", "equal", "one more"]
        wanted = SIDES.get(self.operator)
        if wanted is None:  # == or !=
            return "equal" if not seen & EQUAL else "" if seen & ~EQUAL else "another value"
        return " and ".join(name for bit, name in enumerate(names) if wanted & ~seen & 1 << bit)


def named_constants(files):
    """Names of constants with a value of their own in an enumeration without a name."""
    found = set()
    for path in files:
        for enum in re.finditer(r"enum\s*\{([^}]*)\}", path.read_text()):
            for name, value in re.findall(r"(\w+)\s*=\s*([^,}/]+)", re.sub(r"/\*.*?\*/", "", enum[1], flags=re.S)):
                if "|" in value or "BIT(" in value or value.startswith("-"):
                    continue
                if re.fullmatch(r"\s*(0x[0-9a-fA-F]+|[0-7])\s*", value) is None:
                    found.add(name)
    return found


def is_constant(source, node, names):
    text = mutants.text_of(source, node)
    if node.type == "identifier":
        return text in names
    return node.type == "number_literal" and text.isdigit() and int(text) >= LEAST


def find(file, source, names):
    """The thresholds of a file."""
    finder, found = mutants.Finder(file, source), []
    stack = [(mutants.PARSER.parse(source).root_node, "")]
    while stack:
        node, function = stack.pop()
        if node.type == "function_definition":
            function = finder.name_of(node)
        if function and (node.type in mutants.CONSTANT and node.type != "case_statement" or
                         node.type == "declaration" and mutants.is_static(source, node) or
                         mutants.text_of(source, node).startswith("_Static_assert")):
            continue
        children = node.children
        if node.type == "case_statement":
            value = node.child_by_field_name("value")
            children = [child for child in children if value is None or child.id != value.id]
        if function and node.type == "binary_expression":
            sides = [node.child_by_field_name(name) for name in ("left", "right")]
            operator = mutants.text_of(source, node.child_by_field_name("operator"))
            which = [is_constant(source, side, names) for side in sides]
            if operator in (*SIDES, "==", "!=") and which[0] != which[1]:
                if which[0]:  # the constant stands on the left
                    operator = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator)
                found.append(Threshold(file, function, mutants.one_line(mutants.text_of(source, node)), operator,
                                       tuple((side.start_byte, side.end_byte) for side in sides), int(which[1])))
        stack.extend((child, function) for child in reversed(children))
    return found


def weave(source, some):
    """The text with a probe at each threshold, whose sides are computed once.  Lines stay where they are."""
    order = sorted(some, key=lambda one: (one.places[0][0], -one.places[1][1]))

    def render(start, end, index):
        """Text of [start, end) with the thresholds from `index` on; returns it and the next index."""
        out, at = [], start
        while index < len(order) and order[index].places[0][0] < end:
            threshold = order[index]
            (a, b), (c, d) = threshold.places
            out.append(source[at:a])
            left, index = render(a, b, index + 1)
            right, index = render(c, d, index)
            out.append(probe(threshold, left, source[b:c], right, [source[a:b], source[c:d]]))
            at = d
        out.append(source[at:end])
        return b"".join(out), index

    return render(0, len(source), 0)[0]


def probe(threshold, left, operator, right, plain):
    """A comparison that notes what it compares.  `plain`: its sides as they are written."""
    names = ("cupel__right", "cupel__left") if threshold.constant == 0 else ("cupel__left", "cupel__right")
    note = f"; cupel__probe({threshold.number}, (long long){names[0]}, (long long){names[1]}); cupel__left "
    types = [b"__typeof__((" + b" ".join(text.split()) + b") + 0) " for text in plain]
    return (b"({ " + types[0] + b"cupel__left = (" + left + b"); " + types[1] + b"cupel__right = (" + right + b")" +
            note.encode() + operator + b" cupel__right; })")


def all_thresholds():
    files = [path for folder in FOLDERS for path in run.sources(folder)]
    names = named_constants(files)
    found = [threshold for path in files
             for threshold in find(str(path.relative_to(run.ROOT)), path.read_bytes(), names)]
    for number, threshold in enumerate(found):
        threshold.number = number
    return found


def build(folder, found):
    source = run.copy_tree(folder)
    by_file = {}
    for threshold in found:
        by_file.setdefault(threshold.file, []).append(threshold)
    for file, some in by_file.items():
        (source / file).write_bytes(weave((run.ROOT / file).read_bytes(), some))
    run.set_up(folder / "out", source)
    run.subprocess.run(["ninja", "-C", str(folder / "out")], check=True, stdout=run.subprocess.DEVNULL)


def read_list():
    """The reason of each key in thresholds.txt."""
    lines = LIST.read_text().splitlines() if LIST.exists() else []
    return {line.split(" | ")[0]: line.split(" | ")[1:] for line in lines if line and not line.startswith("#")}


def write_list(lacking, reasons):
    lines = [f"{key} | {what} | {reasons.get(key, ['', ''])[-1]}\n" for key, what in sorted(lacking.items())]
    LIST.write_text(HEAD + "\n" + "".join(lines))


def judge(lacking, reasons):
    """Prints what is wrong with the list, and returns how many entries are."""
    wrong = [f"{key}: no test compares {what}" for key, what in lacking.items() if key not in reasons]
    wrong += [f"{key}: tests compare both sides; take it from the list" for key in reasons if key not in lacking]
    wrong += [f"{key}: no reason" for key, row in reasons.items() if key in lacking and (len(row) < 2 or not row[1])]
    print("\n".join(sorted(wrong)))
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--bless", action="store_true")
    options = parser.parse_args()
    found = all_thresholds()
    if options.list:
        for threshold in found:
            print(threshold.key())
        return 0
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    run.use_corpora()
    build(folder, found)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = run.find_tests(folder / "out", "")
        good = list(pool.map(lambda test: run.measure(test, folder, len(found), 600.0), tests))
    for test, fine in zip(tests, good):
        if not fine:
            print(f"left out: {test.name} fails or takes too long")
    seen = [0] * len(found)
    for test, fine in zip(tests, good):
        for number, bits in enumerate(test.reached if fine else b""):
            seen[number] |= bits
    lacking = {}
    for threshold in found:  # one key may stand for several copies of a comparison; one that is seen is enough
        what = threshold.missing(seen[threshold.number])
        if lacking.get(threshold.key()) != "":
            lacking[threshold.key()] = what
    total = len(lacking)
    lacking = {key: what for key, what in lacking.items() if what}
    if options.bless:
        write_list(lacking, read_list())
        return 0
    wrong = judge(lacking, read_list())
    print(f"{total} thresholds, {total - len(lacking)} with both sides tested, {len(lacking)} in thresholds.txt")
    print(f"{max(total - wrong, 0)} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
