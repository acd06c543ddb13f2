#!/usr/bin/env python3
"""Holds the symbols that a library exports to their name space, and to a checked-in list.

usage: symbols.py [--bless] NM LIBRARY MANIFEST
       symbols.py --static NM LIBRARY

Of a shared library, every exported symbol is in the manifest: one name a line, sorted.  `--bless`
rewrites it: look at the difference before you commit it, since a name that disappears breaks programs
that are linked already.

Of a static library (--static), every global symbol begins with `cupel_`.  The linker sees the internal
ones (`cupel__…`) too, and any other name could collide with one of the host program.
"""
import pathlib
import subprocess
import sys


def exported(nm, library):
    out = subprocess.run([nm, "-D", "--defined-only", library], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return sorted(line.split()[-1] for line in out.splitlines() if line.strip())


def check_static(nm, library):
    out = subprocess.run([nm, "-g", "--defined-only", library], check=True, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    names = {fields[2] for fields in map(str.split, out.splitlines()) if len(fields) == 3}
    wrong = sorted(name for name in names if not name.startswith("cupel_"))
    for name in wrong:
        print(f"{name}: global in {pathlib.Path(library).name}, and does not begin with cupel_")
    if not names:
        print("nothing is exported")
    print(f"{len(names) - len(wrong)} passed, {len(wrong) + (not names)} failed")
    return 1 if wrong or not names else 0


def main():
    args = sys.argv[1:]
    if args[:1] == ["--static"]:
        return check_static(*args[1:])
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
