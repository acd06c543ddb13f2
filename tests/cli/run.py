#!/usr/bin/env python3
"""Runs the command as its users do, and compares what it prints.

usage: run.py CUPEL [CASE...]

Each .case file beside this one is a story of files and runs.  Its first lines, which begin with `#`, say
what it shows; then come sections:

    -- needs ARGUMENTS   a run that says by a status other than 0 that this build has not got what the
                         rest of the case is about
    -- file NAME         a file, written to an empty folder in which everything runs
    -- run ARGUMENTS     the command's arguments, as a shell would split them
    -- stdin             what the run reads (nothing unless given)
    -- stdout            what it must print; nothing unless given
    -- stdout has        lines that must be somewhere in what it prints
    -- stderr, -- stderr has    the same for the standard error
    -- exit N            its exit status; 0 unless given

In expected lines `<n>` stands for digits and `<any>` for anything; `{examples}` in arguments is the
project's folder of examples.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"


class Run:
    """One run of the command, and what is expected of it."""

    def __init__(self, arguments, line, is_need=False):
        self.arguments, self.line, self.is_need = arguments, line, is_need
        self.stdin, self.exit = "", 0
        self.want = {"stdout": "", "stderr": ""}
        self.has = {"stdout": [], "stderr": []}

    def take(self, section, words, body):
        if section == "stdin":
            self.stdin = body
        elif section == "exit":
            self.exit = int(words[0])
        elif words == ["has"]:
            self.want[section] = None
            self.has[section] = body.splitlines()
        else:
            self.want[section] = body


def read_case(path):
    """The files and runs of a case, in order."""
    steps, section, body = [], None, []

    def finish():
        if section is None:
            return
        kind, words, line = section
        text = "".join(body)
        text = text.rstrip("\n") + "\n" if text.strip() else ""  # sections may stand apart
        if kind == "file":
            steps.append((words[0], text))
        elif kind in ("run", "needs"):
            steps.append(Run(words, line, kind == "needs"))
        elif kind in ("stdin", "stdout", "stderr", "exit"):
            steps[-1].take(kind, words, text)
        else:
            raise ValueError(f"{path.name}:{line}: no section {kind}")

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(True), 1):
        if line.startswith("-- "):
            finish()
            kind, _, rest = line[3:].strip().partition(" ")
            section, body = (kind, shlex.split(rest), number), []
        elif section is not None:
            body.append(line)
    finish()
    return steps


def pattern(text):
    """A regular expression for an expected text."""
    parts = {"<n>": r"\d+", "<any>": r".*?"}
    return "".join(parts.get(p, re.escape(p)) for p in re.split(r"(<n>|<any>)", text))


def faults(run, result):
    """What differs from what is expected, in words."""
    if result.returncode != run.exit:
        yield f"exit status {result.returncode}, expected {run.exit}"
    for name in ("stdout", "stderr"):
        got = getattr(result, name)
        want = run.want[name]
        if want is not None and not re.fullmatch(pattern(want), got):
            yield f"{name}:\n{got}--- expected:\n{want}---"
        for line in run.has[name]:
            if not any(re.fullmatch(pattern(line), g) for g in got.splitlines()):
                yield f"{name} lacks the line: {line}\n{got}---"


def run_case(cupel, path):
    """(passed, failed) of a case's runs."""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for step in read_case(path):
            if not isinstance(step, Run):
                name, text = step
                target = pathlib.Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
                continue
            arguments = [a.replace("{examples}", str(EXAMPLES)) for a in step.arguments]
            result = subprocess.run([cupel, *arguments], cwd=folder, input=step.stdin, text=True,
                                    capture_output=True, timeout=60, check=False)
            if step.is_need and result.returncode != 0:
                break
            found = [] if step.is_need else list(faults(step, result))
            passed, failed = passed + (not found), failed + bool(found)
            for fault in found:
                print(f"{path.name}:{step.line}: {fault}")
    return passed, failed


def main():
    cupel = str(pathlib.Path(sys.argv[1]).resolve())
    paths = [pathlib.Path(p) for p in sys.argv[2:]] or sorted(HERE.glob("*.case"))
    counts = [run_case(cupel, path) for path in paths]
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
