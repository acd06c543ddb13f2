"""The interface: what it takes, what it returns, what it raises."""
import decimal
import enum
import pickle
from collections import OrderedDict

import pytest

import cupel_jsonschema as cupel
from cupel_jsonschema import JSONError, SchemaError, Undecided, ValidationError

ID = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


@pytest.fixture
def v():
    return cupel.compile(ID)


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda b: b.decode()])
def test_texts(v, wrap):
    assert v.is_valid_json(wrap(b'{"id": 1}')) is True
    assert v.is_valid_json(wrap(b'{"id": "1"}')) is False
    assert v.validate_json(wrap(b'{"id": 1}')) is None
    assert v.loads(wrap(b'{"id": 1}')) == {"id": 1}


def test_slices_of_a_view(v):
    view = memoryview(b'xx{"id": 1}yy')
    assert v.is_valid_json(view[2:-2])
    with pytest.raises((BufferError, ValueError)):
        v.is_valid_json(view[::2])


@pytest.mark.parametrize("schema", [ID, b'{"type":"object"}', '{"type":"object"}', True, {}])
def test_schemas(schema):
    assert cupel.compile(schema).is_valid_json('{"id": 3}')


def test_false_schema():
    assert cupel.compile(False).is_valid(1) is False


@pytest.mark.parametrize("name", ["is_valid_json", "validate_json", "loads"])
@pytest.mark.parametrize("text, line, column", [(b'{"id": 1', 1, 9), (b'{\n "id": tru}', 2, 8), (b"", 1, 1),
                                                (b'{"id":1,"id":2}', 1, 9), (b'"\xff"', 1, 2)])
def test_not_json(v, name, text, line, column):
    with pytest.raises(JSONError) as caught:
        getattr(v, name)(text)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_lone_surrogate_in_str(v):
    with pytest.raises(JSONError):
        v.is_valid_json('{"id": "\ud800"}')


@pytest.mark.parametrize("value", [5, None, [], {}])
def test_no_text(v, value):
    with pytest.raises(TypeError):
        v.is_valid_json(value)


def test_undecided_is_neither():
    assert not issubclass(Undecided, (ValueError, ValidationError))
    assert not issubclass(ValidationError, Undecided)
    v = cupel.compile(ID, limits={"depth": 4})
    for judge in (v.is_valid_json, v.validate_json, v.loads):
        with pytest.raises(Undecided):
            judge("[" * 5 + "]" * 5)
    for judge in (v.is_valid, v.validate, v.iter_errors):
        with pytest.raises(Undecided):
            judge([[[[[]]]]])


def test_steps_are_bounded():
    v = cupel.compile({"uniqueItems": True}, limits={"steps": 10, "steps_per_byte": 0})
    with pytest.raises(Undecided) as caught:
        v.is_valid(list(range(100)))
    assert caught.value.code == "LIMIT_STEPS"
    assert v.check_many([b"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]"]) == b"\x02"


def test_unknown_limit():
    with pytest.raises(ValueError):
        cupel.compile({}, limits={"patience": 3})
    with pytest.raises(TypeError):
        cupel.compile({}, limits={"depth": "3"})


@pytest.mark.parametrize("value", [
    {"id": 1}, OrderedDict(id=1), {"id": 10 ** 400}, {"id": -(2 ** 63)}, {"id": 2 ** 64}, {"id": 1.0},
    {"id": decimal.Decimal("1E+2")}, {"id": 1, "x": [None, True, False, "", "\0\"\\\n", "é𝄞", 1e308, -0.0, 5e-324]}])
def test_valid_objects(v, value):
    assert v.is_valid(value) is True
    assert v.validate(value) is None
    assert list(v.iter_errors(value)) == []


@pytest.mark.parametrize("value", [{}, [], None, {"id": "1"}, {"id": True}, {"id": 1.5}, {"id": decimal.Decimal("1.5")},
                                   "x", 1, True])
def test_invalid_objects(v, value):
    assert v.is_valid(value) is False
    with pytest.raises(ValidationError):
        v.validate(value)


class Text(str):
    pass


