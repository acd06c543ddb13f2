"""Mistakes that models make in calls, for repairs.py.

A kind is a function of a generator of random numbers, a schema and a valid call.  It returns (schema, call with
the mistake, call that was meant), or None where the call gives no place for it.  Most kinds leave the schema as
it is; those about conditions add one.  No kind loses what the reader of the call would need: a list of which
one item is left could be any list.
"""
import copy
import json
import re

import mutate

POSSIBLE = 18  # mistakes of different kinds that a call allows, about; for repairs.py to draw from them
UNKNOWN = ["zqxv", "verboseQq", "wwwkk", "foo_bar_baz"]


# -- Places ----------------------------------------------------------------------------------------

def sites(schema, call, kind):
    """(path, schema, value) of the values of a Python type, root included."""
    return [(p, s, v) for p, s, v in mutate.sites(schema, call)
            if isinstance(v, kind) and not (kind in (int, float) and isinstance(v, bool))]


def pick(rng, found):
    return rng.choice(found) if found else None


def changed(call, path, value):
    """A copy of a call with another value at a path."""
    if not path:
        return value
    copied = copy.deepcopy(call)
    mutate.at(copied, path[:-1])[path[-1]] = value
    return copied


def without(call, path):
    copied = copy.deepcopy(call)
    del mutate.at(copied, path[:-1])[path[-1]]
    return copied


def renamed(call, path, new):
    copied = copy.deepcopy(call)
    parent = mutate.at(copied, path[:-1])
    if new in parent or not new or new == path[-1]:
        return None
    items = [(new if k == path[-1] else k, v) for k, v in parent.items()]
    parent.clear()
    parent.update(items)
    return copied


def members(rng, schema, call, required):
    """The path of a member that a schema requires, or declares and does not require."""
    found = []
    for path, sub, value in sites(schema, call, dict):
        needed = sub.get("required", [])
        found += [path + (n,) for n in sub.get("properties", {}) if n in value and (n in needed) == required]
    return pick(rng, found)


def value_kind(kind, types, change):
    """A kind of mistake in a value: `change` gives the wrong value, or None."""
    def mistake(rng, schema, call):
        found = [(p, s, v) for p, s, v in sites(schema, call, kind)
                 if p and set(mutate.types_of(s)) & set(types)]
        chosen = pick(rng, found)
        new = change(rng, *chosen[1:]) if chosen else None
        if new is None:
            return None
        return schema, changed(call, chosen[0], new), call
    return mistake


def name_kind(required, change):
    def mistake(rng, schema, call):
        path = members(rng, schema, call, required)
        if path is None:
            return None
        declared = {n for _, s, _ in mutate.sites(schema, call) for n in s.get("properties", {})}
        new = change(rng, path[-1])
        mutant = renamed(call, path, new) if new not in declared else None
        return None if mutant is None else (schema, mutant, call)
    return mistake


# -- Names -----------------------------------------------------------------------------------------

def other_case(_, name):
    if "_" in name:
        return re.sub(r"_(.)", lambda m: m[1].upper(), name)
    return re.sub(r"[A-Z]", lambda m: "_" + m[0].lower(), name) if name.lower() != name else name.capitalize()


def dropped(rng, name):
    i = rng.randrange(1, len(name)) if len(name) > 4 else 0
    return name[:i] + name[i + 1:] if i else name


def swapped(rng, name):
    i = rng.randrange(1, len(name) - 1) if len(name) > 4 else 0
    return name[:i] + name[i + 1] + name[i] + name[i + 2:] if i else name


def plural(_, name):
    return name[:-1] if name.endswith("s") else name + "s"


required_case = name_kind(True, other_case)
required_dropped = name_kind(True, dropped)
required_swapped = name_kind(True, swapped)
required_plural = name_kind(True, plural)
required_prefix = name_kind(True, lambda rng, name: rng.choice(["the_", "my_", "input_"]) + name)
required_suffix = name_kind(True, lambda rng, name: name + rng.choice(["_value", "_param", "Name"]))
required_other = name_kind(True, lambda rng, name: rng.choice(UNKNOWN) + str(rng.randrange(90)))
optional_case = name_kind(False, other_case)
optional_dropped = name_kind(False, dropped)
optional_plural = name_kind(False, plural)


