#!/usr/bin/env python3
"""Speed of cupel beside other validators, measured in the same run on the same machine.

usage: run.py [--cupel PROGRAM] [--corpora FOLDER] [--rounds N] [--only PEER] [WORKLOAD...]

Workloads are the sets of the corpus, `calls` and `calls-median` (recorded calls, each with its own
schema), and `tools` (the schemas of whole catalogs, to compile).  Prints a line for each workload,
then how many times cupel's time each peer takes: geometric means over the sets, with their least and
most over the rounds.  Writes every figure to bench/out/bench.json.  README.md beside this file says what
the figures mean.
"""
import argparse
import json
import math
import pathlib
import statistics
import sys

import peers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
OUT = HERE / "out"

# Blaze's figures come from whole processes, which have to run for a while.
COPIES_BYTES = 8 << 20

# Arguments of about the median length of a recorded call, 58 bytes.
MEDIAN_CALL = range(54, 63)

# Title, the peer's figure, cupel's.
FIGURES = [
    ("hot", "eval_hot_ns", "eval_hot_ns"),
    ("stream", "eval_ns", "eval_ns"),
    ("e2e", "e2e_ns", "e2e_ns"),
    ("parse", "parse_ns", "parse_ns"),
    ("parse / our e2e", "parse_ns", "e2e_ns"),
    ("compile", "compile_ns", "compile_ns"),
    ("compile, median", "compile_median_ns", "compile_median_ns"),
    ("memory", "memory_bytes", "memory_bytes"),
]
# Resident memory says something about many programs alone.
MANY = 100

# -- Workloads -------------------------------------------------------------------------------------


class Work:
    """Files in the form of peers/driver.h and, of a set, in the form of the corpus."""

    def __init__(self, name, schemas, instances, folder=None):
        self.name = name
        self.folder = OUT / "work" / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.schemas = self.write("schemas.jsonl", schemas)
        self.instances = self.write("instances.tsv", (f"{s}\t{text}" for s, text in instances))
        self.schema = self.lines = self.copies = None
        if folder is not None:
            self.schema, self.lines = folder / "schema.json", folder / "instances.jsonl"
            texts = self.lines.read_text(encoding="utf-8").rstrip("\n") + "\n"
            self.ncopies = 2 + COPIES_BYTES // len(texts)
            self.copies = self.folder / "copies.jsonl"
            self.copies.write_text(texts * self.ncopies, encoding="utf-8")

    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def read_lines(path):
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def load_set(folder):
    # The schema as it is, on one line: a line break is white space outside strings and nowhere else.
    schema = " ".join((folder / "schema.json").read_text(encoding="utf-8").split("\n"))
    return Work(folder.name, [schema], [(0, line) for line in read_lines(folder / "instances.jsonl")],
                folder)


def load_calls(name, folder, wanted):
    schemas, instances = {}, []  # a tool that is called again is compiled once
    for path in sorted(folder.glob("*.jsonl")):
        for line in read_lines(path):
            call = json.loads(line)
            text = compact(call["arguments"])
            if wanted(len(text.encode())):
                schema = compact(call["inputSchema"])
                instances.append((schemas.setdefault(schema, len(schemas)), text))
    return Work(name, schemas, instances)


def load_tools(folder):
    schemas = []
    for path in sorted(folder.glob("*.json")):
        catalog = json.loads(path.read_text(encoding="utf-8"))
        for tool in catalog.get("tools", catalog.get("result", {}).get("tools", [])):
            schemas += [compact(tool[key]) for key in ("inputSchema", "outputSchema") if key in tool]
    return Work("tools", schemas, [])


