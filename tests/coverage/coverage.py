#!/usr/bin/env python3
"""What the tests left untried, out of what clang counted at the source.

usage: coverage.py EXPORT [--bless]

EXPORT is what `llvm-cov export` prints for the library.  Prints lines, branches and conditions (MC/DC)
for each file and folder, then holds the branches that were not taken to uncovered.txt beside this
script.  That list only shrinks: a branch that is missing there fails the run, and so does an entry
whose branch was taken, and one without a reason.  --bless writes the list; reasons that it gives are kept,
and how many branches stay for each is printed.

A branch is a condition and one of its two values, or a case of a switch.  It is taken if any copy of
its code took it: a header may be compiled into several files, a loop into two dispatchers.
"""
import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = pathlib.Path(__file__).with_name("uncovered.txt")
FOLDERS = ("base", "vm", "compiler", "mcp", "messages")
HEAD = """\
# Branches that no test takes.  tests/coverage/coverage.py compares: this list only shrinks.
# The lines above a group that begin with '#' say why its entries stay; each entry has a reason.
"""
EXPANSION = 1  # the kind of a region that is the use of a macro
# Functions that note why something is refused and return false: a call is no condition.
REFUSALS = ("broken(", "fail(", "refuse(", "cupel__regex_fail(", "cupel__regex_no_memory(")

Branch = collections.namedtuple("Branch", "file function text value")


class Sources:
    """The text between two places of a file, on one line."""

    def __init__(self):
        self.lines = {}

    def text(self, path, place):
        if path not in self.lines:
            self.lines[path] = pathlib.Path(path).read_text(encoding="utf-8").split("\n")
        first, left, last, right = place
        lines = self.lines[path][first - 1:last]
        lines[-1] = lines[-1][:right - 1]
        lines[0] = lines[0][left - 1:]
        return " ".join(" ".join(lines).split())

    def before(self, path, place):
        """What stands in front of it on its line."""
        return self.lines[path][place[0] - 1][:place[1] - 1]


def name_in(path):
    """The path inside the project if the file is of a folder that counts, else None."""
    path = pathlib.Path(path)
    if not path.is_relative_to(ROOT):
        return None
    name = path.relative_to(ROOT)
    return str(name) if name.parts[0] in FOLDERS else None


def uses_of(function):
    """file id -> where the macro was used whose body that "file" is: (file id, place)."""
    return {r[6]: (r[5], tuple(r[:4])) for r in function["regions"] if r[7] == EXPANSION}


def chain(branch, uses):
    """The places of a branch from the outside in: where each macro is used, then the condition."""
    places = [(branch[6], tuple(branch[:4]))]
    while places[0][0] in uses:
        places.insert(0, uses[places[0][0]])
    return places


def values_of(branch, text, before):
    """What the branch can come to; where a switch has no `default`, that is a branch of its condition."""
    if text.startswith(("case ", "default")):
        return {"taken": branch[4]}
    if before.endswith("switch ("):
        return {"among the cases": branch[4]} if branch[4] else {}
    if text.startswith(REFUSALS) and not branch[4]:
        return {"false": branch[5]}
    return {"true": branch[4], "false": branch[5]}


def gather_branches(functions, sources):
    """(file, places, value) -> [function, text, times], over all copies of a function."""
    found = {}
    for function in functions:
        names = function["filenames"]
        uses = uses_of(function)
        short = function["name"].rpartition(":")[2]
        for branch in function["branches"]:
            places = chain(branch, uses)
            file = name_in(names[places[0][0]])
            if file is None:
                continue
            texts = [sources.text(names[i], place) for i, place in places]
            before = sources.before(names[places[-1][0]], places[-1][1])
            at = tuple((names[i], place) for i, place in places)
            for value, times in values_of(branch, texts[-1], before).items():
                entry = found.setdefault((file, at, value), [short, ": ".join(texts), 0])
                entry[0] = min(entry[0], short)
                entry[2] += times
    return found


def untaken(found):
    """The branches not taken, in the order of the source; equal ones of a function are numbered."""
    seen, missed = collections.Counter(), []
    for (file, _, value), (function, text, times) in sorted(found.items()):
        key = Branch(file, function, text, value)
        seen[key] += 1
        if seen[key] > 1:
            key = key._replace(text=f"{text} #{seen[key]}")
        if not times:
            missed.append(key)
    return missed


