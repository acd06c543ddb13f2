#!/usr/bin/env python3
"""Holds base/decimal.c to the reference of decimal arithmetic.

    check_number.py NUMBER_CLI REFERENCE.py [CASES] [SEED]

NUMBER_CLI is the program built from tests/unit/number_cli.c.  REFERENCE.py has parse(lexeme) and, over
what that returns, cmp(a, b), is_int(a) and multiple(a, b).  The cases are random but repeatable.
"""
import importlib.util
import random
import subprocess
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digits(rnd, longest):
    """A digit string; length and shape are such that every path is reached."""
    shape = rnd.random()
    n = rnd.randint(1, longest)
    if shape < 0.15:
        return str(rnd.choice([2**63, 2**64, 10**18, 10**19, 2**32, 2**96]) + rnd.randint(-2, 2))
    if shape < 0.2:  # divisors whose quotients are estimated too large by one
        low = 32 * rnd.randint(2, max(2, longest // 10))
        return str(2 ** (low + 31) + 2**low - rnd.choice([1, 1, 3, 2**31 + 1]))
    if shape < 0.25:
        return str(2 ** rnd.randint(0, 3 * longest))
    if shape < 0.35:
        return str(5 ** rnd.randint(0, longest))
    if shape < 0.5:
        return str(rnd.randint(1, 9)) + "0" * (n - 1)
    return str(rnd.randint(0, 10**n - 1))


def spell(rnd, value_digits, exp, negative):
    """One of the many ways to write digits * 10^exp."""
    shift = rnd.randint(0, len(value_digits)) if rnd.random() < 0.5 else 0
    whole, fraction = value_digits[: len(value_digits) - shift], value_digits[len(value_digits) - shift :]
    if rnd.random() < 0.2:
        fraction += "0" * rnd.randint(1, 4)
    exp += shift
    text = (whole.lstrip("0") or "0") + ("." + fraction if fraction else "")
    if exp != 0 or rnd.random() < 0.1:
        text += rnd.choice("eE") + (rnd.choice(["", "+"]) if exp >= 0 else "") + str(exp)
    return ("-" if negative else "") + text


def number(rnd):
    longest = rnd.choice([3, 12, 20, 20, 45, 200])
    wide = rnd.choice([0, 3, 20, 20, 1000, 10**9])
    return digits(rnd, longest), rnd.randint(-wide, wide), rnd.random() < 0.3


def pair(rnd):
    """Two numbers, often related: equal, nearly equal, a multiple."""
    a = number(rnd)
    kind = rnd.random()
    if kind < 0.3:
        b = number(rnd)
    elif kind < 0.5:
        b = (a[0] + "0" * 3, a[1] - 3, a[2])
    elif kind < 0.7:
        b = (str(int(a[0]) * 10**25 + rnd.randint(-1, 1)).lstrip("-"), a[1] - 25, a[2])
    else:
        b = (str(int(digits(rnd, 40)) or 1), rnd.randint(-30, 30), False)
        zeros = rnd.randint(0, 30)
        product = int(b[0]) * int(digits(rnd, 40)) + (rnd.random() < 0.2)
        while zeros and product % 10 == 0:
            zeros, product = zeros - 1, product // 10
        a = (str(product), b[1] + rnd.choice([0, 0, 1, 30, 500, -1]), a[2])
    return spell(rnd, *a), spell(rnd, *b)


def questions(rnd, count):
    for i in range(count):
        a, b = pair(rnd)
        kind = i % 8
        if kind < 3:
            yield ("cmp", a, b)
        elif kind < 6 and any(c in "123456789" for c in b.lower().split("e")[0]):
            yield ("mul", a, b.lstrip("-"))
        elif kind == 6:
            yield ("hash", a, b)
        else:
            yield ("int", a)


def main():
    cli, reference = sys.argv[1], load(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    rnd = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 8259)
    asked = list(questions(rnd, count))
    lines = []
    for q in asked:
        lines += [f"hash {q[1]}", f"hash {q[2]}"] if q[0] == "hash" else [" ".join(q)]
    run = subprocess.run([cli], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = iter(run.stdout.split("\n"))
    wrong, true = 0, 0
    for q in asked:
        operands = [reference.parse(x) for x in q[1:]]
        if q[0] == "hash":
            got, want = next(answers) == next(answers), reference.cmp(*operands) == 0
        elif q[0] == "int":
            got, want = next(answers), str(int(reference.is_int(*operands)))
        elif q[0] == "mul":
            got, want = next(answers), str(int(reference.multiple(*operands)))
        else:
            got, want = next(answers), str(reference.cmp(*operands))
        true += want in (True, "1")
        if got != want:
            wrong += 1
            if wrong <= 10:
                print("got", got, "want", want, "for", *q, file=sys.stderr)
    print(f"{len(asked) - wrong} passed, {wrong} failed ({true} answers were yes)")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
