#!/usr/bin/env python3
"""Makes the documents that a release build is trained with.

usage: make.py FOLDER

For each schema beside this file FOLDER gets a folder with schema.json and instances.jsonl.  The
documents are random but the same each time.  Strings are picked from `examples`, names of members of a
map from those of its `propertyNames`.  Members come in the order of the schema or in any, the
text without white space or with some; every twentieth document is changed in one place, mostly into a mistake.
"""
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = 400
DEEPEST = 6


class Sampler:
    """Makes values that a schema allows, of the keywords that the schemas here use."""

    def __init__(self, root, rng):
        self.root, self.rng, self.depth = root, rng, 0

    def resolve(self, schema):
        while isinstance(schema, dict) and "$ref" in schema:
            target = self.root
            for token in schema["$ref"].split("/")[1:]:
                target = target[token]
            schema = target
        return schema

    def value(self, schema):
        schema = self.resolve(schema)
        if schema is True:
            return self.rng.choice([True, "any", 3, {"a": [1]}])
        self.depth += 1
        made = self.of_schema(schema)
        self.depth -= 1
        return made

    def of_schema(self, schema):
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        choice = schema.get("oneOf") or schema.get("anyOf")
        if choice and "type" not in schema:
            # What is deep ends with a branch that does not lead further.
            return self.value(choice[-1] if self.depth > DEEPEST else self.rng.choice(choice))
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = self.rng.choice(kind)
        return getattr(self, kind)(schema)

    def null(self, _schema):
        return None

    def boolean(self, _schema):
        return self.rng.random() < 0.5

    def integer(self, schema):
        return self.rng.randint(schema.get("minimum", 1), schema.get("maximum", 100000))

    def number(self, schema):
        low, high = schema.get("minimum", -1000), schema.get("maximum", 1000)
        return round(self.rng.uniform(low, high), self.rng.randint(0, 12))

    def string(self, schema):
        return self.rng.choice(schema.get("examples", ["text"]))

    def array(self, schema):
        first = [self.value(s) for s in schema.get("prefixItems", [])]
        least = max(0, schema.get("minItems", 0) - len(first))
        most = schema.get("maxItems", least + self.rng.choice([0, 1, 2, 3, 8]))
        rest = [self.value(schema.get("items", True)) for _ in range(max(least, most))]
        made = first + rest
        if "contains" in schema:
            made.append(self.value(schema["contains"]))
        if schema.get("uniqueItems"):
            made = [x for i, x in enumerate(made) if x not in made[:i]]
        return made

    def object(self, schema):
        made = self.members(schema)
        for part in schema.get("allOf", []):
            if "if" not in part:
                made.update(self.value(part))
        for branch in schema.get("anyOf", [])[:1]:
            for name in branch.get("required", []):
                made.setdefault(name, self.value(schema["properties"][name]))
        # What the `if`s of presets ask for.
        if made.get("kind") == "file":
            made["path"] = "/srv/data"
        if made.get("kind") in ("number", "text"):
            made["value"] = 1 if made["kind"] == "number" else "t"
        if "value" not in made:
            made.pop("minimum", None)
        return made

    def members(self, schema):
        properties, required = schema.get("properties", {}), schema.get("required", [])
        share = self.rng.choice([0.2, 0.5, 0.9])
        made = {name: self.value(s) for name, s in properties.items()
                if name in required or self.rng.random() < share}
        names = schema.get("propertyNames", {}).get("examples", [])
        other = next(iter(schema.get("patternProperties", {}).values()), True) \
            if schema.get("additionalProperties") is False else schema.get("additionalProperties", True)
        for name in self.rng.sample(names, self.rng.randint(min(1, len(names)), len(names))):
            made.setdefault(name, self.value(other))
        if self.rng.random() < 0.5:
            items = list(made.items())
            self.rng.shuffle(items)
            made = dict(items)
        return made


def spoil(value, rng):
    """The same with a mistake somewhere."""
    if isinstance(value, dict) and value:
        name = rng.choice(list(value))
        if rng.random() < 0.3:
            return {(k + "q" if k == name else k): v for k, v in value.items()}
        return {**value, name: spoil(value[name], rng)}
    if isinstance(value, list) and value:
        return [spoil(value[0], rng)] + value[1:]
    return rng.choice([None, 7, "seven", [1], {"zq": 1}])


def text_of(value, rng):
    style = rng.choice([{"separators": (",", ":")}, {"separators": (",", ":")}, {}])
    return json.dumps(value, ensure_ascii=rng.random() < 0.3, **style)


def main():
    for path in sorted(HERE.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        rng = random.Random(path.stem)
        sampler = Sampler(schema, rng)
        folder = pathlib.Path(sys.argv[1]) / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
        with open(folder / "instances.jsonl", "w", encoding="utf-8") as out:
            for i in range(DOCUMENTS):
                made = sampler.value(schema)
                out.write(text_of(spoil(made, rng) if i % 20 == 0 else made, rng) + "\n")


main()
