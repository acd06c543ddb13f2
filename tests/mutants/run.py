#!/usr/bin/env python3
"""Mutation testing: how many small changes of the product's code the tests notice.

usage: run.py BUILD [--count N] [--seed N] [--folders base,vm,…] [--jobs N] [--seconds N] [--only NUMBER,…]
              [--sanitize] [--tests PATTERN] [--planted]

BUILD is a folder to build in.  A random sample of mutants (mutants.py) is compiled into one copy of the
sources.  Each mutant then runs the tests that reach its place until one fails or the seconds of CPU, 60, are
used up.  The tests of the same module come first, then the tests by the time they take for each mutant
of the same file that they have noticed so far.  A mutant that no test notices survives; it is listed
unless tests/mutants/equal.txt has a reason why it changes nothing.  The last lines are
`Mutation score: NN.N % of N mutants` and `N passed, N failed`, where a mutant passes if it is seen or has
a reason.

BUILD/outcomes.txt has a line for each mutant as soon as it is known.  A run in the same folder, over the
same sources and with the same options, continues from these lines.  --sanitize builds with
AddressSanitizer, UndefinedBehaviorSanitizer and the VM that examines each instruction, as ci/asan.ini does.
--tests runs those whose names match the pattern, and --only the mutants with these numbers.  --planted takes
the faults of tests/mutants/planted.txt instead of a sample; each has to be noticed.
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
import threading

import mutants

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDERS = ("base", "vm", "compiler", "messages", "mcp")
GOALS = {"base": 97, "vm": 97, "compiler": 93, "messages": 93, "mcp": 93}
SANITIZED = False  # the build is one with --sanitize
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


LINE = re.compile(r"(?P<file>\S+) (?P<function>\w+): (?P<before>.+) -> (?P<after>.+)")


def planted():
    """The faults of planted.txt, and their number by folder."""
    chosen, counts = [], collections.Counter()
    for line in (HERE / "planted.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        place = LINE.fullmatch(line)
        mutant = place and mutants.find_planted(place["file"], (ROOT / place["file"]).read_bytes(), place["function"],
                                                place["before"], place["after"])
        if mutant is None:
            raise SystemExit(f"planted.txt: no such place: {line}")
        mutant.number = len(chosen)
        chosen.append(mutant)
        counts[mutant.file.split("/")[0]] += 1
    return chosen, dict(counts)


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
MACRO = re.compile(r"^(?:\.\./)+(?:src/)?(\S+?):(\d+):\d+: note: in expansion of macro", re.MULTILINE)


def set_up(out, source, sanitize=False):
    """Configures a build of a copy of the sources, in which every file includes mutant.h first."""
    if not (out / "build.ninja").exists():
        flags = [f"-include{source}/base/mutant.h", "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
                 "-foptimize-sibling-calls"]  # which the threaded loop needs
        more = ["-Db_ndebug=true"]
        if sanitize:
            flags += ["-fno-sanitize-recover=all"]
            more = ["-Db_sanitize=address,undefined", "-Db_lundef=false", "-Ddebug_vm=true", "-Dsmall_blocks=true"]
        subprocess.run(["meson", "setup", str(out), str(source), "--optimization=1", "-Dwarning_level=0", *more,
                        "-Db_colorout=never", "-Dnginx=disabled", f"-Dc_args={flags}"],
                       check=True, stdout=subprocess.DEVNULL)


def build_all(build, source, chosen, sanitize):
    """Compiles, and drops mutants that do not compile.  The mutants that are left."""
    out = build / "out"
    dropped = set()
    write_sources(source, chosen, dropped)
    set_up(out, source, sanitize)
    for _ in range(12):
        done = subprocess.run(["ninja", "-C", str(out), "-k0"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return [mutant for mutant in chosen if mutant.number not in dropped]
        left = [mutant for mutant in chosen if mutant.number not in dropped]
        more = accused(left, ERROR.findall(done.stdout)) or accused(left, MACRO.findall(done.stdout))
        if not more:
            print(done.stdout[-3000:])
            raise SystemExit("the build fails for another reason than its mutants")
        dropped |= more
        write_sources(source, chosen, dropped)
    raise SystemExit("the build still fails after twelve rounds")


def accused(some, places):
    """The numbers of the mutants that stand on these lines."""
    places = [(os.path.normpath(file), int(line)) for file, line in places]
    return {mutant.number for mutant in some for file, line in places if file.endswith(mutant.file)
            and mutant.line <= line <= mutant.line + mutant.before.count("\n")}


# -- The tests -----------------------------------------------------------------------------------------

class Test:
    def __init__(self, entry, out):
        self.name, self.command, self.environment = entry["name"], entry["cmd"], entry["env"]
        self.folder = entry["workdir"] or out  # as meson runs it
        self.seconds = 0.0
        self.reached = b""

    def run(self, seconds, number=None, reached=None):
        """'passed', 'failed' or 'slow', and the CPU seconds used.  Time on a clock decides nothing before it is
        many times the CPU time, because a busy machine takes long for everything."""
        environment = {**os.environ, **self.environment}
        if number is not None:
            environment["CUPEL_MUTANT"] = str(number)
        if reached is not None:
            environment["CUPEL_REACHED"] = str(reached)

        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            if not SANITIZED:  # AddressSanitizer reserves terabytes of addresses
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit) as process:
            timer = threading.Timer(30 * seconds + 60, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        outcome = "passed" if process.returncode == 0 else "failed"
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            outcome = "slow"
        return outcome, usage.ru_utime + usage.ru_stime


def find_tests(out, pattern):
    listed = json.loads(subprocess.run(["meson", "introspect", str(out), "--tests"], capture_output=True,
                                       check=True).stdout)
    return [Test(entry, out) for entry in listed
            if not LEFT_OUT & {suite.split(":")[-1] for suite in entry["suite"]} and re.search(pattern, entry["name"])]


def measure(test, build, count, most):
    """Runs a test without a mutant; what it reaches.  False if it fails or is too slow."""
    reached = build / f"reached.{test.name}"
    reached.write_bytes(bytes(count))
    outcome, test.seconds = test.run(most, reached=reached)
    test.reached = reached.read_bytes()
    reached.unlink()
    return outcome == "passed" and test.seconds < most


class Order:
    """The order of the tests for a mutant: what has noticed mutants of the same file, for little time."""

    def __init__(self):
        self.runs, self.seen = collections.Counter(), collections.Counter()

    def note(self, mutant, test, seen):
        self.runs[mutant.file, test.name] += 1
        self.seen[mutant.file, test.name] += seen

    def cost(self, mutant, test):
        """CPU seconds until the test notices a mutant of this file, as far as is known."""
        key = mutant.file, test.name
        stem = pathlib.Path(mutant.file).stem
        near = 1.0 if test.name.removeprefix("unit-").replace("-", "_") == stem else 0.1
        return (test.seconds + 0.02) * (self.runs[key] + 1) / (self.seen[key] + near)


def try_mutant(mutant, tests, order, most):
    """The test that sees it and how, or None; and whether any test reaches it."""
    able = [test for test in tests if test.reached[mutant.number]]
    reached, used = bool(able), 0.0
    while able and used < most:
        test = min(able, key=lambda test: order.cost(mutant, test))
        able.remove(test)
        if used + test.seconds > most:
            continue
        outcome, seconds = test.run(min(most, 5 * test.seconds + 1), number=mutant.number)
        used += seconds
        order.note(mutant, test, outcome != "passed")
        if outcome != "passed":
            return (test.name, outcome), True
    return None, reached


class Outcomes:
    """What is known of mutants, kept in a file that a later run continues."""

    def __init__(self, path):
        self.path, self.known, self.lock = path, {}, threading.Lock()
        for line in path.read_text().splitlines() if path.exists() else ():
            number, outcome, test, key = line.split("\t")
            self.known[int(number)] = (key, None if outcome in ("survived", "unreached") else (test, outcome),
                                       outcome != "unreached")

    def of(self, mutant, work):
        """The outcome of a mutant, from the file or from the work."""
        key, seen, reached = self.known.get(mutant.number, (None, None, None))
        if key == mutant.key():
            return seen, reached
        seen, reached = work(mutant)
        test, outcome = seen or ("", "survived" if reached else "unreached")
        with self.lock, open(self.path, "a") as file:
            file.write(f"{mutant.number}\t{outcome}\t{test}\t{mutant.key()}\n")
        return seen, reached


# -- The report ----------------------------------------------------------------------------------------

def read_reasons():
    """Keys of mutants that change nothing, with the reason."""
    path = HERE / "equal.txt"
    lines = (line.rstrip("\n") for line in open(path)) if path.exists() else ()
    return dict(line.split(" | ", 1) for line in lines if line and not line.startswith("#"))


def score(some):
    return 100.0 * sum(some) / len(some) if some else 100.0


def use_corpora():
    corpora = ROOT.parent / "shared" / "corpora"
    if corpora.exists():
        os.environ.setdefault("CUPEL_CORPORA", str(corpora))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", default=",".join(FOLDERS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--tests", default="")
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_args()
    global SANITIZED
    SANITIZED = options.sanitize
    build = options.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    folders = options.folders.split(",")
    use_corpora()
    chosen, found = planted() if options.planted else sample(folders, options.count, options.seed)
    only = {int(number) for number in options.only.split(",") if number}
    some = [mutant for mutant in chosen if not only or mutant.number in only]
    alive = build_all(build, copy_tree(build), some, options.sanitize)
    print(f"{sum(found.values())} places, {len(some)} mutants chosen with seed {options.seed}, "
          f"{len(some) - len(alive)} do not compile", flush=True)
    order, outcomes = Order(), Outcomes(build / "outcomes.txt")
    random.Random(options.seed).shuffle(alive)  # so that what an interrupted run knows is a sample too
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = find_tests(build / "out", options.tests)
        good = list(pool.map(lambda test: measure(test, build, len(chosen), options.seconds), tests))
        for test, fine in zip(tests, good):
            if not fine:
                print(f"left out: {test.name} fails or takes over {options.seconds} s without a mutant", flush=True)
        tests = [test for test, fine in zip(tests, good) if fine]
        outcomes = list(pool.map(lambda mutant: outcomes.of(
            mutant, lambda mutant: try_mutant(mutant, tests, order, options.seconds)), alive))

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
    goals = dict.fromkeys(found, 100) if options.planted else {folder: GOALS[folder] for folder in folders}
    for folder, goal in goals.items():
        print(f"{folder}: {score(seen_by[folder]):.1f} % of {len(seen_by[folder])} (goal {goal} %)")
    everything = [seen for some in seen_by.values() for seen in some]
    print(f"{kept} change nothing, for the reasons in tests/mutants/equal.txt")
    print(f"Mutation score: {score(everything):.1f} % of {len(everything)} mutants")
    print(f"{sum(everything) + kept} passed, {len(lived)} failed")
    return 1 if any(score(seen_by[folder]) < goal for folder, goal in goals.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
