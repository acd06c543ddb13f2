#!/usr/bin/env python3
"""Many requests of known outcome while the gateway is reloaded, its catalogs are replaced, and its upstream is
killed: no wrong verdict, no hang, no leak, and counters that add up.

usage: soak.py MODULE [REQUESTS]

wrk (Debian: wrk) sends each kind of request from connections of its own and looks at every response.  While
the upstream is down a response may be 502, 503 or 504, and a learned catalog may be undecided; nothing else may
differ.  The last line is `N passed, N failed`.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from gateway import NGINX, Checks, Gateway, free_ports

check = Checks()

TOOLS = [{"name": "add", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}},
                                         "required": ["a"]},
          "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}},
         {"name": "wrong", "inputSchema": {"type": "object"},
          "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}}]
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}})


def result(value):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": {
        "content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}})


def call(name, arguments):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": name, "arguments": arguments}})


# What is sent, with the upstream's answer in X-Case, and what has to come back: status, a part of the body.
KINDS = {
    "valid": (call("add", {"a": 1}), "good", 200, '"sum":3'),
    "stream": (call("add", {"a": 1}), "stream", 200, '"sum":3'),
    "arguments": (call("add", {"a": "x"}), "good", 200, "must be an integer"),
    "unknown": (call("nothing", {}), "good", 200, "Unknown tool"),
    "result": (call("wrong", {}), "bad", 200, "is not valid"),
    "malformed": ('{"jsonrpc":"2.0","id":1,', "good", 400, "Parse error"),
    "notification": ('{"jsonrpc":"2.0","method":"notifications/initialized"}', "accepted", 202, ""),
}

# The upstream is another nginx, which answers by the fields of the request.
UPSTREAM = """
pid {folder}/upstream.pid;
error_log {folder}/upstream.log error;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/ubody;
    proxy_temp_path {folder}/uproxy;
    fastcgi_temp_path {folder}/ufastcgi;
    uwsgi_temp_path {folder}/uuwsgi;
    scgi_temp_path {folder}/uscgi;
    access_log off;
    keepalive_requests 10000000;
    map $http_mcp_method:$http_x_case $kind {{
        default           good;
        ~^tools/list      list;
        ~:stream$         stream;
        ~:bad$            bad;
        ~:accepted$       accepted;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            default_type application/json;
            if ($kind = list) {{ return 200 '{list}'; }}
            if ($kind = bad) {{ return 200 '{bad}'; }}
            if ($kind = accepted) {{ return 202; }}
            if ($kind = stream) {{ rewrite ^ /stream last; }}
            return 200 '{good}';
        }}
        location = /stream {{
            default_type text/event-stream;
            return 200 'id: 1\\ndata: {good}\\n\\n';
        }}
    }}
}}
"""

SCRIPT = """
local threads = {{}}
function setup(thread) table.insert(threads, thread) end
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["X-Case"] = "{case}"
wrk.body = [==[{body}]==]
good, down, wrong, sample = 0, 0, 0, ""
function response(status, headers, body)
    if status == {status} and (#"{part}" == 0 or string.find(body, [==[{part}]==], 1, true)) then
        good = good + 1
    elseif status >= 502 and status <= 504 then
        down = down + 1
    else
        wrong = wrong + 1
        sample = status .. " " .. body
    end
end
function done(summary, latency, requests)
    local g, d, w, s = 0, 0, 0, ""
    for _, thread in ipairs(threads) do
        g, d, w = g + thread:get("good"), d + thread:get("down"), w + thread:get("wrong")
        if thread:get("sample") ~= "" then s = thread:get("sample") end
    end
    io.write(string.format("counted %d %d %d %d %s\\n", g, d, w, summary.errors.timeout, s))
end
"""


class Upstream:
    """The other nginx.  Killed and started again from time to time."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="cupel-soak-")
        os.chmod(self.folder, 0o755)
        self.port = free_ports(1)[0]
        config = UPSTREAM.format(folder=self.folder, port=self.port, list=LIST, good=result({"sum": 3}),
                                 bad=result({"sum": "3"}))
        pathlib.Path(self.folder, "upstream.conf").write_text(config)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [NGINX, "-p", self.folder, "-c", f"{self.folder}/upstream.conf", "-g", "daemon off;"],
            start_new_session=True, stderr=subprocess.DEVNULL)

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def run_wrk(gateway, path, kind, seconds, folder):
    body, case, status, part = KINDS[kind]
    script = pathlib.Path(folder, f"{kind}-{path.strip('/')}.lua")
    script.write_text(SCRIPT.format(case=case, body=body, status=status, part=part))
    return subprocess.Popen(["wrk", "-t1", "-c4", f"-d{seconds}s", "--timeout", "10s", "-s", str(script),
                             f"http://127.0.0.1:{gateway.port}{path}"], stdout=subprocess.PIPE, text=True)


