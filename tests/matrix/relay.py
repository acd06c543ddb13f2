#!/usr/bin/env python3
"""Runs a client of the conformance suite with the gateway between it and the suite's server.

usage: relay.py MODULE COMMAND… URL
"""
import subprocess
import sys
import urllib.parse

import run


def main():
    module, command, url = sys.argv[1], sys.argv[2:-1], urllib.parse.urlsplit(sys.argv[-1])
    with run.Gateway(module, url.port, "2025-11-25") as gateway:
        through = url._replace(netloc=f"127.0.0.1:{gateway.port}").geturl()
        return subprocess.run([*command, through], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
