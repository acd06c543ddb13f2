#!/usr/bin/env python3
"""Checks the bundle of C files (scripts/bundle.sh): made twice it is the same, every compiler at hand builds it without
a warning and without flags, and a program that links it gets right verdicts.

usage: bundle.py PROJECT_ROOT PROGRAM.c COMPILER…

A compiler that is not installed is skipped by name.
"""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PROGRAM_STATUS = 0


def compile_one(compiler, source, folder):
    run = subprocess.run([compiler, "-std=gnu11", "-c", source.name, "-o", folder / (source.stem + ".o")],
                         cwd=source.parent, capture_output=True, text=True, check=False)
    return None if run.returncode == 0 and not run.stderr else f"{compiler}: {source.name}: {run.stderr[:400]}"


def check_compiler(compiler, bundle, program, folder):
    folder.mkdir()
    sources = sorted(bundle.glob("*.c"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [w for w in pool.map(lambda s: compile_one(compiler, s, folder), sources) if w]
    if wrong:
        return wrong
    binary = folder / "program"
    subprocess.run([compiler, "-I", bundle, program, *sorted(folder.glob("*.o")), "-o", binary], check=True)
    run = subprocess.run([binary], check=False)
    return [] if run.returncode == PROGRAM_STATUS else [f"{compiler}: the program ended with {run.returncode}"]


def main():
    root, program, compilers = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    passed, wrong = 0, []
    with tempfile.TemporaryDirectory() as name:
        bundles = [pathlib.Path(name, n) for n in ("one", "two")]
        for bundle in bundles:
            subprocess.run([sys.executable, root / "scripts/bundle.py", bundle], check=True, stdout=subprocess.DEVNULL)
        files = sorted(p.relative_to(bundles[0]).as_posix() for p in bundles[0].rglob("*") if p.is_file())
        _, differ, errors = filecmp.cmpfiles(*bundles, files, shallow=False)
        if differ or errors:
            wrong.append(f"made twice, different: {differ + errors}")
        else:
            passed += 1
        for compiler in compilers:
            if shutil.which(compiler) is None:
                print(f"skipped: no {compiler}")
                continue
            found = check_compiler(compiler, bundles[0], program, pathlib.Path(name, "objects-" + compiler))
            wrong += found
            passed += not found
    for line in wrong:
        print(line)
    print(f"{passed} passed, {len(wrong)} failed")
    return 1 if wrong or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
