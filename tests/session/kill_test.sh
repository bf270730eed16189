#!/usr/bin/env bash
# Kills a run with SIGKILL at random moments, resumes it each time, and compares it with an uninterrupted run.
# usage: kill_test.sh RIVULET KILLS SCENE [--frames N]
set -euo pipefail
rivulet=$1 kills=$2 scene=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

begin=$(date +%s%N)
"$rivulet" run "$scene" -o "$folder/whole" --quiet "$@"
whole_ms=$((($(date +%s%N) - begin) / 1000000))

# Moments are spread over a run's length, so that late frames are hit as well as early ones.
RANDOM=1
"$rivulet" run "$scene" -o "$folder/killed" --quiet "$@" &
process=$!
done_kills=0
while ((done_kills < kills)); do
    pause=$((RANDOM % (whole_ms * 2 / kills + 20) + 5))
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    kill -KILL "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    done_kills=$((done_kills + 1))
    if [[ -f "$folder/killed/run.json" ]]; then
        "$rivulet" resume "$folder/killed" --quiet "$@" &
    else
        "$rivulet" run "$scene" -o "$folder/killed" --quiet "$@" &
    fi
    process=$!
done
wait "$process"
"$rivulet" compare "$folder/whole" "$folder/killed"
