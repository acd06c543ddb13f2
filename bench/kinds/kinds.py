"""Kinds of JSON text that public data sets lack, each by what varies in it.

kinds() yields a Kind with a name, documents, and how they are written.  Everything follows from one
seed.  schemas_of() infers three schemas from the values of a kind: one that looks at all of them, one
that looks at some, and one that looks at the root alone.  spoil() makes a document invalid at its last
scalar.
"""
import base64
import json
import random
import string

SMALL = 300_000  # bytes of the documents of a kind, about


class Kind:
    def __init__(self, name, values, write=None, unique=()):
        self.name = name
        self.values = values
        self.write = write or compact
        self.unique = unique  # names of members whose arrays are checked with uniqueItems


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def ascii_only(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def spaced(value):
    """Indented by eight columns; tabs stand in for line ends, since a document is a line."""
    return json.dumps(value, indent=8, ensure_ascii=False).replace("\n", "\t")


def all_escaped(value):
    """Every character of a string that is a value as \\uXXXX."""
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + all_escaped(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(all_escaped, value)) + "]"
    if isinstance(value, str):
        units = value.encode("utf-16-be")
        return '"' + "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}"
                             for i in range(0, len(units), 2)) + '"'
    return json.dumps(value)


# -- Parts -----------------------------------------------------------------------------------------


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def word(self, low=2, high=10):
        return "".join(self.r.choices(string.ascii_lowercase, k=self.r.randint(low, high)))

    def prose(self, length):
        text = ""
        while len(text) < length:
            text += self.word() + self.r.choice([" ", " ", " ", ", ", ". "])
        return text[:length]

    def script(self, first, count, length):
        return "".join(chr(first + self.r.randrange(count)) if self.r.random() < .85 else " "
                       for _ in range(length))

    def code(self, lines):
        forms = ['    if (%s == "%s") {\n', '\treturn %s["%s"];\n', 'printf("%s: \\"%s\\"\\n");\n',
                 "for %s in '%s':\n", "}\n\n"]
        text = ""
        for _ in range(lines):
            form = self.r.choice(forms)
            text += form % tuple(self.word() for _ in range(form.count("%s")))
        return text

    def hex(self, length):
        return "".join(self.r.choices("0123456789abcdef", k=length))

    def uuid(self):
        return "-".join(self.hex(n) for n in (8, 4, 4, 4, 12))

    def time(self):
        return "2026-%02d-%02dT%02d:%02d:%02d.%03dZ" % tuple(
            self.r.randrange(a, b) for a, b in ((1, 13), (1, 29), (0, 24), (0, 60), (0, 60), (0, 1000)))

    def many(self, make, bytes_wanted=SMALL):
        values, size = [], 0
        while size < bytes_wanted:
            values.append(make())
            size += len(compact(values[-1]))
        return values


# -- Kinds -----------------------------------------------------------------------------------------


