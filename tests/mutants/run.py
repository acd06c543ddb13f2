#!/usr/bin/env python3
"""Mutation testing: how many small changes of the product's code the tests notice.

usage: run.py BUILD [--count N] [--seed N] [--folders base,vm,…] [--jobs N] [--only NUMBER]

BUILD is a folder to build in.  A random sample of mutants (mutants.py) is compiled into one copy of the
sources.  Each mutant then runs the tests that reach its place, the quickest first, until one fails or 60 s of
CPU are used up.  A mutant that no test notices survives; it is listed unless tests/mutants/equal.txt has a
reason why it changes nothing.  The last lines are `Mutation score: NN.N % of N mutants` and
`N passed, N failed`, where a mutant passes if it is seen or has a reason.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import mutants

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDERS = ("base", "vm", "compiler", "messages", "mcp")
GOALS = {"base": 97, "vm": 97, "compiler": 93, "messages": 93, "mcp": 93}
CPU = 60  # seconds for one mutant
LEFT_OUT = {"api", "docs", "nginx", "speed", "quiet", "threads"}  # suites that look at sources, or need peers


# -- The build -----------------------------------------------------------------------------------------

def sources(folder):
    """The files of a folder that hold code and are written by hand."""
    skip = ("regex_props", "tables")
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".c", ".h")
                  and not any(word in path.name for word in skip))


def sample(folders, count, seed):
    """`count` mutants, shared out over the folders by their lines; the number found by folder."""
    found = {folder: [mutant for path in sources(folder)
                      for mutant in mutants.find(str(path.relative_to(ROOT)), path.read_bytes())]
             for folder in folders}
    lines = {folder: sum(len(path.read_bytes().splitlines()) for path in sources(folder)) for folder in folders}
    pick = random.Random(seed)
    chosen = []
    for folder in folders:
        share = round(count * lines[folder] / sum(lines.values()))
        chosen += pick.sample(found[folder], min(share, len(found[folder])))
    for number, mutant in enumerate(chosen):
        mutant.number = number
    return chosen, {folder: len(found[folder]) for folder in folders}


def copy_tree(build):
    """The project's files in BUILD/src, with links for what lies beside the project."""
    source = build / "src"
    shutil.rmtree(source, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    for name in ("mutant.h", "mutant.c"):
        shutil.copy2(HERE / name, source / "base" / name)
    meson = source / "base" / "meson.build"
    meson.write_text(meson.read_text().replace("'json/scan_simd.c',", "'json/scan_simd.c', 'mutant.c',", 1))
    return source


def write_sources(source, chosen, dropped):
    """Writes every file that has a chosen mutant, with those that were not dropped."""
    by_file = {mutant.file: [] for mutant in chosen}
    for mutant in chosen:
        if mutant.number not in dropped:
            by_file[mutant.file].append(mutant)
    for file, some in by_file.items():
        text = mutants.weave((ROOT / file).read_bytes(), some)
        if (source / file).read_bytes() != text:
            (source / file).write_bytes(text)


ERROR = re.compile(r"^(?:\.\./)+(?:src/)?(\S+?):(\d+):\d+: (?:fatal )?error:", re.MULTILINE)


def build_all(build, source, chosen):
    """Compiles, and drops mutants that do not compile.  The mutants that are left."""
    out = build / "out"
    dropped = set()
    write_sources(source, chosen, dropped)
    if not (out / "build.ninja").exists():
        flags = str([f"-include{source}/base/mutant.h", "-Werror=incompatible-pointer-types",
                     "-Werror=int-conversion"])
        subprocess.run(["meson", "setup", str(out), str(source), "--optimization=1", "-Dwarning_level=0",
                        "-Db_ndebug=true", "-Db_colorout=never", "-Dnginx=disabled", "-Ddispatch=switch", f"-Dc_args={flags}"],
                       check=True, stdout=subprocess.DEVNULL)
    for _ in range(12):
        done = subprocess.run(["ninja", "-C", str(out), "-k0"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return [mutant for mutant in chosen if mutant.number not in dropped]
        wrong = {(os.path.normpath(file), int(line)) for file, line in ERROR.findall(done.stdout)}
        more = {mutant.number for mutant in chosen if mutant.number not in dropped
                and any(file.endswith(mutant.file) and spans(mutant, line) for file, line in wrong)}
        if not more:
            print(done.stdout[-3000:])
            raise SystemExit("the build fails for another reason than its mutants")
        dropped |= more
        write_sources(source, chosen, dropped)
    raise SystemExit("the build still fails after twelve rounds")


def spans(mutant, line):
    return mutant.line <= line <= mutant.line + mutant.before.count("\n")


# -- The tests -----------------------------------------------------------------------------------------

class Test:
    def __init__(self, entry):
        self.name, self.command, self.environment = entry["name"], entry["cmd"], entry["env"]
        self.folder = entry["workdir"]
        self.seconds = 0.0
        self.reached = b""

    def run(self, number=None, reached=None, seconds=60.0):
        """'passed', 'failed' or 'slow', and the CPU seconds used."""
        environment = {**os.environ, **self.environment}
        if number is not None:
            environment["CUPEL_MUTANT"] = str(number)
        if reached is not None:
            environment["CUPEL_REACHED"] = str(reached)

        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        start = time.monotonic()
        with subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit) as process:
            try:
                status = process.wait(timeout=4 * seconds + 5)
                outcome = "passed" if status == 0 else "failed"
            except subprocess.TimeoutExpired:
                outcome = "slow"
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return outcome, time.monotonic() - start


def find_tests(out):
    listed = json.loads(subprocess.run(["meson", "introspect", str(out), "--tests"], capture_output=True,
                                       check=True).stdout)
    return [Test(entry) for entry in listed
            if not LEFT_OUT & {suite.split(":")[-1] for suite in entry["suite"]}]


def measure(test, build, count):
    """Runs a test without a mutant; what it reaches.  False if it fails or is too slow."""
    reached = build / f"reached.{test.name}"
    reached.write_bytes(bytes(count))
    outcome, test.seconds = test.run(reached=reached, seconds=CPU)
    test.reached = reached.read_bytes()
    reached.unlink()
    return outcome == "passed" and test.seconds < CPU


def near(test, mutant):
    """Unit tests of the same file come first."""
    stem = pathlib.Path(mutant.file).stem
    return 0 if test.name.removeprefix("unit-").replace("-", "_") == stem else 1


def try_mutant(mutant, tests):
    """The test that sees it and how, or None; and whether any test reaches it."""
    able = sorted((test for test in tests if test.reached[mutant.number]),
                  key=lambda test: (near(test, mutant), test.seconds))
    used = 0.0
    for test in able:
        if used >= CPU:
            break
        outcome, seconds = test.run(mutant.number, seconds=min(CPU, 5 * test.seconds + 1))
        used += seconds
        if outcome != "passed":
            return (test.name, outcome), True
    return None, bool(able)


# -- The report ----------------------------------------------------------------------------------------

def read_reasons():
    """Keys of mutants that change nothing, with the reason."""
    path = HERE / "equal.txt"
    lines = (line.rstrip("\n") for line in open(path)) if path.exists() else ()
    return dict(line.split(" | ", 1) for line in lines if line and not line.startswith("#"))


def score(some):
    return 100.0 * sum(some) / len(some) if some else 100.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", default=",".join(FOLDERS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    build = options.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    folders = options.folders.split(",")
    corpora = ROOT.parent / "shared" / "corpora"
    if corpora.exists():
        os.environ.setdefault("CUPEL_CORPORA", str(corpora))

    chosen, found = sample(folders, options.count, options.seed)
    alive = build_all(build, copy_tree(build), chosen)
    print(f"{sum(found.values())} places, {len(chosen)} mutants chosen with seed {options.seed}, "
          f"{len(chosen) - len(alive)} do not compile")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = find_tests(build / "out")
        good = list(pool.map(lambda test: measure(test, build, len(chosen)), tests))
        for test, fine in zip(tests, good):
            if not fine:
                print(f"left out: {test.name} fails or takes over {CPU} s without a mutant")
        tests = [test for test, fine in zip(tests, good) if fine]
        if options.only is not None:
            alive = [mutant for mutant in alive if mutant.number == options.only]
        outcomes = list(pool.map(lambda mutant: try_mutant(mutant, tests), alive))

    reasons = read_reasons()
    seen_by, lived, kept = collections.defaultdict(list), [], 0
    for mutant, (seen, reached) in zip(alive, outcomes):
        folder = mutant.file.split("/")[0]
        if seen is None and mutant.key() in reasons:
            kept += 1
            continue
        seen_by[folder].append(seen is not None)
        if seen is None:
            lived.append((mutant, reached))
    for mutant, reached in lived:
        print(f"survived: {mutant.number} {mutant.file}:{mutant.line} {mutant.key().split(' ', 1)[1]}"
              + ("" if reached else " (no test runs this)"))
    for folder in folders:
        print(f"{folder}: {score(seen_by[folder]):.1f} % of {len(seen_by[folder])} (goal {GOALS[folder]} %)")
    everything = [seen for some in seen_by.values() for seen in some]
    print(f"{kept} change nothing, for the reasons in tests/mutants/equal.txt")
    print(f"Mutation score: {score(everything):.1f} % of {len(everything)} mutants")
    print(f"{sum(everything) + kept} passed, {len(lived)} failed")
    return 1 if any(score(seen_by[folder]) < GOALS[folder] for folder in folders) else 0


if __name__ == "__main__":
    sys.exit(main())