def memory_of(pid):
    """Resident bytes of the master and its workers."""
    found = subprocess.run(["ps", "-o", "rss=", "--pid", str(pid), "--ppid", str(pid)], capture_output=True,
                           text=True, check=False).stdout.split()
    return sum(map(int, found)) * 1024, len(found)


def disturb(gateway, upstream, until):
    """Reloads, replaced catalogs, a dead upstream, each again and again."""
    turn = 0
    while time.time() < until - 3:
        time.sleep(1)
        turn += 1
        if turn % 2 == 0:
            gateway.write_catalog("local", LIST.replace('"add"', '"add"' + " " * (turn % 7)))
            gateway.reload()
        if turn % 5 == 0:
            upstream.stop()
            time.sleep(0.2)
            upstream.start()


def judged(page):
    """How many judgements the counters have."""
    return sum(int(float(line.rsplit(" ", 1)[1])) for line in page.splitlines()
               if line.startswith("cupel_requests_total"))


def main():
    module, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    upstream = Upstream()
    http = "cupel_catalog learned learn key=shared;"
    server = """location /learned { client_body_buffer_size 64k; proxy_http_version 1.1;
        proxy_set_header Connection ""; proxy_pass http://behind; cupel learned; }"""
    sent = down = wrong = 0
    with Gateway(module, {"local": LIST}, http=http, server=server, upstream=upstream) as gateway:
        time.sleep(1)
        first, workers = memory_of(gateway.process.pid)
        while sent < wanted:
            seconds = 20
            thread = threading.Thread(target=disturb, args=(gateway, upstream, time.time() + seconds))
            thread.start()
            runs = [(path, kind, run_wrk(gateway, path, kind, seconds, upstream.folder))
                    for path in ("/mcp", "/learned") for kind in KINDS]
            for path, kind, run in runs:
                out = run.communicate()[0]
                found = re.search(r"^counted (\d+) (\d+) (\d+) (\d+) (.*)$", out, re.MULTILINE)
                good, less, bad, late = map(int, found.groups()[:4])
                sent, down, wrong = sent + good + less + bad, down + less, wrong + bad
                check(f"{path} {kind}: {good} good, {less} while the upstream was down", good > 0 and bad == 0 and late == 0,
                      f"{bad} wrong, {late} late: {found[5][:300]}")
            thread.join()
            print(f"{sent} requests, {down} while the upstream was down, {wrong} wrong", flush=True)
        time.sleep(3)
        last, left = memory_of(gateway.process.pid)
        page = urllib.request.urlopen(f"http://127.0.0.1:{gateway.port}/status").read().decode()
        open(os.path.join(upstream.folder, "status"), "w").write(page)
        count = judged(page)
        check("the counters add up", sent <= count <= sent + 1000, f"{count} counted, {sent} answered")
        check("no process is left", left <= workers, f"{left} processes, {workers} at first")
        check("memory stays", last < first + (32 << 20), f"{first} bytes at first, {last} at the end")
        print(f"memory of master and workers: {first >> 10} KiB at first, {last >> 10} KiB at the end")
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
