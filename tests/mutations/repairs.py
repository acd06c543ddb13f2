#!/usr/bin/env python3
"""Repairs of mutated calls are the calls that were meant, and the text for models mends the others.

usage: repairs.py REPAIR_LINES [--count N] [--seed N] [--show N] [--kind KIND]

REPAIR_LINES is the program built from repair_lines.c.  Valid calls of ../shared/corpora/calls get one mistake
each, of the kinds in mistakes.py.  The call that was meant is known, so two shares are measured:

  repaired  of the repairs that are offered, those that give the call that was meant: at least 99.5 %
  mended    of all calls with a mistake, those that a scripted reader of the text mends in one step: at least 99 %

The reader knows the values that it meant and nothing of the schema.  It does what each line says: it renames,
leaves out, adds the member that is missing, writes the value that is named or the one that it meant.  The
result has to be valid and the call that was meant, but for members that an open schema does not declare.

Seeded: the same corpus, --count and --seed give the same calls.  --show prints the first N that are not right.
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
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402
import mistakes  # noqa: E402
import mutate  # noqa: E402

SEED = 20261123


# -- The reader ------------------------------------------------------------------------------------

STEP = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.?([^.\[\]]+)')


def steps_of(path):
    """The steps of a path as texts for models write them; the root is a word without a place."""
    if path in ("arguments", "result", "document"):
        return ()
    return tuple(json.loads(f'"{m[1]}"') if m[1] is not None else int(m[2]) if m[2] else m[3]
                 for m in STEP.finditer(path))


def paths_of(head, body):
    """All paths that a line is about."""
    items = re.search(r" \(in items ([^)]*)\)$", body)
    for path in head.split(", "):
        if items and "[]" in path:
            for k in re.findall(r"\d+", items[1]):
                yield steps_of(path.replace("[]", f"[{k}]"))
        else:
            yield steps_of(path)


class Reader:
    """Does what the lines of a text say."""

    def __init__(self, call, meant):
        self.call, self.meant, self.renames = copy.deepcopy(call), meant, []

    def intended(self, path):
        """(found, value) of the call that was meant."""
        value = self.meant
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return False, None
        return True, copy.deepcopy(value)

    def put(self, path, value):
        if not path:
            self.call = value
            return
        parent = mutate.at(self.call, path[:-1])
        parent[path[-1]] = value

    def remove(self, path):
        parent = mutate.at(self.call, path[:-1])
        if isinstance(parent, dict):
            parent.pop(path[-1], None)
        else:
            del parent[path[-1]]

    def rename(self, path, old, new):
        parent = mutate.at(self.call, path)
        items = [(new if k == old else k, v) for k, v in parent.items()]
        parent.clear()
        parent.update(items)

    def value(self, path, body):
        """A line about a value: the named value, or the one that was meant."""
        suggestion = re.search(r'did you mean (".*")\?', body)
        if suggestion:
            self.put(path, json.loads(suggestion[1]))
            return
        if re.search(r"leave it out", body):
            self.remove(path)
            return
        found, value = self.intended(path)
        if found:
            self.put(path, value)

    def suggest(self, path, old, new, body):
        """Another name, and another value where the line says what it has to be."""
        self.renames.append((path, old, new))
        found, value = self.intended(path + (new,))
        if found and "Its value: " in body:
            self.put(path + (old,), value)

    def line(self, path, body):
        suggestion = re.search(r"`([^`]*)` is not a \w+; did you mean `([^`]*)`", body)
        if suggestion:
            self.suggest(path[:-1], suggestion[1], suggestion[2], body)
            return
        if body.startswith("required"):
            found, value = self.intended(path)
            if found:
                self.put(path, value)
            return
        inside = re.search(r"are inside `([^`]*)`", body)
        if inside:
            value = self.call[inside[1]]
            self.call = json.loads(value) if isinstance(value, str) else value
            return
        belongs = re.search(r"belongs in `([^`]*)`", body)
        if belongs:
            value = mutate.at(self.call, path)
            self.remove(path)
            mutate.at(self.call, path[:-1]).setdefault(belongs[1], {})[path[-1]] = value
            return
        suggestion = re.search(r"not a \w+.*did you mean `([^`]*)`", body)
        if suggestion:
            self.suggest(path[:-1], path[-1], suggestion[1], body)
        elif re.match(r"not a (parameter|property)|not allowed here", body):
            self.remove(path)
        else:
            self.value(path, body)

    def read(self, text):
        for head, body in mutate.lines_of(text):
            for path in paths_of(head, body):
                if not path and body.startswith("not a "):
                    path = (head,)  # a member that is called as the root is
                self.line(path, body)
        for path, old, new in self.renames:
            self.rename(path, old, new)
        return self.call


def mend(text, call, meant):
    """The call after one step, or the reason why a step was impossible."""
    try:
        return Reader(call, meant).read(text), None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return None, repr(error)


# -- Measuring -------------------------------------------------------------------------------------

def equal(a, b):
    """As JSON: 1 and 1.0 are one number, true is none."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def known(schema, value):
    """A copy without members that an open schema does not declare."""
    if isinstance(value, dict) and "properties" in schema and "patternProperties" not in schema:
        return {k: known(schema["properties"][k], v) for k, v in value.items() if k in schema["properties"]}
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [known(schema["items"], v) for v in value]
    return value


