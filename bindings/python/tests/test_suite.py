"""The official test suite through texts, objects and columns."""
import json

import pytest
from conftest import ROOT, corpus

import cupel_jsonschema as cupel

DIALECTS = {"draft4": "draft-04", "draft6": "draft-06", "draft7": "draft-07", "draft2019-09": "2019-09",
            "draft2020-12": "2020-12"}


def known_failures():
    """The entries of tests/suite/known-failures.txt: file, group, test."""
    text = (ROOT / "tests/suite/known-failures.txt").read_text(encoding="utf-8")
    return [tuple(part.strip() for part in line.split("|"))[:3]
            for line in text.splitlines() if line.strip() and not line.startswith("#")]


def is_known(entry, known):
    return any(all(a in ("*", b) for a, b in zip(line, entry)) for line in known)


def remotes(folder):
    found = {}
    for path in (folder / "remotes").rglob("*.json"):
        found["http://localhost:1234/" + path.relative_to(folder / "remotes").as_posix()] = path.read_bytes()
    return found


def cases(folder, dialect):
    for path in sorted((folder / "tests" / dialect).rglob("*.json")):
        if path.name == "content.json" and dialect == "draft7":
            continue  # content annotates, unless a host asks for more, which this interface does not offer
        for group in json.loads(path.read_bytes()):
            yield path.relative_to(folder / "tests" / dialect), group


def judge(v, test):
    """The verdicts of a text, of objects and of a column."""
    import pyarrow

    text = json.dumps(test["data"])
    try:
        return [v.is_valid_json(text), v.is_valid(test["data"]), *cupel.arrow.check(v, pyarrow.array([text])).to_pylist()]
    except (cupel.Undecided, cupel.JSONError) as error:
        return [error.code]


def needs_idna(path, verdicts):
    """The bundle is without libidn2: names that need IDNA are undecided, and nothing else is."""
    return verdicts == ["UNSUPPORTED"] and path.stem in ("hostname", "idn-hostname", "idn-email")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_official_suite(dialect):
    pytest.importorskip("pyarrow")
    folder = corpus("json-schema-test-suite")
    registry, known, failed, passed = remotes(folder), known_failures(), [], 0
    for path, group in cases(folder, dialect):
        formats = path.parts[:2] == ("optional", "format")
        v = cupel.compile(group["schema"], dialect=DIALECTS[dialect], registry=registry, formats=formats)
        for test in group["tests"]:
            entry = (f"{dialect}/{path.as_posix()}", group["description"], test["description"])
            verdicts = judge(v, test)
            if set(verdicts) == {test["valid"]}:
                passed += 1
            elif not is_known(entry, known) and not needs_idna(path, verdicts):
                failed.append((*entry, verdicts))
    assert failed == []
    assert passed > 600
