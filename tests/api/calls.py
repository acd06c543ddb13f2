#!/usr/bin/env python3
"""Checks that calls between source files run in one direction.

usage: calls.py NM PROJECT_ROOT BUILD_ROOT

Reads the symbols of the object files that compile_commands.json lists.  File a calls file b if a's object needs a
symbol that b's object defines, be it a function or a table.  Two rules, each with exceptions in calls.txt:

- No files call each other in a circle.
- No file calls into a room that comes later in the table of includes.py, which lists the rooms from the bottom up.

An exception that no longer occurs fails too, so that the list only shrinks.
"""
import fnmatch
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import includes  # noqa: E402

ROOMS = [room for room in includes.ALLOWED if room != "examples"]


def objects(root, build):
    """{object file: source file} of the rooms, as far as they are built."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source = pathlib.PurePath(os.path.normpath(build / entry["file"]))
        output = build / entry["output"]
        if source.is_relative_to(root) and includes.room_of(source, root) in ROOMS and output.exists():
            found[str(output)] = source.relative_to(root).as_posix()
    return found


def calls(nm, files):
    """{caller: {callee: one symbol that it needs}}"""
    out = subprocess.run([nm, "-A", "-g", "-P", *files], capture_output=True, text=True, check=True).stdout
    homes, needed = {}, {file: set() for file in sorted(files.values())}
    for line in out.splitlines():
        path, _, symbol = line.rpartition(": ")
        name, kind, *_ = symbol.split()
        if kind == "U":
            needed[files[path]].add(name)
        else:
            homes.setdefault(name, set()).add(files[path])
    graph = {file: {} for file in needed}
    for file, names in needed.items():
        for name in sorted(names):
            for home in sorted(homes.get(name, set()) - {file}):
                if file not in homes[name]:
                    graph[file].setdefault(home, name)
    return graph


def circles(graph):
    """The sets of more than one file that all reach each other (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for callee in graph[file]:
            if callee not in index:
                visit(callee)
                low[file] = min(low[file], low[callee])
            elif callee in stack:
                low[file] = min(low[file], index[callee])
        if low[file] == index[file]:
            members = stack[stack.index(file):]
            del stack[stack.index(file):]
            if len(members) > 1:
                found.append(frozenset(members))

    sys.setrecursionlimit(10000)
    for file in graph:
        if file not in index:
            visit(file)
    return found


def exceptions(path):
    """The circles (sets of files) and the calls (patterns of `caller -> callee`) that calls.txt permits."""
    known_circles, known_calls = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(": ")
        if kind == "circle":
            known_circles.append(frozenset(rest.split()))
        elif kind == "call":
            known_calls.append(rest)
        elif line and not line.startswith("#"):
            raise ValueError(f"{path}: {line}")
    return known_circles, known_calls


def check_circles(graph, known):
    wrong, seen = [], set()
    for circle in circles(graph):
        match = next((k for k in known if circle <= k), None)
        seen.add(match)
        if match is None:
            wrong.append("files that call each other in a circle: " + " ".join(sorted(circle)))
            for caller in sorted(circle):
                wrong += [f"    {caller} -> {callee}: {graph[caller][callee]}" for callee in sorted(circle) if callee in graph[caller]]
    wrong += ["calls.txt: no such circle any more: " + " ".join(sorted(k)) for k in known if k not in seen]
    return wrong


def check_direction(graph, known):
    wrong, seen = [], set()
    rank = {room: i for i, room in enumerate(ROOMS)}
    for caller, edges in graph.items():
        for callee, name in sorted(edges.items()):
            rooms = caller.rsplit("/", 1)[0], callee.rsplit("/", 1)[0]
            if rank[rooms[0]] >= rank[rooms[1]]:
                continue
            match = next((k for k in known if fnmatch.fnmatch(f"{caller} -> {callee}", k)), None)
            seen.add(match)
            if match is None:
                wrong.append(f"{caller} -> {callee}: {name}: {rooms[1]} comes after {rooms[0]} in the table of includes.py")
    wrong += [f"calls.txt: no such call any more: {k}" for k in known if k not in seen]
    return wrong


def main():
    nm, root, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    graph = calls(nm, objects(root, build))
    known_circles, known_calls = exceptions(pathlib.Path(__file__).with_name("calls.txt"))
    wrong = check_circles(graph, known_circles) + check_direction(graph, known_calls)
    for line in wrong:
        print(line)
    edges = sum(len(callees) for callees in graph.values())
    print(f"{len(graph)} files, {edges} pairs of caller and callee, {len(wrong)} failed")
    return 1 if wrong or not edges else 0


if __name__ == "__main__":
    sys.exit(main())
