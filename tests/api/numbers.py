#!/usr/bin/env python3
"""Holds the numbers of the public enumerations to a checked-in list: they keep their meaning for ever.

usage: numbers.py [--bless] CC INCLUDE_DIRECTORY LIST

The list has a line `NAME NUMBER` for each enumerator of the public headers.  A new one is added by --bless; one that
disappears or changes fails the run, also with --bless: remove its line by hand if it was never released.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Names in debug.h may change with any version, apart from the numbers of flags.
SKIP = re.compile(r"^CUPEL__|^CUPEL_PASS_|^CUPEL_LIMIT_EXTRA$")


def names_in(cc, include):
    """The enumerators of all headers, after the preprocessor has expanded the .def files."""
    run = subprocess.run(cc + ["-E", "-P", "-I", include, "-"], input="#include <cupel/cupel.h>\n#include <cupel/debug.h>\n", text=True,
                         check=True, stdout=subprocess.PIPE)
    for body in re.findall(r"\benum\b[^{};]*\{([^}]*)\}", run.stdout):
        for part in body.split(","):
            name = part.split("=")[0].strip()
            if re.fullmatch(r"CUPEL_\w+", name) and not SKIP.match(name):
                yield name


def numbers_of(cc, include, names):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "n.c"), pathlib.Path(folder, "n")
        lines = "".join(f'    printf("{n} %lld\\n", (long long){n});\n' for n in names)
        source.write_text(f"#include <cupel/cupel.h>\n#include <cupel/debug.h>\n#include <stdio.h>\nint main(void)\n{{\n{lines}    return 0;\n}}\n")
        subprocess.run(cc + ["-c", "-I", include, "-o", f"{program}.o", source], check=True)
        subprocess.run(cc + ["-o", program, f"{program}.o"], check=True)
        out = subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE).stdout
    return dict(line.split() for line in out.splitlines())


def main():
    args = [a for a in sys.argv[1:] if a != "--bless"]
    cc, include, path = args[0].split(), args[1], pathlib.Path(args[2])
    have = numbers_of(cc, include, sorted(set(names_in(cc, include))))
    want = dict(line.split() for line in path.read_text().splitlines()) if path.exists() else {}
    wrong = [f"{n}: {want[n]} in {path.name}, {have.get(n, 'absent')} in the headers" for n in want
             if have.get(n) != want[n]]
    if "--bless" in sys.argv and not wrong:
        path.write_text("".join(f"{n} {v}\n" for n, v in sorted(have.items(), key=lambda i: i[0])))
    elif "--bless" not in sys.argv:
        wrong += [f"{n}: not in {path.name}" for n in have if n not in want]
    for line in wrong:
        print(line)
    print(f"{len(have) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not have else 0


if __name__ == "__main__":
    sys.exit(main())
