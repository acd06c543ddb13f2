#!/usr/bin/env python3
"""Which files the command reads for a reference: links, devices, absolute URIs, sizes, bytes of names.

usage: references.py CUPEL
"""
import os
import pathlib
import subprocess
import sys
import tempfile

passed = failed = 0


def check(ok, *what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("failed:", *what)


class Place:
    """A folder `in` with schemas, beside it one `out` that no schema may read."""

    def __init__(self, cupel, folder):
        self.cupel, self.folder = str(pathlib.Path(cupel).resolve()), pathlib.Path(folder)
        self.root = self.folder / "in"
        (self.root / "sub").mkdir(parents=True)
        (self.folder / "out").mkdir()
        (self.folder / "out" / "secret.json").write_text('{"const": "secret"}')
        (self.root / "plain.json").write_text('{"type": "integer"}')
        (self.root / "one.json").write_text("1")

    def run(self, ref, *options, cwd=None):
        """(exit status, standard error) of a document 1 against a reference."""
        (self.root / "schema.json").write_text('{"$ref": "%s"}' % ref)
        result = subprocess.run([self.cupel, "validate", *options, str(self.root / "schema.json"),
                                 str(self.root / "one.json")], cwd=cwd or self.root, capture_output=True,
                                timeout=20, check=False)
        return result.returncode, result.stderr.decode()

    def allowed(self, ref, *options, **more):
        status, errors = self.run(ref, *options, **more)
        check(status == 0, "allowed", ref, status, errors)

    def refused(self, ref, why, *options, **more):
        status, errors = self.run(ref, *options, **more)
        check(status == 3 and why in errors and "secret" not in errors.replace(ref, ""), "refused", ref,
              status, errors)


def check_links(place):
    (place.root / "inner.json").symlink_to("plain.json")
    (place.root / "folder").symlink_to("sub")
    (place.root / "sub" / "a.json").symlink_to("../plain.json")
    (place.root / "outer.json").symlink_to("../out/secret.json")
    (place.root / "absolute.json").symlink_to(place.folder / "out" / "secret.json")
    (place.root / "way").symlink_to("../out")
    (place.root / "self.json").symlink_to("self.json")
    place.allowed("plain.json")
    place.allowed("inner.json")
    place.allowed("folder/a.json")
    link = "a symbolic link leads out of the folder"
    place.refused("outer.json", link)
    place.refused("absolute.json", link)
    place.refused("way/secret.json", link)
    place.refused("self.json", link)


def check_devices(place):
    os.mkfifo(place.root / "pipe.json")
    place.refused("pipe.json", "it is not a regular file")
    place.refused("sub", "it is not a regular file")
    place.refused("file:///dev/zero", "the file is outside the root")


def check_uris(place):
    place.allowed(f"file://{place.root}/plain.json")
    place.allowed(f"file://localhost{place.root}/plain.json")
    place.refused(f"file://{place.folder}/out/secret.json", "the file is outside the root")
    place.refused(f"file://{place.root}/../out/secret.json", "the file is outside the root")
    place.refused(f"file://{place.root}/%2e%2e/out/secret.json", "the file is outside the root")
    place.refused("../out/secret.json", "it leads out of the root")
    place.refused("plain.json?x", "no file has such a path")
    place.refused("a" * 300, "error[UNRESOLVED_REF]")
    for name in ("b c.json", "ä.json", "100%.json", "a#b.json", "a?b.json"):
        (place.root / name).write_text('{"$ref": "plain.json"}')
        place.allowed("".join(c if c.isalnum() and c.isascii() or c == "." else
                              "".join(f"%{b:02X}" for b in c.encode()) for c in name))


def check_root(place):
    """The working folder if it contains the schema, otherwise the schema's own."""
    (place.root / "sub" / "plain.json").write_text("true")
    (place.folder / "elsewhere").mkdir()
    place.refused("../out/secret.json", "it leads out of the root", cwd=place.folder / "elsewhere")
    place.allowed("sub/plain.json", cwd=place.folder / "elsewhere")
    (place.folder / "out" / "fine.json").write_text("true")
    place.allowed("../out/fine.json", cwd=place.folder)
    place.allowed("../out/fine.json", "--root", "..")


def check_size(place):
    with open(place.root / "large.json", "wb") as file:
        file.truncate(1 << 30)
    place.refused("large.json", "the file cannot be read")
    (place.root / "limited.json").write_text('{"title": "%s"}' % ("x" * 5000))
    place.refused("limited.json", "the file cannot be read", "--limit", "schema_bytes=4000")


def check_images(place):
    """An image holds no absolute path, and does not depend on where its files are."""
    images = []
    (place.root / "schema.json").write_text('{"properties": {"a": {"$ref": "plain.json"}}}')
    other = place.folder / "moved"
    place.root.rename(other)
    place.root = other
    for cwd in (other, place.folder / "elsewhere"):
        result = subprocess.run([place.cupel, "compile", "-o", "-", str(other / "schema.json")], cwd=cwd,
                                capture_output=True, timeout=20, check=False)
        check(result.returncode == 0 and str(place.folder).encode() not in result.stdout, "a path in an image")
        images.append(result.stdout)
    check(images[0] == images[1] and len(images[0]) > 100, "images differ")


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(sys.argv[1], os.path.realpath(folder))
        check_links(place)
        check_devices(place)
        check_uris(place)
        check_root(place)
        check_size(place)
        check_images(place)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
