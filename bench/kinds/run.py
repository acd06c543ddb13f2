#!/usr/bin/env python3
"""Bytes to verdict on kinds of text that no public set has, beside other validators.

usage: run.py [--cupel PROGRAM] [--rounds N] [--milliseconds N] [--only PEER] [--markdown] [KIND...]

Each kind (kinds.py) is judged by a schema that looks at all of it, at some, at the root alone, and, by the
first, with every document invalid at its last value.  Prints the peer's time divided by cupel's, each the
least of rounds in turn; above 1 cupel is faster.  A peer is left out where it finds another number of
documents valid.  Writes bench/out/kinds.json.
"""
import argparse
import json
import math
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import kinds  # noqa: E402
import peers  # noqa: E402
import run as bench  # noqa: E402

PEERS = ["corvus (Rust)", "jsonschema (Rust)", "santhosh-tekuri (Go)", "ajv", "Blaze"]
LOOKS = ["all", "some", "none", "late"]
LOSS = 0.97  # what is above counts as noise


def make_work(kind, look, schema):
    """The files of a workload; `late` has documents that are invalid at their last value."""
    folder = bench.OUT / "kinds" / kind.name.replace(" ", "-").replace(",", "") / look
    folder.mkdir(parents=True, exist_ok=True)
    values = [kinds.spoil(value) for value in kind.values] if look == "late" else kind.values
    lines = [kind.write(value) for value in values]
    text = json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema)
    (folder / "schema.json").write_text(text, encoding="utf-8")
    (folder / "instances.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return bench.Work(f"kinds/{folder.parent.name}/{look}", [text], [(0, line) for line in lines], folder)


def measure(args, runners, work, want):
    """The least time of each program; None for one that fails or that finds another number valid."""
    least = {}
    for _ in range(args.rounds):
        for name, run in runners.items():
            if least.get(name, 0) is None or (name == "Blaze" and want == 0):
                continue
            result = run(work, args)
            if result is None or result.get("valid") != want:
                print(f"{work.name}: {name}: {result and result.get('valid')} of {want} valid", file=sys.stderr)
                least[name] = None
                continue
            least[name] = min(least.get(name, math.inf), result["e2e_ns"])
    return least


def ratio(row, peer):
    return row[peer] / row["cupel"] if row.get(peer) and row.get("cupel") else None


def print_table(rows, names, markdown):
    """A line for each kind and peer that was measured, with a ratio for each schema."""
    if markdown:
        print("| kind | peer | " + " | ".join(LOOKS) + " |\n|---|---|" + "--:|" * len(LOOKS))
    for kind, looks in rows.items():
        for peer in names:
            cells = [ratio(looks[look], peer) for look in LOOKS]
            if not any(cells):
                continue
            cells = [f"{c:.2f}" if c else "" for c in cells]
            print(f"| {kind} | {peer} | " + " | ".join(cells) + " |" if markdown else
                  f"{kind:28}{peer:22}" + "".join(f"{c:>8}" for c in cells))


def summarise(rows, names):
    for peer in names:
        found = [(ratio(row, peer), f"{kind}, {look}") for kind, looks in rows.items()
                 for look, row in looks.items() if ratio(row, peer)]
        if not found:
            continue
        lost = sorted(pair for pair in found if pair[0] < LOSS)
        print(f"\n{peer}: geometric mean {bench.geometric([r for r, _ in found]):.2f} of {len(found)}, "
              f"{len(lost)} lost")
        for value, where in lost:
            print(f"  {value:.2f}  {where}")


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cupel", type=pathlib.Path, default=bench.find_cupel(), help="peer_cupel")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=int, default=30, help="for each figure")
    parser.add_argument("--loop", type=int, default=2, help="of Blaze's command")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for a peer and workload")
    parser.add_argument("--only", action="append", help="a peer; may be repeated")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("kinds", nargs="*")
    return parser.parse_args()


def main():
    args = parse_args()
    if args.cupel is None:
        print("run.py: build first (scripts/build.sh)", file=sys.stderr)
        return 2
    runners = {"cupel": lambda work, args: peers.run_driver([args.cupel], work, args)}
    runners |= peers.build_all(args.only or PEERS)
    rows = {}
    for kind in kinds.kinds():
        if args.kinds and not any(name in kind.name for name in args.kinds):
            continue
        schemas = kinds.schemas_of(kind)
        rows[kind.name] = {}
        for look in LOOKS:
            work = make_work(kind, look, schemas["all" if look == "late" else look])
            want = 0 if look == "late" else len(kind.values)
            rows[kind.name][look] = measure(args, runners, work, want)
        shutil.rmtree(bench.OUT / "kinds")
        shutil.rmtree(bench.OUT / "work" / "kinds")
        print_table({kind.name: rows[kind.name]}, list(runners)[1:], False)
        sys.stdout.flush()
    if args.markdown:
        print_table(rows, list(runners)[1:], True)
    summarise(rows, list(runners)[1:])
    (bench.OUT / "kinds.json").write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if all(row.get("cupel") for looks in rows.values() for row in looks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
