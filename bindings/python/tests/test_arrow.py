"""Columns."""
import random

import pytest
from conftest import corpus, lines

import cupel_jsonschema as cupel
from cupel_jsonschema import arrow

pa = pytest.importorskip("pyarrow")
KINDS = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(), pa.binary_view()]
V = cupel.compile({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}})
ROWS = ['{"id": 1}', None, '{"id": "x"}', "{", '{"id": 12345678901234567890}', "", "[" * 300, None, '{"id": 7, "é": "é"}']
REASONS = ["ok", None, "invalid", "not_json", "ok", "not_json", "undecided", None, "ok"]


def column(rows, kind):
    return pa.array(rows, pa.string()).cast(kind) if kind not in (pa.binary_view(), pa.string_view()) else pa.array(
        [r if r is None or kind == pa.string_view() else r.encode() for r in rows], kind)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_kinds(kind):
    made = column(ROWS, kind)
    assert arrow.reasons(V, made).to_pylist() == REASONS
    verdicts = [{"ok": True, "invalid": False}.get(reason) for reason in REASONS]
    assert V.check_arrow(made, undecided="null").to_pylist() == verdicts
    with pytest.raises(cupel.Undecided) as caught:
        V.check_arrow(made)
    assert caught.value.pointer == "/3"
    assert [None if e is None else len(e) for e in arrow.errors(V, made).to_pylist()] == [0, None, 1, 1, 0, 1, 1, None, 0]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_slices_and_chunks(kind):
    r = random.Random(3)
    rows = [r.choice(ROWS[:5]) for _ in range(5000)]
    expected = [dict(zip(ROWS, REASONS))[row] for row in rows]
    made = column(rows, kind)
    for start, length in ((0, 5000), (1, 17), (7, 2049), (4999, 1), (3, 0)):
        assert arrow.reasons(V, made.slice(start, length)).to_pylist() == expected[start:start + length]
    chunked = pa.chunked_array([made.slice(0, 11), made.slice(11, 0), made.slice(11)])
    for jobs in (1, 3):
        assert arrow.reasons(V, chunked, jobs=jobs).to_pylist() == expected


def test_empty_and_null_columns():
    assert V.check_arrow(pa.array([], pa.string())).to_pylist() == []
    assert V.check_arrow(pa.array([None, None], pa.string())).to_pylist() == [None, None]


def test_other_columns_are_refused():
    for wrong in (pa.array([1]), pa.array(["a"]).dictionary_encode(), ["{}"], None):
        with pytest.raises(TypeError):
            V.check_arrow(wrong)
    with pytest.raises(ValueError):
        V.check_arrow(pa.array(["{}"]), undecided="maybe")


def test_without_pyarrow():
    """The interface alone: a column of another library gives an array that any library takes."""
    class Foreign:
        def __arrow_c_array__(self, requested_schema=None):
            return pa.array(ROWS).__arrow_c_array__()
    made = arrow.reasons(V, Foreign())
    assert isinstance(made, arrow.Array) and len(made) == len(ROWS)
    assert pa.array(made).to_pylist() == REASONS


def test_results_outlive_their_source():
    made = arrow.reasons(V, pa.array(ROWS * 50))
    schema, array = arrow.Array(("b", "", 1, 0, (None, b"\1"), (), None)).__arrow_c_array__()
    del schema, array
    made.validate(full=True)
    arrow.errors(V, pa.array(ROWS)).validate(full=True)
    assert made.to_pylist() == REASONS * 50


def test_equal_to_row_by_row():
    for name in ("babelrc", "fabric-mod"):
        texts = lines(corpus("bench") / name / "instances.jsonl")[:300]
        v = cupel.compile((corpus("bench") / name / "schema.json").read_bytes())
        broken = [text.replace(b":", b": 7,", 1) if i % 3 == 0 else text[:-2] if i % 3 == 1 else text
                  for i, text in enumerate(texts)]
        assert bytes({"ok": 0, "invalid": 1}.get(r, 2) for r in arrow.reasons(v, pa.array(broken)).to_pylist()) == \
            v.check_many(broken)


def test_polars():
    polars = pytest.importorskip("polars")
    series = polars.Series("body", ROWS)
    made = polars.Series(V.check_arrow(series, undecided="null"))
    assert made.to_list() == [{"ok": True, "invalid": False}.get(reason) for reason in REASONS]


def test_pandas():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(ROWS, dtype=pandas.ArrowDtype(pa.string()))
    assert arrow.reasons(V, pa.array(series)).to_pylist() == REASONS


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.create_function("is_valid", lambda texts: V.check_arrow(texts, undecided="null"), ["VARCHAR"], "BOOLEAN",
                               type="arrow")
    rows = connection.sql("SELECT is_valid(t) FROM (VALUES ('{\"id\": 1}'), ('{}')) AS v(t)").fetchall()
    assert rows == [(True,), (False,)]
