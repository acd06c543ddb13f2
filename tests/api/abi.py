#!/usr/bin/env python3
"""Compares the binary interface that the public headers declare with a checked-in dump of it.

usage: abi.py [--bless] CC INCLUDE_DIRECTORY DUMP SUPPRESSIONS

Every function of the headers is compiled as a stub, with debug information, into a shared library; abidw
(abigail-tools) writes its types, and abidiff compares them with the dump.  The compiler holds the real functions to the
same declarations, so the library itself needs no debug information.  New functions, new enumerators and new members at
the end of the structs that grow (SUPPRESSIONS) pass, and --bless takes them up.  Every other change fails.  Skipped (77)
without abidiff.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DECLARATION = re.compile(r"(?:^|(?<=[;}]))\s*((?:[\w\s*]|__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\))*?\bcupel_\w+\s*"
                         r"\((?:[^()]|\([^()]*\))*\))\s*(?:__attribute__\s*\(\([^;]*\)\))?;", re.MULTILINE)


def stubs(text):
    """Definitions for the function declarations in preprocessed text."""
    depth, plain = 0, []
    for part in re.split(r"([{}])", text):  # bodies of structs, enums and inline functions go
        if part == "{":
            depth += 1
        elif part == "}":
            depth -= 1
            plain.append("}" if depth == 0 else "")
        elif depth == 0:
            plain.append(part)
    for declaration in DECLARATION.findall("".join(plain)):
        declaration = re.sub(r"__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)", "", declaration).strip()
        if not re.match(r"(typedef|static)\b", declaration):
            yield declaration


def build(cc, include, folder):
    text = subprocess.run(cc + ["-E", "-P", "-I", include, "-"], input="#include <cupel/cupel.h>\n#include <cupel/debug.h>\n", text=True,
                          check=True, stdout=subprocess.PIPE).stdout
    found = sorted(set(stubs(text)))
    source, library = folder / "stubs.c", folder / "libcupel.so"
    source.write_text("#include <cupel/cupel.h>\n#include <cupel/debug.h>\n" + "".join(f"{d} {{ __builtin_trap(); }}\n" for d in found))
    subprocess.run(cc + ["-g", "-O0", "-w", "-fPIC", "-shared", f"-fdebug-prefix-map={folder}=.", "-I", include, "-o",
                         library.name, source.name], check=True, cwd=folder)
    return library, len(found)


def main():
    args = [a for a in sys.argv[1:] if a != "--bless"]
    cc, include, dump = args[0].split(), pathlib.Path(args[1]).resolve(), pathlib.Path(args[2])
    if not shutil.which("abidw") or not shutil.which("abidiff"):
        print("no abidiff (Debian: abigail-tools)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        library, count = build(cc, include, folder)
        now = folder / "now.abi"
        subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash",
                        "--out-file", now, library], check=True)
        if "--bless" in sys.argv:
            dump.write_text(now.read_text())
        run = subprocess.run(["abidiff", "--no-show-locs", "--no-added-syms", "--suppressions", args[3], dump, now], text=True, stdout=subprocess.PIPE)
    bad = run.returncode != 0 or count == 0
    if bad:
        print(run.stdout)
    print(f"{0 if bad else count} passed, {1 if bad else 0} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
