#!/usr/bin/env python3
"""Files that the command writes are replaced whole or not at all.

usage: writing.py CUPEL [ROUNDS]

Each verb that writes a file, over an old file and over none, with: a limit on the size of files, a
full file system, a folder that cannot be written, a kill at a random moment, several writers at once,
links, devices, and outputs that are inputs.  After each run the file holds the old bytes or the new
ones, all of them, and unless the process was killed no other file is left behind.  ROUNDS is the number
of kills and of rounds of writers (60 unless given).
"""
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

SCHEMA = '{"type":"object","properties":{%s}}' % ",".join(
    f'"member{i}":{{"type":"string","maxLength":{i}}}' for i in range(400))
TOOLS = '{"tools":[%s]}' % ",".join(
    f'{{"name":"tool{i}","inputSchema":{{"type":"object"}}}}' for i in range(40))
OLD = b"old content\n"
VERBS = {
    "image": ["compile", "schema.json", "-o"],
    "c-array": ["compile", "--emit", "c-array", "schema.json", "-o"],
    "dump": ["compile", "--dump", "lower", "schema.json", "-o"],
    "lock": ["tools", "pin", "tools.json", "-o"],
    "export": ["tools", "export", "--target", "anthropic", "tools.json", "-o"],
}
passed = failed = 0


