#!/usr/bin/env python3
"""What `nginx -t` says of configurations: what cannot hold is refused, with the line of its directive.

usage: check_config.py MODULE
"""
import os
import sys
import tempfile

from gateway import Checks, check_configuration

check = Checks()
TOOLS = '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}'


def refused(module, folder, name, http, *wanted):
    """Refused, with a message that has all of these."""
    status, text = check_configuration(module, http, folder)
    check(name, status != 0 and all(each in text for each in wanted), (status, text))


def accepted(module, folder, name, http, *wanted):
    status, text = check_configuration(module, http, folder)
    check(name, status == 0 and all(each in text for each in wanted), (status, text))


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        out.write(text)
    return path


def catalog_files(module, folder):
    """Files that are no catalog, by kind; the directive stands on line 8 of the configuration."""
    os.mkfifo(os.path.join(folder, "fifo"))
    os.symlink(os.path.join(folder, "fifo"), os.path.join(folder, "link"))
    for kind, path, reason in (
            ("fifo", "fifo", "is not a regular file"),
            ("link", "link", "is not a regular file"),
            ("folder", ".", "is not a regular file"),
            ("device", "/dev/zero", "is not a regular file"),
            ("absent", "absent.json", "No such file"),
            ("empty", write(folder, "empty", ""), "is empty"),
            ("object", write(folder, "object", "{}"), "does not contain a list of tools"),
            ("string", write(folder, "string", '"tools"'), "does not contain a list of tools"),
            ("tools", write(folder, "tools", '{"tools":{}}'), "does not contain a list of tools"),
            ("error", write(folder, "error", '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'),
             "does not contain a list of tools"),
            ("syntax", write(folder, "syntax", '{"tools":[\n{]}'), 'syntax":2:2: not JSON'),
            ("large", write(folder, "large", " " * (17 << 20)), "is larger than 16 MiB")):
        path = os.path.join(folder, path)
        refused(module, folder, f"catalog {kind}", f"\n\ncupel_catalog a {path};\n\n\nserver {{}}",
                reason, os.path.basename(path), "test.conf:8")


def directives(module, folder):
    """Directives that contradict each other, or name what is not there."""
    tools, lock = write(folder, "good.json", TOOLS), write(folder, "bad.lock", TOOLS)
    for name, http, reason in (
            ("learned and files", f"cupel_catalog a learn {tools};", "combines learn with files"),
            ("files and key", f"cupel_catalog a {tools} key=shared;", "which need learn"),
            ("files and max", f"cupel_catalog a {tools} max=5;", "which need learn"),
            ("key without a variable", "cupel_catalog a learn key=authorization;", "neither a variable nor"),
            ("key of an unknown variable", "cupel_catalog a learn key=$nobody;", 'unknown "nobody" variable'),
            ("max of nothing", "cupel_catalog a learn max=0;", "max="),
            ("spec", "cupel_catalog a learn spec=2020-01-01;", "has a spec= that is not a known version"),
            ("pins that are absent", f"cupel_catalog a learn pins={folder}/none;", "No such file"),
            ("pins that are none", f"cupel_catalog a learn pins={lock};", "is not a lock file"),
            ("pins without a file", "cupel_catalog a learn pins=;", "has pins= without a file"),
            ("no files", "cupel_catalog a spec=2025-11-25;", "names neither a file nor learn"),
            ("twice", f"cupel_catalog a {tools}; cupel_catalog a {tools};", "defines a catalog that exists already"),
            ("an unknown limit", "cupel_limits bodies=5;", "has an unknown limit"),
            ("a limit that is no number", "cupel_limits body=x;", "has a value that is not a number or is too large"),
            ("a limit that is too large", "cupel_limits depth=5000000000;", "has a value that is not a number or is too large"),
            ("an unknown limit of learning", "cupel_learn_limits body=5;", "has an unknown limit"),
            ("a small zone", "cupel_catalog a learn; cupel_learn_zone 64k;", "too small"),
            ("an unknown catalog", "server { cupel nobody; }", 'unknown catalog "nobody"'),
            ("an unknown allowance", "server { cupel_allow everything; }", "invalid value"),
            ("results", "server { cupel_results maybe; }", "invalid value")):
        refused(module, folder, name, http, reason)
    accepted(module, folder, "pass warns", "cupel_catalog a learn key=shared; server { cupel a; cupel_unlearned pass; }",
             "[warn]", '"cupel_unlearned pass"')
    accepted(module, folder, "all limits", "cupel_limits body=1m depth=9 errors=1 steps=1k steps_per_byte=1 memory=1m "
             "answer=1k batch=2 result=1m list=1m event=1m stream=1m worker=1m time=5s; cupel_learn_limits pages=1 "
             "bytes=1m caller=1 fetches=1 address=1 rate=1 time=1s retry=1s steps=1k;")
    accepted(module, folder, "all allowances", f"cupel_catalog a {tools}; server {{ cupel a; cupel_allow encoded_body "
             "method_override other_methods repeated_fields accel_headers; }")


def main():
    module = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="cupel-config-") as folder:
        catalog_files(module, folder)
        directives(module, folder)
    return check.end()


sys.exit(main())
