#!/usr/bin/env python3
"""Every word that a gateway can give as a reason or a verdict is known to `cupel explain`, and listed in docs/rules.md.

usage: check_reasons.py PROJECT_ROOT CUPEL

Reasons are string literals, so all literals of the gateways that could be one, words in lower case with hyphens or
names of statuses, are collected: each is either known to `cupel explain` or one of OTHER, the words that are used
for something else.  In libcupel those count that are assigned to a `reason`.
"""
import pathlib
import re
import subprocess
import sys

# Fields of HTTP and their values, members and values of messages, arguments of directives, and names that keys and
# shared zones are made of.
OTHER = set("""
accept accept-ranges age authorization cache-control cdn-cache-control charset content-digest content-disposition
content-language content-length content-location content-md5 content-range cookie digest etag expires host identity
last-event-id last-modified link location mcp-method mcp-name mcp-protocol-version mcp-session-id no-store pragma refresh
repr-digest signature signature-input trailer unencoded-digest utf-8 vary x-http-method x-http-method-override
x-method-override POST

action annotations arguments content cursor data error id jsonrpc method null params result resulttype task tools uri

any auto count cupel enforce exact fetch hide learn off on pass refuse report require shared

address attribution caller catalog counter gauge group input key list owner program question reader request session
learned refused default
""".split())

WORD = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*|[A-Z]+(_[A-Z]+)*")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def code(path):
    """The text of a file without comments and preprocessor lines."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def collect(root):
    """(word, file) of each literal that may be a reason."""
    for path in sorted((root / "gateways").rglob("*.c")):
        for literal in LITERAL.findall(code(path)):
            if WORD.fullmatch(literal):
                yield literal, path.name
    for path in sorted((root / "mcp").rglob("*.c")):
        for statement in re.findall(r"\breason = ([^;]*);", code(path)):
            for literal in LITERAL.findall(statement):
                if literal:
                    yield literal, path.name


def main():
    root, cupel = pathlib.Path(sys.argv[1]), sys.argv[2]
    listed = set(re.findall(r"^\| `(.*?)` \|", (root / "docs" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE))
    words, failed = {}, []
    for word, name in collect(root):
        words.setdefault(word, name)
    for word, name in sorted(words.items()):
        known = subprocess.run([cupel, "explain", word], capture_output=True, text=True, check=False)
        if known.returncode != 0 and word not in OTHER:
            failed.append(f"{name}: {word}: cupel explain does not know it, and it is not in OTHER")
        if "of a gateway" in known.stdout and word.lower().replace("_", "-") not in listed:
            failed.append(f"{word}: not in docs/rules.md")
        if word in OTHER and known.returncode == 0 and "of a gateway" in known.stdout:
            failed.append(f"{word}: a word of gateways and in OTHER")
    used = set(words) | set(re.findall(r'"([a-z-]+)"', "".join(code(path) for path in (root / "mcp").rglob("*.c"))))
    for word in re.findall(r'^[WV]\("(.*?)"', (root / "cli" / "reasons.def").read_text(encoding="utf-8"), re.MULTILINE):
        if word not in used:
            failed.append(f"cli/reasons.def: {word}: no source gives it")
    print("\n".join(failed))
    print(f"{len(words) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


sys.exit(main())
