#!/usr/bin/env python3
"""Holds the formats of vm/formats to the official suite and to a reference.

    check_formats.py FORMATS_CLI REFERENCE.py [CASES] [SEED]

FORMATS_CLI is the program built from tests/unit/formats_cli.c.  From the suite come the cases of
optional/format of every draft, and those of v1/format, which must all come out as the suite has them.
REFERENCE.py has a dictionary F of functions by the names of formats, from a string to a truth value;
they are asked about every string of the suite as every format, then about mutations of these strings
and short random ones, until there are CASES in all, random but repeatable.  What is not there, the
suite or the reference, is left out.

Two formats are not in the reference: idn-hostname and regex; nor are A-labels in hostname.  Where the
build has no IDNA these are undecided: counted, and never wrong.  The reference takes any character beyond
ASCII in the domain of an idn-email; RFC 6531 section 3.3 wants U-labels there, so such a domain has to be an
idn-hostname besides (check_idna.py has an oracle for those).
"""
import importlib.util
import json
import pathlib
import random
import subprocess
import sys

import corpora

# The folder of a draft and the number it has in formats.def.
DRAFTS = {"draft4": 4, "draft6": 6, "draft7": 7, "draft2019-09": 2019, "draft2020-12": 2020, "v1": 9999}

# What random strings of a format are made of, besides the pieces of the suite's own.
ALPHABETS = {
    "date": list("0123456789-") + ["1985-", "-02-", "29", "30", "2000"],
    "time": list("0123456789:.zZ+-") + ["23:59:60", "12:00:00", "+01:30", "-23:59", ".5"],
    "date-time": list("0123456789-:.TtzZ+") + ["1998-12-31", "T23:59:60", "Z", "-01:00"],
    "duration": list("PTYMDHSW0123.,"),
    "ipv4": list("0123456789.") + ["255", "256", "127.0"],
    "ipv6": list("0aF:.g%") + ["::", "1:2:3:", "ffff", "12345", "1.2.3.4", "255.256.1.1"],
    "hostname": list("aZ09-._") + ["a" * 63, "b" * 62, "a--b"],
    "email": list("aZ0.@\"\\ -[]!#+:()<>,;\x7f\u00e9") + ["[IPv6:", "::1", "1.2.3.4", "a@b", '"@'],
    "uri": list("aZ0:/?#[]@!$&'()*+,;=-._~%<>\\^`{|} \u00e9\ue000") + ["//", "a:", "%4F", "%zz", "[::1]",
                                                                  "[v1.", ":80", "\U000f0000", "\ufdd0"],
    "uri-template": list("aZ0_.{}:*,+#./;?&=!@|%\"'<>^` \u00e9\ue000\x01") + ["{a", "}", ":12", "%41"],
    "uuid": list("0123456789abcdefABCDEFg-") + ["2eb8aa08", "-aa98", "-11ea-b4aa-73b441d16380"],
    "json-pointer": list("/~01a-#\x00\u00e9"),
    "relative-json-pointer": list("/~0129#-+a\u00e9"),
}
SAME_ALPHABET = {"idn-email": "email", "uri-reference": "uri", "iri": "uri", "iri-reference": "uri"}
ODD = ["\n", "\0", " ", "\u0661", "\u00e9", "\U0001f432", "\uff0e", "\u212a", "\x7f", "-", ".", "0"]


def load(path):
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.F


def ask(program, cases):
    """The program's answers to (format, string, ...), as strings."""
    lines = "".join("%s\t%s\n" % (case[0], case[1].encode().hex()) for case in cases)
    run = subprocess.run([program], input=lines, capture_output=True, check=True, text=True)
    answers = run.stdout.split("\n")[:-1]
    if len(answers) != len(cases):
        sys.exit("%d answers to %d questions" % (len(answers), len(cases)))
    return answers


