#!/usr/bin/env python3
"""Catalogs replaced by a reload while calls come in: every call is answered, each by the catalog that was
there before or the one after, and no worker dies.

usage: check_reload.py MODULE
"""
import json
import sys
import threading
import time

from gateway import Client, Gateway

ROUNDS, CLIENTS = 6, 4


def catalog(kind):
    tool = {"name": "measure", "inputSchema": {
        "type": "object", "properties": {"place": {"type": kind}}, "required": ["place"]}}
    return json.dumps({"tools": [tool] + [
        {"name": f"other_{i}", "inputSchema": {"type": "object", "properties": {"a": {"type": kind}}}}
        for i in range(200)]})


def call(place):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": "measure", "arguments": {"place": place}}}).encode()


def send_calls(port, stop, counts, wrong):
    number = 0
    while not stop.is_set():
        client = Client(port)
        try:
            status, _, text = client.post(call("x") if number % 2 else call(5))
            refused = b"isError" in text
            counts[refused] += 1
            if status != 200:
                wrong.append(f"{status}: {text!r}")
        except (OSError, ValueError) as error:
            wrong.append(repr(error))
        client.close()
        number += 1


def main():
    stop, counts, wrong = threading.Event(), {True: 0, False: 0}, []
    with Gateway(sys.argv[1], {"local": catalog("string")}) as gateway:
        threads = [threading.Thread(target=send_calls, args=(gateway.port, stop, counts, wrong))
                   for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for number in range(ROUNDS):
            time.sleep(0.3)
            gateway.write_catalog("local", catalog("integer" if number % 2 == 0 else "string"))
            gateway.reload()
        time.sleep(0.5)
        status, _, text = Client(gateway.port).post(call("x"))
        stop.set()
        for thread in threads:
            thread.join()
        if status != 200 or b"isError" in text:
            wrong.append("the last catalog is not in force")
        _, _, page = Client(gateway.port).get("/status")
        counted = sum(int(line.split()[-1]) for line in page.decode().splitlines()
                      if line.startswith("cupel_messages_total{"))
        if counted != sum(counts.values()) + 1:
            wrong.append(f"counted {counted} of {sum(counts.values()) + 1}")
        gateway.write_catalog("local", "{")
        gateway.reload()
        time.sleep(0.5)
        status, _, text = Client(gateway.port).post(call("x"))
        if status != 200 or b"isError" in text:
            wrong.append("a catalog that is not JSON took the place of the last one")
        log = gateway.read("error.log")
        if "exited on signal" in log or "local.json\":1:2: not JSON" not in log:
            wrong.append(log[-2000:])
    for line in wrong[:5]:
        print("failed:", line)
    print(f"{counts[False]} passed on, {counts[True]} refused, over {ROUNDS} reloads")
    print(f"{sum(counts.values()) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


sys.exit(main())
