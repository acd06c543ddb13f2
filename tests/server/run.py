#!/usr/bin/env python3
"""Has the official clients of the protocol list and call the tools of the example server.

usage: run.py SERVER

The clients come from npm, at the versions of package.json beside this file, into node_modules there.
Without node, or where they cannot be fetched, the test says so and passes with 0 tests.
"""
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def skip(reason):
    print(f"skipped: {reason}")
    print("0 passed, 0 failed")
    return 0


def install():
    """Whether what package.json names is there, or could be fetched."""
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    if all((HERE / "node_modules" / name / "package.json").exists() for name in wanted):
        return True
    try:
        done = subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund",
                               "--silent"], cwd=HERE, capture_output=True, text=True, timeout=90,
                              check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main():
    server = str(pathlib.Path(sys.argv[1]).resolve())
    if not shutil.which("node") or not shutil.which("npm"):
        return skip("no node and npm")
    if not install():
        return skip("the clients cannot be fetched")
    return subprocess.run(["node", str(HERE / "client.mjs"), server, str(HERE)], timeout=60,
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
