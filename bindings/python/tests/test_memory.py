"""References and memory stay level."""
import gc
import resource
import sys
import threading
import time

import pytest

import cupel_jsonschema as cupel

SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}, "tags": {"items": {"type": "string"}}},
          "required": ["id"]}
GOOD = {"id": 1, "tags": ["a", "é", None] * 3, "x": {"y": [1.5, 10 ** 30]}}
TEXT = b'{"id": 7, "tags": ["a", "b"], "x": {"y": [1.5, 100000000000000000000000, "\\n"]}}'


def attempt(function, value):
    try:
        function(value)
    except (ValueError, TypeError, cupel.Undecided):
        pass


def work(v, times):
    bad = {"id": "x", "tags": [1]}
    for _ in range(times):
        v.is_valid_json(TEXT)
        v.is_valid(GOOD)
        v.loads(TEXT)
        attempt(v.validate, bad)
        attempt(v.validate_json, b'{"id": "x"}')
        attempt(v.is_valid_json, b"{")
        attempt(v.is_valid, {"id": object()})
        attempt(v.is_valid, {"id": {1: 1}})
        attempt(v.is_valid, [float("nan")])
        attempt(v.loads, b"[1e999]")
        attempt(cupel.compile, {"type": 5})
        v.check_many([TEXT, "1"])
        v.repair(bad)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is needed")
def test_memory_is_level():
    v = cupel.compile(SCHEMA)
    work(v, 2000)
    gc.collect()
    before, blocks = resident(), sys.getallocatedblocks()
    work(v, 6000)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 200
    assert resident() - before < 1 << 20


def test_references_are_level():
    v = cupel.compile(SCHEMA)
    word, value = "a word that nobody else has", {"id": 1}
    value[word] = word
    names = (v, word, value, None, True, cupel.Undecided, cupel.JSONError, TEXT)
    before = [sys.getrefcount(name) for name in names]
    for _ in range(1000):
        v.is_valid(value)
        v.validate(value)
        v.loads(TEXT)
        v.is_valid_json(TEXT)
        attempt(v.is_valid_json, b"{")
        attempt(v.is_valid, [value, object()])
    after = [sys.getrefcount(name) for name in names]
    assert all(abs(a - b) < 20 for a, b in zip(before, after))


def test_validators_are_freed():
    before = sys.getallocatedblocks()
    for i in range(300):
        cupel.compile({"const": i}, limits={"depth": 10 + i % 50}).is_valid(i)
    gc.collect()
    assert sys.getallocatedblocks() - before < 500


def test_threads_share_a_validator():
    v = cupel.compile(SCHEMA)
    large = b'{"id": 1, "tags": [' + b'"tag", ' * 5000 + b'"end"]}'
    wrong = large.replace(b'"end"', b"17")
    failures = []

    def run(i):
        try:
            for _ in range(60):
                assert v.is_valid_json(large) and not v.is_valid_json(wrong)
                assert len(v.loads(large)["tags"]) == 5001
                assert v.check_many([large, wrong, b"{"]) == b"\0\1\2"
                assert v.is_valid({"id": i}) and not v.is_valid({"id": str(i)})
                try:
                    v.validate_json(wrong)
                except cupel.ValidationError as error:
                    assert error.pointer == "/tags/5000"
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)
    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_other_threads_run_while_a_large_text_is_judged():
    """The GIL is released: a thread counts while another one judges."""
    v = cupel.compile({"items": {"type": "integer"}}, limits={"body_bytes": 1 << 28})
    text = b"[" + b"1," * 3_000_000 + b"1]"
    count, done = 0, threading.Event()

    def counter():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0)  # gives up the GIL
    thread = threading.Thread(target=counter)
    thread.start()
    before = count
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # a thread that holds the GIL keeps it
    try:
        v.is_valid_json(text)
        during = count - before
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
    assert during > 0


@pytest.mark.skipif(sys.version_info < (3, 12), reason="interpreters with their own GIL came with 3.12")
def test_subinterpreters():
    interpreters = pytest.importorskip("_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters")
    code = f"import sys; sys.path[:] = {sys.path!r}\n" + (
        "import cupel_jsonschema as c\n"
        "v = c.compile({'type': 'integer'})\n"
        "assert v.is_valid(1) and not v.is_valid('x') and v.loads(b'5') == 5\n"
        "try:\n    v.validate('x')\nexcept c.ValidationError as e:\n    pass\nelse:\n    raise SystemError\n")
    for _ in range(3):
        made = interpreters.create()
        failed = interpreters.run_string(made, code)
        interpreters.destroy(made)
        assert not failed
