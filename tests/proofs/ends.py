#!/usr/bin/env python3
"""Tests that each check which makes every run end (ends.txt) is needed.

usage: ends.py ROOT LIBRARY COMPILER...

The script removes each entry's check from a copy of its files, compiles the copy, and links it before the library.  The
verifier must then accept the image of ends.c that the check refuses, or crash on it.  The unchanged verifier refuses
all images.
"""
import pathlib
import subprocess
import sys
import tempfile

LET_THROUGH = 3
INCLUDES = [".", "include", "tests/unit", "tests"]


def entries(path):
    """[(image, [(file, old, new)])]"""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.replace("\\n", "\n")
        if not line or line.startswith("#"):
            continue
        if line.startswith("image "):
            found.append((line[len("image "):], []))
        elif line.startswith("=>"):
            file, old, _ = found[-1][1][-1]
            found[-1][1][-1] = (file, old, line[2:].strip())
        else:
            file, sep, old = line.partition(": ")
            if not sep:
                raise ValueError(f"{path}:{number}: {line}")
            found[-1][1].append((file, old, ""))
    return found


def change(root, folder, changes):
    """The copies with the changes made, or None if a text does not stand there once."""
    texts = {}
    for file, old, new in changes:
        text = texts.get(file) or (root / file).read_text(encoding="utf-8")
        if text.count(old) != 1:
            print(f"{file}: {text.count(old)} times: {old}", file=sys.stderr)
            return None
        texts[file] = text.replace(old, new)
    copies = []
    for file, text in texts.items():
        copy = folder / pathlib.Path(file).name
        copy.write_text(text, encoding="utf-8")
        copies.append(copy)
    return copies


def build(root, library, compiler, folder, sources):
    program = folder / "ends"
    subprocess.run([*compiler, "-std=c11", "-O1", "-w", "-DNDEBUG", "-D_DEFAULT_SOURCE", "-DCUPEL__DEBUG_VM=0",
                    *(f"-I{root / i}" for i in INCLUDES), root / "tests/proofs/ends.c", *sources, library,
                    "-o", program], check=True)
    return program


def let_through(root, library, compiler, image, changes):
    with tempfile.TemporaryDirectory() as name:
        copies = change(root, pathlib.Path(name), changes)
        if copies is None:
            return False
        program = build(root, library, compiler, pathlib.Path(name), copies)
        status = subprocess.run([program, image], check=False).returncode
        needed = status == LET_THROUGH or status < 0  # a signal: the verifier itself relies on the check
        if not needed:
            print(f"{image}: refused without the check (status {status}): {changes}", file=sys.stderr)
        return needed


def main():
    root, library, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    wanted = entries(root / "tests/proofs/ends.txt")
    results = [let_through(root, library, compiler, *entry) for entry in wanted]
    with tempfile.TemporaryDirectory() as name:
        whole = subprocess.run([build(root, library, compiler, pathlib.Path(name), [])], check=False,
                               stdout=subprocess.DEVNULL)
    results.append(whole.returncode == 0)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
