#!/usr/bin/env python3
"""Catalogs as real servers sent them: every tool gets a verdict, and small programs.

usage: check.py CUPEL

Runs `cupel tools check --format json` on each file of ../shared/corpora/mcp-tools, and on the
broken and hostile definitions of mcp-invalid.  Checked for each tool of the input, in order: a
verdict that is one of the three, with a problem that says why where it is not `ok`.  A tool of
mcp-invalid is never `ok`.  Checked over all real tools: the median and the 99th percentile of the
image sizes.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402

VERDICTS = {"ok", "warning", "invalid"}
MEDIAN_BYTES, P99_BYTES = 1024, 4096


def check_catalog(cupel, path):
    """What cupel says of a catalog, or None if its answer is unusable."""
    run = subprocess.run([cupel, "tools", "check", "--format", "json", str(path)], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    try:
        catalogs = json.loads(run.stdout)["catalogs"]
        return catalogs[0]["tools"]
    except (ValueError, LookupError):
        print(f"{path.name}: exit status {run.returncode}, no usable answer: {run.stderr.strip()}")
        return None


def load_tools(path):
    """The tools of a catalog.  Some hostile ones nest deeper than Python's own reader goes."""
    sys.setrecursionlimit(100_000)
    return json.loads(path.read_text(encoding="utf-8"))["tools"]


def fault(tool, answer, hostile):
    """What is wrong with the answer for a tool, or None."""
    name = tool.get("name") if isinstance(tool, dict) else None
    if isinstance(name, str) and answer.get("name") != name:
        return f"answered for {answer.get('name')!r}"
    verdict = answer.get("verdict")
    if verdict not in VERDICTS:
        return f"verdict {verdict!r}"
    if verdict != "ok" and not answer.get("problems"):
        return f"{verdict} without a problem that says why"
    return "found nothing wrong" if hostile and verdict == "ok" else None


def check_file(cupel, path, hostile, sizes):
    """(passed, failed); adds the sizes of the programs to `sizes`."""
    tools = load_tools(path)
    answers = check_catalog(cupel, path)
    if answers is None:
        return 0, max(len(tools), 1)
    failed = 0
    for index, tool in enumerate(tools):
        wrong = "no answer" if index >= len(answers) else fault(tool, answers[index], hostile)
        if wrong:
            failed += 1
            name = tool.get("name") if isinstance(tool, dict) else index
            print(f"{path.name}: {name}: {wrong}")
        elif not hostile and answers[index].get("image_bytes"):
            sizes.append(answers[index]["image_bytes"])
    return len(tools) - failed, failed


def check_sizes(sizes):
    """(passed, failed) for the two bounds on the sizes of programs."""
    sizes.sort()
    if not sizes:
        print("no tool has image_bytes")
        return 0, 1
    failed = 0
    for what, share, bound in (("median", 0.5, MEDIAN_BYTES), ("99th percentile", 0.99, P99_BYTES)):
        value = sizes[int((len(sizes) - 1) * share)]
        print(f"image bytes of {len(sizes)} programs, {what}: {value} of {bound}")
        failed += value > bound
    return 2 - failed, failed


def main():
    real, hostile = corpora.folder("mcp-tools"), corpora.folder("mcp-invalid")
    if real is None or hostile is None:
        corpora.skip()
    sizes, counts = [], []
    for path in sorted(real.glob("*.json")):
        counts.append(check_file(sys.argv[1], path, False, sizes))
    counts.append(check_file(sys.argv[1], hostile / "tools.json", True, sizes))
    counts.append(check_sizes(sizes))
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