def ask(program, cases):
    given = "".join(json.dumps({"schema": s, "instance": i}) + "\n" for s, i in cases)
    out = subprocess.run([program], input=given, check=True, text=True, encoding="utf-8",
                         stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in out.splitlines()]


class Tally:
    """What came of the mistakes of one kind."""

    def __init__(self):
        self.mistakes = self.offered = self.meant = self.mended = 0

    def add(self, other):
        for name, n in vars(other).items():
            setattr(self, name, getattr(self, name) + n)

    def row(self, name):
        share = f"{100 * self.meant / self.offered:.2f} %" if self.offered else "-"
        return (f"| {name} | {self.mistakes} | {100 * self.mended / max(1, self.mistakes):.2f} % | "
                f"{self.offered} | {share} |")


def made(count, seed, only):
    """At most `count` calls with a mistake: (kind, schema, call, meant)."""
    rng, n = random.Random(seed), 0
    calls = list(mutate.calls(corpora.folder("calls")))
    kinds = [k for k in mistakes.KINDS if only is None or k.__name__ == only]
    chance = count / (len(calls) * mistakes.POSSIBLE)
    for schema, call in calls:
        for kind in kinds:
            if only is None and rng.random() >= chance:
                continue
            for case in mistakes.make(kind, rng, schema, call):
                yield (kind.__name__, *case)
                n += 1
                if n == count:
                    return


def measure(options):
    cases = list(made(options.count, options.seed, options.kind))
    valid = ask(options.program, [(s, meant) for _, s, _, meant in cases])
    cases = [case for case, answer in zip(cases, valid) if answer is None]
    answers = ask(options.program, [(s, i) for _, s, i, _ in cases])
    todo, tallies, shown = [], {}, 0
    for case, answer in zip(cases, answers):
        if answer is None:
            continue  # the schema allows it
        todo.append((*case, answer, *mend(answer["text"] if answer else "", case[2], case[3])))
    verdicts = ask(options.program, [(t[1], t[5]) for t in todo])
    for (kind, schema, call, meant, answer, after, why), verdict in zip(todo, verdicts):
        tally = tallies.setdefault(kind, Tally())
        mended = why is None and verdict is None and equal(known(schema, after), known(schema, meant))
        offered = bool(answer) and answer["result"] == "repaired"
        right = offered and equal(answer["value"], meant)
        tally.mistakes += 1
        tally.mended += mended
        tally.offered += offered
        tally.meant += right
        if shown < options.show and (not mended or (offered and not right)):
            shown += 1
            print(f"-- {kind}: {'' if mended else why or 'not mended'}"
                  f"{' repaired otherwise' if offered and not right else ''}", json.dumps(schema)[:3000],
                  json.dumps(call)[:600], "meant " + json.dumps(meant)[:600], "after " + json.dumps(after)[:600],
                  json.dumps(answer)[:1500] if not answer else answer["text"],
                  "" if not answer else f"{answer['result']} {json.dumps(answer['value'])[:600]}", sep="\n  ")
    return tallies


def main():
    if corpora.folder("calls") is None:
        corpora.skip()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--kind")
    options = parser.parse_args()
    tallies, total = measure(options), Tally()
    print("| mistake | calls | mended | repairs | as meant |\n|---|---|---|---|---|")
    for kind in sorted(tallies):
        print(tallies[kind].row(kind))
        total.add(tallies[kind])
    print(total.row("all"))
    good = [total.mended >= 0.99 * total.mistakes, total.meant >= 0.995 * total.offered]
    print(f"{sum(good)} passed, {2 - sum(good)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
