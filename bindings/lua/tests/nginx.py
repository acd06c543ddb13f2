"""The access phase in Debian's nginx with its Lua module, and the plug-ins for Kong and APISIX in the
same nginx: what reaches the upstream, and what a client gets."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "nginx"))
from gateway import NGINX, Checks, Client, Upstream, free_ports  # noqa: E402

MODULES = [pathlib.Path("/usr/lib/nginx/modules", name)
           for name in ("ndk_http_module.so", "ngx_http_lua_module.so")]

TOOLS = ('{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},'
         '"s":{"type":"string"}},"required":["a"]}}]}')

MAIN = """
load_module {ndk};
load_module {lua};
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
worker_processes 2;
env CUPEL_LIBRARY={library};
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log off;
    keepalive_requests 1000000;
    lua_package_path "{here}/../lib/?.lua;{here}/?.lua;{folder}/?.lua;;";
"""

HTTP = """
    init_worker_by_lua_block {{
        local cupel = require "resty.cupel"
        local file = assert(io.open("{folder}/tools.json", "rb"))
        catalog = assert(cupel.catalog(file:read "*a", {{ profile = "2025-06-18" }}))
        file:close()
    }}
    upstream behind {{ server 127.0.0.1:{upstream}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 8m;
        client_body_buffer_size 16k;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        location /mcp {{
            access_by_lua_block {{ require("resty.cupel.access").judge(catalog) }}
            proxy_pass http://behind;
        }}
        location /kong {{
            access_by_lua_block {{ require("plugins").kong "{folder}/tools.json" }}
            proxy_pass http://behind;
        }}
        location /apisix {{
            access_by_lua_block {{ require("plugins").apisix "{folder}/tools.json" }}
            proxy_pass http://behind;
        }}
        location /missing {{
            access_by_lua_block {{ require("plugins").kong "{folder}/none.json" }}
            proxy_pass http://behind;
        }}
        location /missing_too {{
            access_by_lua_block {{ require("plugins").apisix "{folder}/none.json" }}
            proxy_pass http://behind;
        }}
    }}
}}
"""


def readme_http():
    """The http block of the README from its first line on, with names for the places of the test."""
    text = re.search(r"```nginx\nhttp \{\n(.*?)```", (HERE.parent / "README.md").read_text(), re.S).group(1)
    text = text.replace("{", "{{").replace("}", "}}")
    for name, place in (("/etc/cupel/", "{folder}/"), ("127.0.0.1:8080", "127.0.0.1:{port}"),
                        ("127.0.0.1:9001", "127.0.0.1:{upstream}")):
        assert name in text
        text = text.replace(name, place)
    return text


def call_of(arguments, name="add", more=""):
    return (f'{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{name}",'
            f'"arguments":{arguments}}}{more}}}').encode()


GOOD = call_of('{"a":1}')
LONG = call_of('{"a":1,"s":"' + "x" * 100_000 + '"}')
LONG_BAD = call_of('{"a":"1","s":"' + "x" * 100_000 + '"}')
JSON = "Content-Type: application/json"
UTF7 = "Content-Type: application/json; charset=utf-7"

# name, body, fields, passes, status, a part of the answer
CASES = [
    ("good", GOOD, [JSON], True, 200, b'"result"'),
    ("charset", GOOD, ['Content-Type: Application/JSON; charset="UTF-8"'], True, 200, b'"result"'),
    ("from a file", LONG, [JSON], True, 200, b'"result"'),
    ("ping", b'{"jsonrpc":"2.0","id":1,"method":"ping"}', [JSON], True, 200, b'"result"'),
    ("notification", b'{"jsonrpc":"2.0","method":"notifications/initialized"}', [JSON], True, 202, b""),
    ("wrong type", call_of('{"a":"1"}'), [JSON], False, 200, b"expected integer"),
    ("wrong, from a file", LONG_BAD, [JSON], False, 200, b"expected integer"),
    ("unknown tool", call_of("{}", "none"), [JSON], False, 200, b"-32602"),
    ("folded argument", call_of('{"A":1,"a":1}'), [JSON], False, 200, b'"id":7'),
    ("folded name", b'{"jsonrpc":"2.0","id":1,"Method":"ping","method":"ping"}', [JSON], False, 400, b"-32600"),
    ("duplicate", b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', [JSON], False, 400, b"-32700"),
    ("not JSON", b"{", [JSON], False, 400, b"-32700"),
    ("empty", b"", [JSON], False, 400, b"-32700"),
    ("bad notification", b'{"jsonrpc":"2.0","method":7}', [JSON], False, 400, b"-32600"),
    ("field", GOOD, [JSON, "Mcp-Name: other"], False, 400, b"-32020"),
    ("fields", GOOD, [JSON, "Mcp-Name: add", "Mcp-Name: other"], False, 400, b"repeated"),
    ("no type", GOOD, ["X-Type: none"], False, 415, b"Content-Type"),
    ("two types", GOOD, [JSON, UTF7], False, 415, b"Content-Type"),
    ("other charset", GOOD, [UTF7], False, 415, b"Content-Type"),
    ("encoded", GOOD, [JSON, "Content-Encoding: gzip"], False, 415, b"encoded"),
    ("overridden", GOOD, [JSON, "X-HTTP-Method-Override: GET"], False, 400, b"overridden"),
]


class Server:
    """nginx with the Lua module, started."""

    def __init__(self, library, http=HTTP):
        self.folder = tempfile.mkdtemp(prefix="cupel-lua-")
        self.port, behind = free_ports(2)
        self.upstream = Upstream(behind)
        os.chmod(self.folder, 0o755)
        pathlib.Path(self.folder, "tools.json").write_text(TOOLS)
        for name in ("kong", "apisix"):
            os.symlink(HERE.parent / name, os.path.join(self.folder, name))
        config = pathlib.Path(self.folder, "nginx.conf")
        config.write_text((MAIN + http).format(ndk=MODULES[0], lua=MODULES[1], folder=self.folder, here=HERE,
                                        library=os.path.abspath(library), upstream=behind, port=self.port))
        self.process = subprocess.Popen([NGINX, "-p", self.folder, "-c", str(config), "-g", "daemon off;"])
        for _ in range(200):
            try:
                Client(self.port).get("/mcp")
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("nginx does not start: " + self.log())

    def log(self):
        return pathlib.Path(self.folder, "error.log").read_text(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.upstream.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def check_cases(checks, server):
    for framing in ("length", "chunks", "pieces"):
        for name, body, fields, passes, status, part in CASES:
            case = f"{framing} {name}"
            pieces = None if framing == "length" else [7, 1, 50_000]
            client = Client(server.port)
            got = client.post(body, case, fields, pieces, 0.002 if framing == "pieces" else 0)
            client.close()
            reached = server.upstream.seen.get(case, [])
            checks(f"{case}: what reaches the upstream", reached == ([body] if passes else []))
            checks(f"{case}: status {status}", got[0] == status, got)
            checks(f"{case}: {part} in the answer", part in got[2], got[2])


def check_methods(checks, server):
    client = Client(server.port)
    checks("GET without a body passes", client.get("/mcp")[0] in (200, 202))
    client.close()
    for method in ("PUT", "DELETE", "GET"):
        client = Client(server.port)
        client.send([f"{method} /mcp HTTP/1.1\r\nHost: gateway\r\nX-Case: {method}\r\n"
                     f"Content-Length: {len(GOOD)}\r\n\r\n".encode() + GOOD])
        checks(f"{method} with a body is refused", client.receive()[0] == 400)
        client.close()
        checks(f"{method} with a body does not pass", method not in server.upstream.seen)


def check_plugins(checks, server):
    for path in ("/kong", "/apisix"):
        client = Client(server.port)
        checks(f"{path}: a good call", b'"result"' in client.post(GOOD, path + " good", path=path)[2])
        bad = client.post(call_of('{"a":"1"}'), path + " bad", path=path)
        checks(f"{path}: a bad call", b"expected integer" in bad[2])
        checks(f"{path}: a bad call does not pass", path + " bad" not in server.upstream.seen)
        client.close()
    for path in ("/missing", "/missing_too"):
        client = Client(server.port)
        checks(f"{path}: no catalog", client.post(GOOD, path, path=path)[0] == 500)
        checks(f"{path}: nothing passes without a catalog", path not in server.upstream.seen)
        client.close()


def check_load(checks, server):
    """Calls from several connections while the workers are replaced."""
    wrong = []

    def run(number):
        client = Client(server.port)
        for i in range(400):
            good = (i + number) % 3 != 0
            try:
                body = client.post(GOOD if good else call_of('{"a":"1"}'))[2]
            except (ConnectionError, OSError):
                client.close()  # the worker ended between two requests
                continue
            if (b"expected integer" in body) == good:
                wrong.append(body)
        client.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for each in threads:
        each.start()
    for _ in range(3):
        time.sleep(0.2)
        server.process.send_signal(1)
    for each in threads:
        each.join()
    checks("verdicts while workers are replaced", not wrong, wrong[:1])


def check_readme(checks, library):
    with Server(library, readme_http()) as server:
        client = Client(server.port)
        checks("README: a good call", b'"result"' in client.post(GOOD)[2])
        checks("README: a bad call", b"expected integer" in client.post(call_of('{"a":"1"}'))[2])
        client.close()


def main():
    checks = Checks()
    check_readme(checks, sys.argv[1])
    with Server(sys.argv[1]) as server:
        check_cases(checks, server)
        check_methods(checks, server)
        check_plugins(checks, server)
        check_load(checks, server)
        unexpected = [line for line in server.log().splitlines() if "[alert]" in line or "[crit]" in line]
        checks("no alerts in the log", not unexpected, unexpected[:3])
        faults = [line for line in server.log().splitlines() if "[error]" in line and "none.json" not in line]
        checks("no errors in the log", not faults, faults[:3])
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
