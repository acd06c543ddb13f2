#!/usr/bin/env python3
"""The vectors of tool records, if they are at hand: usage: vectors.py PROGRAM, built from vectors.c."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402


def main():
    folder = corpora.folder("vectors")
    if folder is None:
        corpora.skip()
    return subprocess.run([sys.argv[1], str(folder / "tool-record.json")], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