def strings(m):
    yield Kind("strings of 4 bytes", m.many(lambda: {"a": [m.word(4, 4) for _ in range(100)]}))
    yield Kind("strings of 40 bytes", m.many(lambda: {"a": [m.prose(40) for _ in range(50)]}))
    yield Kind("strings of 4,000 bytes", m.many(lambda: {"text": m.prose(4000)}))
    yield Kind("all escaped", m.many(lambda: {"id": 1, "text": m.prose(400)}, SMALL // 6), all_escaped)
    yield Kind("escapes mixed", m.many(lambda: {"id": 1, "text": "".join(
        m.word() + m.r.choice([" ", "é", "ü ", "ß", " – "]) for _ in range(80))}, SMALL // 2), ascii_only)
    yield Kind("surrogate pairs", m.many(
        lambda: {"id": 1, "text": m.script(0x1f300, 500, 200)}, SMALL // 3), ascii_only)
    yield Kind("short escapes in prose", m.many(lambda: {"body": "\n".join(
        f'"{m.prose(m.r.randint(20, 90))}"' for _ in range(20))}))
    yield Kind("code in strings", m.many(lambda: {"path": m.word() + ".c", "content": m.code(60)}))
    for name, first, count in (("Cyrillic", 0x430, 32), ("Chinese", 0x4e00, 5000), ("emoji", 0x1f300, 500)):
        yield Kind(name, m.many(lambda f=first, c=count: {"t": [m.script(f, c, 60) for _ in range(12)]},
                                SMALL // 2))
    yield Kind("base64 images", m.many(lambda: {"type": "image", "mimeType": "image/png",
               "data": base64.b64encode(m.r.randbytes(30000)).decode()}))


def numbers(m):
    r = m.r
    yield Kind("integers", m.many(lambda: {"a": [r.randrange(10 ** r.randint(1, 9)) for _ in range(200)]}))
    yield Kind("integers of 15 digits", m.many(lambda: {"a": [r.randrange(10 ** 15) for _ in range(200)]}))
    yield Kind("prices", m.many(lambda: {"a": [round(r.uniform(0, 2000), 2) for _ in range(200)]}))
    yield Kind("floats of 17 digits", m.many(lambda: {"a": [r.random() for _ in range(200)]}))
    yield Kind("exponents", m.many(lambda: {"a": [float(f"{r.uniform(1, 10):.6e}") *
                                                 10.0 ** r.randint(-30, -6) for _ in range(200)]}))
    yield Kind("embeddings", m.many(lambda: {"object": "embedding", "index": 0,
                                             "embedding": [r.gauss(0, .02) for _ in range(1536)]}))
    yield Kind("GeoJSON", m.many(lambda: {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": m.word(), "area": r.randrange(10000)},
         "geometry": {"type": "Polygon", "coordinates": [
             [[round(r.uniform(-180, 180), 6), round(r.uniform(-90, 90), 6)] for _ in range(40)]]}}
        for _ in range(5)]}))


def shapes(m):
    r = m.r
    yield Kind("20 bytes", m.many(lambda: {"q": m.word(4, 10)}, SMALL // 10))
    yield Kind("200 bytes", m.many(lambda: {m_: m.prose(15) for m_ in
                                           ("title", "owner", "repo", "branch", "path", "sha")}))
    yield Kind("wide objects", m.many(lambda: {f"field_{i}_{'x' * (i % 9)}": r.randrange(100)
                                               for i in r.sample(range(300), 250)}))
    yield Kind("map of random names", m.many(lambda: {"m": {m.hex(16): r.randrange(9) for _ in range(100)}}))
    yield Kind("long names", m.many(lambda: {"the_name_of_this_member_is_rather_long_" + "x" * 40 + str(i): i
                                             for i in range(20)}))

    def nest(depth):
        return {"v": depth} if depth == 0 else {"v": depth, "child": nest(depth - 1)}
    yield Kind("deep", m.many(lambda: nest(60)))
    yield Kind("records, names repeated", m.many(lambda: {"rows": [
        {"id": i, "name": m.word(), "active": r.random() < .5, "score": r.randrange(100)} for i in range(50)]}))
    yield Kind("white space", m.many(lambda: {"rows": [{"id": i, "tags": [m.word() for _ in range(3)]}
                                                       for i in range(20)]}, SMALL // 4), spaced)

    def shuffled():
        names = [f"p{i}" for i in range(30)]
        r.shuffle(names)
        return {n: m.word() for n in names}
    yield Kind("members in any order", m.many(shuffled))
    yield Kind("literals", m.many(lambda: {"a": [r.choice([True, False, None]) for _ in range(200)]}))
    yield Kind("1 MB of records", [{"rows": [{"id": i, "name": m.word(), "at": m.time(), "v": r.randrange(10 ** 6)}
                                             for i in range(14000)]}])


def unique(m):
    r = m.r
    yield Kind("unique numbers", m.many(lambda: {"u": r.sample(range(10 ** 9), 2000)}), unique=("u",))
    yield Kind("unique strings", m.many(lambda: {"u": [m.uuid() for _ in range(1000)]}), unique=("u",))
    yield Kind("unique objects", m.many(lambda: {"u": [
        {"id": i, "name": m.word(), "group": r.randrange(4)} for i in range(1000)]}), unique=("u",))
    yield Kind("unique tags, few", m.many(lambda: {"u": r.sample(range(1000), 12)}, SMALL // 4),
               unique=("u",))


def documents(m):
    r = m.r
    yield Kind("MCP calls", m.many(lambda: {"jsonrpc": "2.0", "id": r.randrange(1000), "method": "tools/call",
               "params": {"name": m.word(), "arguments": {"path": "/" + m.word(), "recursive": True,
                                                          "limit": r.randrange(100)}}}))
    yield Kind("chat messages", m.many(lambda: {"model": m.word(), "messages": [
        {"role": r.choice(["user", "assistant"]), "content": m.prose(r.randint(30, 800)) + "\n\n"}
        for _ in range(8)], "temperature": .7}))
    yield Kind("logs", m.many(lambda: {"time": m.time(), "level": r.choice(["info", "warn", "error"]),
               "msg": m.prose(60), "caller": m.word() + ".go:%d" % r.randrange(900),
               "trace": m.hex(32), "ms": round(r.uniform(0, 90), 3)}))
    yield Kind("OpenAPI", m.many(lambda: {"openapi": "3.1.0", "info": {"title": m.word(), "version": "1"},
               "paths": {f"/{m.word()}/{{{m.word()}}}": {"get": {
                   "operationId": m.word(), "tags": [m.word()], "parameters": [
                       {"name": m.word(), "in": "query", "required": False, "schema": {"type": "string"}}],
                   "responses": {"200": {"description": m.prose(40)}}}} for _ in range(40)}}))
    yield Kind("SBOM", m.many(lambda: {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
               "serialNumber": "urn:uuid:" + m.uuid(), "components": [
                   {"type": "library", "bom-ref": f"pkg:npm/{m.word()}@{i}", "name": m.word(),
                    "version": f"{i}.{i % 7}.0", "purl": f"pkg:npm/{m.word()}@{i}",
                    "hashes": [{"alg": "SHA-256", "content": m.hex(64)}],
                    "licenses": [{"license": {"id": "MIT"}}]} for i in range(200)]}),
               unique=("components",))
    yield Kind("notebooks", m.many(lambda: {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "code", "id": m.hex(8), "execution_count": i, "metadata": {}, "outputs": [],
         "source": m.code(8).splitlines(True)} for i in range(20)]}))
    yield Kind("FHIR", m.many(lambda: {"resourceType": "Bundle", "type": "collection", "entry": [
        {"fullUrl": "urn:uuid:" + m.uuid(), "resource": {
            "resourceType": "Observation", "id": m.uuid(), "status": "final",
            "code": {"coding": [{"system": "http://loinc.org", "code": f"{r.randrange(99999)}-1",
                                 "display": m.prose(20)}]},
            "effectiveDateTime": m.time(),
            "valueQuantity": {"value": round(r.uniform(1, 200), 1), "unit": "mg/dL"}}} for _ in range(20)]}))
    yield Kind("Kubernetes", m.many(lambda: {"apiVersion": "apps/v1", "kind": "Deployment",
               "metadata": {"name": m.word(), "labels": {"app": m.word()}},
               "spec": {"replicas": r.randrange(9), "selector": {"matchLabels": {"app": m.word()}},
                        "template": {"spec": {"containers": [
                            {"name": m.word(), "image": f"{m.word()}/{m.word()}:1", "ports": [
                                {"containerPort": r.randrange(65536)}],
                             "env": [{"name": m.word().upper(), "value": m.word()} for _ in range(6)]}
                            for _ in range(2)]}}}}))


def kinds(seed=1):
    for family in (strings, numbers, shapes, unique, documents):
        yield from family(Maker(f"{seed} {family.__name__}"))


# -- Schemas ---------------------------------------------------------------------------------------

TYPES = [(bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"),
         (dict, "object"), (type(None), "null")]
MANY_NAMES = 400


def type_of(value):
    return next(name for kind, name in TYPES if isinstance(value, kind))


def infer(values, unique, name=None):
    """A schema that looks at every value and that all of these pass."""
    types = sorted(set(map(type_of, values)))
    if types in (["integer", "number"], ["number"], ["integer"]):
        return {"type": "number" if "number" in types else "integer",
                "minimum": int(min(values)) - 1, "maximum": int(max(values)) + 1}
    if len(types) > 1:
        return {"type": types}
    if types == ["string"]:
        return {"type": "string", "minLength": min(map(len, values)), "maxLength": 2 * max(map(len, values))}
    if types == ["array"]:
        items = [item for value in values for item in value]
        schema = {"type": "array", "maxItems": 2 * max(map(len, values))}
        if items:
            schema["items"] = infer(items, unique)
        if name in unique:
            schema["uniqueItems"] = True
        return schema
    if types == ["object"]:
        return infer_object(values, unique)
    return {"type": types[0]}


def infer_object(values, unique):
    names = list(dict.fromkeys(name for value in values for name in value))
    if len(names) > MANY_NAMES:
        return {"type": "object", "additionalProperties": infer(
            [member for value in values for member in value.values()], unique)}
    return {"type": "object", "additionalProperties": False,
            "required": [name for name in names if all(name in value for value in values)],
            "properties": {name: infer([value[name] for value in values if name in value], unique, name)
                           for name in names}}


def schemas_of(kind):
    """Name to schema: what looks at all, at the root's first member, at the root alone."""
    everything = infer(kind.values, kind.unique)
    some = {"type": "object"}
    if "properties" in everything:
        first = next(iter(everything["properties"]))
        some["properties"] = {first: {"type": everything["properties"][first]["type"]}}
        some["required"] = everything["required"][:1]
    return {"all": everything, "some": some, "none": {"type": "object"}}


def spoil(value):
    """A copy whose last scalar has another type."""
    if isinstance(value, dict) and value:
        last = list(value)[-1]
        return value | {last: spoil(value[last])}
    if isinstance(value, list) and value:
        return value[:-1] + [spoil(value[-1])]
    return 12345 if isinstance(value, str) else "another type"
