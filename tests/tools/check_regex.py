#!/usr/bin/env python3
"""Holds the regular expressions of base/regex/regex.h to those of a JavaScript engine.

    check_regex.py REGEX_CLI [PATTERNS] [SEED]

A part of the patterns goes through every engine, by the flags of regex_cli.

REGEX_CLI is the program built from tests/unit/regex_cli.c.  Random but repeatable patterns, most of
them well-formed, each with some subjects, go through it and through `new RegExp(pattern, "u")` of Node.
Both must agree on what is a pattern and on what matches.  Without Node nothing is tested.

Subjects hold old code points only, because Node's version of Unicode may be another one than that of the
tables (base/regex/unicode_data.h).
Two differences are known:
  - Node takes {n,m} with n > m when both are beyond 2^31, as equal; none are made here.
  - Node's own search also tries the middle of a surrogate pair, where \\B holds between halves of one
    code point; ECMA-262 (22.2.7.2) goes on by code points.  So the search is spelled out here.
"""
import json
import random
import shutil
import subprocess
import sys

NODE = r"""
const lines = require("fs").readFileSync(0, "utf8").split("\n");
const out = [];
for (const line of lines) {
  if (line === "") continue;
  const [pattern, subjects] = JSON.parse(line);
  let re;
  try { re = new RegExp(pattern, "uy"); } catch (e) { out.push("?"); continue; }
  const found = s => {
    for (let at = 0; at <= s.length; at += s.codePointAt(at) > 0xffff ? 2 : 1) {
      re.lastIndex = at;
      if (re.test(s)) return "1";
    }
    return "0";
  };
  out.push(subjects.map(found).join(""));
}
console.log(out.join("\n"));
"""

LETTERS = "aab bc0_-\n\u2028\u00e9\u00a0\U0001f432\ufeff\x00"
LITERALS = list("aaaabbbc01 _,:=<>!#-/&~'\"@%`;\u00e9\u00df\u4e2d\U0001f432\n\x00")
SYNTAX = "^$\\.*+?()[]{}|/"
ESCAPES = [r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\t", r"\n", r"\v", r"\f", r"\r", r"\0", r"\cA",
           r"\cj", r"\x61", r"\u0062", r"\u{61}", r"\u{1F432}", r"\u{00000a}", r"\uD83D\uDC32", r"\uD83D",
           r"\uDC32", r"\u{D83D}\u{DC32}", r"\p{L}", r"\P{L}", r"\p{Lu}", r"\p{Letter}", r"\p{Nd}",
           r"\p{digit}", r"\p{gc=Zs}", r"\p{General_Category=Decimal_Number}", r"\p{Script=Latin}",
           r"\p{scx=Han}", r"\p{sc=Grek}", r"\p{ASCII}", r"\p{Any}", r"\P{Assigned}", r"\p{Alphabetic}",
           r"\p{White_Space}", r"\p{Emoji}", r"\p{LC}", r"\p{Cs}"]
BAD = [r"\a", r"\-", r"\_", r"\8", r"\00", r"\x4", r"\u{110000}", r"\u{}", r"\c1", r"\p{letter}", r"\p{L",
       r"\pL", r"\p{Script=latin}", r"\p{Latin}", r"\k<x>", r"\k", r"\9", "(?i)", "(?i:a)", "(?>a)",
       "(?P<n>a)", "(?#a)", "(*ACCEPT)", "(?R)", "(?1)", "(?|a)", "a++", "a{1}{2}", "{", "}", "]", "a{,2}",
       "a{2,1}", "*", "(", ")", "[", "[b-a]", r"[\d-a]", r"[a-\d]", "[[:alpha:]]", r"[\B]", r"[\1]", "(?",
       "(?<", "(?<1>a)", r"\Q", r"\E", r"\A", r"\z", r"\h", "\\", "(?<=a)*", "(?=a)*", "^*", r"\b+",
       "(?<a>b)(?<a>c)", "x{99999999999}", "a{0}", "[]", "[^]", "[]a", r"[^\s\S]", "[a-]", "[-a]",
       "[--0]", r"[\b]", r"[\-a]", r"[\uD83D\uDC32]", r"[\uD800-\uDFFF]", r"[^\uD83D]"]


