#!/usr/bin/env python3
"""Holds the linear regular expression engine to PCRE2.

    check_linear.py LINEAR_CLI [PAIRS] [SEED]

LINEAR_CLI is the program built from tests/unit/linear_cli.c.  Random but repeatable patterns of
check_regex.py's generator go through it until about PAIRS pairs of pattern and subject were decided by
both engines; a part of the subjects is long enough for the engine's cache.
"""
import random
import subprocess
import sys

from check_regex import Generator, hexed

SUBJECTS = 8


def subjects(generator, rnd):
    for i in range(SUBJECTS):
        yield "".join(generator.subject() for _ in range(30 if i == 0 else rnd.choice([1, 1, 1, 3])))


def make_cases(patterns, seed):
    rnd = random.Random(seed)
    generator = Generator(rnd)
    return [(generator.make(), list(subjects(generator, rnd))) for _ in range(patterns)]


def ask(cli, cases):
    lines = "".join(" ".join(map(hexed, [p] + s)) + "\n" for p, s in cases)
    answer = subprocess.run([cli], input=lines, capture_output=True, check=True, text=True).stdout
    *differences, counts = answer.splitlines()
    for line in differences:
        word, number, *rest = line.split()
        pattern, texts = cases[int(number)]
        subject = texts[int(rest[0])] if rest else ""
        print("%s: /%s/ %r %s" % (word, pattern, subject, " ".join(rest[1:])))
    return [int(n) for n in counts.split()]


def main():
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    total = [0, 0, 0, 0]
    while total[0] < wanted and total[1] == 0:
        counts = ask(sys.argv[1], make_cases(2000, seed))
        total = [a + b for a, b in zip(total, counts)]
        seed += 1
    print("%d pairs undecided, %d patterns left out" % (total[2], total[3]))
    print("%d passed, %d failed" % (total[0], total[1]))
    return total[1] > 0


if __name__ == "__main__":
    sys.exit(main())
