#!/usr/bin/env python3
"""The official suite's required tests through `cupel bowtie`, as Bowtie would send them.

usage: bowtie.py CUPEL
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402

DIALECTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
WITH_REMOTES = ("refRemote", "dynamicRef", "vocabulary")


def remotes(suite):
    folder = suite / "remotes"
    return {f"http://localhost:1234/{path.relative_to(folder).as_posix()}":
            json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.rglob("*.json"))}


def commands(suite):
    """The lines to send, and for each what is to come back: verdicts, or None where anything may."""
    registry = remotes(suite)
    yield {"cmd": "start", "version": 1}, None
    for name, uri in DIALECTS.items():
        yield {"cmd": "dialect", "dialect": uri}, None
        for path in sorted((suite / "tests" / name).glob("*.json")):
            for case in json.loads(path.read_text(encoding="utf-8")):
                tests = [{"description": t["description"], "instance": t["data"]} for t in case["tests"]]
                sent = {"description": case["description"], "schema": case["schema"], "tests": tests}
                if path.stem in WITH_REMOTES:
                    sent["registry"] = registry
                yield ({"cmd": "run", "seq": len(tests), "output": "flag", "case": sent},
                       [t["valid"] for t in case["tests"]])
    yield {"cmd": "stop"}, None


def main():
    suite = corpora.folder("json-schema-test-suite")
    if suite is None:
        corpora.skip()
    sent = list(commands(suite))
    lines = "\n".join(json.dumps(command) for command, _ in sent) + "\n"
    run = subprocess.run([sys.argv[1], "bowtie"], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    passed = failed = 0
    for (command, expected), answer in zip(sent, answers):
        if expected is None:
            continue
        got = [result.get("valid") for result in answer.get("results", [])]
        right = sum(a is b for a, b in zip(got, expected))
        passed, failed = passed + right, failed + len(expected) - right
        if right != len(expected):
            print(f"failed: {command['case']['description']}: {answer}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or len(answers) != len(sent) - 1 else 0


sys.exit(main())
