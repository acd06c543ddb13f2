#!/usr/bin/env python3
"""The product of rows and framings (tests/gateway/rows.py): what passes reaches the upstream byte for byte, of
what is refused not a byte of the body does.  HTTP/2 by curl, where it is installed.

usage: check_rows.py MODULE
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from gateway import Checks, Gateway
from rows import ECHO, ROWS, framings, pipelined
from wire import Client, Upstream, reply

check = Checks()
PROFILES = ("2025-03-26", "2026-07-28")


def answer(received):
    try:
        message = json.loads(received.body)
    except ValueError:
        return reply(b"", kind=None, status="202 Accepted")
    many = message if isinstance(message, list) else [message]
    results = [{"jsonrpc": "2.0", "id": each["id"], "result": {"resultType": "complete", "content": []}}
               for each in many if "id" in each and "method" in each]
    if not results:
        return reply(b"", kind=None, status="202 Accepted")
    return reply(json.dumps(results if many is message else results[0]).encode())


def judge(name, row, status, seen):
    """What came back and what went on, held to the row."""
    bodies = [each.body for each in seen]
    if row.status is None:
        check(name, status in (200, 202) and bodies == [row.body], (status, bodies))
    else:
        check(name, status == row.status and not bodies, (status, bodies))


def send(gateway, path, row, framing):
    client = Client(gateway.port, 5)
    before = len(gateway.upstream.seen)
    try:
        for piece in framing(row, path=path, host="localhost"):
            client.send(piece)
    except OSError:
        pass # refused before all of it was sent
    response = client.receive()
    if framing is pipelined: # the first of the two is a call that passes
        response, before = client.receive(), before + 1
    client.close()
    return response.status, gateway.upstream.seen[before:]


def over_http2(gateway, path, row, folder):
    body = os.path.join(folder, "body")
    with open(body, "wb") as out:
        out.write(row.body)
    fields = [each for name, value in row.fields for each in ("-H", f"{name}: {value}" if value else f"{name};")]
    if not any(name == "Content-Type" for name, _ in row.fields):
        fields += ["-H", "Content-Type:"]
    before = len(gateway.upstream.seen)
    data = ["--data-binary", "@" + body] if row.body or row.method == "POST" else []
    run = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--http2-prior-knowledge", "-X",
                          row.method, *fields, *data, f"http://127.0.0.1:{gateway.port2}{path}"],
                         stdout=subprocess.PIPE, check=False)
    return int(run.stdout or b"0"), gateway.upstream.seen[before:]


def main():
    module = sys.argv[1]
    upstream = Upstream(answer)
    catalog = json.dumps({"tools": [ECHO]})
    with tempfile.TemporaryDirectory(prefix="cupel-rows-") as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "echo.json")
        with open(path, "w") as out:
            out.write(catalog)
        http = "".join(f"cupel_catalog c{profile} {path} spec={profile}; " for profile in PROFILES)
        server = "".join(f"location /{profile} {{ cupel c{profile}; proxy_http_version 1.1; "
                         f"proxy_pass http://behind/; }}\n" for profile in PROFILES)
        with Gateway(module, {}, "", http=http, server=server, upstream=upstream, workers=1) as gateway:
            for profile in PROFILES:
                for row in ROWS:
                    if row.only not in (None, profile):
                        continue
                    for framing in framings(row):
                        status, seen = send(gateway, "/" + profile, row, framing)
                        judge(f"{profile} {row.name} {framing.__name__}", row, status, seen)
                    # HTTP/2 has no Upgrade (RFC 9113, 8.2.2), and curl leaves the field out.
                    if shutil.which("curl") and profile == PROFILES[-1] and "upgrade" not in row.name:
                        status, seen = over_http2(gateway, "/" + profile, row, folder)
                        if row.name == "authorization-twice" and status == 0:
                            status = 400 # nginx itself refused the header, and reset the stream at once
                        judge(f"{profile} {row.name} HTTP/2", row, status, seen)
            log = gateway.read("error.log")
            check("no crash", "exited on signal" not in log and "[alert]" not in log)
    return check.end()


sys.exit(main())