class Number(int):
    def __str__(self):
        return "not a number"

    __repr__ = __str__


class Level(enum.IntEnum):
    LOW = 1


class Map(dict):
    def __getitem__(self, key):
        raise AssertionError("not used")


class Money(decimal.Decimal):
    def __str__(self):
        return "1 EUR"


def test_subclasses(v):
    assert v.is_valid(Map({Text("id"): Number(7)}))
    assert v.is_valid({"id": Number(10 ** 30)})
    assert v.is_valid({"id": Level.LOW})
    assert v.is_valid({"id": Money("3")})


@pytest.mark.parametrize("value, pointer", [
    ({"id": 1j}, "/id"), ({"a": [1, {2}]}, "/a/1"), ((1,), ""), ({"a": {1: 2}}, "/a"), (b"x", ""), ({"x/y": object()}, "/x~1y")])
def test_type_errors_have_the_path(v, value, pointer):
    with pytest.raises(TypeError) as caught:
        v.is_valid(value)
    assert (f"at {pointer}: " if pointer else "value: ") in str(caught.value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), decimal.Decimal("NaN"),
                                    decimal.Decimal("sNaN"), decimal.Decimal("-Infinity")])
def test_no_json_numbers(number):
    anything = cupel.compile(True)
    for judge in (anything.is_valid, anything.validate, anything.iter_errors):
        with pytest.raises(JSONError) as caught:
            judge({"a": [number]})
        assert caught.value.pointer == "/a/0"


def test_numbers_too_long():
    anything = cupel.compile(True)
    for number in (10 ** 2000, 10 ** 10000, decimal.Decimal(10 ** 2000)):
        with pytest.raises(Undecided):
            anything.is_valid(number)


def test_tuples_are_arrays_if_asked():
    schema = {"items": {"type": "integer"}}
    with pytest.raises(TypeError):
        cupel.compile(schema).is_valid((1, 2))
    v = cupel.compile(schema, tuples=True)
    assert v.is_valid((1, 2)) and not v.is_valid((1, "x"))


def test_cycles_end():
    anything = cupel.compile(True)
    loop = []
    loop.append(loop)
    table = {}
    table["me"] = table
    for value in (loop, table):
        with pytest.raises(Undecided):
            anything.is_valid(value)


class Changer(decimal.Decimal):
    """Changes a container while it is read."""
    victims = ()

    @property
    def __class__(self):
        for victim in self.victims:
            victim.clear()
        return decimal.Decimal


def test_containers_that_change_while_they_are_read():
    anything = cupel.compile(True)
    for _ in range(50):
        inner = [Changer(1), "x" * 50]
        table = {"a": inner, "b": ["y" * 50] * 3}
        Changer.victims = (inner, table)
        assert anything.is_valid(table) in (True, False)
    Changer.victims = ()


def test_errors(v):
    v = cupel.compile({"properties": {"a": {"type": "integer"}, "b": {"minLength": 3}}})
    errors = list(v.iter_errors({"a": "x", "b": "yy"}))
    assert [(e.pointer, e.schema_pointer, e.keyword) for e in errors] == [
        ("/a", "/properties/a/type", "type"), ("/b", "/properties/b/minLength", "minLength")]
    assert all(e.message and e.code and "a" in e.model_message for e in errors)
    with pytest.raises(ValidationError) as caught:
        v.validate_json('{"a": "x",\n "b": "yy"}')
    assert [(e.line, e.column) for e in caught.value.errors] == [(1, 7), (2, 7)]
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and len(again.errors) == 2


def test_exceptions_are_pickled(v):
    for judge, value in ((v.is_valid_json, b"{"), (v.is_valid_json, b"[" * 500)):
        with pytest.raises(Exception) as caught:
            judge(value)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), str(again)) == (type(caught.value), str(caught.value))


def test_check_many(v):
    assert v.check_many([b'{"id":1}', '{"id":"é"}', b"{", b"[" * 200]) == b"\0\1\2\2"
    assert v.check_many([]) == b""
    assert v.check_many(b'{"id":1}' for _ in range(3000)) == bytes(3000)
    for wrong in ([b"1", 5], [None], 5):
        with pytest.raises(TypeError):
            v.check_many(wrong)


