#!/usr/bin/env python3
"""That the handlers of the threaded loops end with a jump to the next one, never with a call.

usage: check_jumps.py OBJDUMP ARCHIVE

Disassembles loop_threaded in a static library.  A call through a table of handlers is
an indirect call, and nothing else in that file has one; what is called directly are helpers, never a
handler.  Prints `0 passed, 0 failed` where there is no such loop.
"""
import re
import subprocess
import sys

LOOPS = ("loop_threaded",)
NAME = (r"(op_\w+|passed_\w+|failed_\w+|next_\w+|traverse|apply|stopped|"
        r"out_of_\w+|unwind)(?:\.\w+)*>")
INDIRECT = re.compile(r"\t(?:call\w*\s+(?:\*|r|QWORD)|blr\s)")
DIRECT = re.compile(r"\t(?:call\w*|bl)\s+[0-9a-f]+ <" + NAME)
HANDLER = re.compile(r"^[0-9a-f]+ <" + NAME + ":")


def members(listing):
    """The disassembly of each object in the archive, by its name."""
    parts = re.split(r"^(\S+):\s+file format .*$", listing, flags=re.M)
    return zip(parts[1::2], parts[2::2])


def main():
    listing = subprocess.run([sys.argv[1], "-d", "--no-show-raw-insn", sys.argv[2]], check=True,
                             capture_output=True, text=True).stdout
    passed = failed = 0
    for name, text in members(listing):
        if not any(loop in name for loop in LOOPS):
            continue
        for block in text.split("\n\n"):
            match = HANDLER.match(block.lstrip("\n"))
            if match is None:
                continue
            calls = [line for line in block.splitlines()
                     if INDIRECT.search(line) or DIRECT.search(line)]
            if calls:
                failed += 1
                print(f"{match.group(1)}: {calls[0].strip()}", file=sys.stderr)
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
