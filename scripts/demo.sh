#!/bin/sh
# From a bare checkout to the main job on real input: builds cupel, judges a catalog of tools and
# the calls that a model made of them, and shows a program.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
exec </dev/null

scripts/deps.sh
scripts/build.sh
cupel=build/cupel

# run STATUS COMMAND…: prints the command, runs it, and insists on its exit status: 1 is what a
# check gives that finds something invalid, which is what some of these inputs are here to show.
run() {
    want=$1
    shift
    printf '\n$ %s\n' "$*"
    got=0
    "$@" || got=$?
    if [ "$got" != "$want" ]; then
        echo "demo: exit status $got, expected $want" >&2
        exit 1
    fi
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/schema.json" <<'EOF'
{
  "type": "object",
  "properties": {
    "city": {"type": "string", "minLength": 1},
    "days": {"type": "integer", "minimum": 1, "maximum": 16},
    "unit": {"enum": ["celsius", "fahrenheit"]}
  },
  "required": ["city"],
  "additionalProperties": false
}
EOF
cat >"$work/arguments.jsonl" <<'EOF'
{"city": "Ljubljana", "days": 3}
{"city": "Ljubljana", "days": 3.5, "units": "celsius"}
EOF

echo
echo '== A catalog of tools: is every definition sound?'
run 1 $cupel tools check examples/catalog.json
echo
echo '== Calls that a model made: what may pass, and what to answer'
run 1 $cupel tools call examples/catalog.json examples/calls.jsonl
echo
echo '== A schema on its own'
run 1 $cupel validate "$work/schema.json" "$work/arguments.jsonl"
echo
echo '== The program it becomes'
run 0 $cupel disasm "$work/schema.json"
