"""A gateway to test: Debian's nginx with the module, in a folder of its own, on loopback, and an upstream
that remembers what reached it."""
import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gateway"))
from wire import Checks  # noqa: E402,F401

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")

CONFIG = """
load_module {module};
pid {folder}/nginx.pid;
error_log {folder}/error.log info;
worker_processes {workers};
{main}
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    log_format judged '$http_x_case $status $cupel_verdict $cupel_tool $cupel_reason $cupel_steps $cupel_time_ns';
    access_log {folder}/access.log judged;
    keepalive_requests 1000000;
    {http}
    upstream behind {{ server 127.0.0.1:{upstream}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        listen 127.0.0.1:{port2} http2;
        location /mcp {{
            client_max_body_size 256k;
            client_body_buffer_size 16k;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_pass http://behind;
            {location}
        }}
        location = /status {{ cupel_status; }}
        {server}
    }}
}}
"""


def free_ports(count):
    """Ports that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Upstream:
    """An HTTP/1.1 server that answers POST with `answer(case, body)`, or with a JSON-RPC result."""

    def __init__(self, port, answer=None):
        self.port = port
        self.answer = answer
        self.seen = {}
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        self.ready.wait(10)

    def _run(self):
        asyncio.set_event_loop(self.loop)
        server = asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.server = self.loop.run_until_complete(server)
        self.ready.set()
        self.loop.run_forever()

    def release(self):
        """Nothing is held back here."""

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    async def _serve(self, reader, writer):
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        writer.close()

    async def _one(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        headers = headers_of(head)
        body = await self._body(reader, headers)
        case = headers.get(b"x-case", b"").decode()
        if case:
            self.seen.setdefault(case, []).append(body)
        status, kind, text = plain_answer(body)
        if self.answer:
            status, kind, text = self.answer(case, body)
        writer.write(b"HTTP/1.1 %d OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" %
                     (status, kind.encode(), len(text)) + text)
        await writer.drain()
        return True

    async def _body(self, reader, headers):
        if headers.get(b"transfer-encoding", b"").lower() == b"chunked":
            body = b""
            while True:
                size = int(await reader.readline(), 16)
                body += (await reader.readexactly(size + 2))[:size]
                if size == 0:
                    return body
        return await reader.readexactly(int(headers.get(b"content-length", b"0")))


def plain_answer(body):
    """(status, type, text): a result for each request, nothing for anything else."""
    try:
        messages = json.loads(body)
    except ValueError:
        return 202, "text/plain", b""
    many = messages if isinstance(messages, list) else [messages]
    answers = [{"jsonrpc": "2.0", "id": each["id"], "result": {"resultType": "complete", "content": []}}
               for each in many if "id" in each and "method" in each]
    if not answers:
        return 202, "text/plain", b""
    return 200, "application/json", json.dumps(answers if many is messages else answers[0]).encode()


def headers_of(head):
    pairs = (line.split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}


def check_configuration(module, http, folder):
    """(exit status, messages) of `nginx -t` for a configuration with this in its http block."""
    config = os.path.join(folder, "test.conf")
    with open(config, "w") as out:
        out.write(f"load_module {os.path.abspath(module)};\npid {folder}/pid;\nevents {{}}\nhttp {{\n"
                  + "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
                  + f"access_log off;\n{http}\n}}\n")
    run = subprocess.run([NGINX, "-t", "-p", folder, "-c", config, "-g", f"error_log {folder}/error.log;"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20,
                         check=False)
    return run.returncode, run.stdout.decode(errors="replace")


class Gateway:
    """nginx, started; `with Gateway(...) as gateway:` stops it."""

    def __init__(self, module, catalogs, location="cupel local;", http="", server="", main="",
                 workers=2, spec="", answer=None, wrapper=(), wait=20, upstream=None):
        self.folder = tempfile.mkdtemp(prefix="cupel-nginx-")
        self.port, self.port2, behind = free_ports(3)
        self.upstream = upstream or Upstream(behind, answer)
        self.settings = dict(module=os.path.abspath(module), folder=self.folder, workers=workers, main=main,
                             http=http, server=server, location=location, upstream=self.upstream.port,
                             port=self.port, port2=self.port2)
        self.catalogs = {}
        for name, text in catalogs.items():
            self.write_catalog(name, text)
        lines = (f"cupel_catalog {name} {path}{spec};" for name, path in self.catalogs.items())
        self.settings["http"] = "\n    ".join(lines) + "\n    " + http
        self.config = os.path.join(self.folder, "nginx.conf")
        with open(self.config, "w") as out:
            out.write(CONFIG.format(**self.settings))
        os.chmod(self.folder, 0o755)
        self.process = subprocess.Popen(
            [*wrapper, NGINX, "-p", self.folder, "-c", self.config, "-g", "daemon off;"],
            stdout=open(self.path("stdout"), "w"), stderr=open(self.path("stderr"), "w"))
        self._wait(wait)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_catalog(self, name, text):
        path = self.path(name + ".json")
        with open(path + ".new", "w") as out:
            out.write(text)
        os.rename(path + ".new", path)
        self.catalogs[name] = path

    def read(self, name):
        with open(self.path(name), errors="replace") as file:
            return file.read()

    def _wait(self, seconds):
        until = time.time() + seconds
        while time.time() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError("nginx does not start: " + self.read("stderr"))

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.upstream.release()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.upstream.stop()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Client:
    """One connection, kept alive."""

    def __init__(self, port):
        self.port = port
        self.socket = None
        self.rest = b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None
        self.rest = b""

    def send(self, pieces, pause=0.0):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), 10)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            self.socket.sendall(piece)
            if pause:
                time.sleep(pause)

    def receive(self):
        """(status, headers, body) of the next response."""
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, headers = int(head.split(b" ", 2)[1]), headers_of(head)
        if headers.get(b"transfer-encoding") == b"chunked":
            body = self._chunks()
        else:
            body = self._exactly(int(headers.get(b"content-length", b"0")))
        if headers.get(b"connection") == b"close":
            self.close()
        return status, headers, body

    def _more(self):
        got = self.socket.recv(65536)
        if not got:
            raise ConnectionError("closed by the gateway")
        self.rest += got

    def _exactly(self, size):
        while len(self.rest) < size:
            self._more()
        body, self.rest = self.rest[:size], self.rest[size:]
        return body

    def _chunks(self):
        body = b""
        while True:
            while b"\r\n" not in self.rest:
                self._more()
            size, self.rest = self.rest.split(b"\r\n", 1)
            body += self._exactly(int(size, 16))
            self._exactly(2)
            if int(size, 16) == 0:
                return body

    def post(self, body, case="", headers=(), pieces=None, pause=0.0, apart=False, path="/mcp"):
        """Sends a body with a Content-Length, or in chunks of the given sizes; apart: in several writes."""
        lines = [f"POST {path} HTTP/1.1", "Host: gateway", f"X-Case: {case}"]
        lines += headers or ["Content-Type: application/json"]
        if pieces is None:
            lines.append(f"Content-Length: {len(body)}")
            out = [body]
        else:
            lines.append("Transfer-Encoding: chunked")
            out, at = [], 0
            for size in pieces:
                if size and at < len(body):
                    part = body[at:at + size]
                    out.append(b"%x\r\n" % len(part) + part + b"\r\n")
                    at += len(part)
            if at < len(body):
                out.append(b"%x\r\n" % (len(body) - at) + body[at:] + b"\r\n")
            out.append(b"0\r\n\r\n")
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        whole = head + b"".join(out)
        if pause:
            self.send([head, *out], pause)
        elif apart:
            middle = len(head) + len(body) // 2
            self.send([head[:-3], whole[len(head) - 3:middle], whole[middle:]])
        else:
            self.send([whole])
        return self.receive()

    def get(self, path):
        self.send([f"GET {path} HTTP/1.1\r\nHost: gateway\r\n\r\n".encode()])
        return self.receive()
