"""Both ends of a gateway on raw sockets: an upstream that records every byte that reaches it and sends
what a test prescribes, and a client that sends prescribed bytes.  Any gateway host can be tested with
them; nothing here knows nginx."""
import socket
import threading
import time


class Request:
    """One request as the upstream received it."""

    def __init__(self, line, fields, body, raw):
        self.line, self.fields, self.body, self.raw = line, fields, body, raw
        self.method = line.split(b" ")[0]

    def field(self, name):
        """The value of the first field with this name, or None."""
        return next((value for key, value in self.fields if key == name.lower().encode()), None)

    def values(self, name):
        return [value for key, value in self.fields if key == name.lower().encode()]


def split_head(head):
    lines = head.split(b"\r\n")
    fields = [(name.strip().lower(), value.strip())
              for name, _, value in (line.partition(b":") for line in lines[1:] if line)]
    return lines[0], fields


class Reader:
    """Bytes of a socket, with what was read too far kept for the next call."""

    def __init__(self, sock):
        self.sock, self.rest, self.taken = sock, b"", b""

    def more(self):
        got = self.sock.recv(65536)
        if not got:
            raise ConnectionError("closed")
        self.rest += got

    def take(self, size):
        while len(self.rest) < size:
            self.more()
        got, self.rest = self.rest[:size], self.rest[size:]
        self.taken += got
        return got

    def until(self, mark):
        while mark not in self.rest:
            self.more()
        return self.take(self.rest.index(mark) + len(mark))

    def chunks(self):
        body = b""
        while True:
            size = int(self.until(b"\r\n").split(b";")[0], 16)
            if size == 0:
                while self.until(b"\r\n") != b"\r\n":
                    pass
                return body
            body += self.take(size + 2)[:size]


# -- Upstream ---------------------------------------------------------------------------------------

# What an answer may contain besides bytes.
CLOSE, RESET, HANG = "close", "reset", "hang"


def reply(body=b"", kind="application/json", status="200 OK", fields=(), length=True, chunked=0):
    """The bytes of a response.  chunked: the size of its chunks."""
    lines = [f"HTTP/1.1 {status}"] + ([f"Content-Type: {kind}"] if kind is not None else []) + list(fields)
    if chunked:
        lines.append("Transfer-Encoding: chunked")
        parts = [body[i:i + chunked] for i in range(0, len(body), chunked)]
        body = b"".join(b"%x\r\n" % len(part) + part + b"\r\n" for part in parts) + b"0\r\n\r\n"
    elif length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Upstream:
    """Answers each request with the steps that `answer(request)` returns: bytes to send, a number of
    seconds to wait, CLOSE, RESET (a TCP reset), or HANG (keep the connection open and send nothing).
    `seen` has the requests, `raw` a bytearray for each connection, in order of arrival."""

    def __init__(self, answer, port=0):
        self.answer, self.seen, self.raw = answer, [], []
        self.stopped = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", port), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def release(self):
        """Ends what HANG holds."""
        self.stopped.set()

    def stop(self):
        self.release()
        self.listener.close()

    def _accept(self):
        while not self.stopped.is_set():
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader, raw = Reader(sock), bytearray()
        self.raw.append(raw)
        try:
            while True:
                request = self._request(reader)
                raw += request.raw
                self.seen.append(request)
                if not self._send(sock, self.answer(request)):
                    break
        except (OSError, ValueError):
            raw += reader.taken + reader.rest
        sock.close()

    def _request(self, reader):
        reader.taken = b""
        line, fields = split_head(reader.until(b"\r\n\r\n"))
        get = dict(fields).get
        if get(b"transfer-encoding", b"").lower() == b"chunked":
            body = reader.chunks()
        else:
            body = reader.take(int(get(b"content-length", b"0")))
        raw, reader.taken = reader.taken, b""
        return Request(line, fields, body, raw)

    def _send(self, sock, steps):
        for step in steps if isinstance(steps, (list, tuple)) else [steps]:
            if isinstance(step, bytes):
                sock.sendall(step)
            elif isinstance(step, (int, float)):
                if self.stopped.wait(step):
                    return False
            elif step == RESET:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                return False
            elif step == HANG:
                self.stopped.wait(60)
                return False
            elif step == CLOSE:
                return False
        return True

    def forget(self):
        self.seen, self.raw = [], []


