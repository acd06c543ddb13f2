#!/usr/bin/env python3
"""The SDK's client through the gateway to a server from npm: the protocol works as without the gateway, and
calls that do not conform come back as errors that the client understands.

usage: check_client.py MODULE FOLDER     (FOLDER: where the packages are installed, kept between runs)
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

from gateway import Gateway, free_ports

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "client")
SERVER = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
SKIPPED = 77


def install(folder):
    """Whether the packages are there, in the versions wanted."""
    os.makedirs(folder, exist_ok=True)
    wanted, have = os.path.join(HERE, "package.json"), os.path.join(folder, "package.json")
    if os.path.exists(os.path.join(folder, SERVER)) and open(wanted).read() == open(have).read():
        return True
    shutil.copy(wanted, have)
    run = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"],
                         cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return run.returncode == 0


def start_server(folder, port):
    server = subprocess.Popen(["node", SERVER, "streamableHttp"], cwd=folder,
                              env={**os.environ, "PORT": str(port)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/mcp", timeout=5)
        except urllib.error.HTTPError:
            return server
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise RuntimeError("the server does not start")


def client(folder, mode, url):
    run = subprocess.run(["node", os.path.join(HERE, "client.mjs"), mode, url], cwd=folder,
                         stdout=subprocess.PIPE, timeout=60, check=True)
    return [json.loads(line) for line in run.stdout.decode().splitlines()]


def problems_of(direct, through, log):
    """What is wrong with the outcomes, compared with those without a gateway."""
    for before, after in zip(direct, through):
        case = f"{before['name']} {before['args']}"
        good = not before.get("isError") and "code" not in before
        if good and before["name"] != "get-structured-content" and before != after:
            yield f"{case}: {before} became {after}"
        elif good and (after.get("isError") or "code" in after):
            yield f"{case}: refused: {after}"
        elif not good and before["name"] == "no-such-tool" and after.get("code") != -32602:
            yield f"{case}: {after}"
        elif not good and before["name"] != "no-such-tool" and (
                not after.get("isError") or "in the arguments" not in after["text"]):
            yield f"{case}: {after}"
    for verdict, least in (("valid", 3), ("invalid", 4), ("unknown-tool", 1)):
        if len(re.findall(rf" 200 {verdict} [a-z]", log)) != least: # of tools; other messages are valid too
            yield f"log: {least} {verdict} wanted: {log}"


def main():
    module, folder = sys.argv[1:3]
    if shutil.which("npm") is None or not install(folder):
        print("no npm, or no packages")
        return SKIPPED
    port, = free_ports(1)
    server = start_server(folder, port)
    try:
        catalog = client(folder, "list", f"http://127.0.0.1:{port}/mcp")[0]
        direct = client(folder, "calls", f"http://127.0.0.1:{port}/mcp")
        location = (f"cupel local; proxy_pass http://127.0.0.1:{port}; proxy_buffering off; "
                    "proxy_set_header Accept-Encoding \"\";")
        server_block = f"location /everything/mcp {{ proxy_http_version 1.1; {location} rewrite ^/everything(.*) $1 break; }}"
        with Gateway(module, {"local": json.dumps(catalog)}, server=server_block) as gateway:
            through = client(folder, "calls", f"http://127.0.0.1:{gateway.port}/everything/mcp")
            time.sleep(0.2)
            log = gateway.read("access.log")
    finally:
        server.kill()
    problems = list(problems_of(direct, through, log))
    for problem in problems:
        print("failed:", problem)
    print(f"{len(direct) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


sys.exit(main())
