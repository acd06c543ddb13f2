#!/usr/bin/env python3
"""Ways around the judgement that other directives of nginx, or an upstream, might open: redirects within
nginx, interim responses, tunnels, copies of the body, bodies too large, upstreams that die.  What the
upstream received decides.

usage: check_detours.py MODULE
"""
import json
import os
import sys
import tempfile
import time

from gateway import Checks, Gateway, check_configuration
from wire import CLOSE, HANG, RESET, Client, Upstream, exchange, reply, request

check = Checks()

CATALOG = json.dumps({"tools": [
    {"name": "weigh", "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}},
     "outputSchema": {"type": "object", "required": ["grams"], "properties": {"grams": {"type": "number"}}}},
]})


def call(arguments=None, id=7):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                       "params": {"name": "weigh", "arguments": arguments or {}}}).encode()


def result(grams, id=7):
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": {
        "resultType": "complete", "content": [{"type": "text", "text": "x"}],
        "structuredContent": {"grams": grams}}}).encode()


GOOD, BAD = result(5), result("heavy")
REFUSED = call({"what": 5})

LOCATIONS = """
    proxy_http_version 1.1;
    location @up { proxy_pass http://behind; }
    location /elsewhere { proxy_pass http://behind; }
    location = /sorry.html { internal; return 200 "sorry"; }

    location /files    { cupel local; root /nonexistent; try_files $uri @up; }
    location /accel    { cupel local; proxy_pass http://behind; }
    location /obeyed   { cupel local; cupel_allow accel_headers; proxy_pass http://behind; }
    location /caught   { cupel local; proxy_intercept_errors on; error_page 500 = @up2; proxy_pass http://behind; }
    location @up2      { rewrite .* /fallback break; proxy_pass http://behind; }
    location /renamed  { cupel local; proxy_intercept_errors on; error_page 500 =200 /elsewhere; proxy_pass http://behind; }
    location /static   { cupel local; proxy_intercept_errors on; error_page 500 /sorry.html; proxy_pass http://behind; }
    location /other    { cupel local; proxy_intercept_errors on; error_page 500 = /second; proxy_pass http://behind; }
    location /second   { cupel second; proxy_pass http://behind; }
    location /pages    { cupel local; client_max_body_size 0; client_body_buffer_size 16k;
                         error_page 400 405 413 415 422 =200 @up; proxy_pass http://behind; }
    location /small    { cupel local; client_max_body_size 1k; error_page 400 413 =200 @up; proxy_pass http://behind; }
    location /page     { proxy_pass http://behind; proxy_pass_request_body off; proxy_set_header Content-Length ""; }
    location /after    { cupel local; addition_types *; add_after_body /page; proxy_pass http://behind; }
    location /around   { cupel local; addition_types *; add_before_body /page; add_after_body /page;
                         proxy_buffering off; proxy_pass http://behind; }
    location /mirrored { cupel local; mirror /mirror; proxy_pass http://behind; }
    location = /mirror { internal; proxy_pass http://behind/mirror; }
    location /refused  { cupel local; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
                         proxy_pass http://behind; }
    location /tunnel   { cupel local; cupel_allow upgrade; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
                         proxy_pass http://behind; }
    location /buffered { cupel local; proxy_read_timeout 1s; proxy_pass http://behind; }
    location /direct   { cupel local; proxy_read_timeout 1s; proxy_buffering off; proxy_pass http://behind; }
"""

answers = {}


def answer(received):
    path = received.line.split(b" ")[1].decode()
    case = (received.field("x-case") or b"").decode()
    steps = answers.get(case) or answers.get(path)
    return steps(received) if callable(steps) else steps or reply(GOOD)


def post(gateway, path, body, case="", timeout=10, **how):
    fields = ["Content-Type: application/json", f"X-Case: {case}"]
    return exchange(gateway.port, request(body, path=path, fields=fields, **how), timeout)