# -- Client -----------------------------------------------------------------------------------------

class Response:
    """What came back.  whole: the body ended as its framing says; took: seconds until then."""

    def __init__(self):
        self.status, self.fields, self.body, self.whole, self.raw, self.took = 0, [], b"", False, b"", 0.0

    def field(self, name):
        return next((value for key, value in self.fields if key == name.lower().encode()), None)


def request(body=b"", method="POST", path="/mcp", fields=("Content-Type: application/json",), chunks=None,
            length=True, version="1.1"):
    """The bytes of a request.  chunks: sizes of chunks, the last one repeated; length: whether there is a
    Content-Length."""
    lines = [f"{method} {path} HTTP/{version}", "Host: gateway.test", *fields]
    if chunks is not None:
        lines.append("Transfer-Encoding: chunked")
        out, at, index = b"", 0, 0
        while at < len(body):
            size = chunks[min(index, len(chunks) - 1)]
            part = body[at:at + size]
            out += b"%x\r\n" % len(part) + part + b"\r\n"
            at, index = at + size, index + 1
        body = out + b"0\r\n\r\n"
    elif length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


class Client:
    """A connection to the gateway."""

    def __init__(self, port, timeout=10):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = Reader(self.sock)

    def close(self):
        self.sock.close()

    def send(self, data, pieces=None, pause=0.0):
        """pieces: sizes of the writes, the last one repeated."""
        at = index = 0
        while at < len(data):
            size = len(data) if pieces is None else pieces[min(index, len(pieces) - 1)]
            self.sock.sendall(data[at:at + size])
            at, index = at + size, index + 1
            if pause:
                time.sleep(pause)

    def receive(self, head_only=False):
        """The next response; whole is False where the connection ended or timed out before it did."""
        response, start = Response(), time.monotonic()
        self.reader.taken = b""
        try:
            line, response.fields = split_head(self.reader.until(b"\r\n\r\n"))
            response.status = int(line.split(b" ")[1])
            if not head_only:
                self._body(response)
            response.whole = True
        except (OSError, ValueError, IndexError):
            response.body = response.body or self.reader.rest
        response.took = time.monotonic() - start
        response.raw = self.reader.taken + (b"" if response.whole else self.reader.rest)
        return response

    def _body(self, response):
        if response.status in (204, 304):
            return
        if response.field("transfer-encoding") == b"chunked":
            response.body = self.reader.chunks()
        elif response.field("content-length") is not None:
            response.body = self.reader.take(int(response.field("content-length")))
        else:
            self._until_closed(response)

    def _until_closed(self, response):
        try:
            while True:
                self.reader.more()
        except ConnectionError:
            response.body, self.reader.rest = self.reader.rest, b""

    def events(self):
        """Pieces of a chunked body as they come, with the time of each since the first call."""
        start = time.monotonic()
        while True:
            size = int(self.reader.until(b"\r\n"), 16)
            piece = self.reader.take(size + 2)[:size]
            if size == 0:
                return
            yield time.monotonic() - start, piece


def exchange(port, data, timeout=10, **how):
    """One request on a connection of its own."""
    client = Client(port, timeout)
    try:
        client.send(data, **how)
    except OSError:
        pass # refused before all of it was sent
    try:
        return client.receive()
    finally:
        client.close()


class Checks:
    """Counts what holds, and prints what does not."""

    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, what, good, detail=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print(f"failed: {what}: {detail}"[:2000])

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