def find_workloads(corpora):
    """Names to functions, in the order in which they are measured."""
    found = {}
    if (corpora / "calls").is_dir():
        found["calls-median"] = lambda: load_calls("calls-median", corpora / "calls",
                                                   lambda size: size in MEDIAN_CALL)
        found["calls"] = lambda: load_calls("calls", corpora / "calls", lambda size: True)
    if (corpora / "mcp-tools").is_dir():
        found["tools"] = lambda: load_tools(corpora / "mcp-tools")
    if (corpora / "bench").is_dir():
        for folder in sorted(p for p in (corpora / "bench").iterdir() if p.is_dir()):
            found[folder.name] = lambda f=folder: load_set(f)
    return found


# -- Measuring -------------------------------------------------------------------------------------


def measure(args, runners, work):
    """What each runner says in each round.  Rounds are interleaved, so that a slow moment of the
    machine falls on all of them alike."""
    found = {name: [] for name in runners}
    for _ in range(args.rounds):
        for name, run in runners.items():
            if found[name] is not None:
                result = run(work, args)
                found[name] = found[name] + [result] if result else None
    drop_wrong(work, found)
    return found


def drop_wrong(work, found):
    """Leaves out who does not come to the same verdicts, since it did not do the same work.  Every
    document of the sets is valid; of calls not every one is, and peers that differ in a few are
    kept, with a word."""
    ours = found["cupel"]
    for name, rounds in found.items():
        if not rounds or not ours or "valid" not in rounds[0]:
            continue
        valid, total = rounds[0]["valid"], rounds[0]["instances"]
        wanted = ours[0]["valid"] if work.schema is None else total
        if valid == wanted:
            continue
        bad = abs(valid - wanted) > total // 100
        print(f"{work.name}: {name} finds {valid} of {total} valid"
              f"{', left out' if bad else f', cupel {wanted}'}", file=sys.stderr)
        if bad:
            found[name] = None


def middle(rounds, key):
    values = [r[key] for r in rounds or () if r.get(key)]
    return statistics.median(values) if values else None


def ratios(found, peer, key, our_key):
    """The peer's figure divided by cupel's, for each round."""
    if not found.get(peer) or not found.get("cupel"):
        return []
    if key == "memory_bytes" and found["cupel"][0]["schemas"] < MANY:
        return []
    return [theirs[key] / ours[our_key] for theirs, ours in zip(found[peer], found["cupel"])
            if theirs.get(key) and ours.get(our_key)]


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def summarise(results, sets, peer, key, our_key):
    """Over sets: the mean, its least and most over the rounds, the least and most set, totals."""
    by_set = [(name, ratios(results[name], peer, key, our_key)) for name in sets]
    by_set = [(name, rounds) for name, rounds in by_set if rounds]
    if not by_set:
        return None
    means = [geometric(column) for column in zip(*(rounds for _, rounds in by_set))]
    medians = {name: statistics.median(rounds) for name, rounds in by_set}
    totals = [sum(middle(results[name][who], which) for name in medians)
              for who, which in ((peer, key), ("cupel", our_key))]
    return {"mean": geometric(medians.values()), "low": min(means), "high": max(means),
            "least": min(medians.values()), "most": max(medians.values()), "sets": len(medians),
            "total": totals[0] / totals[1], "by_set": medians}


# -- Printing --------------------------------------------------------------------------------------


def print_head():
    print(f"{'nanoseconds a document':24}{'hot':>9}{'stream':>9}{'parse':>9}{'e2e':>9}"
          f"{'compile µs':>12}{'memory KB':>11}")


def print_work(name, found):
    ours = found["cupel"]
    if not ours:
        print(f"{name:24}  no figures")
        return
    count = ours[0]["instances"]
    cells = ""
    for key in ("eval_hot_ns", "eval_ns", "parse_ns", "e2e_ns"):
        value = middle(ours, key)
        cells += f"{value / count:9.1f}" if value and count else f"{'-':>9}"
    print(f"{name:24}{cells}{middle(ours, 'compile_ns') / 1000:12.1f}"
          f"{(middle(ours, 'memory_bytes') or 0) / 1024:11.0f}", flush=True)


