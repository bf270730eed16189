#!/usr/bin/env bash
# The command line as a person uses it: outputs, exit codes, Ctrl-C. usage: commands_test.sh RIVULET SOURCE
set -uo pipefail
rivulet=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0
# expect CODE PATTERN COMMAND...: exit code and a pattern in what is printed
expect() {
    local code=$1 pattern=$2 output got
    shift 2
    output=$("$@" 2>&1 </dev/null)
    got=$?
    if [[ $got != "$code" ]] || ! grep -qE -- "$pattern" <<<"$output"; then
        echo "FAILED: $* : exit $got (wanted $code), pattern '$pattern' in:"
        head -20 <<<"$output"
        failures=$((failures + 1))
    fi
}

scene=$source/tests/session/kill_scene.toml
expect 0 'rivulet 0' "$rivulet" version
expect 0 'rivulet 0' "$rivulet" --version
expect 0 'Usage|rivulet' "$rivulet" --help
for command in run resume check info new scenes explain compare schema materials verify bench surface render export version; do
    expect 0 'OPTIONS|Options|Usage' "$rivulet" $command --help
done
expect 2 '' "$rivulet"
expect 2 "no command is called 'chekc'; did you mean 'check'" "$rivulet" chekc
expect 2 'no such file' "$rivulet" check missing.toml
expect 0 'particles' "$rivulet" check "$scene"
expect 0 '"particles":' "$rivulet" check "$scene" --json
expect 0 'written' "$rivulet" new -o my.toml
expect 2 'exists already' "$rivulet" new -o my.toml
expect 0 'particles' "$rivulet" check my.toml
expect 0 '#:schema' cat my.toml
expect 0 'rivulet.schema.json' ls
expect 0 'length' "$rivulet" explain grid.cell
expect 2 "did you mean 'grid.cell'" "$rivulet" explain grid.cel
expect 2 "did you mean 'liquid.material'" "$rivulet" explain liquid.pool.materal
expect 2 "did you mean 'material.viscosity'" "$rivulet" explain material.viscocity
expect 2 "did you mean 'obstacle'" "$rivulet" explain obstacel
expect 0 'air.*wind' "$rivulet" explain world.air.wind
expect 0 '\$schema' "$rivulet" schema
expect 0 'water' "$rivulet" materials
expect 0 'source' "$rivulet" materials water
expect 2 "no material is called 'watter'; did you mean 'water'" "$rivulet" materials watter
for liquid in milk blood soap_water sea_water lava; do expect 0 'source' "$rivulet" materials $liquid; done
expect 0 'youngs_modulus = ' "$rivulet" materials human_hair
expect 0 'wool *strand' "$rivulet" materials
expect 0 '"youngs_modulus"' "$rivulet" materials wool --json
expect 2 'does not flow' "$rivulet" materials wool --plot wool.svg
expect 0 'yield_stress = ' "$rivulet" materials ketchup
expect 0 'written' "$rivulet" materials ketchup --plot flow.svg
expect 0 'shear stress.*polyline' cat flow.svg
expect 2 'exists already' "$rivulet" materials ketchup --plot flow.svg
expect 2 'one material' "$rivulet" materials --plot all.svg
expect 2 'end in .svg' "$rivulet" materials ketchup --plot flow.png
expect 0 'default' "$rivulet" scenes
expect 2 'cell.*length' "$rivulet" check "$scene" --set "grid.cell=3 s"
expect 0 'done: 2 frames' "$rivulet" run "$scene" -o out --frames 2
expect 2 'resume out' "$rivulet" run "$scene" -o out --frames 2
expect 0 'done: 3 frames' "$rivulet" resume out --frames 3
expect 0 'finished' "$rivulet" info out
expect 0 '"status":"finished"' "$rivulet" info out --json
expect 0 '"frame":1' "$rivulet" run "$scene" -o json --frames 1 --json --quiet
# A run that fails: the terminal, run.json and info name the same frame, the one that was being made.
expect 1 'failed in frame 1, stage output, disk: only' "$rivulet" run "$scene" -o full --set "output.min_free_disk=1e9 GB"
expect 0 '"frame": 1,' cat full/run.json
expect 0 'error +frame 1, stage output, disk' "$rivulet" info full
expect 0 'bit for bit' "$rivulet" compare out out
expect 1 'different' "$rivulet" compare out json
expect 2 'not a run directory' "$rivulet" resume my.toml
expect 2 'no case or room' "$rivulet" verify nonsense
expect 0 'output.frame' "$rivulet" bench --list

# Ctrl-C: the step is finished, a checkpoint written, and the way on named.
"$rivulet" run "$scene" -o stopped 2>stopped.log &
process=$!
while [[ ! -f stopped/frames/000002.npz ]]; do sleep 0.05; done
kill -INT "$process"
wait "$process"
code=$?
if [[ $code != 130 ]] || ! grep -q 'rivulet resume stopped' stopped.log; then
    echo "FAILED: Ctrl-C gave exit $code:"
    tail -5 stopped.log
    failures=$((failures + 1))
fi
expect 0 'interrupted' "$rivulet" info stopped
expect 0 'done: 4 frames|done: ' "$rivulet" resume stopped --frames 4

# A terminal that closes is an interruption too, however often it is told; not under nohup.
# hang_up NAME COMMAND...: sends SIGHUP twice after two frames
hang_up() {
    local name=$1
    shift
    "$@" run "$scene" -o "$name" --frames 30 2>"$name.log" &
    process=$!
    while [[ ! -f $name/frames/000002.npz ]]; do sleep 0.05; done
    kill -HUP "$process"
    kill -HUP "$process"
    wait "$process"
}
hang_up closed "$rivulet"
if [[ $? != 130 ]] || ! grep -q 'rivulet resume closed' closed.log; then
    echo "FAILED: SIGHUP:"
    tail -5 closed.log
    failures=$((failures + 1))
fi
expect 0 'interrupted' "$rivulet" info closed
expect 0 'done: 30 frames' "$rivulet" resume closed --frames 30
hang_up kept nohup "$rivulet"
expect 0 'finished' "$rivulet" info kept
expect 0 'bit for bit' "$rivulet" compare closed kept

# What users write is shown, never sent to the terminal.
printf 'format = 1\ntitle = "\\u001b[31mred\\u0007"\ntime = { end = "0.1 s" }\n' >title.toml
expect 0 '\\x1b\[31mred\\x07' "$rivulet" check title.toml
printf '"\\u001b]0;x\\u0007" = 1\n' >>title.toml
expect 2 'unknown key' "$rivulet" check title.toml
for command in "check title.toml" "explain $'\e[2J'" "run $'\e[2J'.toml" "verify $'\e[2J'" "check a --$'\e'" "$'\e[2J'"; do
    if eval "$rivulet $command" 2>&1 | grep -q $'\e'; then
        echo "FAILED: an escape code got through: $command"
        failures=$((failures + 1))
    fi
done

# More threads than cores are nothing to talk about.
if "$rivulet" run "$scene" -o many --frames 1 --threads 37 --quiet 2>&1 | grep .; then
    echo "FAILED: --threads 37 is not quiet"
    failures=$((failures + 1))
fi
expect 0 '"threads":37' "$rivulet" info many --json
[[ $failures == 0 ]] && echo "all commands behave"
exit $((failures > 0))
