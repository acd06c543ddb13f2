#!/usr/bin/env python3
"""The golden cases of messages: a schema, a document, and all that `cupel validate` says of them.

usage: messages.py CUPEL FOLDER FORMATS [--bless | --page]

Each .case file in the folders below FOLDER is one case:

    # What the case shows, in a sentence.
    -- options ARGUMENTS    of `cupel validate` (optional)
    -- file NAME            another file, for --ref (optional)
    -- schema               schema.json
    -- document [NAME]      the document; without one the schema alone is checked
    -- human, -- model, -- json, -- sarif, -- junit, -- github
                            what that format prints: the standard output, then the standard error

JSON is shown indented; of SARIF the results; of JUnit the test cases.  The output in JSON and SARIF is
also validated against the schemas in FORMATS, by cupel itself.  With --bless what the command prints
is written into the cases instead of compared: read the difference before it is committed.  --page
prints docs/messages.md.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

KINDS = ["human", "model", "json", "sarif", "junit", "github"]

# The cases of the page, by part.
PAGE = [
    ("Values", ["type/number-in-quotes", "type/boolean-word", "type/one-item", "value/enum-near",
                "value/range", "value/pattern", "value/format", "type/union"]),
    ("Names", ["name/misspelt-required", "name/misspelt-optional", "name/unknown-few",
               "name/belongs-inside", "name/missing", "name/missing-many", "name/unevaluated"]),
    ("Arrays", ["array/unique", "array/contains", "array/same-in-objects"]),
    ("Conditions and choices", ["condition/then", "condition/dependent-required", "choice/types",
                                "choice/tag", "choice/wrong-tag", "choice/number-or-words",
                                "choice/patterns", "choice/excluded-value"]),
    ("Texts that are not JSON", ["text/trailing-comma", "text/single-quotes", "text/python-true",
                                 "text/open-string", "text/open-bracket", "text/duplicate"]),
    ("Schemas that are refused", ["schema/many", "schema/exclusive-draft4", "schema/required-true",
                                  "schema/reference-misspelt", "schema/dialect",
                                  "schema/keyword-near", "schema/other-file"]),
    ("Limits", ["limit/bytes", "limit/steps"]),
]


class Case:
    """A case: its comment, its input, and the expected output by format."""

    def __init__(self, path):
        self.path, self.options, self.files, self.document = path, [], {}, None
        self.want = {}
        text = path.read_text(encoding="utf-8")
        parts = re.split(r"(?m)^-- (\w+)(?: (.*))?\n", text)
        self.comment = parts[0]
        self.input = []  # sections as they stand
        for kind, rest, body in zip(parts[1::3], parts[2::3], parts[3::3]):
            if kind in KINDS:
                self.want[kind] = body
                continue
            self.input.append((kind, rest, body))
            if kind == "options":
                self.options = shlex.split(rest)
            elif kind == "file":
                self.files[rest] = body
            elif kind == "schema":
                self.files["schema.json"] = body
            elif kind == "document":
                self.document = rest or "document.json"
                self.files[self.document] = body
            else:
                raise ValueError(f"{path}: no section {kind}")

    def run(self, cupel, kind):
        """(output, standard output) of one format."""
        with tempfile.TemporaryDirectory() as folder:
            for name, body in self.files.items():
                pathlib.Path(folder, name).write_text(body, encoding="utf-8")
            command = [cupel, "validate", "--format", kind, *self.options, "schema.json"]
            result = subprocess.run(command + ([self.document] if self.document else []), cwd=folder,
                                    capture_output=True, text=True, timeout=60, check=False)
        return result

    def write(self):
        """Writes the case with the expected output."""
        text = self.comment
        for kind, rest, body in self.input:
            text += f"-- {kind}{' ' + rest if rest else ''}\n{body}"
        for kind in KINDS:
            text += f"-- {kind}\n{self.want[kind]}"
        self.path.write_text(text, encoding="utf-8")


def shown(kind, stdout):
    """The part of the output that a case shows."""
    if kind == "json":
        return "".join(json.dumps(json.loads(line), indent=1, ensure_ascii=False) + "\n"
                       for line in stdout.splitlines())
    if kind == "sarif":
        results = json.loads(stdout)["runs"][0]["results"]
        return "".join(json.dumps(r, indent=1, ensure_ascii=False) + "\n" for r in results)
    if kind == "junit":
        return re.search(r'<testsuite name="cupel">\n(.*)</testsuite>', stdout, re.S).group(1)
    return stdout


def conforms(cupel, formats, kind, stdout):
    """What is wrong with the output as a document of its format; empty if nothing is."""
    if kind == "junit":
        root = ElementTree.fromstring(stdout)
        good = root.tag == "testsuites" and all(
            c.tag == "testcase" and c.get("name") and all(
                e.tag in ("failure", "error") and e.get("message") for e in c)
            for suite in root for c in suite)
        return "" if good else "the shape of the XML is another\n"
    if kind not in ("json", "sarif"):
        return ""
    arguments = ["--lines"] if kind == "json" else []
    result = subprocess.run([cupel, "validate", "-q", *arguments, formats / f"{kind}.schema.json", "-"],
                            input=stdout, capture_output=True, text=True, timeout=60, check=False)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def test(case, cupel, formats, bless, codes):
    """Faults of one case, in words.  Collects the codes that are printed."""
    for kind in KINDS:
        result = case.run(cupel, kind)
        got = shown(kind, result.stdout) + result.stderr
        bad = conforms(cupel, formats, kind, result.stdout)
        codes.update(re.findall(r"(?:error|warning)\[([\w-]+)\]", result.stdout + result.stderr))
        codes.update(re.findall(r'"code":"([\w-]+)"', result.stdout))
        if bad:
            yield f"{case.path}: {kind}: not of its format:\n{bad}"
        if bless:
            case.want[kind] = got
        elif case.want.get(kind) != got:
            yield f"{case.path}: {kind}:\n{got}--- expected:\n{case.want.get(kind)}---"
    if bless:
        case.write()


def page(folder):
    """docs/messages.md."""
    print("""# Messages

These are messages of `cupel validate` for people, made from the cases in `tests/golden/messages`, which
also hold the same messages as JSON, SARIF, JUnit, GitHub's workflow commands and the text for language
models. All formats say the same: they are renderings of one record, which has the place, what is expected,
what was found, the condition under which the schema asks for it, a suggestion, and help.

`tests/golden/messages.py` prints this page. [formats/](formats) has the JSON Schemas of the output in JSON and
SARIF.
""")
    for title, names in PAGE:
        print(f"## {title}\n")
        for name in names:
            case = Case(folder / f"{name}.case")
            print(case.comment.replace("# ", "", 1).strip() + "\n")
            print("```\n" + case.want["human"].rstrip("\n") + "\n```\n")


def main():
    cupel, folder, formats = str(pathlib.Path(sys.argv[1]).resolve()), *map(
        lambda p: pathlib.Path(p).resolve(), sys.argv[2:4])
    if "--page" in sys.argv:
        page(folder)
        return 0
    passed = failed = 0
    codes = set()
    for path in sorted(folder.glob("*/*.case")):
        faults = list(test(Case(path), cupel, formats, "--bless" in sys.argv, codes))
        passed, failed = passed + (not faults), failed + bool(faults)
        for fault in faults:
            print(fault)
    for code in sorted(codes):
        known = subprocess.run([cupel, "explain", code], capture_output=True, check=False).returncode == 0
        passed, failed = passed + known, failed + (not known)
        if not known:
            print(f"cupel explain does not know {code}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