def drop_required(rng, schema, call):
    """A required member without a default is missing."""
    found = [p + (n,) for p, s, v in sites(schema, call, dict) for n in s.get("required", [])
             if n in v and "default" not in s.get("properties", {}).get(n, {})]
    path = pick(rng, found)
    return None if path is None else (schema, without(call, path), call)


def add_unknown(rng, schema, call):
    path, _, value = pick(rng, sites(schema, call, dict))
    name = rng.choice(UNKNOWN) + str(rng.randrange(90))
    return None if name in value else (schema, changed(call, path + (name,), rng.choice([1, "x", None])), call)


def add_near(rng, schema, call):
    """A member beside the one whose name it resembles."""
    path = members(rng, schema, call, rng.random() < 0.5)
    if path is None:
        return None
    new = other_case(rng, path[-1])
    parent = mutate.at(call, path[:-1])
    if new in parent or any(mutate.at(call, path) == v for k, v in parent.items() if k != path[-1]):
        return None
    return schema, changed(call, path[:-1] + (new,), parent[path[-1]]), call


def rename_two(rng, schema, call):
    first = required_case(rng, schema, call)
    if first is None or schema.get("additionalProperties") is not False:
        return None
    second = optional_case(rng, schema, first[1])
    return None if second is None else (schema, second[1], call)


def rename_and_quote(rng, schema, call):
    path = members(rng, schema, call, rng.random() < 0.7)
    if path is None or not mutate_number(mutate.at(call, path)):
        return None
    quoted = changed(call, path, json.dumps(mutate.at(call, path)))
    mutant = renamed(quoted, path, other_case(rng, path[-1]))
    return None if mutant is None else (schema, mutant, call)


def drop_and_add(rng, schema, call):
    """A required member is missing and an unknown one is there, and they have nothing in common."""
    path = members(rng, schema, call, True)
    if path is None:
        return None
    return schema, changed(without(call, path), path[:-1] + (rng.choice(UNKNOWN) + "7",), 1), call


def drop_default(rng, schema, call):
    """A required member with a default, which it had."""
    found = [p + (n,) for p, s, v in sites(schema, call, dict) for n in s.get("required", [])
             if n in v and s.get("properties", {}).get(n, {}).get("default") == v[n]]
    path = pick(rng, found)
    return None if path is None else (schema, without(call, path), call)


def extended(rng, schema, call):
    """A call with one more member `NAMEs`, its schema, and both names; or None."""
    path = members(rng, schema, call, True) if isinstance(schema.get("properties"), dict) else None
    if path is None or len(path) != 1 or len(path[0]) < 3:
        return None
    name, more = path[0], path[0] + "s"
    if more in schema["properties"] or more in call or "oneOf" in schema:
        return None
    wider = copy.deepcopy(schema)
    wider["properties"][more] = {"type": "string"}
    return wider, {**call, more: "abc"}, name, more


def beside_then(rng, schema, call):
    """A name that is declared stands beside a similar one that a condition requires."""
    made = extended(rng, schema, call)
    if made is None:
        return None
    wider, meant, name, more = made
    wider["if"] = {"required": [name]}
    wider["then"] = {"required": [more]}
    return wider, without(meant, (more,)), meant


def beside_dependent(rng, schema, call):
    made = extended(rng, schema, call)
    if made is None:
        return None
    wider, meant, name, more = made
    wider["dependentSchemas"] = {name: {"required": [more]}}
    return wider, without(meant, (more,)), meant


def beside_all_of(rng, schema, call):
    made = extended(rng, schema, call)
    if made is None:
        return None
    wider, meant, _, more = made
    wider["allOf"] = [{"required": [more]}]
    return wider, without(meant, (more,)), meant


def beside_any_of(rng, schema, call):
    made = extended(rng, schema, call)
    if made is None:
        return None
    wider, meant, _, more = made
    wider["anyOf"] = [{"required": [more]}, {"required": [more, "zq"]}]
    return wider, without(meant, (more,)), meant


