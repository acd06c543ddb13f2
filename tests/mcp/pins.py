#!/usr/bin/env python3
"""Pins against a model of RFC 8785, with exact numbers, and Python's SHA-256.

usage: pins.py CUPEL

Digests of real catalogs, where there are any; of numbers of all sizes; and of members whose names
sort otherwise in UTF-16 than in UTF-8.
"""
import decimal
import hashlib
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402

FIELDS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
EXACT = decimal.Context(prec=2000)
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def number(value):
    """The exact value in the layout of ECMAScript's Number::toString."""
    parts = value.normalize(EXACT).as_tuple()
    digits = "".join(map(str, parts.digits)).strip("0")
    point = len(parts.digits) + parts.exponent
    if not digits:
        return "0"
    sign = "-" if value < 0 else ""
    if point > 21 or point <= -6:
        fraction = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point < len(digits):
        return f"{sign}{digits[:point]}.{digits[point:]}"
    return sign + digits + "0" * (point - len(digits))


def string(text):
    return '"' + "".join(ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c)
                         for c in text) + '"'


def canonical(value):
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, decimal.Decimal):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(f"{string(k)}:{canonical(value[k])}" for k in keys) + "}"


def digest(value):
    return "sha256:" + hashlib.sha256(canonical(value).encode()).hexdigest()


PARTS = ("semantic", "text", "inputSchema", "outputSchema", "annotations", "other")


def pin_of_parts(pin):
    """`all`: a digest of those of the parts."""
    data = b"cupel pin 2".ljust(16, b"\0")
    for part in PARTS:
        value = pin[part]
        data += b"\0" * 33 if value is None else b"\1" + bytes.fromhex(value.removeprefix("sha256:"))
    return "sha256:" + hashlib.sha256(data).hexdigest()


def pins(cupel, path):
    out = subprocess.run([cupel, "tools", "pin", str(path)], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    lock = json.loads(out)
    body = out[out.index('"tools":['):]
    if lock["digest"] != "sha256:" + hashlib.sha256(body.encode()).hexdigest():
        raise ValueError(f"{path}: the digest of the lock")
    return lock["tools"]


def check(cupel, path):
    """(passed, failed) of the tools of a catalog."""
    found = pins(cupel, path)
    tools = json.loads(path.read_text(encoding="utf-8"), parse_int=decimal.Decimal,
                       parse_float=decimal.Decimal)["tools"]
    failed = len(tools) != len(found)
    for tool, pin in zip(tools, found):
        want = {"all": pin_of_parts(pin), "name": tool["name"]}
        others = {k: v for k, v in tool.items() if k not in FIELDS}
        want["other"] = digest(others) if others else None
        for part in ("inputSchema", "outputSchema", "annotations"):
            want[part] = digest(tool[part]) if part in tool else None
        if any(pin[part] != want[part] for part in want):
            failed += 1
            print(f"{path.name}: {tool['name']}: {pin}")
    return max(len(tools) - failed, 0), failed


def numbers(rng):
    """Texts of numbers: of random bits, of few digits, and near what is hard."""
    for _ in range(3000):
        value = struct.unpack("<d", rng.randbytes(8))[0]
        if value == value and abs(value) != float("inf"):
            yield repr(value)
            yield f"{value:.20e}"
        yield f"{rng.randrange(10 ** rng.randrange(1, 30))}e{rng.randrange(-330, 280)}"
        yield f"{rng.random():.{rng.randrange(1, 22)}f}"
    for n in range(48, 72):
        for around in (-3, -2, -1, 0, 1, 2, 3):
            yield str(2 ** n + around)
    yield from ("0", "-0", "-0.0", "1e21", "1e20", "123456789012345678901", "1e-6", "1e-7", "5e-324",
                "2.2250738585072014e-308", "1.7976931348623157e308", "333333333.33333329", "1E30",
                "4.50", "2e-3", "0.000000000000000000000000001", "9007199254740993", "1.0", "-1.5E+1",
                "1e400", "-10e399", "1e-400", "1e0000000001", "1e-00000000000000000002", "0e999999999999",
                "1.00000000000000000001", "0.1000000000000000055511151231257827", "4.9e-324", "5e-324")


def catalog_of(rng):
    texts = list(numbers(rng))
    tools = [f'{{"name":"n{i}","inputSchema":{{"type":"object","examples":[{",".join(texts[i:i + 9])}]}}}}'
             for i in range(0, len(texts), 9)]
    names = ["\U0001f600", "\ue000", "\uffff", "\u00e9", "a", "B", "\ufb01", "\U0010ffff", "\r", "1", ""]
    for _ in range(50):
        rng.shuffle(names)
        tools.append(json.dumps({"name": "keys", "inputSchema": {
            "type": "object", "examples": {name: "\u0001\u007f\u20ac/\"\\" for name in names}}},
            ensure_ascii=rng.random() < 0.5))
    return '{"tools":[' + ",".join(tools) + "]}"


def main():
    cupel, counts = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "made.json")
        path.write_text(catalog_of(random.Random(7)), encoding="utf-8")
        counts.append(check(cupel, path))
    real = corpora.folder("mcp-tools")
    for path in sorted(real.glob("*.json")) if real is not None else ():
        counts.append(check(cupel, path))
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
