#!/usr/bin/env python3
"""Holds the letters of mcp/text/case_fold.c to the case mappings of Python.

usage: check_fold.py FOLD_CLI

Two code points have the same letters exactly if a chain of equal upper cases, lower cases and foldings
connects them.  Code points that this Python's Unicode does not know are left out.
"""
import subprocess
import sys
import unicodedata

POINTS = [c for c in range(0x110000)
          if not 0xD800 <= c <= 0xDFFF and unicodedata.category(chr(c)) != "Cn"]


def classes():
    """The smallest code point of the class of each."""
    parent = {}

    def find(c):
        while parent.setdefault(c, c) != c:
            parent[c] = parent[parent[c]]
            c = parent[c]
        return c

    def join(a, b):
        a, b = sorted((find(a), find(b)))
        parent[b] = a

    for c in POINTS:
        for text in (chr(c).upper(), chr(c).lower(), chr(c).casefold(), chr(c).title()):
            if len(text) == 1:
                join(c, ord(text))
    join(0x130, ord("i"))
    return {c: find(c) for c in POINTS}


def main():
    out = subprocess.run([sys.argv[1]], check=True, text=True, stdout=subprocess.PIPE).stdout
    letters = {}
    for line in out.splitlines():
        point, _, rest = line.partition(":")
        letters[int(point, 16)] = tuple(int(x, 16) for x in rest.split())
    passed, wrong = 0, []

    def check(ok, what):
        nonlocal passed
        passed += ok
        if not ok:
            wrong.append(what)

    class_of = classes()
    members = {}
    for c in POINTS:
        members.setdefault(letters[c], []).append(c)
    for c in POINTS:
        check(letters[c] == letters[class_of[c]], f"{c:x} and {class_of[c]:x} differ")
        upper = chr(c).upper()
        if len(upper) > 1:
            want = tuple(x for u in upper for x in letters[ord(u)])
            check(letters[c] == want, f"{c:x} is not {upper!r}")
    for same in members.values():
        upper = {chr(c).upper() for c in same}
        check(len({class_of[c] for c in same}) == 1 or (len(upper) == 1 and len(upper.pop()) > 1),
              f"{[hex(c) for c in same]} have the same letters")
    for line in wrong[:20]:
        print(line)
    print(f"{passed} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
