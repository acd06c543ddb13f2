#!/usr/bin/env python3
"""Recorded calls of real tools get the verdict that is recorded with them.

usage: run.py CHECK_CALLS

CHECK_CALLS is the program built from check_calls.c.  The corpus is ../shared/corpora/calls:
schemas, arguments, and the verdict of another validator (null where that one refused the schema:
then ours must only not be undecided).

differences.txt explains, one by one, where cupel differs on purpose: `FILE:LINE | reason`.  An
entry that no longer differs fails the test, so the list only shrinks.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402


def main():
    calls = corpora.folder("calls")
    if calls is None:
        corpora.skip()
    files = sorted(map(str, calls.glob("*.jsonl")))
    explained = dict(corpora.read_table(HERE / "differences.txt", 2))
    out = subprocess.run([sys.argv[1], *files], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    passed = failed = 0
    for line in out.splitlines():
        place, want, got, detail = (line + "   ").split(" ", 3)
        if want == "none":
            good = got in ("valid", "invalid", "refused")
        else:
            good = want == got
        if place in explained:
            good = not good
            detail = f"explained as: {explained.pop(place)}"
        if good:
            passed += 1
        else:
            failed += 1
            print(f"{place}: recorded {want}, got {got} ({detail.strip()})")
    for place in explained:
        failed += 1
        print(f"{place}: in differences.txt, but not in the corpus")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