class Generator:
    def __init__(self, rnd):
        self.rnd = rnd
        self.groups = 0

    def class_atom(self):
        rnd = self.rnd
        if rnd.random() < 0.25:
            return rnd.choice(ESCAPES)
        c = rnd.choice(LITERALS + list(".*(|$"))
        return "\\-" if c == "-" and rnd.random() < 0.9 else c

    def char_class(self):
        rnd = self.rnd
        text = "[^" if rnd.random() < 0.3 else "["
        for _ in range(rnd.randint(0, 4)):
            if rnd.random() < 0.3:
                low, high = sorted(rnd.choices("09AZaz_bm\u00e9\u4e2d\U0001f432", k=2))
                text += low + "-" + high
            else:
                text += self.class_atom()
        return text + "]"

    def group(self, depth):
        rnd = self.rnd
        kind = rnd.random()
        if kind < 0.4:
            opening = "(?:"
        elif kind < 0.7:
            self.groups += 1
            opening = "("
        elif kind < 0.75:
            self.groups += 1
            opening = "(?<n%d>" % self.groups
        else:
            opening = rnd.choice(["(?=", "(?!", "(?=", "(?!", "(?<=", "(?<!"])
        look = opening[2:3] in ("=", "!") or opening[:3] == "(?<" and opening[3] in "=!"
        return opening + self.pattern(depth - 1) + ")", not look

    def atom(self, depth):
        """An atom and whether it may be quantified."""
        rnd = self.rnd
        kind = rnd.random()
        if depth > 0 and kind < 0.22:
            return self.group(depth)
        if kind < 0.30:
            return rnd.choice(["^", "$", r"\b", r"\B"]), False
        if kind < 0.42:
            return self.char_class(), True
        if kind < 0.50:
            return rnd.choice(ESCAPES), True
        if kind < 0.54:
            return ".", True
        if kind < 0.58 and self.groups:
            name = rnd.randint(1, self.groups)
            return "\\%d" % name, True
        if kind < 0.60:
            return "\\" + rnd.choice(SYNTAX), True
        return rnd.choice(LITERALS), True

    def quantifier(self):
        rnd = self.rnd
        low = rnd.randint(0, 3)
        text = rnd.choice(["*", "+", "?", "{%d}" % low, "{%d,}" % low,
                           "{%d,%d}" % (low, low + rnd.randint(0, 2))])
        return text + ("?" if rnd.random() < 0.2 else "")

    def pattern(self, depth):
        rnd = self.rnd
        alternatives = []
        for _ in range(rnd.choice([1, 1, 1, 2, 3])):
            text = ""
            for _ in range(rnd.choice([0, 1, 1, 2, 2, 3, 4])):
                atom, quantifiable = self.atom(depth)
                text += atom
                if rnd.random() < (0.3 if quantifiable else 0.01):
                    text += self.quantifier()
            alternatives.append(text)
        return "|".join(alternatives)

    def make(self):
        """A pattern, in one case of four a spoilt one."""
        rnd = self.rnd
        self.groups = 0
        text = self.pattern(rnd.randint(0, 3))
        kind = rnd.random()
        at = rnd.randint(0, len(text))
        if kind < 0.10:
            text = text[:at] + rnd.choice(BAD) + text[at:]
        elif kind < 0.17:
            text = text[:at] + text[at + 1:]
        elif kind < 0.25:
            text = text[:at] + rnd.choice(SYNTAX + "-,<=!:?0") + text[at:]
        return text

    def subject(self):
        rnd = self.rnd
        return "".join(rnd.choices(LETTERS, k=rnd.choice([0, 1, 2, 3, 4, 6, 9])))


def hexed(text):
    return text.encode().hex() or "-"


def judge(case, ours, node, counts):
    """Whether the two answers agree."""
    pattern, subjects = case
    if ours == "?" or node == "?":
        ok = ours == node
        counts["passed" if ok else "failed"] += 1
    else:
        counts["engines"][ours[0]] = counts["engines"].get(ours[0], 0) + 1
        pairs = list(zip(ours[1:], node))
        wrong = [i for i, (a, b) in enumerate(pairs) if a != b]
        counts["budget"] += ours[1:].count("b")
        counts["passed"] += len(pairs) - len(wrong)
        counts["failed"] += len(wrong)
        subjects = [subjects[i] for i in wrong]
        ok = not wrong
    if not ok:
        print("/%s/ %s: got %s, node %s" % (pattern, json.dumps(subjects), ours, node))


ENGINES = {"n": "simple", "t": "tables", "s": "states", "p": "PCRE2", "b": "backtracking"}
FLAGS = {"as chosen": 0, "no JIT": 1, "no shapes": 4, "no tables": 12, "no automata": 16, "walks alone": 32}


def ask(cli, flags, cases):
    done = subprocess.run([cli, str(flags)], capture_output=True, check=True, text=True,
                          input="".join(" ".join(map(hexed, [p] + s)) + "\n" for p, s in cases))
    return done.stdout.splitlines()


def check(cli, name, cases, node, total):
    counts = {"passed": 0, "failed": 0, "budget": 0, "engines": {}}
    ours = ask(cli, FLAGS[name], cases)
    counts["failed"] += len(ours) != len(cases)
    for case, a, b in zip(cases, ours, node):
        judge(case, a, b, counts)
    engines = ", ".join("%d by %s" % (n, ENGINES[t]) for t, n in sorted(counts["engines"].items()))
    print("%s: %d patterns, %s; %d matches without budget" %
          (name, len(cases), engines, counts["budget"]))
    total[0] += counts["passed"]
    total[1] += counts["failed"]


def main():
    patterns = int(sys.argv[2]) if len(sys.argv) > 2 else 6000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if shutil.which("node") is None:
        print("skipped: no node\n0 passed, 0 failed")
        return 0
    generator = Generator(random.Random(seed))
    cases = [(generator.make(), [generator.subject() for _ in range(6)]) for _ in range(patterns)]
    node = subprocess.run(["node", "-e", NODE], capture_output=True, check=True, text=True,
                          input="".join(json.dumps(case) + "\n" for case in cases)).stdout.split("\n")
    total = [0, 0]
    for name in FLAGS:
        n = patterns if name == "as chosen" else patterns // 4
        check(sys.argv[1], name, cases[:n], node[:n], total)
    print("%d passed, %d failed" % tuple(total))
    return total[1] > 0


if __name__ == "__main__":
    sys.exit(main())
