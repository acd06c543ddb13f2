"""The argument schema of 2025-10-09, written down a second time, plainly, as a model to test by.

It shares nothing with the library but the document.  `parse` gives the normal form, `check` the
messages; JSON is read with numbers as Decimal, so that nothing is rounded.
"""
import decimal
import json

decimal.getcontext().prec = 2000
ABOUT = ("schemaVersion", "$schema", "title", "description")
TYPES = {"string": "a string", "integer": "an integer", "float": "a number", "number": "a number",
         "boolean": "a boolean"}


class Refused(Exception):
    """The schema is not one."""


def loads(text):
    return json.loads(text, parse_int=decimal.Decimal, parse_float=decimal.Decimal)


def shortest(number):
    """A number's shortest text."""
    if number == 0:
        return "0"
    sign, digits, exponent = number.normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent
    minus = "-" if sign else ""
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{digits}"
    if 0 < point <= 21:
        whole, rest = digits[:point].ljust(point, "0"), digits[point:]
        return minus + whole + ("." + rest if rest else "")
    rest = "." + digits[1:] if digits[1:] else ""
    return f"{minus}{digits[0]}{rest}e{point - 1:+d}"


def form(value):
    """A scalar's string form; arrays and objects stand for themselves."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, decimal.Decimal):
        return shortest(value)
    return plain(value)


def plain(value):
    """An array or object as something that compares as JSON Schema does."""
    if isinstance(value, list):
        return ("list", tuple(map(plain, value)))
    if isinstance(value, dict):
        return ("dict", frozenset((k, plain(v)) for k, v in value.items()))
    return (type(value).__name__, value)


def is_number(value):
    return isinstance(value, decimal.Decimal)


def constraints(name, source, bounds):
    """The tests that an object asks for; all are looked at, bounds kept only if they reach a value."""
    kept = {}
    for key in ("minLength", "maxLength", "minimum", "maximum", "enum"):
        if key not in source:
            continue
        value = source[key]
        if key == "enum":
            good, asks = isinstance(value, list), "an array"
        elif key in ("minimum", "maximum"):
            good, asks = is_number(value), "a number"
        else:
            good = is_number(value) and value >= 0 and value == value.to_integral_value()
            asks = "a non-negative integer"
        if not good:
            raise Refused(f"schema field '{key}' of '{name}' must be {asks}")
        if bounds or key == "enum":
            kept[key] = value
    return kept


def read_property(name, source):
    kind, items = source.get("type"), source.get("items")
    array = kind == "array" or source.get("isArray") is True
    own_bounds = not array or source.get("isArray") is True
    if not array or not isinstance(items, dict):
        items = {}
    element = items["type"] if "type" in items else (None if kind == "array" else kind)
    sets = [constraints(name, items, True), constraints(name, source, own_bounds)]
    known = element if isinstance(element, str) and element in TYPES else None
    return {"required": source.get("required") is True, "array": array, "type": known,
            "sets": sets}


def parse(schema):
    """name -> property, in the order of messages."""
    if schema is None:
        return {}
    if not isinstance(schema, dict):
        raise Refused("schema must be an object")
    inner = schema.get("properties")
    if "properties" in schema:
        like = isinstance(inner, dict) and all(isinstance(v, dict) for v in inner.values())
    else:
        like = schema.get("type") == "object" or isinstance(schema.get("$schema"), str)
    source = (inner or {}) if like else schema
    found = {}
    for name, value in source.items():
        if not like and name in ABOUT and isinstance(value, str):
            continue
        if isinstance(value, dict):
            found[name] = read_property(name, value)
    if like and "required" in schema:
        names = schema["required"]
        if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
            raise Refused("schema field 'required' must be an array of strings")
        for name in names:
            empty = {"required": True, "array": False, "type": None, "sets": []}
            found.setdefault(name, empty)["required"] = True
    return found


def has_type(kind, value):
    if kind is None:
        return True
    if kind == "string":
        return isinstance(value, str)
    return isinstance(value, bool) if kind == "boolean" else is_number(value)


def check_value(prop, label, value):
    """The messages for one value, or one element."""
    if not has_type(prop["type"], value):
        return [f"argument '{label}' must be {TYPES[prop['type']]}"]
    tests = (
        ("minLength", str, lambda v, n: len(v) >= n, "string length must be >= {}"),
        ("maxLength", str, lambda v, n: len(v) <= n, "string length must be <= {}"),
        ("minimum", decimal.Decimal, lambda v, n: v >= n, "value must be >= {}"),
        ("maximum", decimal.Decimal, lambda v, n: v <= n, "value must be <= {}"),
    )
    said = []
    for key, of, holds, text in tests:
        for bounds in prop["sets"]:
            if key in bounds and isinstance(value, of) and not holds(value, bounds[key]):
                said.append(f"argument '{label}' " + text.format(shortest(bounds[key])))
    for bounds in prop["sets"]:
        if "enum" in bounds and form(value) not in [form(v) for v in bounds["enum"]]:
            said.append(f"argument '{label}' must be one of the enum values")
    return list(dict.fromkeys(said))


def check(properties, arguments):
    """Every message, in order."""
    arguments = {} if arguments is None else arguments
    if not isinstance(arguments, dict):
        return ["arguments must be an object"]
    said = []
    for name, prop in properties.items():
        if name not in arguments:
            if prop["required"]:
                said.append(f"missing required argument '{name}'")
            continue
        value = arguments[name]
        if not prop["array"]:
            said += check_value(prop, name, value)
        elif not isinstance(value, list):
            said.append(f"argument '{name}' must be an array")
        else:
            for i, element in enumerate(value):
                said += check_value(prop, f"{name}[{i}]", element)
    return said
