#!/bin/bash
# What bash completes after some beginnings of a command line.
#
# usage: completion.sh FOLDER    with the completions; fish and zsh are asked where they are installed
passed=0 failed=0
folder=$(cd "$1" && pwd)
source "$1/cupel"

# expect "what must be among the proposals" WORD… with the last word as far as it is typed
expect() {
    local want=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _cupel
    if [[ " ${COMPREPLY[*]} " == *" $want "* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "after $*: want $want, got ${COMPREPLY[*]}" >&2
    fi
}

# How many there are.
count() {
    local want=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _cupel
    if [[ ${#COMPREPLY[@]} == "$want" ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "after $*: want $want, got ${#COMPREPLY[@]}: ${COMPREPLY[*]}" >&2
    fi
}

expect validate cupel val
expect tools cupel ''
count 1 cupel tool
expect check cupel tools ''
expect pin cupel tools p
expect check cupel elicitation ''
count 7 cupel tools ''
expect --dialect cupel validate --di
expect --known cupel suite --k
count 0 cupel validate --known
expect --target cupel tools check --ta
expect draft7 cupel validate --dialect d
expect gemini cupel tools export --target ''
expect sarif cupel validate --format s
count 0 cupel tools call --format s
expect flag cupel validate -o f
expect depth= cupel validate --limit d
cd / || exit 1
expect usr cupel validate us
expect usr cupel compile -o us
expect usr cupel suite --remotes us
count 0 cupel tools result --tool us

# Names are proposed whole, once each, whatever is in them.
names=$(mktemp -d)
touch "$names/a b.json" "$names/a*.json"
cd "$names" || exit 1
expect 'a b.json' cupel validate a
expect 'a*.json' cupel validate a
count 2 cupel validate a
cd / && rm -r "$names"

# fish "proposal" "the line so far"
ask_fish() {
    if [[ $(fish --no-config -c "source '$folder/cupel.fish'; complete -C '$2'" 2>&1) == *"$1"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "fish, after $2: want $1" >&2
    fi
}
if command -v fish >/dev/null; then
    ask_fish validate 'cupel val'
    ask_fish pin 'cupel tools '
    ask_fish --dialect 'cupel validate --di'
    ask_fish draft7 'cupel validate --dialect d'
    ask_fish gemini 'cupel tools export --target '
    ask_fish depth= 'cupel compile --limit d'
fi
if command -v zsh >/dev/null; then
    zsh -n "$folder/_cupel" && passed=$((passed + 1)) || failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