def suite_cases(suite):
    """(format/draft, string, whether it is valid, where it comes from)"""
    for folder, draft in DRAFTS.items():
        tests = suite / "tests" / folder
        for path in sorted(tests.glob("optional/format/*.json")) + sorted(tests.glob("format/*.json")):
            for group in json.loads(path.read_text(encoding="utf-8")):
                name = group["schema"].get("format")
                for test in group["tests"]:
                    if (draft, name) == (9999, "time") and ":60" in str(test["data"]):
                        continue  # commits of the suite differ about leap seconds in v1
                    if isinstance(test["data"], str) and path.stem != "unknown":
                        yield ("%s/%d" % (name, draft), test["data"], test["valid"],
                               "%s/%s: %s" % (folder, path.name, test["description"]))


def mutate(rnd, text, alphabet):
    """A string at a distance of one to three edits."""
    for _ in range(rnd.choice([1, 1, 1, 2, 3])):
        at = rnd.randint(0, len(text))
        to = min(len(text), at + rnd.choice([0, 0, 1, 1, 1, 2]))
        piece = rnd.choice(["", rnd.choice(alphabet), rnd.choice(alphabet), text[to:to + 3]])
        if rnd.random() < 0.05:
            piece = rnd.choice(ODD)
        text = text[:at] + piece + text[to:]
    return text


def random_cases(rnd, names, seeds, count):
    for i in range(count):
        name = names[i % len(names)]
        alphabet = ALPHABETS[SAME_ALPHABET.get(name, name)]
        if rnd.random() < 0.6 and seeds.get(name):
            yield name, mutate(rnd, rnd.choice(seeds[name]), alphabet)
        else:
            yield name, "".join(rnd.choices(alphabet, k=rnd.randint(0, 9)))


def reference_cases(reference, suite, count, seed):
    """(format, string), with `hostname` as draft 4 has it too: the reference does not know A-labels."""
    names = sorted(reference)
    seeds = {}
    for name, text, _, _ in suite:
        seeds.setdefault(name.split("/")[0], []).append(text)
    strings = sorted({text for _, text, _, _ in suite})
    cases = [(name, text) for text in strings for name in names][:count]
    cases += random_cases(random.Random(seed), names, seeds, count - len(cases))
    return [("hostname/4" if name == "hostname" and "xn--" in text.lower() else name, text)
            for name, text in cases]


def wanted_by(reference, program, cases):
    """Whether each case conforms."""
    wanted = [bool(reference[name.split("/")[0]](text)) for name, text in cases]
    domains = {i: text.rpartition("@")[2] for i, (name, text) in enumerate(cases)
               if name == "idn-email" and wanted[i] and not text.rpartition("@")[2].isascii()}
    answers = ask(program, [("idn-hostname", domain) for domain in domains.values()])
    for i, answer in zip(domains, answers):
        wanted[i] = answer == "1"
    return wanted


def judge(program, cases, wanted, where):
    no_idna = ask(program, [("idn-hostname", "a")]) == ["-1"]
    counts = {"passed": 0, "failed": 0, "undecided": 0}
    for case, want, place, got in zip(cases, wanted, where, ask(program, cases)):
        needs_idna = (case[0].startswith("idn-hostname") or "xn--" in case[1].lower() or
                      case[0] == "idn-email" and not case[1].isascii())
        if got == "-1" and needs_idna and no_idna:
            counts["undecided"] += 1
        elif got == str(int(want)):
            counts["passed"] += 1
        else:
            counts["failed"] += 1
            print("%s %s: got %s, want %d  %s" % (case[0], ascii(case[1]), got, want, place))
    return counts


def main():
    program, path = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    folder = corpora.folder("json-schema-test-suite")
    suite = list(suite_cases(folder)) if folder else []
    reference = load(path) if path.exists() else {}
    if not suite and not reference:
        corpora.skip()
    total = judge(program, suite, [c[2] for c in suite], [c[3] for c in suite])
    print("suite: %(passed)d as it has them, %(undecided)d undecided" % total)
    if reference:
        cases = reference_cases(reference, suite, count, seed)
        wanted = wanted_by(reference, program, cases)
        more = judge(program, cases, wanted, [""] * len(cases))
        print("reference: %d strings, %d of them conform" % (len(cases), sum(wanted)))
        total = {key: total[key] + more[key] for key in total}
    print("%(passed)d passed, %(failed)d failed" % total)
    return total["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
