#!/usr/bin/env python3
"""Holds the formats of vm/formats to plain grammars on every short string there is.

    check_formats_short.py FORMATS_CLI [MOST]

FORMATS_CLI is the program built from tests/unit/formats_cli.c, naive_formats.py beside this file has the
grammars.  For each format there is an alphabet of pieces; all strings of up to as many pieces are tried
as make no more than MOST strings (60,000), and behind a beginning that most of them need as well.
"""
import itertools
import sys

import naive_formats
from check_formats import ask

# The pieces, and beginnings in front of which they are tried besides the empty one.
PIECES = {
    "date": (["0", "1", "2", "3", "9", "-", "/"], ["2024-0", "1900-02-", "2023-1", "2000-"]),
    "time": (["0", "5", "6", ":", ".", "Z", "+", "-", "23:59", ":60", "\u0661"], ["23:59:60", "01:29:60+", "12:00:"]),
    "date-time": (["2024-02-29", "2023-02-29", "T", "t", " ", "12:00:00", "23:59:60", "Z", "+00:00", ".5", "-"], []),
    "duration": (list("P1TYMDHSW"), ["P", "PT", "P1Y", "P1DT"]),
    "ipv4": (["0", "1", "25", "6", ".", "255", "01", "/"], ["1.2.3", "255.255."]),
    "ipv6": ([":", "::", "0", "f", "1.2.3.4", "12345", "a:b:c", "g", "%"], ["1:2:3:4", "::1:2:3"]),
    "hostname": (["a", "Z", "0", "-", ".", "_", "b" * 62, "c" * 250], []),
    "email": (["a", "@", ".", '"', "\\", " ", "-", "[1.2.3.4]", "\u00e9", "[IPv6:::1]"], ["a@", '"', "a.b@c"]),
    "idn-email": (["a", "@", ".", '"', "\\", " ", "-", "[", "\u00e9", "\U00020000", "\x7f"], ["\u00e9@", '"']),
    "uri": (["a", ":", "/", "?", "#", "[", "]", "@", "%4", "1"], ["a:", "a://", "a://[::1]", "a:b?"]),
    "uri-reference": (["a", ":", "/", "?", "#", "[::1]", "@", "%4f", "\\", "1"], ["//", "a/", "?"]),
    "iri": (["\u00e9", ":", "/", "?", "#", "\ue000", "@", "%C3", "\ufdd0", "a"], ["a:", "a://", "a:?"]),
    "iri-reference": (["\u00e9", ":", "/", "?", "#", "\U000f0000", "@", "\u00a0", "\u0085", "a"], ["//", "?"]),
    "uri-template": (["{", "}", "a", ".", ",", ":1", "*", "+", "%4F", "\u00e9", "'", "9"], ["{a", "{+a:"]),
    "uuid": (["2eb8aa08", "-", "aa98", "11EA", "b4aa", "73b441d16380", "0", "g"], ["2eb8aa08-aa98-11ea-b4aa-"]),
    "json-pointer": (["/", "~", "0", "1", "2", "a", "\0", "#", "\n"], []),
    "relative-json-pointer": (["0", "1", "/", "~", "#", "-", "a", "~1"], ["1", "0/"]),
}


def strings(pieces, beginnings, most):
    """All of up to so many pieces as `most` allows, each once."""
    count = 0
    while len(pieces) ** (count + 1) * (1 + len(beginnings)) <= most:
        count += 1
    made = {start + "".join(some)
            for n in range(count + 1) for some in itertools.product(pieces, repeat=n) for start in ["", *beginnings]}
    return sorted(made)


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 60_000
    passed, failed = 0, 0
    for name, grammar in naive_formats.F.items():
        texts = strings(*PIECES[name], most)
        answers = ask(sys.argv[1], [(name, text) for text in texts])
        conform = 0
        for text, got in zip(texts, answers):
            want = bool(grammar(text))
            conform += want
            if got == str(int(want)):
                passed += 1
            else:
                failed += 1
                print(f"{name} {text!a}: got {got}, want {int(want)}")
        print(f"{name}: {len(texts)} strings, {conform} conform")
        if conform == 0 or conform == len(texts):
            failed += 1
            print(f"{name}: the pieces try nothing")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
