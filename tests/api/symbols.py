#!/usr/bin/env python3
"""Holds the symbols that a shared library exports to a checked-in list.

usage: symbols.py [--bless] NM LIBRARY MANIFEST

The manifest has one name a line, sorted.  `--bless` rewrites it: look at the difference before you
commit it, since a name that disappears breaks programs that are linked already.
"""
import pathlib
import subprocess
import sys


def exported(nm, library):
    out = subprocess.run([nm, "-D", "--defined-only", library], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return sorted(line.split()[-1] for line in out.splitlines() if line.strip())


def main():
    args = sys.argv[1:]
    bless = "--bless" in args
    nm, library, manifest = (a for a in args if a != "--bless")
    manifest = pathlib.Path(manifest)
    have = exported(nm, library)
    if bless:
        manifest.write_text("".join(name + "\n" for name in have))
    want = manifest.read_text().split()
    wrong = [f"{n}: exported, but not in {manifest.name}" for n in have if n not in want]
    wrong += [f"{n}: in {manifest.name}, but not exported" for n in want if n not in have]
    wrong += [f"{n}: not in the library's name space" for n in have
              if not n.startswith("cupel_") or n.startswith("cupel__")]
    if not have:
        wrong.append("nothing is exported")
    for line in wrong:
        print(line)
    print(f"{len(set(have) & set(want))} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
