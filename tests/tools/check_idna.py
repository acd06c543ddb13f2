#!/usr/bin/env python3
"""Every code point in a host name, against other implementations of IDNA.

usage: check_idna.py FORMATS_CLI

A label is one code point alone, or has it at the start, inside or at the end.  Three things are compared: what
idn-hostname and idn-email accept, what the package `idna` of Python accepts (UTS #46 mapping, STD3, IDNA2008), and what
Node's domainToASCII makes letters, digits and hyphens of (UTS #46 alone, so it accepts more).  Either is left out, by
name, where it is not installed.

Nothing may be accepted that one of the others refuses.  They know a newer Unicode than libidn2, so what they accept and
cupel refuses is looked at for code points that Unicode 3.2 had; CHANGED are those whose mapping is newer.
"""
import re
import shutil
import subprocess
import sys
import unicodedata

try:
    import idna
except ImportError:
    idna = None

PLACES = {"alone": "{}", "at the start": "{}a", "inside": "b{}a", "at the end": "a{}"}
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
# Capitals that got a small form, controls and fillers that are ignored, ideographs that were corrected, in newer versions
# of UTS #46.
CHANGED = re.compile("[\u04c0\u10a0-\u10c5\u2132\u2183\u115f\u1160\u17b4\u17b5\u180e\u2061-\u2063\u206a-\u206f"
                     "\u3164\uffa0\U0001d173-\U0001d17a\U0002f868\U0002f874\U0002f91f\U0002f95f\U0002f9bf]")
NODE = r"""
const { domainToASCII } = require("url");
const names = require("fs").readFileSync(0, "latin1").trim().split("\n").map((x) => Buffer.from(x, "hex").toString());
const ldh = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
process.stdout.write(names.map((x) => (ldh.test(domainToASCII(x)) ? 1 : 0)).join("\n") + "\n");
"""


def answers(command, lines):
    run = subprocess.run(command, input="\n".join(lines) + "\n", stdout=subprocess.PIPE, encoding="ascii", check=True)
    return [int(x) for x in run.stdout.split()]


def by_cupel(cli, name, texts):
    return answers([cli], [f"{name}\t{t.encode().hex()}" for t in texts])


def by_idna(text):
    if text == "" or text[-1] in ".\u3002\uff0e\uff61":
        return 0
    try:
        idna.encode(text, uts46=True, std3_rules=True, strict=True)
        return 1
    except idna.IDNAError:
        return 0


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, what, code_point):
        self.passed += good
        self.failed += not good
        if not good and self.failed <= 40:
            print(f"U+{code_point:04X} {unicodedata.category(chr(code_point))} {what}")


def is_old(code_point):
    c = chr(code_point)
    return unicodedata.ucd_3_2_0.category(c) != "Cn" and not CHANGED.match(c)


def main():
    cli, tally = sys.argv[1], Tally()
    if by_cupel(cli, "idn-hostname", ["a"]) == [-1]:
        print("skipped: built without libidn2\n0 passed, 0 failed")
        return 0
    node = shutil.which("node")
    for name, found in (("idna of Python", idna), ("node", node)):
        if not found:
            print(f"skipped: {name} is not installed")
    for place, form in PLACES.items():
        texts = [form.format(chr(c)) for c in CODE_POINTS]
        ours = by_cupel(cli, "idn-hostname", texts)
        mail = by_cupel(cli, "idn-email", ["m@" + t for t in texts])
        for c, host, box in zip(CODE_POINTS, ours, mail):
            if c > 127:
                tally.check(host == box, f"{place}: idn-hostname {host}, idn-email {box}", c)
        if idna:
            for c, text, host in zip(CODE_POINTS, texts, ours):
                theirs = by_idna(text)
                tally.check(host <= theirs, f"{place}: accepted, but not by idna", c)
                if is_old(c):
                    tally.check(host >= theirs, f"{place}: refused, but not by idna", c)
        if node:
            theirs = answers([node, "-e", NODE], [t.encode().hex() for t in texts])
            for c, host, other in zip(CODE_POINTS, ours, theirs):
                tally.check(host <= other, f"{place}: accepted, but not by node", c)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return tally.failed != 0


if __name__ == "__main__":
    sys.exit(main())
