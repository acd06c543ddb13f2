#!/usr/bin/env python3
"""Many requests of known outcome while the gateway is reloaded, its catalogs are replaced, and its upstream is
killed: no wrong verdict, no hang, no leak, and counters that add up.  The server says after each streamed result
that its list has changed, so calls of unknown tools make the gateway fetch the list again and again.

usage: soak.py MODULE [REQUESTS]

wrk (Debian: wrk) sends each kind of request from four connections of its own and looks at every response.
While the upstream is down a response may be 502, 503 or 504; nothing else may differ.  After each round of 20
seconds the counters are compared with what wrk received, and the memory of the processes is noted.  The last
line is `N passed, N failed`.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from gateway import NGINX, Checks, Gateway, free_ports

check = Checks()

CONNECTIONS = 4  # of one kind of request in one location
SECONDS = 20     # of a round
LEAK = 4 << 20   # bytes; memory that settled varies by less

TOOLS = [{"name": "add", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}},
                                         "required": ["a"]},
          "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}},
         {"name": "wrong", "inputSchema": {"type": "object"},
          "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}}]


def list_of_tools(version):
    """A list that differs from the last one by a description, so that its catalog is another one."""
    tools = [dict(tool, description=f"version {version % 7}") for tool in TOOLS]
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}})


CHANGED = json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})


def result(value):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": {
        "content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}})


def call(name, arguments):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": name, "arguments": arguments}})


# What is sent, with the upstream's answer in X-Case, and what has to come back: status, a part of the body.
# Then what it counts as: the tool and the verdict of the request, and the verdict of the result or None.
KINDS = {
    "valid": (call("add", {"a": 1}), "good", 200, '"sum": 3', "add", "valid", "result-valid"),
    "stream": (call("add", {"a": 1}), "stream", 200, '"sum": 3', "add", "valid", "result-valid"),
    "arguments": (call("add", {"a": "x"}), "good", 200, "expected integer", "add", "invalid", None),
    "unknown": (call("nothing", {}), "good", 200, "Unknown tool", "", "unknown-tool", None),
    "result": (call("wrong", {}), "bad", 200, "is not valid", "wrong", "valid", "result-invalid"),
    "malformed": ('{"jsonrpc":"2.0","id":1,', "good", 400, "Parse error", "", "bad-request", None),
    "notification": ('{"jsonrpc":"2.0","method":"notifications/initialized"}', "accepted", 202, "",
                     "", "valid", None),
    "list": ('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', "list", 200, "version", "", "valid", None),
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
    map $http_x_case $kind {{
        default   $http_x_case;
        ""        list; # the gateway fetches the list without the client's fields
    }}
    map $request_body $id {{
        ~"id":"(?<text>[^"]*)" $text;
    }}
    upstream itself {{ server 127.0.0.1:{port}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            default_type application/json;
            if ($kind = list) {{ rewrite ^ /list last; }}
            if ($kind = bad) {{ return 200 '{bad}'; }}
            if ($kind = accepted) {{ return 202; }}
            if ($kind = stream) {{ rewrite ^ /stream last; }}
            return 200 '{good}';
        }}
        location = /stream {{
            default_type text/event-stream;
            return 200 'data: {changed}\\n\\nid: 1\\ndata: {good}\\n\\n';
        }}
        location = /list {{ # the body, which has the id, is read by proxy_pass
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Id $id;
            proxy_pass http://itself/listed;
        }}
        location = /listed {{
            default_type application/json;
            if ($http_x_id) {{ return 200 '{fetched}'; }}
            return 200 '{list}';
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
    if status == {status} and (#[==[{part}]==] == 0 or string.find(body, [==[{part}]==], 1, true)) then
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
    """The other nginx.  Killed and started again from time to time, each time with another list of tools."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="cupel-soak-")
        os.chmod(self.folder, 0o755)
        self.port = free_ports(1)[0]
        self.version = 0
        self.start()

    def start(self):
        self.version += 1
        listed = list_of_tools(self.version)
        texts = {"list": listed, "fetched": listed.replace('"id": 1', '"id": "$http_x_id"'), "changed": CHANGED,
                 "good": result({"sum": 3}), "bad": result({"sum": "3"})}
        escaped = {name: text.replace("\\", "\\\\") for name, text in texts.items()}  # nginx removes backslashes
        config = UPSTREAM.format(folder=self.folder, port=self.port, **escaped)
        pathlib.Path(self.folder, "upstream.conf").write_text(config)
        self.process = subprocess.Popen(
            [NGINX, "-p", self.folder, "-c", f"{self.folder}/upstream.conf", "-g", "daemon off;"],
            start_new_session=True, stderr=subprocess.DEVNULL)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def release(self):
        """Nothing is held back here; the gateway calls it when it stops."""

    def stop(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def run_wrk(gateway, path, kind, folder):
    body, case, status, part = KINDS[kind][:4]
    script = pathlib.Path(folder, f"{kind}-{path.strip('/')}.lua")
    script.write_text(SCRIPT.format(case=case, body=body, status=status, part=part))
    return subprocess.Popen(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "10s", "-s", str(script),
                             f"http://127.0.0.1:{gateway.port}{path}"], stdout=subprocess.PIPE, text=True)


