"""The programs that run.py measures: how each is installed, built and run.

Every peer is a program of ours around somebody's library, in peers/, and is built into bench/build
with the package manager of its language; native ones need Debian packages.  What cannot be had is
reported and left out.  All speak the protocol of peers/driver.h but Blaze, which is a command.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
PEERS = HERE / "peers"
BUILD = HERE / "build"

# The reader in C comes in the source package of its binding for Python.
YYJSON = "yyjson==4.0.6"

NATIVE = ["-O3", "-march=native", "-DNDEBUG"]


class Missing(Exception):
    """Why a peer is not there."""


def call(command, folder, timeout=1200):
    """Runs a command for what it leaves behind."""
    if not shutil.which(command[0]):
        raise Missing(f"no {command[0]}")
    done = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL, timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        words = [line for line in done.stdout.splitlines() if "rror" in line] or [done.stdout[-200:]]
        raise Missing(words[0].strip())


def stage(name, *files):
    """A folder in bench/build with copies of a peer's files; whether any of them is new."""
    folder, new = BUILD / name, False
    for file in files:
        source, copy = PEERS / name / file, folder / file
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            new = True
    return folder, new


def compile_native(compiler, name, source, flags=(), libraries=()):
    """A program of one file in peers/."""
    program = BUILD / "native" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    newest = max((PEERS / file).stat().st_mtime for file in (source, "driver.h"))
    if not program.exists() or program.stat().st_mtime < newest:
        call([compiler, *NATIVE, "-D_DEFAULT_SOURCE", *flags, str(PEERS / source), *libraries,
              "-o", str(program)], HERE)
    return [program]


def build_memcpy(_):
    return compile_native("gcc", "memcpy", "memcpy/peer.c")


def build_utf8(_):
    return compile_native("g++", "utf8", "simdjson/peer.cc", ["-DPEER_UTF8"], ["-lsimdjson"])


def build_simdjson(_):
    return compile_native("g++", "simdjson", "simdjson/peer.cc", [], ["-lsimdjson"])


def build_rapidjson(_):
    return compile_native("g++", "rapidjson", "rapidjson/peer.cc")


def build_valijson(_):
    return compile_native("g++", "valijson", "valijson/peer.cc")


def build_yyjson(_):
    folder = BUILD / "yyjson"
    if not list(folder.glob("yyjson-*/yyjson/yyjson.c")):
        folder.mkdir(parents=True, exist_ok=True)
        call([sys.executable, "-m", "pip", "download", "-q", "--no-binary", ":all:", "--no-deps",
              "-d", ".", YYJSON], folder)
        with tarfile.open(next(folder.glob("yyjson-*.tar.gz"))) as archive:
            archive.extractall(folder)
    source = next(folder.glob("yyjson-*/yyjson"))
    return compile_native("gcc", "yyjson", "yyjson/peer.c", [f"-I{source}"],
                          [str(source / "yyjson.c")])


def install_npm():
    folder, new = stage("npm", "package.json", "ajv.js")
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    if new or not all((folder / "node_modules" / name).exists() for name in wanted):
        call(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"],
             folder)
    return folder


def build_ajv(_):
    return ["node", "--expose-gc", install_npm() / "ajv.js"]


def build_blaze(_):
    return [install_npm() / "node_modules" / ".bin" / "jsonschema"]


def build_rust(name):
    folder, new = stage("rust", "Cargo.toml", "src/main.rs", "src/corvus.rs", "src/tree.rs")
    program = folder / "target" / "release" / "peers"
    if new or not program.exists():
        call(["cargo", "build", "--release", "-q"], folder)
    return [program, name]


def build_go(name):
    folder, new = stage("go", "go.mod", "main.go")
    if new or not (folder / "peer").exists():
        call(["go", "mod", "tidy"], folder)
        call(["go", "build", "-o", "peer", "."], folder)
    return [folder / "peer", name]


def build_python(name):
    folder, new = stage("python", "requirements.txt", "peer.py")
    python = folder / "bin" / "python3"
    if new or not python.exists():
        call([sys.executable, "-m", "venv", "."], folder)
        call([str(python), "-m", "pip", "install", "-q", "-r", "requirements.txt"], folder)
    return [python, folder / "peer.py", name]


# -- Running ---------------------------------------------------------------------------------------

