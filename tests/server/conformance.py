#!/usr/bin/env python3
"""Runs the official conformance scenarios on tools that need calls and results alone.

usage: conformance.py SERVER

The suite comes from npm as the clients do (run.py) and speaks HTTP, so the server is put behind
bridge.mjs.  Scenarios in which a server asks the client something, and those on anything but tools,
are no matter of a library that judges schemas.
"""
import pathlib
import shutil
import subprocess
import sys

import run

SCENARIOS = ["server-initialize", "ping", "tools-list", "tools-call-simple-text",
             "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
             "tools-call-mixed-content", "tools-call-error", "json-schema-2020-12"]
SUITE = run.HERE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


def main():
    server = str(pathlib.Path(sys.argv[1]).resolve())
    if not shutil.which("node") or not shutil.which("npm"):
        return run.skip("no node and npm")
    if not run.install():
        return run.skip("the suite cannot be fetched")
    passed = failed = 0
    with subprocess.Popen(["node", str(run.HERE / "bridge.mjs"), server], text=True,
                          stdout=subprocess.PIPE) as bridge:
        try:
            url = bridge.stdout.readline().strip()
            for scenario in SCENARIOS:
                done = subprocess.run(["node", str(SUITE), "server", "--url", url, "--scenario",
                                       scenario], capture_output=True, text=True, timeout=60,
                                      check=False)
                good = done.returncode == 0 and "0 failed" in done.stdout
                passed, failed = passed + good, failed + (not good)
                if not good:
                    print(f"{scenario}:\n{done.stdout}{done.stderr}")
        finally:
            bridge.kill()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
