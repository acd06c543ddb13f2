#!/usr/bin/env python3
"""Starts nginx with the module and a small upstream, sends calls, and shows what becomes of them.

usage: demo.py MODULE CATALOG CALLS.jsonl
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "nginx"))
from gateway import Client, Gateway  # noqa: E402


def main():
    module, catalog, calls = sys.argv[1:4]
    with open(catalog) as file:
        catalogs = {"local": file.read()}
    with open(calls, "rb") as file:
        bodies = file.read().splitlines()
    with Gateway(module, catalogs) as gateway:
        client = Client(gateway.port)
        print(f"nginx listens on 127.0.0.1:{gateway.port}, catalog {catalog}\n")
        for number, body in enumerate(bodies):
            case = f"call-{number}"
            status, _, answer = client.post(body, case)
            print("->", body.decode())
            if case in gateway.upstream.seen:
                print("   reached the upstream")
            else:
                print(f"   answered by the gateway, HTTP {status}")
                print("  ", answer.decode().replace("\\n", "\n      "))
            print()
        print("counters (/status):")
        print(client.get("/status")[2].decode())


main()
