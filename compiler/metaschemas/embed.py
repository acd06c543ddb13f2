#!/usr/bin/env python3
"""Makes C of the meta-schemas: usage: embed.py OUTPUT FILE.json…

Each file becomes a line `M("its URI", "its text, without white space between tokens")`.
"""
import json
import sys


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    lines = []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as f:
            schema = json.load(f)
        uri = schema.get("$id", schema.get("id")).rstrip("#")
        text = json.dumps(schema, separators=(",", ":"), ensure_ascii=True)
        lines.append(f"M({literal(uri)}, {literal(text)})\n")
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.writelines(lines)


main()
