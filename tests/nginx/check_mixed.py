#!/usr/bin/env python3
"""Thousands of mixed calls, over connections kept alive, with lengths and in chunks, split anywhere: the
verdicts are those of `cupel tools call`, and just the valid ones reach the upstream, byte for byte.

usage: check_mixed.py MODULE CUPEL [COUNT]
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import threading

from calls import mixed
from gateway import Client, Gateway

SHARED = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared")


def expected_verdicts(cupel, catalog, messages):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("catalog.json", "calls.jsonl")]
        with open(paths[0], "w") as out:
            out.write(catalog)
        with open(paths[1], "wb") as out:
            out.write(b"\n".join(messages) + b"\n")
        run = subprocess.run([cupel, "tools", "call", "--format", "json", *paths],
                             stdout=subprocess.PIPE, check=False)
    return [json.loads(line) for line in run.stdout.decode().splitlines()]


def pieces_of(rng, body):
    """How a body is cut: not at all, into chunks, or into chunks of single bytes at one place."""
    way = rng.randint(0, 3)
    if way == 0:
        return None
    if way == 1:
        return [rng.randint(1, max(1, len(body)))]
    if way == 2:
        return [rng.randint(1, max(1, len(body)))] + [1] * 5
    return [rng.randint(1, max(2, len(body) // 3)) for _ in range(4)]


def send_all(gateway, port, messages, part, answers):
    rng = random.Random(part.start)
    client = Client(port)
    for id in part:
        body = messages[id]
        answers[id] = client.post(body, str(id), pieces=pieces_of(rng, body),
                                  apart=rng.random() < 0.3)


def one_wrong(id, message, expected, answer, seen):
    """What is wrong with the answer to one message, or None."""
    status, _, text = answer
    if expected["verdict"] == "valid":
        return None if status == 200 and seen == [message] else f"valid, reached {seen}, {status}"
    if seen is not None:
        return f"{expected['verdict']}, but reached the upstream"
    if expected.get("response") is not None and json.loads(text) != expected["response"]:
        return f"answered {text!r}"
    return None


def main():
    module, cupel = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    catalog, messages = mixed(count, SHARED)
    expected = expected_verdicts(cupel, catalog, messages)
    answers = {}
    with Gateway(module, {"local": catalog}) as gateway:
        threads = [threading.Thread(target=send_all, args=(gateway, gateway.port, messages,
                                                           range(i, count, 4), answers))
                   for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wrong = [(id, problem) for id in range(count) if
                 (problem := "no answer" if id not in answers else
                  one_wrong(id, messages[id], expected[id], answers[id],
                            gateway.upstream.seen.get(str(id))))]
        crashed = "exited on signal" in gateway.read("error.log")
    for id, problem in wrong[:5]:
        print(f"failed: {messages[id][:200]!r}: expected {expected[id]['verdict']}: {problem}")
    kinds = {}
    for each in expected:
        kinds[each["verdict"]] = kinds.get(each["verdict"], 0) + 1
    print(", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)))
    failed = len(wrong) + crashed + (len(expected) != count)
    print(f"{count - len(wrong)} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
