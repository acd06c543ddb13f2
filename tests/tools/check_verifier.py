#!/usr/bin/env python3
"""That the functions which vm/program/invariants.def and docs/verifier.in.md name exist.

usage: check_verifier.py ROOT
"""
import pathlib
import re
import sys

# Names in the text that are no functions of the verifier.
OTHERS = {"check", "debug_vm", "inplace", "branches", "targets", "check_branches", "anchors", "in_place", "max_inplace", "x"}


def main():
    root = pathlib.Path(sys.argv[1])
    code = "".join(p.read_text(encoding="utf-8") for p in sorted((root / "vm/program").glob("verify*.c")))
    defined = set(re.findall(r"^[a-z][\w *]*?\b(\w+)\([^;{]*\)\n\{", code, re.M))
    statements = re.findall(r'^INVARIANT_\w+\(([^"]*)"([^"]*)", *"', (root / "vm/program/invariants.def").read_text(encoding="utf-8"), re.M)
    text = (root / "docs/verifier.in.md").read_text(encoding="utf-8")
    named = {f for _, by in statements for f in by.split()}
    named |= set(re.findall(r"`([a-z][a-z_]+)`", text)) - OTHERS
    missing = sorted(named - defined)
    for name in missing:
        print(f"{name}: no function of the verifier", file=sys.stderr)
    if not statements or not defined:
        print("nothing was read", file=sys.stderr)
        missing.append("")
    print(f"{len(named) - len(missing)} passed, {len(missing)} failed")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
