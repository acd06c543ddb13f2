#!/usr/bin/env python3
"""Starts each configuration of the README as it stands there, with other paths and ports, and sends a call.

usage: check_readme.py MODULE CUPEL README
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from gateway import NGINX, Checks, free_ports
from wire import Upstream, exchange, reply, request

check = Checks()

TOOLS = [{"name": "forecast", "inputSchema": {
    "type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"],
    "additionalProperties": False}}]


def answer(received):
    message = json.loads(received.body)
    result = {"tools": TOOLS} if message["method"] == "tools/list" else {
        "content": [{"type": "text", "text": "rain"}], "resultType": "complete"}
    return reply(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())


def localized(text, module, folder, port, behind):
    """The configuration for this machine."""
    for old, new in (("modules/ngx_http_cupel_module.so", os.path.abspath(module)),
                     ("/etc/nginx/mcp", folder), ("/var/log/nginx", folder),
                     ("127.0.0.1:8080", f"127.0.0.1:{port}"), ("127.0.0.1:9001", f"127.0.0.1:{behind}")):
        text = text.replace(old, new)
    temp = "".join(f"{kind}_temp_path {folder}/{kind}; "
                   for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    main = f"daemon off; pid {folder}/pid; error_log {folder}/error.log info;\n"
    access = "" if "access_log" in text else "access_log off; "
    return main + text.replace("http {", f"http {{ {temp}{access}", 1)


def call(port, path, arguments):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": "forecast", "arguments": arguments}}).encode()
    fields = ["Content-Type: application/json", "Accept: application/json, text/event-stream"]
    return exchange(port, request(body, path=path, fields=fields))


def run(number, text, module, folder):
    port, = free_ports(1)
    upstream = Upstream(answer)
    config = os.path.join(folder, "nginx.conf")
    with open(config, "w") as out:
        out.write(localized(text, module, folder, port, upstream.port))
    process = subprocess.Popen([NGINX, "-p", folder, "-c", config], stderr=subprocess.PIPE)
    until = time.time() + 10
    while time.time() < until and process.poll() is None:
        try:
            good = call(port, "/weather/mcp", {"place": "Brno"})
            break
        except OSError:
            time.sleep(0.05)
    else:
        process.kill()
        check(f"configuration {number} starts", False, process.stderr.read())
        return
    check(f"configuration {number}, a good call", good.status == 200 and b"rain" in good.body, good.raw)
    seen = len(upstream.seen)
    bad = call(port, "/weather/mcp", {"place": 5})
    check(f"configuration {number}, a bad call", bad.status == 200 and b"isError" in bad.body and
          len(upstream.seen) == seen, bad.raw)
    process.terminate()
    process.wait(10)
    upstream.stop()


def main():
    module, cupel, readme = sys.argv[1:4]
    with open(readme) as file:
        configurations = re.findall(r"```nginx\n(.*?)```", file.read(), re.S)
    check("three configurations", len(configurations) == 3, len(configurations))
    for number, text in enumerate(configurations):
        with tempfile.TemporaryDirectory(prefix="cupel-readme-") as folder:
            os.chmod(folder, 0o755)
            for name in ("weather.json", "forge-1.json", "forge-2.json"):
                with open(os.path.join(folder, name), "w") as out:
                    json.dump({"tools": TOOLS}, out)
            subprocess.run([cupel, "tools", "pin", os.path.join(folder, "weather.json"), "-o",
                            os.path.join(folder, "weather.lock")], check=True, stdout=subprocess.DEVNULL)
            run(number, text, module, folder)
    return check.end()


sys.exit(main())
