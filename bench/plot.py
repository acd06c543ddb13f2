#!/usr/bin/env python3
"""Plots of what run.py measured: bench/out/bench.json to SVG files, with gnuplot.

usage: plot.py [FOLDER]        by default docs/plots

One plot for each figure: a bar for each peer, times cupel's, on a logarithmic scale.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import peers

HERE = pathlib.Path(__file__).resolve().parent
MEASURED = HERE / "out" / "bench.json"

# File, title, group and figure of bench.json.
PLOTS = [
    ("hot", "evaluation of one document again and again, mean over sets", "sets", "hot"),
    ("stream", "evaluation of all documents in turn, mean over sets", "sets", "stream"),
    ("e2e", "from bytes to verdict, mean over sets", "sets", "e2e"),
    ("parse", "reading alone, to cupel reading and evaluating, mean over sets", "sets",
     "parse / our e2e"),
    ("calls", "from bytes to verdict, recorded calls of about 58 bytes", "calls-median", "e2e"),
    ("compile", "compiling the schemas of 49 catalogs of tools", "tools", "compile"),
    ("memory", "memory of these programs", "tools", "memory"),
]

VALIDATING = {"hot", "stream", "e2e", "compile", "memory"}

SCRIPT = """
set terminal svg size 720,{height} font 'sans-serif,13' background rgb 'white'
set title "{title}: times cupel's" noenhanced
set logscale x
set xrange [{low}:{high}]
set yrange [-0.7:{top}] reverse
set style fill solid 0.8 noborder
set grid xtics lc rgb '#dddddd'
set border 2
unset key
set ytics ({labels}) noenhanced scale 0
set xtics format '%g' scale 0
set arrow from 1,-0.7 to 1,{top} nohead lc rgb '#333333' lw 1.5
plot '-' using (($1 + $2) / 2):0:1:2:($0 - 0.32):($0 + 0.32) with boxxyerror lc rgb '#33668c', \\
     '-' using 1:0:2 with labels left offset 0.6,0 noenhanced
{bars}
e
{values}
e
"""


def rows_of(table, figure):
    """Peers and ratios, the nearest first."""
    rows = [(peer, figures[figure]["mean"]) for peer, figures in table.items()
            if figures.get(figure) and (figure in VALIDATING or peer in peers.FLOORS)]
    return sorted(rows, key=lambda row: row[1])


def draw(path, title, rows):
    low = min([0.5] + [ratio * 0.8 for _, ratio in rows])
    high = max(ratio for _, ratio in rows) * 3
    script = SCRIPT.format(
        height=90 + 24 * len(rows), title=title, low=low, high=high, top=len(rows) - 0.3,
        labels=", ".join(f'"{peer}" {i}' for i, (peer, _) in enumerate(rows)),
        bars="\n".join(f"{min(1, ratio)} {max(1, ratio)}" for _, ratio in rows),
        values="\n".join(f'{max(1, ratio)} "{ratio:.3g}"' for _, ratio in rows))
    done = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=True)
    path.write_text(done.stdout, encoding="utf-8")


def main(folder=HERE.parent / "docs" / "plots"):
    if not shutil.which("gnuplot"):
        print("plot.py: no gnuplot", file=sys.stderr)
        return 1
    ratios = json.loads(MEASURED.read_text())["ratios"]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, title, group, figure in PLOTS:
        rows = rows_of(ratios.get(group, {}), figure)
        if rows:
            draw(folder / f"{name}.svg", title, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
