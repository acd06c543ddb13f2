"""What the tests share."""
import json
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORPORA = pathlib.Path(os.environ.get("CUPEL_CORPORA", ROOT.parent / "shared/corpora"))


def corpus(name):
    folder = CORPORA / name
    if not folder.exists():
        pytest.skip(f"no corpus {name}")
    return folder


def lines(path):
    with open(path, "rb") as file:
        return [line for line in file.read().split(b"\n") if line.strip()]


def calls():
    for path in sorted(corpus("calls").glob("*.jsonl")):
        for line in lines(path):
            yield path.stem, json.loads(line)
