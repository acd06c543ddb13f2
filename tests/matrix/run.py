#!/usr/bin/env python3
"""Runs the clients and servers of the SDKs through the gateway and without it, and compares.

usage: run.py MODULE FOLDER [SDK…]

MODULE is the nginx module, FOLDER holds what scripts/gateway-matrix.sh installed: a folder for each SDK
named in SDKS.  The last line is `N passed, N failed`.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")
MODES = ("json", "stream", "resumed")
SCENARIOS = ("list", "call", "refused", "result", "elicitation", "sampling", "progress", "cancellation",
             "changed", "ping", "task", "end")

# For each SDK: its name, the programs, and the version of the specification in each mode.
SDKS = {
    "typescript-1": ("TypeScript SDK 1", lambda at: (["node", str(at / "server.mjs")],
                                                     ["node", str(at / "client.mjs")]),
                     {"json": "2025-11-25", "stream": "2025-11-25", "resumed": "2025-11-25"}),
    "typescript-2": ("TypeScript SDK 2", lambda at: (["node", str(at / "server.mjs")],
                                                     ["node", str(at / "client.mjs")]),
                     {"json": "2026-07-28", "stream": "2026-07-28", "resumed": "2025-11-25"}),
    "python": ("Python SDK", lambda at: ([str(at / "venv/bin/python"), str(at / "server.py")],
                                         [str(at / "venv/bin/python"), str(at / "client.py")]),
               {"json": "2026-07-28", "stream": "2025-11-25", "resumed": "2025-11-25"}),
    "go": ("Go SDK", lambda at: ([str(at / "bin/server")], [str(at / "bin/client")]),
           {"json": "2026-07-28", "stream": "2025-11-25", "resumed": "2025-11-25"}),
    "rust": ("rmcp", lambda at: ([str(at / "target/debug/server")], [str(at / "target/debug/client")]),
             {"json": "2026-07-28", "stream": "2025-11-25"}),
}

# The configuration of gateways/nginx/README.md, "A learned catalog".
CONFIG = """
load_module {module};
pid {folder}/nginx.pid;
error_log {folder}/error.log info;
worker_processes 2;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log off;
    cupel_catalog tools learn key=shared spec={spec};
    server {{
        listen 127.0.0.1:{port};
        location / {{
            cupel tools;
            proxy_pass http://127.0.0.1:{upstream};
            proxy_set_header Host $http_host;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Accept-Encoding "";
            proxy_buffering off;
            proxy_ignore_headers X-Accel-Redirect X-Accel-Buffering X-Accel-Charset X-Accel-Limit-Rate
                                 X-Accel-Expires;
        }}
        location = /cupel {{ cupel_status; }}
    }}
}}
"""


def free_port():
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]


def wait_for(port, process, seconds=20):
    until = time.time() + seconds
    while time.time() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.05)
    return False


class Gateway:
    """nginx in front of an upstream; `with Gateway(…) as gateway:` stops it."""

    def __init__(self, module, upstream, spec):
        self.folder = tempfile.mkdtemp(prefix="cupel-matrix-")
        os.chmod(self.folder, 0o755)
        self.port = free_port()
        config = os.path.join(self.folder, "nginx.conf")
        pathlib.Path(config).write_text(CONFIG.format(module=os.path.abspath(module), folder=self.folder,
                                                      port=self.port, upstream=upstream, spec=spec))
        self.process = subprocess.Popen([NGINX, "-p", self.folder, "-c", config, "-g", "daemon off;"],
                                        stderr=subprocess.PIPE, text=True)
        if not wait_for(self.port, self.process):
            self.process.kill()
            raise RuntimeError("nginx does not start: " + self.process.stderr.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """A server program; `with Server(…) as server:` stops it."""

    def __init__(self, command, mode):
        self.port = free_port()
        self.process = subprocess.Popen([*command, str(self.port), mode], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        if not wait_for(self.port, self.process):
            self.process.kill()
            raise RuntimeError(f"{command[-1]} does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def run_client(command, port, state_port, mode):
    """What came of each scenario, as text."""
    done = subprocess.run([*command, f"http://127.0.0.1:{port}/mcp", f"http://127.0.0.1:{state_port}/state",
                           mode], capture_output=True, text=True, timeout=120, check=False)
    lines = (line.split("\t", 1) for line in done.stdout.splitlines() if "\t" in line)
    outcomes = dict(lines)
    if not outcomes:
        outcomes["list"] = "failed: " + done.stderr.strip()[-300:]
    return outcomes


def try_mode(module, programs, mode, spec):
    """(scenario, direct outcome, outcome through the gateway) for each scenario."""
    server, client = programs
    with Server(server, mode) as direct:
        without = run_client(client, direct.port, direct.port, mode)
    with Server(server, mode) as behind, Gateway(module, behind.port, spec) as gateway:
        through = run_client(client, gateway.port, behind.port, mode)
    return [(name, without.get(name, "nothing"), through.get(name, "nothing")) for name in SCENARIOS
            if name in without or name in through]


def judge(name, direct, through):
    """A cell of the matrix: same, absent, or differs."""
    if name == "result":
        return "same" if through == '"refused"' else "differs"
    if direct.startswith("absent: ") and direct == through:
        return "absent"
    return "same" if direct == through and "failed" not in direct and direct != "nothing" else "differs"


# -- The conformance suite ---------------------------------------------------------------------------

SERVER_SCENARIOS = (
    "server-initialize", "logging-set-level", "ping", "completion-complete", "tools-list",
    "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
    "tools-call-mixed-content", "tools-call-with-logging", "tools-call-error", "tools-call-with-progress",
    "tools-call-sampling", "tools-call-elicitation", "json-schema-2020-12", "elicitation-sep1034-defaults",
    "server-sse-polling", "server-sse-multiple-streams", "elicitation-sep1330-enums", "resources-list",
    "resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe",
    "resources-unsubscribe", "prompts-list", "prompts-get-simple", "prompts-get-with-args",
    "prompts-get-embedded-resource", "prompts-get-with-image")
CLIENT_SCENARIOS = ("initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry")


def conformance_run(suite, *arguments):
    """The suite's own count of checks, such as `Passed: 1/1, 0 failed, 0 warnings`."""
    done = subprocess.run(["node", str(suite), *arguments], capture_output=True, text=True, timeout=60,
                          check=False)
    counts = [line.strip() for line in (done.stdout + done.stderr).splitlines()
              if line.startswith("Passed: ")]
    return counts[-1] if counts else f"no count, exit status {done.returncode}"