def memory_of(pid):
    """(private bytes of the master and its workers, number of these processes)."""
    found = subprocess.run(["ps", "-o", "pid=", "--pid", str(pid), "--ppid", str(pid)], capture_output=True,
                           text=True, check=False).stdout.split()
    private = 0
    for each in found:
        try:
            rollup = pathlib.Path("/proc", each, "smaps_rollup").read_text()
        except OSError:
            continue
        private += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_")) * 1024
    return private, len(found)


def disturb(gateway, upstream, until):
    """Reloads, replaced catalogs, a dead upstream, each again and again."""
    turn = 0
    while time.time() < until - 3:
        time.sleep(1)
        turn += 1
        if turn % 2 == 0:
            gateway.write_catalog("local", list_of_tools(turn))
            gateway.reload()
        if turn % 5 == 0:
            upstream.kill()
            time.sleep(0.2)
            upstream.start()


def counters(gateway):
    """What the gateway counted: (catalog, tool, verdict) to a number of messages; and the messages that found
    no series."""
    page = urllib.request.urlopen(f"http://127.0.0.1:{gateway.port}/status").read().decode()
    found = collections.Counter()
    for line in page.splitlines():
        match = re.match(r'cupel_messages_total\{catalog="(.*?)",tool="(.*?)",verdict="(.*?)",reason=".*?"\} (\d+)$', line)
        if match:
            found[match[1], match[2], match[3]] += int(match[4])
    return found, int(re.search(r"^cupel_lost_total (\d+)", page, re.MULTILINE)[1])


class Round:
    """What wrk received in one round."""

    def __init__(self):
        self.sent = self.down = self.wrong = 0
        self.least = collections.Counter()  # by (catalog, tool, verdict)
        self.more = collections.Counter()   # that may be counted besides: requests without a response

    def add(self, catalog, kind, good, down, wrong):
        self.sent += good + down + wrong
        self.down += down
        self.wrong += wrong
        tool, verdict, judged = KINDS[kind][4:]
        self.least[catalog, tool, verdict] += good + down
        self.more[catalog, tool, verdict] += UNANSWERED
        if judged:
            self.least[catalog, tool, judged] += good
            self.more[catalog, tool, judged] += UNANSWERED


# Connections end when wrk does and when a worker is replaced, at most once a reload each; the response that was
# on its way is not received, and its request is counted.
UNANSWERED = CONNECTIONS * (1 + SECONDS // 2)


def run_round(gateway, upstream):
    found = Round()
    thread = threading.Thread(target=disturb, args=(gateway, upstream, time.time() + SECONDS))
    thread.start()
    runs = [(path, catalog, kind, run_wrk(gateway, path, kind, upstream.folder))
            for path, catalog in (("/mcp", "local"), ("/learned", "learned")) for kind in KINDS]
    for path, catalog, kind, run in runs:
        out = run.communicate()[0]
        good, less, bad, late, sample = re.search(r"^counted (\d+) (\d+) (\d+) (\d+) (.*)$", out, re.MULTILINE).groups()
        found.add(catalog, kind, int(good), int(less), int(bad))
        check(f"{path} {kind}: {good} good, {less} while the upstream was down",
              int(good) > 0 and int(bad) == 0 and int(late) == 0, f"{bad} wrong, {late} late: {sample[:300]}")
    thread.join()
    return found


def check_counters(before, after, found):
    """Each counter went up by the responses that wrk received, and by those that it may have missed."""
    for key in sorted(set(after) | set(found.least)):
        up = after[key] - before[key]
        check(f"counter {key}", found.least[key] <= up <= found.least[key] + found.more[key],
              f"up by {up}, {found.least[key]} received, at most {found.more[key]} more")


def settle(gateway, workers):
    """Waits until the workers of old configurations have ended; (bytes, processes)."""
    until = time.time() + 20
    while True:
        memory, count = memory_of(gateway.process.pid)
        if count <= workers or time.time() > until:
            return memory, count
        time.sleep(0.5)


def main():
    module, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    upstream = Upstream()
    http = "cupel_catalog learned learn key=shared;"
    server = """location /learned { client_body_buffer_size 64k; proxy_http_version 1.1;
        proxy_set_header Connection ""; proxy_pass http://behind; cupel learned; }"""
    sent = down = wrong = 0
    memory = []
    with Gateway(module, {"local": list_of_tools(0)}, http=http, server=server, upstream=upstream) as gateway:
        time.sleep(1)
        workers = memory_of(gateway.process.pid)[1]
        before = counters(gateway)[0]
        while sent < wanted:
            found = run_round(gateway, upstream)
            size, left = settle(gateway, workers)
            after, lost = counters(gateway)
            check_counters(before, after, found)
            check("no message went uncounted", lost == 0, f"{lost} lost")
            check("no process is left", left == workers, f"{left} processes, {workers} at first")
            memory.append(size)
            before = after
            sent, down, wrong = sent + found.sent, down + found.down, wrong + found.wrong
            print(f"{sent} requests, {down} while the upstream was down, {wrong} wrong, "
                  f"{size >> 10} KiB private", flush=True)
        third = max(1, len(memory) // 3)
        settled, last = statistics.median(memory[third:2 * third] or memory), statistics.median(memory[-third:])
        check("memory stays", last < settled + LEAK, f"{settled} bytes after a third of the rounds, {last} at the end")
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