def gather_conditions(functions):
    """file -> [conditions that were shown to decide alone, all]."""
    shown = {}
    for function in functions:
        for record in function["mcdc_records"]:
            key = (function["filenames"][0], tuple(record[:4]))
            old = shown.get(key, [False] * len(record[6]))
            shown[key] = [a or b for a, b in zip(old, record[6])]
    sums = collections.defaultdict(lambda: [0, 0])
    for (path, _), conditions in shown.items():
        file = name_in(path)
        if file is not None:
            sums[file][0] += sum(conditions)
            sums[file][1] += len(conditions)
    return sums


def gather_lines(files):
    lines = {}
    for file in files:
        name = name_in(file["filename"])
        if name is not None:
            lines[name] = [file["summary"]["lines"]["covered"], file["summary"]["lines"]["count"]]
    return lines


def count_branches(found):
    sums = collections.defaultdict(lambda: [0, 0])
    for (file, _, _), (_, _, times) in found.items():
        sums[file][0] += times > 0
        sums[file][1] += 1
    return sums


def print_table(columns):
    """One line for each file, then for each folder, then for all."""
    files = sorted(set().union(*columns))
    groups = [(f, [f]) for f in files]
    groups += [(g, [f for f in files if f.split("/")[0] == g]) for g in FOLDERS]
    groups.append(("all", files))
    print(f"{'':36}{'lines':>22}{'branches':>22}{'conditions (MC/DC)':>22}")
    for name, members in groups:
        row = f"{name:36}"
        for column in columns:
            done, total = (sum(column.get(f, (0, 0))[i] for f in members) for i in (0, 1))
            share = f"{100 * done / total:6.1f} %" if total else ""
            row += f"{f'{done:,} of {total:,}':>14}{share:>8}" if total else " " * 22
        print(row)


def write_entry(branch):
    verdict = "not taken" if branch.value == "taken" else f"never {branch.value}"
    return f"{branch.file} {branch.function} {verdict}: {branch.text}"


def read_list():
    """entry -> the reason above it, if any."""
    entries, reason = {}, ""
    if not LIST.exists():
        return entries
    for line in LIST.read_text(encoding="utf-8").removeprefix(HEAD).splitlines():
        if line.startswith("#"):
            reason += line + "\n"
        elif line:
            entries[line] = reason
        else:
            reason = ""
    return entries


def bless(entries, old):
    """Entries with the same reason stand together below it, those without one come last."""
    groups = collections.defaultdict(list)
    for entry in entries:
        groups[old.get(entry, "")].append(entry)
    text = HEAD
    for reason, group in sorted(groups.items(), key=lambda item: (not item[0], item[1][0])):
        text += "\n" + reason + "\n".join(group) + "\n"
    LIST.write_text(text, encoding="utf-8")


def print_reasons(entries, old):
    """How many branches stay for each reason."""
    counts = collections.Counter(old.get(entry, "") for entry in entries)
    for reason, count in counts.most_common():
        print(f"{count:6} {reason.lstrip('# ').replace(chr(10) + '# ', ' ').strip() or 'without a reason'}")


def compare(entries, old):
    missing = [e for e in entries if not old.get(e)]
    gone = [e for e in old if e not in set(entries)]
    for entry in missing:
        print(f"{'without a reason' if entry in old else 'not covered'}: {entry}")
    for entry in gone:
        print(f"covered, or no longer there; please take it from {LIST.name}: {entry}")
    print(f"{len(entries) - len(missing)} passed, {len(missing) + len(gone)} failed")
    return 1 if missing or gone else 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        export = json.load(file)["data"][0]
    found = gather_branches(export["functions"], Sources())
    print_table([gather_lines(export["files"]), count_branches(found),
                 gather_conditions(export["functions"])])
    entries = [write_entry(branch) for branch in untaken(found)]
    old = read_list()
    print_reasons(entries, old)
    if "--bless" in sys.argv:
        bless(entries, old)
        return 0
    return compare(entries, old)


if __name__ == "__main__":
    sys.exit(main())
