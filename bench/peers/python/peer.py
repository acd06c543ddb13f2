"""Two packages of Python in the protocol of ../driver.h.

usage: peer.py jsonschema-rs|fastjsonschema SCHEMAS INSTANCES MILLISECONDS
"""
import gc
import json
import os
import statistics
import sys
from time import perf_counter_ns as clock, process_time_ns

PAGE = os.sysconf("SC_PAGESIZE")


def compile_rs(text):
    import jsonschema_rs
    return jsonschema_rs.validator_for(json.loads(text), validate_formats=False).is_valid


def compile_fast(text):
    import fastjsonschema
    check = fastjsonschema.compile(json.loads(text), use_formats=False, use_default=False)

    def is_valid(document):
        try:
            check(document)
            return True
        except fastjsonschema.JsonSchemaValueException:
            return False
    return is_valid


COMPILERS = {"jsonschema-rs": compile_rs, "fastjsonschema": compile_fast}


def try_compile(compiler, text):
    """None for whatever a package says of a schema that it does not take."""
    try:
        return compiler(text)
    except Exception:  # pylint: disable=broad-except
        return None


def resident():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def timed(run):
    start = clock()
    run()
    return clock() - start


def used(run):
    """What the process uses of the processor."""
    start = process_time_ns()
    run()
    return process_time_ns() - start


def measure(budget, run):
    """The median time of a pass, after one that warms up."""
    start, times = clock(), []
    run()
    fewest = 1 if clock() - start > budget else 3
    while len(times) < fewest or (len(times) < 2001 and clock() - start < budget):
        times.append(used(run))
    return statistics.median_low(times)


def measure_compile(budget, compiler, schemas):
    """For each schema the least time of some."""
    start = clock()
    best = [used(lambda: try_compile(compiler, s)) for s in schemas]
    while clock() - start < budget:
        best = [min(b, used(lambda: try_compile(compiler, s))) for b, s in zip(best, schemas)]
    return best


def measure_hot(budget, eval_ns, programs, instances):
    """Each document many times before the next, the least of three; twice and once if a pass takes
    long."""
    slow = eval_ns > budget
    repeats = min(max(budget // 3 // (eval_ns + 1), 2 if slow else 4), 1000)

    def repeat(judge, document):
        for _ in range(repeats):
            judge(document)
    total = 0
    for schema, _, document in instances:
        judge = programs[schema]
        if judge:
            total += min(timed(lambda: repeat(judge, document)) for _ in range(1 if slow else 3))
    return total // repeats


def load(path):
    """Numbers of schemas, texts, documents."""
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            number, tab, text = line.partition("\t")
            if tab:
                yield int(number), text.encode(), json.loads(text)


def main(name, schemas, instances, milliseconds):
    compiler, budget = COMPILERS[name], int(milliseconds) * 1000000
    with open(schemas, encoding="utf-8") as file:
        schemas = file.read().rstrip("\n").split("\n")
    instances = list(load(instances))
    try_compile(compiler, "true")  # the import
    before = resident()
    programs = [try_compile(compiler, schema) for schema in schemas]
    memory = resident() - before
    times = measure_compile(budget, compiler, schemas)

    def judge(schema, text):
        return bool(programs[schema]) and programs[schema](json.loads(text))

    def run_eval():
        for schema, _, document in instances:
            if programs[schema]:
                programs[schema](document)

    def run_e2e():
        for schema, text, _ in instances:
            judge(schema, text)

    def run_parse():
        for _, text, _ in instances:
            json.loads(text)
    result = {"instances": len(instances), "bytes": sum(len(t) for _, t, _ in instances),
              "schemas": len(schemas), "refused": programs.count(None),
              "valid": sum(judge(s, t) for s, t, _ in instances), "memory_bytes": max(memory, 0),
              "compile_ns": sum(times), "compile_median_ns": statistics.median_low(times)}
    if instances:
        result["eval_ns"] = measure(budget, run_eval)
        result["eval_hot_ns"] = measure_hot(budget, result["eval_ns"], programs, instances)
        result["e2e_ns"] = measure(budget, run_e2e)
        result["parse_ns"] = measure(budget, run_parse)
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
