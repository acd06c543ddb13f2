"""Verdicts of objects and of their texts are equal, on recorded calls and on random pairs."""
import json
import math
import os
import random

import pytest
from conftest import calls, corpus, lines

import cupel_jsonschema as cupel

WORDS = ["", "a", "b", "name", "é", "𝄞", "\0", "a/b", "~", "x" * 70]
NUMBERS = [0, 1, -1, 2, 3, 5, 1.0, 1.5, -0.0, 1e300, 1e-300, 2 ** 53, 2 ** 63, 10 ** 25, 0.1, 1e15]


def scalar(r):
    return r.choice([None, True, False, r.choice(NUMBERS), r.choice(WORDS), r.randrange(-5, 6), r.choice(WORDS)])


def value(r, depth=3):
    kind = r.randrange(4) if depth else 0
    if kind == 2:
        return [value(r, depth - 1) for _ in range(r.randrange(4))]
    if kind == 3:
        return {r.choice(WORDS): value(r, depth - 1) for _ in range(r.randrange(4))}
    return scalar(r)


def schema(r, depth=3):
    if depth == 0 or r.random() < 0.1:
        return r.choice([True, False, {}, {"type": "string"}])
    made = {}
    for _ in range(r.randrange(1, 4)):
        made.update(keyword(r, depth - 1))
    return made


def keyword(r, depth):
    types = ["null", "boolean", "integer", "number", "string", "array", "object"]
    return r.choice([
        lambda: {"type": r.choice(types)},
        lambda: {"type": r.sample(types, 2)},
        lambda: {"enum": [value(r, 1) for _ in range(3)]},
        lambda: {"const": value(r, 1)},
        lambda: {r.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]): r.choice(NUMBERS)},
        lambda: {"multipleOf": r.choice([1, 2, 0.5, 3])},
        lambda: {r.choice(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]):
                 r.randrange(4)},
        lambda: {"pattern": r.choice(["^a", "b$", "^[a-z]*$", "x{3}", "."])},
        lambda: {"uniqueItems": True},
        lambda: {"required": r.sample(WORDS, 2)},
        lambda: {"properties": {w: schema(r, depth) for w in r.sample(WORDS, 2)}},
        lambda: {"patternProperties": {r.choice(["^a", "a", "."]): schema(r, depth)}},
        lambda: {"additionalProperties": schema(r, depth)},
        lambda: {"propertyNames": {"maxLength": 1}},
        lambda: {"dependentRequired": {"a": ["b"]}},
        lambda: {"dependentSchemas": {"a": schema(r, depth)}},
        lambda: {"items": schema(r, depth)},
        lambda: {"prefixItems": [schema(r, depth), schema(r, depth)]},
        lambda: {"contains": schema(r, depth), "minContains": r.randrange(3)},
        lambda: {r.choice(["anyOf", "allOf", "oneOf"]): [schema(r, depth) for _ in range(2)]},
        lambda: {"not": schema(r, depth)},
        lambda: {"if": schema(r, depth), "then": schema(r, depth), "else": schema(r, depth)},
        lambda: {"unevaluatedProperties": schema(r, depth)},
        lambda: {"unevaluatedItems": schema(r, depth)},
    ])()


def judge(function, argument):
    try:
        return function(argument)
    except cupel.Undecided as error:
        return error.code


def test_recorded_calls():
    count = 0
    for name, call in calls():
        tool, arguments = call.get("inputSchema"), call.get("arguments")
        if not isinstance(tool, dict):
            continue
        try:
            v = cupel.compile(tool)
        except cupel.SchemaError:
            continue
        text = json.dumps(arguments)
        assert judge(v.is_valid, arguments) == judge(v.is_valid_json, text), (name, call)
        count += 1
    assert count > 1000


def test_benchmark_sets():
    for folder in sorted(corpus("bench").iterdir()):
        if not folder.is_dir():
            continue
        v = cupel.compile((folder / "schema.json").read_bytes(), limits={"body_bytes": 1 << 24, "schema_bytes": 1 << 24})
        texts = lines(folder / "instances.jsonl")[:40]
        assert v.check_many(texts) == bytes(len(texts)), folder.name
        for text in texts:
            made = v.loads(text)
            assert made == json.loads(text) and v.is_valid(made)


def differs_by_definition(kind, document):
    """Why a verdict of jsonschema-rs may differ: numbers that it keeps as doubles."""
    return any(word in json.dumps([kind, document]) for word in ("e+", "e-", "99999", "10000000000000000", "9223372036854775808"))


@pytest.mark.parametrize("seed", range(4))
def test_random_pairs(seed):
    rs = pytest.importorskip("jsonschema_rs")
    r = random.Random(seed)
    pairs = int(os.environ.get("CUPEL_PAIRS", "4000")) // 4
    count, differences = 0, []
    while count < pairs:
        made = schema(r)
        v, peer = cupel.compile(made), rs.Draft202012Validator(made)
        for _ in range(10):
            document = value(r)
            count += 1
            text = json.dumps(document, ensure_ascii=False)
            verdict = v.is_valid(document)
            assert verdict == v.is_valid_json(text), (made, document)
            assert verdict == (not list(v.iter_errors(document))), (made, document)
            if verdict != peer.is_valid(document) and not differs_by_definition(made, document):
                differences.append((made, document, verdict))
    assert differences == []


def test_finite_numbers_of_all_kinds():
    r = random.Random(7)
    integer = cupel.compile({"type": "integer"})
    for _ in range(3000):
        number = r.choice([r.uniform(-1e6, 1e6), r.random() * 10.0 ** r.randrange(-300, 300), float(r.randrange(10 ** 6))])
        assert integer.is_valid(number) == (number == math.floor(number))
        assert cupel.compile(True).loads(repr(number)) == number
