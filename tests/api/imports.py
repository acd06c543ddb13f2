#!/usr/bin/env python3
"""Checks what docs/hosts.md, "Process", promises and what the imports and variables of a library show.

usage: imports.py NM LIBRARY PROJECT_ROOT

  - The library imports only the functions below: none that depends on the locale (strtod, isalpha, …), installs handlers
    or changes masks of signals, makes threads or processes, opens files or connections, or changes floating-point modes.
  - It has no variables that change, except those that the compiler adds.
  - No format of printf in it writes a floating-point number, whose decimal point would depend on the locale.
"""
import pathlib
import re
import subprocess
import sys

ALLOWED = set("""free getrandom memchr memcmp memcpy memmove memset qsort realloc snprintf strchr strcmp strcpy strcspn strlen
    strncmp strncpy strpbrk strspn strstr vsnprintf""".split())
LIBRARIES = re.compile(r"(pcre2|nettle|idn2)_\w+")
OF_THE_COMPILER = re.compile(r"_ITM_\w+|__cxa_finalize|__gmon_start__|__\w+_chk|__stack_chk_fail")
VARIABLES_OF_THE_COMPILER = re.compile(r"__cpu_\w+|completed\.\d+|__dso_handle|__TMC_END__|__bss_start|_edata|_end")
FLOATING = re.compile(r"%[-+ #0-9.*']*(?:L|l)?[aefgAEFG](?![a-z])")
ROOMS = ("base", "vm", "compiler", "messages", "mcp")


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def check_imports(nm, library):
    names = {line.split()[-1].split("@")[0] for line in output(nm, "-D", "--undefined-only", library).splitlines()}
    return len(names), [f"{library} imports {n}" for n in sorted(names)
                        if n not in ALLOWED and not LIBRARIES.fullmatch(n) and not OF_THE_COMPILER.fullmatch(n)]


def check_variables(nm, library):
    """In sysv format the last column is the section; constants with relocations are in .data.rel.ro."""
    checked, wrong = 0, []
    for line in output(nm, "--format=sysv", library).splitlines():
        fields = [f.strip() for f in line.split("|")]
        if len(fields) < 7 or fields[6] not in (".data", ".bss", ".tbss", ".tdata"):
            continue
        checked += 1
        if not VARIABLES_OF_THE_COMPILER.fullmatch(fields[0]):
            wrong.append(f"{library} has the variable {fields[0]}")
    return checked, wrong


def check_formats(root):
    checked, wrong = 0, []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.c")):
            for call in re.findall(r"(?:printf|_addf)\(([^;]*?)\);", path.read_text(encoding="utf-8"), re.DOTALL):
                checked += 1
                if any(FLOATING.search(text) for text in re.findall(r'"((?:\\.|[^"\\])*)"', call)):
                    wrong.append(f"{path.relative_to(root)}: a floating-point format in {call[:60]!r}")
    return checked, wrong


def main():
    nm, library, root = sys.argv[1:]
    checked, wrong = 0, []
    for count, found in (check_imports(nm, library), check_variables(nm, library), check_formats(pathlib.Path(root))):
        checked += count
        wrong += found
    for line in wrong:
        print(line)
    print(f"{checked - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or checked < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
