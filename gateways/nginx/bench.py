#!/usr/bin/env python3
"""What the module costs: requests per second and latency of nginx with and without it, in one run, on
loopback, by wrk.

usage: bench.py MODULE CUPEL [SECONDS [ROUNDS]]

Both locations pass to the same upstream, another server block of the same nginx, so the difference is the
module.  Rounds alternate between them; the figures are medians over the rounds.  The floor is what reading and
parsing the bytes alone would leave: the rate of plain nginx with the time of `cupel bench` for reading added.
"""
import json
import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "nginx"))
from gateway import Gateway, free_ports  # noqa: E402

CATALOG = json.dumps({"tools": [
    {"name": "search_files", "inputSchema": {
        "type": "object", "additionalProperties": False, "required": ["query"],
        "properties": {
            "query": {"type": "string", "description": "What to look for", "minLength": 1},
            "path": {"type": "string"},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 100},
            "mode": {"type": "string", "enum": ["exact", "prefix", "regex"]}}}},
    {"name": "import_rows", "inputSchema": {
        "type": "object", "required": ["rows"],
        "properties": {"rows": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["id", "name"],
            "properties": {"id": {"type": "integer"}, "name": {"type": "string", "maxLength": 64},
                           "tags": {"type": "array", "items": {"type": "string"}}}}}}}},
]})


def call(name, arguments):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": name, "arguments": arguments}})


BODIES = {
    "a call with 58 bytes of arguments":
        call("search_files", {"query": "cupellation temperature", "max_results": 20}),
    "a call of 16 KiB, one large string":
        call("search_files", {"query": "cupellation temperature " * 683}),
    "a call of 16 KiB, small objects":
        call("import_rows", {"rows": [{"id": i, "name": f"row number {i}", "tags": ["a", "b"]}
                                      for i in range(283)]}),
}

RESULT = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {
    "resultType": "complete", "content": [{"type": "text", "text": "done"}]}})

SCRIPT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = [==[{body}]==]
function done(summary, latency)
    io.write(string.format("RESULT %f %f %f %d\\n", summary.requests / summary.duration * 1e6,
        latency:percentile(50), latency:percentile(99),
        summary.errors.status + summary.errors.read + summary.errors.timeout))
end
"""


def cpu_seconds(gateway):
    """What the workers have used of processors; unlike rates, it says the same on a busy machine."""
    workers = subprocess.run(["ps", "-o", "pid=", "--ppid", str(gateway.process.pid)],
                             stdout=subprocess.PIPE, check=True).stdout.split()
    total = 0
    for worker in workers:
        with open(f"/proc/{int(worker)}/stat") as file:
            total += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def run_wrk(gateway, path, body, seconds):
    before = cpu_seconds(gateway)
    script = gateway.path("wrk.lua")
    with open(script, "w") as out:
        out.write(SCRIPT.format(body=body))
    run = subprocess.run(["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", script,
                          f"http://127.0.0.1:{gateway.port}{path}"],
                         stdout=subprocess.PIPE, check=True)
    found = re.search(r"RESULT (\S+) (\S+) (\S+) (\d+)", run.stdout.decode())
    rate, p50, p99, errors = map(float, found.groups())
    if errors:
        raise RuntimeError(f"{errors} errors on {path}")
    return rate, p50, p99, (cpu_seconds(gateway) - before) / (rate * seconds) * 1e6


def parse_seconds(cupel, gateway, body):
    """What reading the body takes, by `cupel bench`."""
    schema, text = gateway.path("schema.json"), gateway.path("body.jsonl")
    with open(schema, "w") as out:
        out.write("{}")
    with open(text, "w") as out:
        out.write(body + "\n")
    run = subprocess.run([cupel, "bench", schema, text], stdout=subprocess.PIPE, check=True)
    return float(re.search(r"^parse\s+(\d+) ns", run.stdout.decode(), re.M).group(1)) * 1e-9


def main():
    module, cupel = sys.argv[1:3]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    behind, = free_ports(1)
    http = (f"server {{ listen 127.0.0.1:{behind}; access_log off; keepalive_requests 1000000; "
            "default_type application/json; location / { return 200 '" + RESULT + "'; } }"
            f" upstream echo {{ server 127.0.0.1:{behind}; keepalive 32; }} access_log off;")
    pass_on = ("access_log off; proxy_http_version 1.1; proxy_set_header Connection \"\"; "
               "client_body_buffer_size 256k; client_max_body_size 256k; proxy_pass http://echo;")
    server = (f"location /plain {{ {pass_on} }} location /judged {{ cupel local; {pass_on} }}")
    with Gateway(module, {"local": CATALOG}, location="", http=http, server=server,
                 workers=1) as gateway:
        for name, body in BODIES.items():
            figures = {"/plain": [], "/judged": []}
            for path in figures:
                run_wrk(gateway, path, body, 1)
            for _ in range(rounds):
                for path in figures:
                    figures[path].append(run_wrk(gateway, path, body, seconds))
            print(f"{name} ({len(body)} bytes), {rounds} rounds of {seconds} s")
            rates, times = {}, {}
            for path, title in (("/plain", "nginx alone"), ("/judged", "with cupel")):
                rate, p50, p99, cpu = (statistics.median(column) for column in zip(*figures[path]))
                rates[path], times[path] = rate, cpu
                print(f"  {title:12} {rate:9.0f} requests/s   p50 {p50:6.0f} us   p99 {p99:6.0f} us   "
                      f"{cpu:6.2f} us of the worker")
            ratios = sorted(b[0] / a[0] for a, b in zip(figures["/plain"], figures["/judged"]))
            floor = 1 / (1 + rates["/plain"] * parse_seconds(cupel, gateway, body))
            print(f"  through the module / plain: {statistics.median(ratios):.3f} "
                  f"({ratios[0]:.3f} to {ratios[-1]:.3f}), by the worker's time "
                  f"{times['/plain'] / times['/judged']:.3f}, floor {floor:.3f}")


main()