def complain(command, done):
    lines = done.stderr.strip().splitlines() or ["no output"]
    why = next((line for line in lines if "rror" in line), lines[-1])
    print(f"{pathlib.Path(command[0]).name}: status {done.returncode}: {why}", file=sys.stderr)


def run_driver(command, work, args):
    """The figures that a program of the protocol prints."""
    command = [*command, work.schemas, work.instances, str(args.milliseconds)]
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=args.timeout, check=False)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        print(f"{command[0]}: more than {args.timeout} s", file=sys.stderr)
    except (ValueError, IndexError):
        complain(command, done)
    return None


def time_process(command):
    """What a process that says nothing uses of the processor, in nanoseconds, and its peak memory."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, process.returncode, usage = os.wait4(process.pid, 0)
    return int((usage.ru_utime + usage.ru_stime) * 1e9), usage.ru_maxrss * 1024


# Less than this is lost in what a process takes to start.
LEAST_COMPILE_NS = 3000000

BLAZE_LINE = re.compile(r"\[\d+\]: PASS ([0-9.]+) \+- ")


def blaze_hot(command, work, args):
    """The sum over instances of the mean that the command prints for each, in microseconds."""
    done = subprocess.run([*command, "validate", work.schema, work.lines, "--fast", "--benchmark",
                           "--loop", str(args.loop)], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    means = [float(m) for m in BLAZE_LINE.findall(done.stdout)]
    if not means:
        print(f"jsonschema: status {done.returncode}: {done.stdout[-200:]}", file=sys.stderr)
        return None
    return {"instances": len(means), "valid": len(means), "eval_hot_ns": sum(means) * 1000}


def run_blaze(command, work, args):
    """The command times evaluation alone.  Reading and evaluating is the difference between two
    whole runs, over the documents once and over many copies of them; compiling, what `compile`
    takes longer than `version`."""
    if work.schema is None:
        return None
    result = blaze_hot(command, work, args)
    if result is None:
        return None
    validate = [*command, "validate", work.schema]
    once, _ = time_process([*validate, work.lines, "--fast"])
    many, _ = time_process([*validate, work.copies, "--fast"])
    nothing, least = time_process([*command, "version"])
    compiled, most = time_process([*command, "compile", work.schema, "--fast"])
    result["e2e_ns"] = max(many - once, 1) / (work.ncopies - 1)
    if compiled - nothing > LEAST_COMPILE_NS:
        result["compile_ns"] = result["compile_median_ns"] = compiled - nothing
    result["memory_bytes"] = max(most - least, 0)
    return result


# name, how to build it, argument, how to run it, what it cannot do or does otherwise
LIST = [
    ("memcpy", build_memcpy, None, run_driver, "copying alone"),
    ("UTF-8", build_utf8, None, run_driver, "simdjson's validation of UTF-8 alone"),
    ("simdjson", build_simdjson, None, run_driver, "reading alone"),
    ("yyjson", build_yyjson, None, run_driver, "reading alone"),
    ("Blaze", build_blaze, None, run_blaze, "a command: e2e and compile from whole processes"),
    ("corvus (Rust)", build_rust, "corvus", run_driver, "corvus-json-schema, over its own documents"),
    ("jsonschema (Rust)", build_rust, "jsonschema", run_driver, "tree of serde_json"),
    ("RapidJSON", build_rapidjson, None, run_driver, "draft 4; validates while it reads"),
    ("valijson", build_valijson, None, run_driver, "draft 7, tree of RapidJSON"),
    ("santhosh-tekuri (Go)", build_go, "santhosh-tekuri", run_driver, ""),
    ("google (Go)", build_go, "google", run_driver, "2020-12"),
    ("ajv", build_ajv, None, run_driver, "compiles to JavaScript"),
    ("jsonschema-rs (Python)", build_python, "jsonschema-rs", run_driver, "the Rust library"),
    ("fastjsonschema (Python)", build_python, "fastjsonschema", run_driver,
     "compiles to Python; to draft 7"),
]
FLOORS = ["memcpy", "UTF-8", "simdjson", "yyjson"]


def build_all(only):
    """A dictionary from names to functions of a workload and the arguments."""
    runners = {}
    for name, build, argument, run, _ in LIST:
        if only and name not in only:
            continue
        try:
            command = build(argument)
        except (Missing, OSError, StopIteration, subprocess.TimeoutExpired) as why:
            print(f"missing: {name}: {why}", file=sys.stderr)
            continue
        runners[name] = lambda work, args, r=run, c=command: r(c, work, args)
    return runners
