#!/usr/bin/env python3
"""No recorded call that is valid is refused for a name of its arguments.

usage: names.py CHECK_NAMES

CHECK_NAMES is the program built from check_names.c.  The corpus is ../shared/corpora/calls.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402


def main():
    calls = corpora.folder("calls")
    if calls is None:
        corpora.skip()
    return subprocess.run([sys.argv[1], *sorted(map(str, calls.glob("*.jsonl")))], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
