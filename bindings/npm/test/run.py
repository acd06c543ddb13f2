#!/usr/bin/env python3
"""Builds the npm package and runs its tests; scripts/test-bindings.sh describes the arguments.

A test is a file NAME.test.cjs or NAME.test.mjs beside this one, copied into build/npm/test, where the package is
installed from its tarball, as a user has it.  It runs once for each engine that the table names, and prints
`N passed, N failed` last.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import npm  # noqa: E402

FOLDER = npm.BUILD / "test"
TOTALS = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
BOTH = ("native", "wasm")
# Name, engines, and whether it belongs to the short part, which has no other packages.
TESTS = (
    ("api.test.cjs", BOTH, True),
    ("suite.test.cjs", BOTH, True),
    ("calls.test.cjs", BOTH, True),
    ("mcp.test.cjs", BOTH, True),
    ("cli.test.cjs", BOTH, False),
    ("sdk.test.mjs", BOTH, False),
    ("fastify.test.cjs", BOTH, False),
    ("fastify-own.test.cjs", BOTH, False),
    ("readme.test.mjs", BOTH, False),
    ("threads.test.cjs", BOTH, False),
    ("memory.test.cjs", BOTH, False),
    ("package.test.cjs", ("native",), False),
    ("hosts.test.mjs", ("wasm",), False),
    ("browser.test.mjs", ("wasm",), False),
    ("playground.test.mjs", ("wasm",), False),
    ("random.test.cjs", ("native",), False),
)


def skip(what):
    print(f"skipped: {what}")
    print("0 passed, 0 failed")
    sys.exit(0)


def need_tools(short):
    """Ends the run where a tool is missing that this script does not install."""
    if short and not (shutil.which("node") and shutil.which("npm")):
        skip("no node")
    for tool in ("clang-14", "wasm-ld-14", "wasm-opt"):
        if short and shutil.which(tool) is None:
            skip(f"no {tool}")
    if short and not pathlib.Path("/usr/lib/wasm32-wasi").exists():
        skip("no wasi-libc")


def build(short):
    """The log of building the package, or None after it went well."""
    command = ["scripts/npm.sh"] + (["--quick"] if short else [])
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return None if done.returncode == 0 else done.stdout


def reachable(env):
    done = subprocess.run(["npm", "ping", "--fetch-retries=0", "--fetch-timeout=20000"], env=env, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    return done.returncode == 0


def install(env, short):
    """Installs the package, and unless short its peers, beside copies of the tests."""
    tarballs = [npm.BUILD / f"{name}-{npm.version()}.tgz" for name in ("cupel", npm.this_machine())]
    FOLDER.mkdir(parents=True, exist_ok=True)
    manifest = (HERE / "package.json").read_text(encoding="utf-8") if not short else '{"private":true}'
    (FOLDER / "package.json").write_text(manifest, encoding="utf-8")
    shutil.rmtree(FOLDER / "test", ignore_errors=True)
    shutil.rmtree(FOLDER / "bench", ignore_errors=True)
    shutil.copytree(HERE.parent / "bench", FOLDER / "bench")
    shutil.copytree(HERE, FOLDER / "test", ignore=shutil.ignore_patterns("package.json", "__pycache__"))
    for name in ("cupel", npm.this_machine()):
        shutil.rmtree(FOLDER / "node_modules" / name, ignore_errors=True)
    subprocess.run(["npm", "install", "--ignore-scripts", "--no-save", "--no-package-lock", "--prefer-offline", "--silent", *tarballs],
                   cwd=FOLDER, env=env, check=True)


def run_test(name, engine, env):
    """(passed, failed, seconds) of one test with one engine; prints what it printed if it failed."""
    begin = time.monotonic()
    try:
        done = subprocess.run(["node", "--expose-gc", f"test/{name}"], cwd=FOLDER, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**env, "CUPEL_ENGINE": engine, "CUPEL_ROOT": str(ROOT)}, check=False, timeout=900)
        text, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, status = f"{(late.stdout or b'').decode(errors='replace')}\ntook longer than 15 minutes", 1
    totals = TOTALS.findall(text)
    passed, failed = map(int, totals[-1]) if totals else (0, 1)
    if status != 0 and failed == 0:
        failed = 1
    if failed:
        print(text)
    return passed, failed, time.monotonic() - begin


def main():
    arguments = sys.argv[1:]
    short, names = "--short" in arguments, [a for a in arguments if not a.startswith("--")]
    need_tools(short)
    env = npm.environment()
    if not (npm.TOOLS / "node_modules/typescript").exists() and not reachable(env):
        skip("the registry of npm cannot be reached")
    log = None if "--no-build" in arguments else build(short)
    if log is not None:
        print(log)
        print("0 passed, 1 failed")
        return 1
    install(env, short)
    if "--bench" in arguments:
        return subprocess.run(["node", "bench/bench.cjs", FOLDER / "node_modules/cupel", npm.corpora()], cwd=FOLDER, env=env,
                              check=False).returncode
    all_passed = all_failed = 0
    for name, engines, is_short in TESTS:
        if (short and not is_short) or (names and name.split(".")[0] not in names):
            continue
        for engine in engines:
            passed, failed, seconds = run_test(name, engine, env)
            print(f"{name} ({engine}): {passed} passed, {failed} failed, {seconds:.0f} s", flush=True)
            all_passed, all_failed = all_passed + passed, all_failed + failed
    print(f"{all_passed} passed, {all_failed} failed")
    return 1 if all_failed else 0


if __name__ == "__main__":
    sys.exit(main())
