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
            ("object", write(folder, "object", "{}"), "holds no list of tools"),
            ("string", write(folder, "string", '"tools"'), "holds no list of tools"),
            ("tools", write(folder, "tools", '{"tools":{}}'), "holds no list of tools"),
            ("error", write(folder, "error", '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'),
             "holds no list of tools"),
            ("syntax", write(folder, "syntax", '{"tools":[\n{]}'), 'syntax":2:2: not JSON'),
            ("large", write(folder, "large", " " * (17 << 20)), "is larger than 16 MiB")):
        path = os.path.join(folder, path)
        refused(module, folder, f"catalog {kind}", f"\n\ncupel_catalog a {path};\n\n\nserver {{}}",
                reason, os.path.basename(path), "test.conf:8")


def main():
    module = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="cupel-config-") as folder:
        catalog_files(module, folder)
    return check.end()


sys.exit(main())
