#!/usr/bin/env python3
"""Runs the tests of the Lua binding.

usage: run.py LIBRARY

LIBRARY is libcupel.so.  Needs LuaJIT; nginx with its Lua module and the corpora of ../shared where they
are, and says by name what it skips.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINDING = HERE.parent
ROOT = BINDING.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import corpora  # noqa: E402


class Run:
    """Runs programs that end with `N passed, N failed`, and adds up what they say."""

    def __init__(self, library):
        self.passed = self.failed = 0
        self.environment = dict(os.environ, CUPEL_LIBRARY=os.path.abspath(library),
                                LUA_PATH=f"{BINDING}/lib/?.lua;{HERE}/?.lua;;")

    def __call__(self, name, command):
        done = subprocess.run([str(c) for c in command], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
        last = done.stdout.rstrip().rsplit("\n", 1)[-1]
        counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
        passed, failed = map(int, counts.groups()) if counts else (0, 1)
        failed += done.returncode != 0 and failed == 0
        print(f"{name}: {passed} passed, {failed} failed")
        if failed:
            print(done.stdout[-4000:])
        self.passed, self.failed = self.passed + passed, self.failed + failed

    def check(self, name, good):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print(f"failed: {name}")


def versions_agree():
    """Whether the package has the version of the project."""
    version = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text()).group(1)
    return (f'_VERSION = "{version}"' in (BINDING / "lib/resty/cupel.lua").read_text()
            and (BINDING / f"lua-resty-cupel-{version}-1.rockspec").is_file())


def rock_has_all_modules():
    """Whether the rockspec names each Lua file of the package."""
    spec = next(BINDING.glob("*.rockspec")).read_text()
    files = [*BINDING.glob("lib/**/*.lua"), *BINDING.glob("kong/**/*.lua"), *BINDING.glob("apisix/**/*.lua")]
    return all(f'"{path.relative_to(BINDING)}"' in spec for path in files)


def run_readme(run, luajit):
    """Runs each Lua block of the README as a program of its own."""
    blocks = re.findall(r"```lua\n(.*?)```", (BINDING / "README.md").read_text(), re.S)
    run.check("the README has examples", len(blocks) >= 2)
    with tempfile.TemporaryDirectory() as folder:
        for number, block in enumerate(blocks):
            path = pathlib.Path(folder, f"{number}.lua")
            path.write_text(block + '\nprint("1 passed, 0 failed")\n')
            run(f"README example {number + 1}", [luajit, path])


def run_corpora(run, luajit):
    suite, calls = corpora.find_suite(), corpora.folder("calls")
    if suite is None or corpora.folder("calls") is None:
        print("skipped: the official suite and recorded calls: no ../shared")
        return
    files = sorted(p for p in suite.glob("tests/draft[0-9]*/*.json") if p.is_file())
    run("official suite", [luajit, HERE / "corpora.lua", "suite", suite, *files])
    run("recorded calls", [luajit, HERE / "corpora.lua", "calls", *sorted(calls.glob("*.jsonl"))])


def main():
    run = Run(sys.argv[1])
    run("declarations", [sys.executable, BINDING / "generate.py", "--check"])
    run.check("the package has the version of the project", versions_agree())
    run.check("the rockspec names all modules", rock_has_all_modules())
    luajit = shutil.which("luajit")
    if luajit is None:
        print("skipped: LuaJIT is not installed")
    else:
        run("interface", [luajit, HERE / "unit.lua"])
        run_readme(run, luajit)
        run_corpora(run, luajit)
    if not pathlib.Path("/usr/lib/nginx/modules/ngx_http_lua_module.so").is_file():
        print("skipped: nginx has no Lua module")
    else:
        run("nginx", [sys.executable, HERE / "nginx.py", sys.argv[1]])
    print(f"{run.passed} passed, {run.failed} failed")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
