#!/usr/bin/env python3
"""Counts instructions and compares them with those that are recorded: a check of speed that a busy
machine does not disturb.

usage: instructions.py COUNT COMPILER [--record]

COUNT is the program of count.c, COMPILER says what built it.  Reads and, with --record, writes
instructions.json beside this file.  Fails when something takes over 3 % more instructions than
recorded; says what takes less, so that it can be recorded.  Counts of another compiler, C library,
valgrind or instruction set do not compare: then, and without valgrind or the corpora, nothing is checked.
"""
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "instructions.json"
FIGURES = ["compile", "parse", "eval"]
TOLERANCE = 0.03

# Of different kinds, and quick: all of them together take a few seconds.
SETS = ["arguments", "tool", "aws-cdk", "babelrc", "cmake-presets", "code-climate", "cql2", "deno",
        "fabric-mod", "importmap", "jsconfig", "lazygit", "omnisharp", "pre-commit-hooks",
        "pulumi", "stylecop", "unreal-engine-uproject", "yamllint"]


def find_sets():
    """Folders: of the corpus, and those of this project, which are always there."""
    corpora = pathlib.Path(os.environ.get("CUPEL_CORPORA", HERE.parent.parent / "shared/corpora"))
    folders = [HERE / "sets", corpora / "bench"]
    found = {name: folder / name for name in SETS for folder in folders if (folder / name).is_dir()}
    return found


def signature(compiler):
    valgrind = subprocess.run(["valgrind", "--version"], text=True, capture_output=True, check=True)
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return {"compiler": compiler, "libc": " ".join(platform.libc_ver()),
            "machine": platform.machine() + (" avx2" if " avx2 " in flags else ""),
            "valgrind": valgrind.stdout.strip()}


def count(program, folders):
    """The totals of all profiles that callgrind dumps, in their order.  It confuses functions whose
    names begin alike."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        for figure in FIGURES:
            command += [f"--toggle-collect={figure}_counted", f"--dump-after={figure}_counted"]
        # meson's tests have the C library fill what it hands out.
        env = {key: value for key, value in os.environ.items() if key != "MALLOC_PERTURB_"}
        done = subprocess.run([*command, program, *folders], text=True, capture_output=True,
                              env=env, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr[-2000:])
        profiles = [p for p in pathlib.Path(folder).iterdir() if p.suffix]
        profiles.sort(key=lambda p: int(p.suffix[1:]))
        totals = [int(re.search(r"^totals: (\d+)", p.read_text(), re.MULTILINE)[1])
                  for p in profiles]
    return totals[:len(folders) * len(FIGURES)]


def measure(program, sets):
    totals = iter(count(program, sets.values()))
    return {name: {figure: next(totals) for figure in FIGURES} for name in sets}


def compare(recorded, measured):
    """Prints what differs; how many passed and failed."""
    passed = failed = 0
    for name, figures in measured.items():
        for figure, new in figures.items():
            old = recorded.get(name, {}).get(figure)
            change = new / old - 1 if old else 0
            if old is None or abs(change) > TOLERANCE:
                verdict = "not recorded" if old is None else f"{change:+.1%}, recorded {old}"
                print(f"{name} {figure}: {new} instructions, {verdict}")
            failed += change > TOLERANCE
            passed += change <= TOLERANCE
    return passed, failed


def record(signed, measured):
    lines = ",\n  ".join(f"{json.dumps(name)}: {json.dumps(counts)}"
                         for name, counts in sorted(measured.items()))
    RECORD.write_text(f'{{"of": {json.dumps(signed)},\n "counts": {{\n  {lines}\n }}}}\n')


def main(program, compiler, *options):
    if not shutil.which("valgrind"):
        print("skipped: no valgrind\n0 passed, 0 failed")
        return 0
    signed, sets = signature(compiler), find_sets()
    if options == ("--record",):
        record(signed, measure(program, sets))
        return 0
    stored = json.loads(RECORD.read_text())
    if stored["of"] != signed:
        print(f"skipped: recorded with {stored['of']}, this is {signed}\n0 passed, 0 failed")
        return 0
    passed, failed = compare(stored["counts"], measure(program, sets))
    if failed:
        print("if that is the price of something worth it: ninja record-instructions, and commit")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