def beside_pattern(rng, schema, call):
    """A name that a pattern declares stands beside a similar one that is required."""
    made = extended(rng, schema, call)
    if made is None:
        return None
    wider, meant, name, more = made
    near = more + "x"
    if near in wider["properties"]:
        return None
    wider["patternProperties"] = {f"^{re.escape(near)}$": {}}
    wider.setdefault("required", [])
    wider["required"] = wider["required"] + [more]
    return wider, {**without(meant, (more,)), near: "abc"}, {**meant, near: "abc"}


def from_outside(rng, schema, call):
    """A name that the object around declares stands in an inner one, which requires a similar one."""
    made = extended(rng, schema, call)
    if made is None or "inner" in schema["properties"]:
        return None
    wider, meant, name, more = made
    wider["properties"]["inner"] = {"type": "object", "required": [more + "s"],
                                    "properties": {more + "s": {"type": "string"}}}
    meant = {**meant, "inner": {more + "s": "k", more: "abc"}}
    return wider, {**meant, "inner": {more: "abc"}}, meant


# -- Values ----------------------------------------------------------------------------------------

def mutate_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def texts(v):
    return v and all(isinstance(x, str) for x in v)


def misspelt(rng, sub, value):
    if value not in sub.get("enum", []) or len(value) < 4:
        return None
    i = rng.randrange(len(value) - 1)
    new = rng.choice([value[:i] + value[i + 1] + value[i] + value[i + 2:], value[:i] + value[i + 1:]])
    return None if new in sub["enum"] else new


def enum_case(_, sub, value):
    new = value.swapcase()
    return None if value not in sub.get("enum", []) or new in sub["enum"] else new


def enum_other(_, sub, value):
    return "zq" if value in sub.get("enum", []) else None


def python(value):
    text = repr(value)
    try:
        json.loads(text)
    except ValueError:
        return text
    return None


def joined(_, __, value):
    return ", ".join(value) if texts(value) and len(value) > 1 else None


number_text = value_kind((int, float), ["integer", "number"], lambda r, s, v: json.dumps(v)
                         if not isinstance(v, bool) else None)
number_word = value_kind((int, float), ["integer", "number"], lambda r, s, v: "several"
                         if not isinstance(v, bool) else None)
number_unit = value_kind((int, float), ["integer", "number"], lambda r, s, v: f"{v} units"
                         if not isinstance(v, bool) else None)
integer_fraction = value_kind(int, ["integer"], lambda r, s, v: v + 0.5 if not isinstance(v, bool) else None)
number_list = value_kind((int, float), ["integer", "number"], lambda r, s, v: [v]
                         if not isinstance(v, bool) else None)
boolean_text = value_kind(bool, ["boolean"], lambda r, s, v: json.dumps(v))
boolean_python = value_kind(bool, ["boolean"], lambda r, s, v: str(v))
boolean_word = value_kind(bool, ["boolean"], lambda r, s, v: "yes" if v else "no")
boolean_number = value_kind(bool, ["boolean"], lambda r, s, v: int(v))
text_number = value_kind(str, ["string"], lambda r, s, v: 7)
text_list = value_kind(str, ["string"], lambda r, s, v: [v])
text_object = value_kind(str, ["string"], lambda r, s, v: {"value": v})
enum_misspelt = value_kind(str, ["string"], misspelt)
enum_case = value_kind(str, ["string"], enum_case)
enum_other = value_kind(str, ["string"], enum_other)
list_json = value_kind(list, ["array"], lambda r, s, v: json.dumps(v))
list_python = value_kind(list, ["array"], lambda r, s, v: python(v))
list_twice = value_kind(list, ["array"], lambda r, s, v: json.dumps(json.dumps(v)))
list_cut = value_kind(list, ["array"], lambda r, s, v: json.dumps(v)[:-1] if v else None)
list_commas = value_kind(list, ["array"], joined)
list_lines = value_kind(list, ["array"], lambda r, s, v: "\n".join(v) if texts(v) and len(v) > 1 else None)
list_item = value_kind(list, ["array"], lambda r, s, v: v[0] if len(v) == 1 and not isinstance(v[0], list) and not (
    isinstance(v[0], str) and re.search(r"[,;|\n]", v[0])) else None)
