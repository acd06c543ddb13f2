#!/usr/bin/env python3
"""Every verb, option and limit that `cupel help` shows is in the manual and in the completions of each shell.

usage: manual.py CUPEL FOLDER    with the files that the build generates from the same tables
"""
import pathlib
import re
import subprocess
import sys


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main():
    cupel, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    overview = run(cupel, "help")
    verbs = [" ".join(v.split()) for v in re.findall(r"^  cupel ((?:[a-z]+ ?)+?)  ", overview, re.M)]
    options = set()
    for verb in verbs:
        options |= set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", run(cupel, "help", *verb.split()), re.M))
    limits = re.findall(r"^  ([a-z_]+) +\d+  ", run(cupel, "help", "limits"), re.M)
    passed = failed = 0
    for name, mark in {"cupel.1": "--", "cupel": "--", "_cupel": "--", "cupel.fish": "-l "}.items():
        text = (folder / name).read_text(encoding="utf-8").replace("\\-", "-")
        words = [v if name == "cupel.1" else v.split()[-1] for v in verbs] + limits
        words += ([r"\fB--" + o if name == "cupel.1" else mark + o for o in sorted(options)])
        for word in words:
            if word in text:
                passed += 1
            else:
                failed += 1
                print(f"{name} lacks {word}", file=sys.stderr)
    if len(verbs) < 10 or len(options) < 30 or len(limits) < 10:
        failed += 1
        print(f"help shows {len(verbs)} verbs, {len(options)} options, {len(limits)} limits", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