def test_repair(v):
    assert v.repair({"id": "5"}) == ("repaired", [{"op": "replace", "path": "/id", "value": 5}], b'{"id":5}')
    assert v.repair_json(b'{"id": "5"}').result == "repaired"
    assert v.repair({"id": 5}).result == "not-needed"
    assert v.repair({"id": []}).result == "impossible"


def test_schema_errors():
    with pytest.raises(SchemaError) as caught:
        cupel.compile('{\n "type": 5}')
    assert (caught.value.code, caught.value.line, caught.value.pointer) == ("SCHEMA", 2, "/type")
    for schema in ("{", {"$schema": "urn:unknown"}, {"$ref": "urn:missing"}, {"pattern": "("}):
        with pytest.raises(SchemaError):
            cupel.compile(schema)
    with pytest.raises(TypeError):
        cupel.compile(5)


def test_registries():
    referencing = pytest.importorskip("referencing")
    other = {"type": "null"}
    registry = referencing.Registry().with_resource("urn:n", referencing.Resource.from_contents(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **other}))
    for given in ({"urn:n": other}, {"urn:n": '{"type": "null"}'}, {"urn:n": other}.get, registry):
        v = cupel.compile({"$ref": "urn:n"}, registry=given)
        again = pickle.loads(pickle.dumps(v))
        assert [x.is_valid(y) for x in (v, again) for y in (None, 1)] == [True, False] * 2
        with pytest.raises(SchemaError):
            cupel.compile({"$ref": "urn:m"}, registry=given)
    with pytest.raises(ZeroDivisionError):
        cupel.compile({"$ref": "urn:n"}, registry=lambda uri: 1 // 0)


def test_dialects():
    array_items = {"items": [{"type": "null"}]}
    assert not cupel.compile(array_items, dialect="draft-07").is_valid([1])
    for name in ("draft7", "http://json-schema.org/draft-07/schema#", 7):
        assert not cupel.compile(array_items, dialect=name).is_valid([1])
    with pytest.raises(SchemaError):
        cupel.compile({}, dialect="draft-99")


def test_formats():
    schema = {"format": "date"}
    assert cupel.compile(schema).is_valid("yesterday")
    assert not cupel.compile(schema, formats=True).is_valid("yesterday")


def test_pickles(v):
    again = pickle.loads(pickle.dumps(v))
    assert again.image == v.image and again.schema_text == v.schema_text
    bounded = pickle.loads(pickle.dumps(cupel.compile(True, limits={"depth": 2}, tuples=True)))
    assert bounded.is_valid((1,))
    with pytest.raises(Undecided):
        bounded.is_valid([[[1]]])
    function, made = v.__reduce__()
    other_version = function("0.0.0", made[1], b"no image", *made[3:])
    assert other_version.is_valid({"id": 1}) and not other_version.is_valid({})


def test_validators_are_made_by_compile(v):
    with pytest.raises(TypeError):
        type(v)()
    with pytest.raises(AttributeError):
        v.limits = 3


def test_loads_like_json():
    import json
    anything = cupel.compile(True)
    texts = ["[]", "{}", "0", "-0", "-0.0", "1.0", "1e3", "0.1", "1.7976931348623157e308", "5e-324", "123456789012345678901",
             '"\\u0041\\ud834\\udd1e\\n"', '{"a":{"a":{"a":[[[],{}],1]}},"":""}', '[[[[1]]],{"x":null}]', "true", "false",
             "9007199254740993.0", "0.30000000000000004", "[1.5e-7, 123456.789e3, 2.2250738585072011e-308]"]
    for text in texts:
        made = anything.loads(text)
        assert repr(made) == repr(json.loads(text))
    with pytest.raises(Undecided):
        anything.loads("1e400")


def test_lint():
    faults = cupel.lint({"type": 5, "minLenght": 2})
    assert {(f.pointer, f.is_warning) for f in faults} == {("/type", False), ("/minLenght", True)}
    assert cupel.lint(True) == []
