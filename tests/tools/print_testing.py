#!/usr/bin/env python3
"""Prints docs/testing.md from what test runs left behind.

usage: print_testing.py BUILD… [--fuzz FOLDER] [--analysis LOG] [--proofs LOG] [--mutants LOG]

BUILD is a build folder in which `meson test` has run; those that scripts/cross.sh made (build-cross-MACHINE)
share a table.  FOLDER has the tally of fuzz/run.sh, LOG is what scripts/analyse.sh,
scripts/prove.sh or scripts/mutate.sh printed.
"""
import json
import pathlib
import re
import sys

SUITES = {
    "unit": "one program for each source file, through the headers its module may see",
    "golden": "schemas, their code, their steps",
    "refuse": "broken images: the exact refusal; bits and truncations, of our schemas and the official suite's",
    "oom": "every allocation failing, once and for ever after, over the interface and the official suite's schemas",
    "complexity": "families of schemas and instances that are doubled",
    "attacks": "hostile input by class, default bounds, steps pinned",
    "differential": "made-up schemas against an evaluator that shares nothing with the compiler",
    "fuzz": "the corpora of all fuzz targets, and changed inputs where there is a mutator",
    "model": "modules against models in other languages and engines",
    "data": "the official suite, recorded calls, catalogs of real servers",
    "mcp": "tools: vectors, replacing catalogs under load",
    "threads": "shared objects, under the thread sanitizer too",
    "cli": "what the command prints",
    "api": "headers, symbols, sizes",
    "nginx": "the module for nginx, in a server that runs",
    "proofs": "checks without which a run need not end, taken out one by one",
    "sources": "each statement about a system that a source names",
    "corpora": "calls with mistakes of known kinds, and what is said of them",
    "speed": "instructions under callgrind against a recorded baseline",
    "docs": "documents that programs print",
}


def read_log(build):
    """suite -> [tests, checks passed, checks failed, seconds]"""
    sums = {}
    log = pathlib.Path(build, "meson-logs/testlog.json")
    for line in log.read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        suite = next((s.split(":")[-1] for s in test.get("suite", [])), None)
        name = test["name"]
        if suite is None:
            suite = name.split(" / ")[0].split(":")[-1].strip().split("+")[0] if " / " in name else "other"
        counts = re.findall(r"(\d+) passed, (\d+) failed", test.get("stdout") or "")
        row = sums.setdefault(suite, [0, 0, 0, 0.0])
        row[0] += 1
        row[1] += int(counts[-1][0]) if counts else 0
        row[2] += int(counts[-1][1]) if counts else 0
        row[3] += test["duration"]
    return sums


def read_fuzz(folder):
    """target -> [executions, most edges of a run, builds in order], all runs of a tally together"""
    sums = {}
    for line in pathlib.Path(folder, "tally").read_text(encoding="utf-8").splitlines():
        target, engine, commit, runs, edges, _ = line.split("\t")
        row = sums.setdefault(target, [0, 0, []])
        row[0] += int(runs)
        if engine != "afl":  # which counts edges in its own way
            row[1] = max(row[1], int(edges))
        if commit not in row[2]:
            row[2].append(commit)
    return sorted(sums.items())


def print_build(build):
    sums = read_log(build)
    print(f"## {build.name}\n\n`meson test -C {build.name}`, one suite: `--suite NAME`.\n\n"
          "| suite | what | programs | checks passed | failed |\n|---|---|---|---|---|")
    for suite, (n, passed, failed, _) in sorted(sums.items()):
        print(f"| {suite} | {SUITES.get(suite, '')} | {n} | {passed:,} | {failed} |")
    print(f"| all | | {sum(r[0] for r in sums.values())} | {sum(r[1] for r in sums.values()):,} |"
          f" {sum(r[2] for r in sums.values())} |\n")


MACHINES = {"i386": "words of 32 bits", "s390x": "the highest byte first; under qemu-user",
            "arm64": "NEON; under qemu-user"}


def print_machines(builds):
    print("## Other machines\n\n`scripts/cross.sh MACHINE`: what is expected is the same, verdicts, code and"
          " steps.\n\n| machine | what | suites | programs | checks passed | failed |\n|---|---|---|---|---|---|")
    for build in builds:
        sums, machine = read_log(build), build.name.split("-")[-1]
        print(f"| {machine} | {MACHINES.get(machine, '')} | {', '.join(sorted(sums))} |"
              f" {sum(r[0] for r in sums.values())} | {sum(r[1] for r in sums.values()):,} |"
              f" {sum(r[2] for r in sums.values())} |")
    print()


