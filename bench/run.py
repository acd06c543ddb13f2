#!/usr/bin/env python3
"""Speed of cupel beside other validators, measured in the same run on the same machine.

usage: run.py [--cupel PROGRAM] [--corpus FOLDER] [--loop N] [--rounds N] [SET...]

The corpus has a folder for each set with schema.json and instances.jsonl, a document a line.  The
peers come from npm, at the versions of bench/package.json, into bench/node_modules; a peer that
cannot be had is left out.  Prints a line for each set with ratios (peer / cupel: above 1 cupel is
faster) and their geometric means, and writes every figure to bench/out/bench.json.  README.md
beside this file says what the figures mean.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
MODULES = HERE / "node_modules"

# The largest schema of the sets is beyond what cupel takes from strangers by default.
SCHEMA_BYTES = 1 << 20

# (title, peer, the peer's figure, cupel's figure)
RATIOS = [
    ("Blaze hot", "blaze", "eval_hot_ns", "eval_hot_ns"),
    ("ajv hot", "ajv", "eval_hot_ns", "eval_hot_ns"),
    ("ajv stream", "ajv", "eval_ns", "eval_ns"),
    ("ajv e2e", "ajv", "e2e_ns", "e2e_ns"),
    ("ajv compile", "ajv", "compile_ns", "compile_ns"),
]


def install_peers():
    """Whether the peers are there; fetches them if they are not."""
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]
    have = {}
    for name in wanted:
        package = MODULES / name / "package.json"
        if package.exists():
            have[name] = json.loads(package.read_text())["version"]
    if have == wanted:
        return True
    if not shutil.which("npm"):
        print("no npm: cupel alone", file=sys.stderr)
        return False
    done = subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund",
                           "--loglevel=error"], cwd=HERE, check=False)
    return done.returncode == 0


def run_json(command, env=None):
    """The JSON a command prints on its last line, or None with a word on stderr."""
    done = subprocess.run(command, env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        lines = done.stderr.strip().splitlines() or ["no output"]
        why = next((line for line in lines if "rror" in line), lines[-1])
        print(f"{' '.join(map(str, command[:2]))}: status {done.returncode}: {why}",
              file=sys.stderr)
        return None


def run_cupel(args, schema, instances):
    return run_json([args.cupel, "bench", "--json", "--limit", f"schema_bytes={SCHEMA_BYTES}",
                     schema, instances])


def run_ajv(_, schema, instances):
    return run_json(["node", HERE / "peers" / "ajv.js", schema, instances],
                    {**os.environ, "NODE_PATH": str(MODULES)})


BLAZE_LINE = re.compile(r"\[\d+\]: PASS ([0-9.]+) \+- ")


def run_blaze(args, schema, instances):
    """The sum over instances of the mean that the command prints for each, in microseconds."""
    done = subprocess.run([MODULES / ".bin" / "jsonschema", "validate", schema, instances, "--fast",
                           "--benchmark", "--loop", str(args.loop)], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    means = [float(m) for m in BLAZE_LINE.findall(done.stdout)]
    if not means:
        print(f"jsonschema: status {done.returncode}: {done.stdout[-200:]}", file=sys.stderr)
        return None
    return {"instances": len(means), "valid": len(means), "eval_hot_ns": sum(means) * 1000}


def merge(rounds):
    """The median of each figure over the rounds."""
    rounds = [r for r in rounds if r]
    if not rounds:
        return None
    return {key: statistics.median(r[key] for r in rounds) for key in rounds[0]}


def measure(args, runners, folder):
    """What each runner says of a set.  Rounds are interleaved, so that a slow moment of the machine
    falls on all of them alike."""
    schema, instances = folder / "schema.json", folder / "instances.jsonl"
    found = {name: [] for name in runners}
    for _ in range(args.rounds):
        for name, run in runners.items():
            found[name].append(run(args, schema, instances))
    return {name: merge(rounds) for name, rounds in found.items()}


def drop_wrong(name, result):
    """Every document of the sets is valid: leaves out the figures of whoever says otherwise, since
    it did not do the same work."""
    for who, r in result.items():
        if r and r["valid"] != r["instances"]:
            print(f"{name}: {who} finds {r['valid']} of {r['instances']} valid, left out",
                  file=sys.stderr)
            result[who] = None


def ratio(result, peer, peer_key, our_key):
    ours, theirs = result.get("cupel"), result.get(peer)
    if not ours or not theirs or not ours.get(our_key) or not theirs.get(peer_key):
        return None
    return theirs[peer_key] / ours[our_key]


def per_instance(ours, key):
    return f"{ours[key] / ours['instances']:9.1f}"


def print_head():
    titles = "".join(f"{title:>13}" for title, *_ in RATIOS)
    print(f"{'set':24}{'hot ns':>9}{'stream ns':>10}{'e2e ns':>9}{titles}")


def print_set(name, result):
    ours = result["cupel"]
    if not ours:
        print(f"{name:24}  no figures")
        return
    cells = "".join(f"{r:13.2f}" if r else f"{'-':>13}"
                    for r in (ratio(result, *keys) for _, *keys in RATIOS))
    print(f"{name:24}{per_instance(ours, 'eval_hot_ns')} {per_instance(ours, 'eval_ns')}"
          f"{per_instance(ours, 'e2e_ns')}{cells}")


def print_means(results):
    """Geometric means, and how many sets each is over."""
    means = {}
    for title, *keys in RATIOS:
        ratios = [r for r in (ratio(result, *keys) for result in results.values()) if r]
        if ratios:
            means[title] = math.exp(statistics.fmean(map(math.log, ratios)))
            print(f"{title}: {means[title]:.2f} times cupel's time, geometric mean over "
                  f"{len(ratios)} sets, least {min(ratios):.2f}, most {max(ratios):.2f}")
    return means


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cupel", default=ROOT / "build" / "cupel")
    parser.add_argument("--corpus", type=pathlib.Path,
                        default=ROOT.parent / "shared" / "corpora" / "bench")
    parser.add_argument("--loop", type=int, default=1000, help="of Blaze's command")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("sets", nargs="*")
    return parser.parse_args()


def main():
    args = parse_args()
    if not args.corpus.is_dir():
        print("skipped: no ../shared")
        return 0
    runners = {"cupel": run_cupel}
    if install_peers():
        runners |= {"blaze": run_blaze, "ajv": run_ajv}
    results, good = {}, True
    print_head()
    for folder in sorted(p for p in args.corpus.iterdir() if p.is_dir()):
        if args.sets and folder.name not in args.sets:
            continue
        result = results[folder.name] = measure(args, runners, folder)
        drop_wrong(folder.name, result)
        good = good and bool(result["cupel"])
        print_set(folder.name, result)
        sys.stdout.flush()
    means = print_means(results)
    out = HERE / "out"
    out.mkdir(exist_ok=True)
    (out / "bench.json").write_text(json.dumps({"means": means, "sets": results}, indent=1) + "\n")
    return 0 if good and results else 1


if __name__ == "__main__":
    sys.exit(main())
