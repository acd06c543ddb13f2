#!/usr/bin/env python3
"""Real traffic stays far below the default budget of steps.

usage: run.py SHARE

SHARE is the program built from share.c.  It judges the 25 public sets and the recorded calls of
../shared/corpora under the default bounds: none may stay undecided, and none may take more than a
part of the budget (docs/decisions/0010-a-step-is-a-unit-of-time.md).  Prints the largest part.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402

MOST_VERDICT, MOST_REPORT = 50, 150  # per mille


def inputs():
    """The arguments of one run each."""
    bench, calls = corpora.folder("bench"), corpora.folder("calls")
    if bench is None or calls is None:
        corpora.skip()
    for folder in sorted(bench.iterdir()):
        yield folder.name, [folder / "schema.json", folder / "instances.jsonl"]
    for path in sorted(calls.glob("*.jsonl")):
        yield path.name, [path]


def main():
    passed = failed = judged = 0
    largest = [(0, ""), (0, "")]
    for name, paths in inputs():
        out = subprocess.run([sys.argv[1], *map(str, paths)], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
        n, undecided, verdict, report = map(int, out.split())
        largest = [max(largest[0], (verdict, name)), max(largest[1], (report, name))]
        judged += n
        good = n > 0 and not undecided and verdict <= MOST_VERDICT and report <= MOST_REPORT
        if not good:
            print(f"{name}: {n} judged, {undecided} undecided, {verdict} and {report} per mille")
        passed, failed = passed + good, failed + (not good)
    for what, (share, name) in zip(("verdict", "report"), largest):
        print(f"{judged} judged; the largest part of its budget that a {what} took: "
              f"{share / 10} % ({name})")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
