#!/usr/bin/env python3
"""Checks that clang-format 14 would change no C file.

usage: format.py PROJECT_ROOT

Generated tables are left out.  Without clang-format 14 the test prints `skipped` and checks nothing.
"""
import pathlib
import shutil
import subprocess
import sys

FOLDERS = ("base", "vm", "compiler", "messages", "mcp", "cli", "gateways", "include", "examples", "tests", "fuzz",
           "bench")
GENERATED = ("_data.h", "idn_table.h")
AT_ONCE = 50


def formatter():
    for name in ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path and " 14." in subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout:
            return path
    return None


def sources(root):
    return sorted(p for folder in FOLDERS for p in (root / folder).rglob("*")
                  if p.suffix in (".c", ".h") and not p.name.endswith(GENERATED)
                  and "node_modules" not in p.parts and "build" not in p.parts)


def misformatted(program, paths):
    run = subprocess.run([program, "--dry-run", *paths], capture_output=True, text=True, check=False)
    return {line.split(":", 1)[0] for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line}


def main():
    root = pathlib.Path(sys.argv[1])
    program = formatter()
    if program is None:
        print("skipped: no clang-format 14\n0 passed, 0 failed")
        return 0
    paths = sources(root)
    wrong = set()
    for i in range(0, len(paths), AT_ONCE):
        wrong |= misformatted(program, paths[i:i + AT_ONCE])
    for path in sorted(wrong):
        print(f"{pathlib.Path(path).relative_to(root)}: run clang-format")
    print(f"{len(paths) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
