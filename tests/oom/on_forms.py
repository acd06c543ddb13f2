#!/usr/bin/env python3
"""Runs a program on schemas made of every instruction's keyword in every place where one may stand.

usage: on_forms.py PROGRAM STRIDE

The program gets STRIDE, and a file for each keyword in the official suite's format, without `valid`: suite_oom,
suite_limits and suite_messages say what they hold each run to.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

NAMES = [f"n{i:02}" for i in range(40)]
MANY = {name: i for i, name in enumerate(NAMES)}

# A fragment, and instances that are right and wrong for it.
FRAGMENTS = [
    ({"minimum": 1, "maximum": 3}, [1, 3, 0, 4, 2.5, "x"]),
    ({"exclusiveMinimum": 1.5, "exclusiveMaximum": 1e40}, [1.5, 2, 1e40, 123456789012345678901234567890]),
    ({"multipleOf": 0.25}, [1.5, 1.3, 10, 1e-9, 123456789012345678901.5]),
    ({"type": "integer"}, [1, 1.0, 1.5, "1"]),
    ({"type": ["string", "null"]}, ["a", None, 1]),
    ({"minLength": 2, "maxLength": 3}, ["ab", "a", "abcd", "\u00e9\u00e9", "\ud83d\ude00", 5]),
    ({"pattern": "^a+$"}, ["aa", "b", 1]),
    ({"pattern": "^(a|b)\\1$"}, ["aa", "ab"]),
    ({"format": "date"}, ["2020-02-30", "2020-02-28", 4]),
    ({"format": "odd"}, ["a", "ab", "?", "x" * 40, 4]),
    ({"format": "idn-hostname"}, ["b\u00fccher.example", "\u302e.example"]),
    ({"const": "ab"}, ["ab", "ac", "abc", 1, "cd"]),
    ({"const": "a string of some length, longer than eight bytes"},
     ["a string of some length, longer than eight bytes", "a string of some length, longer than eight bytez",
      "a string of some lengtH, longer than eight bytes"]),
    ({"enum": ["ab", "cd", "a longer one, so that it does not fit a word"]},
     ["ab", "cd", "ef", 1, "a longer one, so that it does not fit a word"]),
    ({"enum": [1, [2], {"a": 3}, None, "x"]}, [1, 1.0, [2], [3], {"a": 3}, {"a": 4}, "y"]),
    ({"enum": [[i, str(i)] for i in range(40)] + [1.5, 10**20]}, [[1, "1"], [1, "2"], 1.5, 10**20, []]),
    ({"const": {"a": {"b": 1, "c": [1, 2]}, "d": None}},
     [{"d": None, "a": {"c": [1, 2], "b": 1}}, {"d": None, "a": {"c": [2, 1], "b": 1}}, {}]),
    ({"minItems": 1, "maxItems": 2}, [[], [1], [1, 2, 3], {}]),
    ({"minProperties": 1, "maxProperties": 2}, [{}, {"a": 1}, {"a": 1, "b": 2, "c": 3}, []]),
    ({"uniqueItems": True}, [[1, 2, 1.0], [1, 2], [{"a": 1}, {"a": 1.0}], list(range(40)) + [3]]),
    ({"required": ["a", "b"]}, [{"a": 1, "b": 2}, {"a": 1}, [], MANY]),
    ({"dependentRequired": {"a": ["b", "c"], "d": ["e"]}}, [{"a": 1}, {"a": 1, "b": 2, "c": 3}, {"d": 0}, 1]),
    ({"dependentSchemas": {"a": {"required": ["b"]}}}, [{"a": 1}, {"a": 1, "b": 2}, {}]),
    ({"properties": {"a": {"type": "string"}, "b": True, "c": False}}, [{"a": "x"}, {"a": 1}, {"c": 1}, 3]),
    ({"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False},
     [{"a": "x"}, {"a": "x", "b": 1}, {}, {"a": 1}]),
    ({"properties": {"n01": {"type": "integer"}, "n02": {"maximum": 1}}, "required": ["n03"]}, [MANY, {}]),
    ({"properties": {"n01": {"type": "integer"}, "zz": True}, "required": ["n03", "zz"]}, [MANY]),
    ({"properties": {"n01": {"$ref": "#/$defs/t"}, "n03": {"$ref": "#/$defs/t"}}}, [MANY, {**MANY, "n03": "x"}]),
    ({"properties": {name: {"type": "integer"} for name in NAMES}, "additionalProperties": {"type": "null"}},
     [MANY, {**MANY, "n07": "x"}, {"x": None}, {"x": 1}]),
    ({"patternProperties": {"^a": {"type": "integer"}, "b$": {"minimum": 2}}},
     [{"ab": 1}, {"ab": 3}, {"a": "x"}, {"c": 0}]),
    ({"patternProperties": {"^a": {"$ref": "#/$defs/t"}, "b$": {"$ref": "#/$defs/t"}, "c": False},
      "additionalProperties": {"$ref": "#/$defs/t"}}, [{"ab": 1}, {"ab": [], "c": 1}, {"d": "x"}, {"d": 1}]),
    ({"patternProperties": {"^x": False}, "properties": {"xa": {"$ref": "#/$defs/t"}}}, [{"xa": 1}, {"a": 1}]),
    ({"propertyNames": {"maxLength": 2}}, [{"a": 1}, {"abc": 1}, {}]),
    ({"propertyNames": {"pattern": "^[a-z]+$"}, "maxProperties": 3}, [{"a": 1}, {"A": 1}]),
    ({"prefixItems": [{"type": "string"}, {"$ref": "#/$defs/t"}], "items": {"$ref": "#/$defs/t"}},
     [["a", 1, 2], [1], ["a", "b"], ["a", 1, "b"], []]),
    ({"items": {"type": "integer"}}, [[1, 2], ["a"], [[]], {}]),
    ({"items": {"properties": {"a": {"$ref": "#/$defs/t"}}}}, [[{"a": 1}, {"a": 2}], [{"a": "x"}], [1]]),
    ({"contains": {"type": "string"}, "minContains": 2, "maxContains": 3},
     [["a", "b"], ["a"], ["a", "b", "c", "d"], [1], {}]),
    ({"contains": {"$ref": "#/$defs/t"}}, [["a"], ["a", 1], []]),
    ({"contains": {"required": ["a"]}, "minContains": 0}, [[], [{}]]),
    ({"not": {"type": "string"}}, ["a", 1]),
    ({"not": {"$ref": "#/$defs/t", "minimum": 3}}, [1, 4, "x"]),
    ({"anyOf": [{"required": ["a"]}, {"minimum": 4}, {"$ref": "#/$defs/t"}]}, [{"b": 1}, {"a": 1}, 5, "x"]),
    ({"anyOf": [{"properties": {"k": {"const": "x"}, "v": {"type": "string"}}, "required": ["k"]},
                {"properties": {"k": {"const": "y"}, "v": {"type": "integer"}}, "required": ["k"]}]},
     [{"k": "x", "v": "s"}, {"k": "y", "v": "s"}, {"k": "z"}, {}]),
    ({"oneOf": [{"minimum": 2}, {"maximum": 4}, {"type": "string"}]}, [1, 3, 5, "x", {}]),
    ({"oneOf": [{"type": "string", "minLength": 2}, {"type": "array", "items": {"$ref": "#/$defs/t"}}, {"type": "null"}]},
     ["a", "ab", [1], ["x"], None, {}]),
    ({"if": {"minimum": 3}, "then": {"multipleOf": 2}, "else": {"type": "integer"}}, [4, 5, 1, 1.5, "x"]),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, [{"a": 1}, {"a": 1, "b": 2}, {}]),
    ({"allOf": [{"$ref": "#/$defs/t"}, {"minimum": 3}]}, [4, 2, "x"]),
    ({"$ref": "#/$defs/list"}, [{"next": {"next": {"v": 1}}}, {"next": {"next": {"v": "x"}}}, 3]),
    ({"$dynamicRef": "#node"}, [{"next": {"next": {"v": 1}}}, {"next": {"next": {"v": "x"}}}, 3]),
    ({"$ref": "tree", "title": "a tree"}, [{"kids": [{"kids": []}]}, {"kids": [{"kids": 1}]}, 1]),
    ({"properties": {"a": True}, "anyOf": [{"properties": {"b": True}}, {"required": ["c"]}],
      "unevaluatedProperties": False}, [{"a": 1, "b": 2}, {"a": 1, "c": 2}, {"a": 1}, 1]),
    ({"patternProperties": {"^a": True}, "if": {"required": ["b"]}, "then": {"properties": {"b": True}},
      "unevaluatedProperties": {"type": "string"}}, [{"a": 1, "b": 2}, {"c": "x"}, {"c": 1}, MANY]),
    ({"prefixItems": [True], "contains": {"type": "string"}, "unevaluatedItems": False},
     [[1, "a"], [1, 2], ["a"], [1, "a", "b"], [1] * 70 + ["a"] * 70, ["a"] * 140]),
    ({"oneOf": [{"prefixItems": [True, {"type": "string"}]}, {"maxItems": 1}], "unevaluatedItems": {"type": "null"}},
     [[1, "a", None], [1, "a", 1], [1], [1, 2]]),
    ({"$dynamicRef": "#node", "unevaluatedProperties": False}, [{"next": {}}, {"v": 1}, {"w": 1}]),
    ({"title": "noted", "default": 1, "x-own": [1], "type": ["integer", "object"]}, [1, "x", {}]),
    (False, [1]),
    (True, [1]),
]

DEFS = {
    "t": {"type": ["integer", "array"], "maxItems": 1, "description": "a thing that is used twice"},
    "list": {"properties": {"next": {"$ref": "#/$defs/list"}, "v": {"type": "integer"}}},
    "node": {"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}, "v": {"type": "integer"}}},
    "tree": {"$id": "tree", "$dynamicAnchor": "node", "properties": {"kids": {"items": {"$dynamicRef": "#node"},
                                                                              "type": "array"}}},
}

# What stands around a fragment, and around its instance.
PLACES = [
    (lambda s: s, lambda i: i),
    (lambda s: {"allOf": [s, {"$ref": "#/$defs/t"}]}, lambda i: i),
    (lambda s: {"allOf": [{"not": {"const": "zz"}}, s, {"not": {"const": "zy"}}]}, lambda i: i),
    (lambda s: {"not": s}, lambda i: i),
    (lambda s: {"not": {"not": {"allOf": [s, {"not": {"enum": ["zz", [0]]}}]}}}, lambda i: i),
    (lambda s: {"anyOf": [s, {"const": "zz"}]}, lambda i: i),
    (lambda s: {"anyOf": [{"const": "zz"}, s], "not": {"const": 9}}, lambda i: i),
    (lambda s: {"oneOf": [s, {"$ref": "#/$defs/t"}]}, lambda i: i),
    (lambda s: {"if": s, "then": {"not": {"const": "zz"}}, "else": {"$ref": "#/$defs/t"}}, lambda i: i),
    (lambda s: {"properties": {"p": s, "q": s}, "required": ["p"]}, lambda i: {"o": 0, "p": i, "q": i}),
    (lambda s: {"additionalProperties": s}, lambda i: {"p": i}),
    (lambda s: {"patternProperties": {"^p": s, "p$": s}}, lambda i: {"p": i, "pp": i}),
    (lambda s: {"prefixItems": [s], "items": s}, lambda i: [i, i]),
    (lambda s: {"contains": s, "maxContains": 1}, lambda i: [0, i]),
    (lambda s: {"anyOf": [s, True], "unevaluatedProperties": False, "unevaluatedItems": False}, lambda i: i),
    (lambda s: {"propertyNames": s}, lambda i: {i if isinstance(i, str) else "p": 1}),
    (lambda s: {"anyOf": [{"$ref": "#/$defs/s"}, {"allOf": [{"$ref": "#/$defs/s"}, {"minimum": 0}]}],
                "$defs": {"s": s}}, lambda i: i),
    (lambda s: {"properties": {"p": {"anyOf": [{"$ref": "#/$defs/s"}, {"items": {"$ref": "#/$defs/s"}}]},
                               "q": {"$ref": "#/$defs/s"}}, "$defs": {"s": s}}, lambda i: {"p": [i], "q": i}),
]


def groups(fragment, instances):
    for schema_of, instance_of in PLACES:
        schema = schema_of(fragment)
        if isinstance(schema, dict):
            schema = {**schema, "$defs": {**DEFS, **schema.get("$defs", {})}, "$id": "https://example.org/form"}
        yield {"description": "", "schema": schema,
               "tests": [{"description": "", "data": instance_of(i)} for i in instances]}


def main():
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, (fragment, instances) in enumerate(FRAGMENTS):
            files.append(pathlib.Path(folder, "draft2020-12", f"form-{i}.json"))
            files[-1].parent.mkdir(exist_ok=True)
            files[-1].write_text(json.dumps(list(groups(fragment, instances))), encoding="utf-8")
        return subprocess.run([sys.argv[1], sys.argv[2], *map(str, files)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