list_member = value_kind(list, ["array"], lambda r, s, v: {"items": v})
list_null = value_kind(list, ["array"], lambda r, s, v: "null")
items_text = value_kind(list, ["array"], lambda r, s, v: [json.dumps(x) for x in v]
                        if v and all(map(mutate_number, v)) else None)
object_json = value_kind(dict, ["object"], lambda r, s, v: json.dumps(v))
object_python = value_kind(dict, ["object"], lambda r, s, v: python(v))
object_cut = value_kind(dict, ["object"], lambda r, s, v: json.dumps(v)[:-1] if v else None)
object_list = value_kind(dict, ["object"], lambda r, s, v: [v])


def optional_null(rng, schema, call):
    """A member that should be left out."""
    found = [p + (n,) for p, s, v in sites(schema, call, dict) for n in s.get("properties", {})
             if n not in s.get("required", [])]
    path = pick(rng, found)
    if path is None:
        return None
    meant = without(call, path) if path[-1] in mutate.at(call, path[:-1]) else call
    return schema, changed(meant, path, None), meant


def required_null(rng, schema, call):
    path = members(rng, schema, call, True)
    return None if path is None else (schema, changed(call, path, None), call)


# -- Calls -----------------------------------------------------------------------------------------

def wrapped(rng, schema, call):
    name = rng.choice(["arguments", "input", "args", "parameters", "params"])
    return None if name in schema.get("properties", {}) or not call else (schema, {name: call}, call)


def wrapped_text(rng, schema, call):
    made = wrapped(rng, schema, call)
    return made and (schema, {k: json.dumps(v) for k, v in made[1].items()}, call)


def wrapped_named(rng, schema, call):
    made = wrapped(rng, schema, call)
    return None if made is None or "name" in schema.get("properties", {}) else (
        schema, {"name": "a_tool", "arguments": call}, call)


def whole_text(_, schema, call):
    return schema, json.dumps(call), call


def whole_list(_, schema, call):
    return schema, [call], call


def tag(rng, schema, call, change):
    found = [p + ("kind",) for p, s, v in sites(schema, call, dict) if "oneOf" in s and "kind" in v]
    path = pick(rng, found)
    return None if path is None else (schema, change(path), call)


def wrong_tag(rng, schema, call):
    return tag(rng, schema, call, lambda p: changed(call, p, mutate.at(call, p) + "x"))


def missing_tag(rng, schema, call):
    return tag(rng, schema, call, lambda p: without(call, p))


def flattened(rng, schema, call):
    """The members of an inner object stand beside it."""
    found = [(p, s, v) for p, s, v in sites(schema, call, dict) if p and isinstance(p[-1], str) and v]
    chosen = pick(rng, found)
    if chosen is None:
        return None
    path, _, value = chosen
    mutant = without(call, path)
    parent = mutate.at(mutant, path[:-1])
    if parent.keys() & value.keys():
        return None
    parent.update(value)
    return schema, mutant, call


KINDS = [v for k, v in list(globals().items()) if callable(v) and k in """
required_case required_dropped required_swapped required_plural required_prefix required_suffix required_other
optional_case optional_dropped optional_plural drop_required add_unknown add_near rename_two rename_and_quote
drop_and_add drop_default beside_then beside_dependent beside_all_of beside_any_of beside_pattern from_outside
number_text number_word number_unit integer_fraction number_list boolean_text boolean_python boolean_word
boolean_number text_number text_list text_object enum_misspelt enum_case enum_other list_json list_python
list_twice list_cut list_commas list_lines list_item list_member list_null items_text object_json object_python
object_cut object_list optional_null required_null wrapped wrapped_text wrapped_named whole_text whole_list
wrong_tag missing_tag flattened
""".split()]
for _name, _kind in list(globals().items()):
    if _kind in KINDS if callable(_kind) else False:
        _kind.__name__ = _name


def make(kind, rng, schema, call):
    """The cases of one kind for a call: none or one."""
    case = kind(rng, schema, call)
    if case is not None and case[1] is not None:
        yield case