def cell(summary):
    if summary is None:
        return f"{'-':>20}"
    digits = 2 if summary["mean"] < 100 else 0
    mean, low, high = (f"{summary[k]:.{digits}f}" for k in ("mean", "low", "high"))
    return f"{mean if low == high else f'{mean} ({low}-{high})':>20}"


def print_group(group, table):
    """A row for each peer; a figure is the mean, and its least and most over the rounds."""
    print(f"\n{group}: times cupel's\n{'':24}" + "".join(f"{title:>20}" for title, *_ in FIGURES))
    for peer, summaries in table.items():
        if any(summaries.values()):
            print(f"{peer:24}" + "".join(cell(summaries[title]) for title, *_ in FIGURES))


def print_extremes(table):
    """Which sets are farthest from the mean, and the ratio of the sums over all sets."""
    print(f"\n{'':34}{'least of a set':>30}{'most of a set':>34}{'total':>10}")
    for peer, summaries in table.items():
        for title in ("hot", "stream", "e2e", "parse / our e2e", "compile"):
            summary = summaries[title]
            if summary is None or (title == "parse / our e2e") != (peer in peers.FLOORS):
                continue
            ends = [sorted(summary["by_set"], key=summary["by_set"].get)[i] for i in (0, -1)]
            cells = "".join(f"{name:>24} {summary['by_set'][name]:9.2f}" for name in ends)
            print(f"{peer:24}{title:>10}{cells}{summary['total']:10.2f}")


def report(results):
    """All ratios, printed and returned: group, then peer, then figure."""
    names = [p for p in next(iter(results.values())) if p != "cupel"]
    single = [name for name in ("calls-median", "calls", "tools") if name in results]
    sets = [name for name in results if name not in single]
    groups = ({"sets": sets} if sets else {}) | {name: [name] for name in single}
    tables = {}
    for group, members in groups.items():
        tables[group] = {p: {title: summarise(results, members, p, theirs, ours)
                             for title, theirs, ours in FIGURES} for p in names}
        print_group(group, tables[group])
    if sets:
        print_extremes(tables["sets"])
    return tables


# -- Entry -----------------------------------------------------------------------------------------


def find_cupel():
    """The program of bench/meson.build, in the newest build there is."""
    found = sorted(ROOT.glob("build*/bench/peer_cupel"), key=lambda p: p.stat().st_mtime)
    return found[-1] if found else None


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cupel", type=pathlib.Path, default=find_cupel(), help="peer_cupel")
    parser.add_argument("--corpora", type=pathlib.Path,
                        default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=int, default=150, help="for each figure")
    parser.add_argument("--loop", type=int, default=300, help="of Blaze's command")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for a peer and workload")
    parser.add_argument("--only", action="append", help="a peer; may be repeated")
    parser.add_argument("workloads", nargs="*")
    return parser.parse_args()


def main():
    args = parse_args()
    workloads = find_workloads(args.corpora)
    if not workloads:
        print("skipped: no corpora")
        return 0
    unknown = [name for name in args.workloads if name not in workloads]
    if unknown:
        print(f"run.py: no workload {', '.join(unknown)}; there are {', '.join(workloads)}",
              file=sys.stderr)
        return 2
    if args.cupel is None:
        print("run.py: build first (scripts/build.sh)", file=sys.stderr)
        return 2
    runners = {"cupel": lambda work, args: peers.run_driver([args.cupel], work, args)}
    runners |= peers.build_all(args.only)
    results = {}
    print_head()
    for name in args.workloads or workloads:
        results[name] = measure(args, runners, workloads[name]())
        print_work(name, results[name])
    tables = report(results)
    OUT.mkdir(exist_ok=True)
    notes = {name: note for name, _, _, _, note in peers.LIST}
    (OUT / "bench.json").write_text(json.dumps(
        {"rounds": args.rounds, "notes": notes, "ratios": tables, "workloads": results},
        indent=1) + "\n")
    return 0 if all(result["cupel"] for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