def run_conformance(module, folder):
    """(what, direct, through) for each scenario of the suite."""
    at = folder / "typescript-1"
    suite = at / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    with Server(["node", str(at / "conformance-server.mjs")], "") as server, \
            Gateway(module, server.port, "2025-11-25") as gateway:
        for scenario in SERVER_SCENARIOS:
            yield ("server " + scenario,
                   *(conformance_run(suite, "server", "--url", f"http://127.0.0.1:{port}/mcp", "--scenario",
                                     scenario) for port in (server.port, gateway.port)))
    client = f"node {at / 'conformance.mjs'}"
    relay = f"python3 {HERE / 'relay.py'} {os.path.abspath(module)} {client}"
    for scenario in CLIENT_SCENARIOS:
        yield ("client " + scenario, *(conformance_run(suite, "client", "--command", command, "--scenario",
                                                       scenario) for command in (client, relay)))


# -- The table -----------------------------------------------------------------------------------------

def print_matrix(cells):
    marks = {"same": "✓", "absent": "–", "differs": "✗"}
    print("| SDK | mode | " + " | ".join(SCENARIOS) + " |")
    print("|---|---|" + "---|" * len(SCENARIOS))
    for (title, mode), row in cells.items():
        print(f"| {title} | {mode} | " + " | ".join(marks.get(row.get(name, ""), " ") for name in SCENARIOS)
              + " |")


def main():
    module, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    chosen = sys.argv[3:] or [*SDKS, "conformance"]
    cells, reasons, passed, failed = {}, set(), 0, 0
    for sdk in (name for name in SDKS if name in chosen):
        title, programs, specs = SDKS[sdk]
        if not (folder / sdk).exists():
            print(f"skipped: {title} is not installed")
            continue
        for mode in MODES:
            if mode not in specs:
                reasons.add(f"{title}, {mode}: a handler cannot close its stream")
                continue
            row = cells.setdefault((title, mode), {})
            for name, direct, through in try_mode(module, programs(folder / sdk), mode, specs[mode]):
                row[name] = judge(name, direct, through)
                if row[name] == "absent":
                    reasons.add(f"{title}, {mode}: {name}: {direct[8:]}")
                elif row[name] == "same":
                    passed += 1
                else:
                    failed += 1
                    print(f"failed: {title}, {mode}, {name}:\n  direct  {direct}\n  through {through}")
    print_matrix(cells)
    print("\n".join(sorted(reasons)))
    if "conformance" in chosen and (folder / "typescript-1").exists():
        for what, direct, through in run_conformance(module, folder):
            good = direct == through and "no count" not in direct
            passed, failed = passed + good, failed + (not good)
            print(f"conformance, {what}: {direct}" + ("" if good else f"; through the gateway {through}"))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