def check(ok, *what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("failed:", *what)


class Place:
    """A folder with the inputs, and the output's name in it."""

    def __init__(self, cupel, folder):
        self.cupel, self.folder = cupel, pathlib.Path(folder)
        (self.folder / "schema.json").write_text(SCHEMA)
        (self.folder / "tools.json").write_text(TOOLS)
        self.target = self.folder / "out"

    def command(self, verb, output="out"):
        return [self.cupel, *VERBS[verb], str(output)]

    def run(self, verb, output="out", **more):
        return subprocess.run(self.command(verb, output), cwd=self.folder, capture_output=True,
                              check=False, **more)

    def expected(self, verb):
        """What the verb writes, as it goes to the standard output."""
        self.run(verb)
        content = self.target.read_bytes()
        self.reset(False)
        return content

    def reset(self, old):
        self.target.unlink(missing_ok=True)
        for path in self.folder.glob(".cupel-*"):
            path.unlink()
        if old:
            self.target.write_bytes(OLD)

    def is_clean(self):
        return not list(self.folder.glob(".cupel-*"))

    def content(self):
        return self.target.read_bytes() if self.target.exists() else None


def check_limits(place, verb, new):
    """A limit on file sizes, which a write meets at its first byte, in the midst, at its last."""
    for size in (0, 1, len(new) // 2, len(new) - 1, len(new)):
        for old in (False, True):
            place.reset(old)
            run = place.run(verb, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (size, size)))
            before = OLD if old else None
            fits = size >= len(new)
            check(place.content() == (new if fits else before), verb, "size limit", size, old)
            check((run.returncode == 0) == fits and run.returncode >= 0, verb, "status at a limit", run)
            check(place.is_clean(), verb, "left behind at a limit", size)


def check_places(place, verb, new):
    """Links, devices, folders, modes."""
    other = place.folder / "other"
    for old in (OLD, None):
        place.reset(False)
        other.unlink(missing_ok=True)
        if old is not None:
            other.write_bytes(old)
        place.target.symlink_to("other")
        run = place.run(verb)
        check(run.returncode != 0 and b"symbolic link" in run.stderr, verb, "symbolic link", run)
        check(place.target.is_symlink() and other.exists() == (old is not None), verb, "link changed")
        check(old is None or other.read_bytes() == old, verb, "link followed")
    place.reset(False)
    other.write_bytes(OLD)
    os.link(other, place.target)
    check(place.run(verb).returncode == 0 and place.content() == new, verb, "hard link")
    check(other.read_bytes() == OLD, verb, "the other name of a hard link is written to")
    other.unlink()
    for mode in (0o600, 0o644, 0o640):
        place.reset(True)
        place.target.chmod(mode)
        place.run(verb)
        check(place.target.stat().st_mode & 0o777 == mode, verb, "mode", oct(mode))
    place.reset(False)
    check(place.run(verb, "/dev/null").returncode == 0 and
          pathlib.Path("/dev/null").is_char_device(), verb, "/dev/null")
    if pathlib.Path("/dev/full").exists():
        run = place.run(verb, "/dev/full")
        check(run.returncode == 70 and b"space" in run.stderr, verb, "/dev/full", run)
    check(place.run(verb, ".").returncode == 70, verb, "a folder as output")
    check(place.run(verb, "nowhere/out").returncode == 70, verb, "a folder that is not there")
    check(place.run(verb, "-").stdout == new, verb, "the standard output")
    with subprocess.Popen(["sh", "-c", '"$@" > /dev/full', "sh", *place.command(verb, "-")],
                          cwd=place.folder, stderr=subprocess.PIPE) as run:
        check(run.wait() == 70, verb, "the standard output on a full disk")
    check(place.is_clean(), verb, "left behind")


def check_inputs(place):
    """The output is an input, under another name too."""
    for verb, source in (("image", "schema.json"), ("lock", "tools.json")):
        path = place.folder / source
        before = path.read_bytes()
        os.link(path, place.folder / "second")
        for output in (source, f"./{source}", path, "second"):
            run = place.run(verb, output)
            check(run.returncode == 2 and b"input" in run.stderr, verb, "output is input", run)
            check(path.read_bytes() == before, verb, "the input was written to")
        (place.folder / "second").unlink()
    persona = place.folder / "persona.json"
    persona.write_text('{"allow":["*"]}')
    run = subprocess.run([place.cupel, "tools", "pin", "--persona", "persona.json", "tools.json", "-o",
                          "persona.json"], cwd=place.folder, capture_output=True, check=False)
    check(run.returncode == 2 and persona.read_text() == '{"allow":["*"]}', "persona as output", run)
    run = subprocess.run([place.cupel, "tools", "pin", "-", "-o", "tools.json"], cwd=place.folder,
                         stdin=(place.folder / "tools.json").open("rb"), capture_output=True, check=False)
    check(run.returncode == 2, "standard input as output", run)


def check_bad_inputs(place):
    """One of several inputs cannot be read, or holds no list: the old file stays, and none is made."""
    bad = {"no JSON": "{", "no list": "{}", "a lock": '{"cupelLock":2,"tools":[]}', "names": '{"tools":[],"Tools":[]}',
           "two lists": '{"jsonrpc":"2.0","id":1,"result":{"tools":[]},"tools":[]}', "empty": "",
           "a tool of two readings": '{"tools":[{"name":"a","name":"b","inputSchema":{"type":"object"}}]}'}
    verbs = {"export": ["tools", "export", "--target", "anthropic"], "lock": ["tools", "pin"]}
    for verb in verbs.keys() & VERBS.keys():
        for name, text in [*bad.items(), ("missing", None)]:
            (place.folder / "bad.json").unlink(missing_ok=True)
            if text is not None:
                (place.folder / "bad.json").write_text(text)
            if verb == "lock" and name.startswith("a tool"):
                continue  # the tool is locked as it is
            for inputs in (["bad.json"], ["tools.json", "bad.json"], ["bad.json", "tools.json"]):
                for old in (False, True):
                    place.reset(old)
                    run = subprocess.run([place.cupel, *verbs[verb], *inputs, "-o", "out"], cwd=place.folder,
                                         capture_output=True, check=False)
                    check(run.returncode != 0 and place.content() == (OLD if old else None) and place.is_clean(),
                          verb, "bad input:", name, inputs, old, run)
    place.reset(False)


def check_kills(place, verb, new, rounds, rng):
    place.reset(True)
    for signum in (signal.SIGKILL, signal.SIGTERM):
        for _ in range(rounds):
            with subprocess.Popen(place.command(verb), cwd=place.folder, stderr=subprocess.DEVNULL) as run:
                try:
                    run.wait(rng.uniform(0.0005, 0.006))
                except subprocess.TimeoutExpired:
                    run.send_signal(signum)
            check(place.content() in (OLD, new), verb, "killed by", signum)
            if signum == signal.SIGTERM:
                check(place.is_clean(), verb, "left behind by SIGTERM")
            place.reset(rng.random() < 0.9 or place.content() is None)
            if place.content() is None:
                place.target.write_bytes(OLD)


def check_writers(place, rounds):
    """Two verbs, two processes each, write one file while it is read."""
    contents = {verb: place.expected(verb) for verb in ("lock", "image")}
    place.reset(True)
    done = threading.Event()
    wrong = []

    def watch():
        while not done.is_set():
            content = place.content()
            if content not in (OLD, *contents.values()):
                wrong.append(content)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(rounds // 4 + 1):
        runs = [subprocess.Popen(place.command(verb), cwd=place.folder) for verb in [*contents] * 2]
        for run in runs:
            check(run.wait() == 0, "a writer beside others")
    done.set()
    watcher.join()
    check(not wrong, "what was read beside writers", wrong[:1])
    check(place.is_clean() and place.content() in contents.values(), "after several writers")


def check_full(cupel):
    """A file system of 1 MiB, made in a name space of our own; says so where that is not allowed."""
    script = 'mount -t tmpfs -o size=1m tmpfs "$1" && cd "$1" && shift && exec "$@"'
    with tempfile.TemporaryDirectory() as folder:
        inner = [sys.executable, __file__, cupel, "--full"]
        command = ["unshare", "-Urm", "sh", "-c", script, "sh", folder, *inner]
        if os.geteuid() == 0:
            command.remove("-Urm")
            command.insert(1, "-m")
        if shutil.which("unshare") is None or subprocess.run(
                command[:2] + ["sh", "-c", script, "sh", folder, "true"], capture_output=True,
                check=False).returncode != 0:
            print("skipped: a full file system (no name space of our own)")
            return
        run = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False)
        check(run.returncode == 0, "full file system:", run.stdout)


def run_full(cupel):
    """In the small file system, which is the working folder: each verb until nothing fits."""
    place = Place(cupel, ".")
    for verb in VERBS:
        place.reset(False)
        new = place.expected(verb)
        for old in (False, True):
            place.reset(old)
            filler = pathlib.Path("filler")
            fd = os.open(filler, os.O_WRONLY | os.O_CREAT)
            try:
                while os.write(fd, b"x" * 4096):
                    pass
            except OSError:
                os.close(fd)
            run = place.run(verb)
            check(run.returncode == 70 and b"space" in run.stderr, verb, run)
            check(place.content() == (OLD if old else None), verb, "on a full disk")
            check(place.is_clean(), verb, "left behind on a full disk")
            filler.unlink()
            check(place.run(verb).returncode == 0 and place.content() == new, verb, "with room again")


def main():
    cupel = str(pathlib.Path(sys.argv[1]).resolve())
    if sys.argv[2:] == ["--full"]:
        run_full(cupel)
        return 1 if failed else 0
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    rng = random.Random(18)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(cupel, folder)
        if place.run("lock", "-").returncode != 0:
            del VERBS["lock"]  # this build has no SHA-256
            print("skipped: locks")
        for verb in VERBS:
            new = place.expected(verb)
            check_limits(place, verb, new)
            check_places(place, verb, new)
            check_kills(place, verb, new, rounds, rng)
        check_bad_inputs(place)
        if "lock" in VERBS:
            check_inputs(place)
            check_writers(place, rounds)
    check_full(cupel)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