def is_error(response, status, code=-32603, id=7):
    try:
        message = json.loads(response.body)
    except ValueError:
        return False
    return response.status == status and message["error"]["code"] == code and message["id"] == id and \
        response.field("content-type") == b"application/json" and response.whole


def redirects(gateway):
    """A result that does not conform stays out, by whatever location of nginx it comes."""
    answers["/accel"] = answers["/obeyed"] = reply(b"{}", fields=["X-Accel-Redirect: /elsewhere"])
    answers["/elsewhere"] = answers["/fallback"] = answers["/files"] = reply(BAD)
    for path in ("/caught", "/renamed", "/static", "/other"):
        answers[path] = reply(b"{}", status="500 Internal Server Error")
    for path in ("/files", "/obeyed", "/caught", "/renamed"):
        response = post(gateway, path, call())
        check("result by " + path, is_error(response, 200), response.raw)
    answers["/elsewhere"] = answers["/fallback"] = answers["/files"] = reply(GOOD)
    for path in ("/files", "/obeyed", "/caught", "/renamed"):
        response = post(gateway, path, call())
        check("good result by " + path, response.status == 200 and response.body == GOOD, response.raw)
    before = len(gateway.upstream.seen)
    response = post(gateway, "/accel", call())
    check("X-Accel-Redirect ignored", len(gateway.upstream.seen) == before + 1 and
          b"sorry" not in response.body and GOOD not in response.body, response.raw)
    check("error page", post(gateway, "/static", call()).body == b"sorry")
    check("two catalogs", post(gateway, "/other", call()).status == 502)
    gets = [each for each in gateway.upstream.seen if each.method == b"GET"]
    check("no body after a redirect to GET", gets and all(each.body == b"" for each in gets), gets)


def additions(gateway):
    """Pages that ngx_http_addition_module puts around a response: each arrives, and the response ends."""
    answers["/page"] = reply(b"PAGE", kind="text/plain")
    events = [reply(b"data: " + data + b"\n\n", kind="text/event-stream") for data in (GOOD, BAD)]
    for path, pages in (("/after", 1), ("/around", 2)):
        for name, steps, good in (("good", reply(GOOD), True), ("bad", reply(BAD), False),
                                  ("good stream", events[0], True), ("bad stream", events[1], False)):
            answers[path] = steps
            response = post(gateway, path, call(), timeout=3)
            check(f"{path} {name}", response.whole and response.body.count(b"PAGE") == pages and
                  (GOOD in response.body) == good and b"heavy" not in response.body, response.raw)


def refused_bodies(gateway):
    """A body that is refused leaves by no error page and no mirror."""
    large = call({"what": "x" * (2 << 20)})
    for path in ("/pages", "/mirrored", "/small"):
        for name, body, how in (
                ("invalid", REFUSED, {}), ("syntax", b"{" + REFUSED, {}), ("empty", b"", {}),
                ("large", large, {}), ("large chunks", large, {"chunks": [4000]}),
                ("broken chunks", b"5\r\n{\"jso\r\nzz\r\n", {})):
            before = len(gateway.upstream.seen)
            if path == "/small" and name == "large":
                continue # nginx itself sends its length on without the body, and waits
            if name == "broken chunks":
                data = request(fields=["Content-Type: application/json", "Transfer-Encoding: chunked"],
                               path=path, length=False) + body
                response = exchange(gateway.port, data, timeout=3)
            else:
                response = post(gateway, path, body, **how)
            time.sleep(0.02)
            leaked = [each for each in gateway.upstream.seen[before:] if each.body]
            check(f"{path} {name}", not leaked and response.status != 0, (response.raw[:200], leaked))
    before = len(gateway.upstream.seen)
    post(gateway, "/mirrored", call())
    until = time.time() + 2
    while len(gateway.upstream.seen) < before + 2 and time.time() < until:
        time.sleep(0.01)
    check("mirror of what passes", sorted(each.body for each in gateway.upstream.seen[before:]) == [call()] * 2)