def print_analysis(log):
    rows = re.findall(r"^(\w+): (\d+) files without fault, (\d+) excused, (\d+) failed$",
                      pathlib.Path(log).read_text(encoding="utf-8"), re.MULTILINE)
    print("## Static analysis\n\n`scripts/analyse.sh`; `tests/analysis.txt` says of each finding that is excused"
          " why it is no fault.\n\n| tool | files without fault | excused | failed |\n|---|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def print_proofs(log):
    rows = re.findall(r"^(\w+): (\d+) alarms, (\d+) argued$",
                      pathlib.Path(log).read_text(encoding="utf-8"), re.MULTILINE)
    print("## Proofs\n\n`scripts/prove.sh`: no run-time error for any bytes, by abstract interpretation (Frama-C 25, Eva);"
          " `tests/proofs/NAME.c` says for which sizes.  `tests/proofs/alarms.txt` argues each alarm that is left.\n\n"
          "| proof | alarms | argued |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def print_mutants(log):
    text = pathlib.Path(log).read_text(encoding="utf-8")
    rows = re.findall(r"^(\w+): ([\d.]+) % of (\d+) \(goal (\d+) %\)$", text, re.MULTILINE)
    print("## Mutation testing\n\n`scripts/mutate.sh --count 2400 --seed 19 --folders base,compiler,mcp,messages`: changes of"
          " one place each, compiled into one build and chosen by number; the tests that reach a place run until one"
          " fails.  `tests/mutants/equal.txt` has the mutants that change nothing, with reasons; they do not count.\n")
    print(re.search(r"^Mutation score: .*$", text, re.MULTILINE)[0] + "\n\n| folder | noticed | of | goal |\n|---|---|---|---|")
    for folder, noticed, count, goal in rows:
        print(f"| {folder} | {noticed} % | {count} | {goal} % |")
    for note in re.findall(r"^note: (.*)$", text, re.MULTILINE):
        print(f"\n{note}")
    print("\n`scripts/mutate.sh --planted`: faults of kinds that all tests once passed; each has to be noticed."
          "  `scripts/mutate.sh --thresholds`: every comparison with a constant that changes a path, and whether tests"
          " compare values on both sides of it; `tests/mutants/thresholds.txt` has those that they do not.\n")


def take(arguments, option):
    """The value of an option, which is taken out of the arguments; None if it is not there."""
    if option not in arguments:
        return None
    at = arguments.index(option)
    value = arguments[at + 1]
    del arguments[at:at + 2]
    return value


def main():
    arguments = sys.argv[1:]
    logs = take(arguments, "--fuzz")
    fuzz = read_fuzz(logs) if logs else []
    analysis = take(arguments, "--analysis")
    proofs = take(arguments, "--proofs")
    mutants = take(arguments, "--mutants")
    builds = [pathlib.Path(argument) for argument in arguments]
    machines = [build for build in builds if build.name.startswith("build-cross-")]
    print("# Testing\n\nWhat was run, and how to run it again.  Printed by `tests/tools/print_testing.py`"
          " from the logs of the runs.\n")
    for build in builds:
        if build not in machines:
            print_build(build)
    if machines:
        print_machines(machines)
    if analysis:
        print_analysis(analysis)
    if proofs:
        print_proofs(proofs)
    if mutants:
        print_mutants(mutants)
    if fuzz:
        print("## Fuzzing\n\n`fuzz/run.sh -s SECONDS`, libFuzzer with the address and undefined-behaviour"
              " sanitizers and the VM that looks at every instruction; AFL++ where a minute of it is part of the"
              " sum.  Findings are corpus files now.  A build is a commit, with a plus one with changes that"
              " landed after the run.\n\n| target | executions | edges | builds |\n|---|---|---|---|")
        for name, (runs, edges, builds) in fuzz:
            print(f"| {name} | {runs:,} | {edges:,} | {', '.join(builds)} |")
        print(f"| all | {sum(row[0] for _, row in fuzz):,} | | |\n")
    print("## By hand\n\n| what | how |\n|---|---|")
    for what, how in (
            ("every bit and truncation of the images of the official suite's schemas (8.4 million)",
             "`tests/tools/on_suite.py build-gcc/tests/suite_images 1`"),
            ("a million differential pairs", "`meson test -C build-gcc --benchmark differential-million`"),
            ("mistakes in calls, made with another seed",
             "`tests/mutations/mutate.py build-gcc/tests/render_lines --seed N`"),
            ("branch coverage, file by file; what stays uncovered, by reason", "`scripts/coverage.sh`"),
            ("static analysis with the analyzer of clang-tidy too", "`scripts/analyse.sh`"),
            ("other machines", "`scripts/cross.sh`"),
            ("fuzzing with AFL++", "`fuzz/run.sh -e afl`"),
            ("memory that nothing wrote to (MemorySanitizer)",
             "`meson setup build-msan --native-file ci/msan.ini`, suites `unit`, `fuzz`, `golden`, `refuse`, `attacks`"),
            ("the invariants of the VM, asserted before each instruction, with the threaded loop too. Last run, no assertion"
             " fired: the suites `golden`, `refuse`, `attacks`, `data`, `differential`, `fuzz`, `oom`, `unit` and `corpora`",
             "`meson setup build-debug-vm --native-file ci/debug-vm.ini`, `meson test -C build-debug-vm --timeout-multiplier"
             " 10 --suite NAME`"),
            ("a text that another thread writes to while it is judged (1,000,000 runs)",
             "`build-asan/tests/test_changing_text 1000000`"),
            ("inputs that cost much for what they pay", "`fuzz/hard/run.sh SECONDS SEED`"),
            ("threads", "`meson setup build-tsan --native-file ci/tsan.ini`, suite `threads`")):
        print(f"| {what} | {how} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
