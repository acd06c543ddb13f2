#!/usr/bin/env python3
"""Holds the instructions of each entry point against what it charges.

usage: law.py LAW [ARGUMENT…] [--quick | --show]

LAW is the program of law.c or of law_mcp.c.  Under callgrind each of its calls leaves a profile; the number of
instructions in it is divided by the steps and bytes that the call has charged.  For each entry
point that figure has an upper bound, which no family may pass: work that nothing pays for passes
it.  The counts of one compiler are not those of another, so a bound has half as much more than was
measured.
Without valgrind nothing is checked.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The entry points that charge steps; the others are paid by the bytes of their text.
STEPS = ("verdict", "report", "annotations", "model", "json", "human", "verbose", "hierarchical", "repair",
         "format", "pattern")

# The fixed part of a call, in units.  The middle is that of families with more than four times as much.
FIXED = 1000


def units(name, steps, size):
    """What a call has charged: a program's run its steps, everything else the bytes of its text, and
    compiling the steps of patterns besides."""
    return steps if name in STEPS else size + steps


def run(program, *options):
    """A row for each call: entry point, family, steps, bytes, instructions."""
    with tempfile.TemporaryDirectory() as folder:
        env = {key: value for key, value in os.environ.items() if key != "MALLOC_PERTURB_"}
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             "--toggle-collect=work_counted", "--dump-after=work_counted", program, *options],
            text=True, capture_output=True, env=env, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr[-2000:])
        profiles = [p for p in pathlib.Path(folder).iterdir() if p.suffix]
        profiles.sort(key=lambda p: int(p.suffix[1:]))
        totals = [int(re.search(r"^totals: (\d+)", p.read_text(), re.MULTILINE)[1])
                  for p in profiles]
    for line, total in zip(done.stdout.splitlines(), totals):
        name, family, steps, size, _ = line.split("\t")
        yield name, family, int(steps), int(size), total


def figures(rows):
    """Of each entry point the dearest family, and the family in the middle: instructions for a unit, and which."""
    found = {}
    for name, family, steps, size, total in rows:
        paid = units(name, steps, size)
        found.setdefault(name, []).append((total / (paid + FIXED), family, paid > 4 * FIXED))
    result = {}
    for name, rows_of in found.items():
        large = sorted(row[:2] for row in rows_of if row[2])
        result[name] = max(rows_of)[:2], large[len(large) // 2] if large else max(rows_of)[:2]
    return result


# Instructions for a unit: the dearest family of each entry point, gcc 12 -O2, and half as much more.
BOUNDS = {
    "reading": 74,
    "compiling": 1233,
    "loading": 36,
    "verdict": 506,
    "report": 196,
    "annotations": 186,
    "verbose": 333,
    "hierarchical": 356,
    "catalog": 1290,
    "canonical": 338,
    "export": 1827,
    "model": 262,
    "json": 270,
    "human": 278,
    "repair": 286,
    "call": 284,
    "defaults": 549,
    "call, exact names": 294,
    "result": 240,
    "digest": 1478,
    "fields": 107,
    "lock": 1433,
    "diff": 27,
    "lock file": 473,
    "format": 105,
    "pattern": 275,
    "compiling a pattern": 96,
    "events": 462,
    "envelope": 102,
    "learning": 2009,
}


def main(program, *options):
    if not shutil.which("valgrind"):
        print("skipped: no valgrind\n0 passed, 0 failed")
        return 0
    passed = failed = 0
    arguments = [option for option in options if option != "--show"]
    for name, (most, middle) in figures(run(program, *arguments)).items():
        good = most[0] <= BOUNDS.get(name, 0)
        passed, failed = passed + good, failed + (not good)
        if not good or "--show" in options:
            print(f"{name}: {most[0]:.0f} instructions for a unit ({most[1]}), at most {BOUNDS.get(name, 0)}; "
                  f"{middle[0]:.1f} in the middle ({middle[1]}); band {most[0] / middle[0]:.1f}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