def too_large(gateway):
    """Refused before it is read or kept."""
    head = request(path="/pages", fields=["Content-Type: application/json", "Content-Length: 314572800"],
                   length=False)
    start = time.monotonic()
    response = exchange(gateway.port, head)
    check("Content-Length of 300 MiB", is_error(response, 413, -32600, None) and
          time.monotonic() - start < 2, response.raw)
    client, sent, most = Client(gateway.port), 0, 0
    client.send(request(path="/pages", fields=["Content-Type: application/json",
                                               "Transfer-Encoding: chunked"], length=False))
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    folder = gateway.path("body")
    try:
        while sent < 64 << 20:
            client.send(chunk)
            sent += 65536
            most = max(most, sum(os.stat(os.path.join(folder, each)).st_size for each in os.listdir(folder)))
    except OSError:
        pass
    response = client.receive()
    client.close()
    check("chunks without end", most <= 1 << 20, f"{most} bytes were in files")
    check("chunks without end answered", response.status in (413, 0), response.raw)


def interim(gateway):
    """An upstream's 1xx is no answer; a 101 opens no tunnel."""
    for status in ("100 Continue", "101 Switching Protocols", "102 Processing", "103 Early Hints", "199 X"):
        first = f"HTTP/1.1 {status}\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n".encode()
        for path in ("/buffered", "/direct", "/tunnel"):
            for fields in ([], ["Upgrade: websocket", "Connection: Upgrade"]):
                answers[path] = [first, 0.02, reply(BAD)]
                data = request(call(), path=path, fields=["Content-Type: application/json", *fields])
                response = exchange(gateway.port, data)
                if fields and path != "/tunnel":
                    check(f"{status} {path} Upgrade", is_error(response, 400, -32600, None), response.raw)
                    continue
                check(f"{status} {path} {fields}", is_error(response, 502) or response.status == 502 and
                      b"heavy" not in response.raw, response.raw)
                check(f"{status} {path} {fields} at once", response.took < 0.9, response.took)
        answers["/direct"] = [first, HANG]
        response = exchange(gateway.port, request(call(), path="/direct"))
        check(f"{status} and silence", response.status == 502 and response.took < 0.9, response.raw)
    for path in ("/buffered", "/direct"):
        answers[path] = [b"no status line\r\n\r\n" + BAD, CLOSE]
        response = post(gateway, path, call(), timeout=3)
        check(f"{path} without a status line", is_error(response, 502), response.raw)
    answers["/tunnel"] = [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", HANG]
    gateway.upstream.forget()
    upgrade = ["Content-Type: application/json", "Upgrade: x", "Connection: Upgrade"]
    for method, body in (("GET", b""), ("POST", call()), ("DELETE", b"")):
        response = exchange(gateway.port, request(body, method, "/refused", upgrade, length=bool(body)))
        check(f"Upgrade by {method} is refused", is_error(response, 400, -32600, None) and not gateway.upstream.seen,
              response.raw)
    for method, body in (("GET", b""), ("POST", call())):
        client = Client(gateway.port, 3)
        client.send(request(body, method, "/tunnel", upgrade, length=bool(body)))
        response = client.receive()
        try:
            client.send(b"POST / HTTP/1.1\r\nHost: x\r\n\r\nthrough the tunnel")
        except OSError:
            pass
        time.sleep(0.05)
        client.close()
        check(f"tunnel by {method}", response.status != 101 and
              not any(b"through the tunnel" in raw for raw in gateway.upstream.raw), response.raw)
        upgrades = [each.raw for each in gateway.upstream.seen if each.field("upgrade") is not None]
        check(f"no Upgrade field, {method}", not upgrades, upgrades)


def led_away(gateway):
    """An upstream sends the client to another server, which nobody judges."""
    for path in ("/buffered", "/direct"):
        for status in ("301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"):
            for location, stays in (("http://evil.example/mcp", False), ("//evil.example/mcp", False),
                                    ("/\\evil.example", False), ("/mcp/", True), ("http://gateway.test/mcp/", True)):
                for body in (b"", GOOD):
                    answers[path] = reply(body, status=status, fields=[f"Location: {location}"])
                    response = post(gateway, path, call())
                    raw = response.raw.replace(b"https://", b"").lower()
                    check(f"{path} {status} to {location}", (response.status == int(status[:3])) == stays and
                          (b"evil" in raw or b"\nlocation:" in raw) == stays, response.raw)
    answers["/buffered"] = answers["/direct"] = reply(GOOD)


def dying(gateway):
    """An upstream that dies in the middle of a result: 502 at once, and no request hangs."""
    whole = reply(GOOD)
    chunked = reply(GOOD, chunked=10)
    for path in ("/buffered", "/direct"):
        for name, steps, limit in (
                ("at once", [CLOSE], 0.9), ("in the head", [whole[:30], CLOSE], 0.9),
                ("after the head", [whole[:whole.index(b"{")], CLOSE], 0.9),
                ("in the body", [whole[:-9], CLOSE], 0.9), ("in the body, later", [whole[:-9], 0.05, CLOSE], 0.9),
                ("in the body, reset", [whole[:-9], 0.05, RESET], 0.9),
                ("in a chunk", [chunked[:-20], CLOSE], 0.9), ("after the last but one", [chunked[:-5], CLOSE], 0.9),
                ("between chunks", [chunked[:chunked.index(b"\r\na\r\n", 150) + 2], 0.05, RESET], 0.9),
                ("without an end", [whole[:-9], HANG], 3), ("bad chunk", [chunked[:-20] + b"zz\r\n\r\n", CLOSE], 0.9)):
            answers[path] = steps
            response = post(gateway, path, call())
            check(f"{path} {name}", 502 <= response.status <= 504 and response.whole and response.took < limit,
                  (response.took, response.raw))
    answers["/direct"] = reply(GOOD)
    check("afterwards", post(gateway, "/direct", call()).body == GOOD)


def configurations(module):
    """What cannot be judged is refused by `nginx -t`."""
    with tempfile.TemporaryDirectory(prefix="cupel-detours-") as folder:
        path = os.path.join(folder, "local.json")
        with open(path, "w") as out:
            out.write(CATALOG)
        for name, text, reason in (
                ("proxy_method", "location /a { cupel l; proxy_pass http://127.0.0.1:1; proxy_method PUT; }",
                 '"proxy_method"'),
                ("proxy_method, inherited", "proxy_method GET; location /a { cupel l; proxy_pass http://127.0.0.1:1; }",
                 '"proxy_method"'),
                ("proxy_set_body", "location /a { cupel l; proxy_pass http://127.0.0.1:1; proxy_set_body $arg_x; }",
                 '"proxy_set_body"'),
                ("post_action", "location /a { cupel l; post_action /b; } location /b { return 204; }", '"post_action"'),
                ("post_action, inherited", "cupel l; post_action @b; location @b { return 204; }", '"post_action"')):
            http = f"cupel_catalog l {path};\nserver {{ listen 127.0.0.1:1; {text} }}"
            status, message = check_configuration(module, http, folder)
            check(name, status != 0 and reason in message and "which \"l\" judges" in message, message)
            status, message = check_configuration(module, http.replace("cupel l;", "cupel off;"), folder)
            check(name + ", not judged", status == 0, message)


def main():
    module = sys.argv[1]
    configurations(module)
    upstream = Upstream(answer)
    with Gateway(module, {"local": CATALOG, "second": CATALOG}, server=LOCATIONS, upstream=upstream,
                 workers=1) as gateway:
        for step in (redirects, additions, refused_bodies, too_large, interim, led_away, dying):
            start = time.time()
            step(gateway)
            print(f"{step.__name__}: {time.time() - start:.1f} s")
        gateway.stop()
        log = gateway.read("error.log")
        check("no crash", "exited on signal" not in log and "[alert]" not in log and "[emerg]" not in log,
              [line for line in log.splitlines() if "[alert]" in line or "signal" in line][:5])
    return check.end()


sys.exit(main())
