#!/usr/bin/env bash
# clang's parser and clang-tidy over every file of the rooms, with the commands of the build for clang. What it prints
# is an error. check_tidy.sh [FILES ...]: only these.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/fuzz
[[ -f $build/compile_commands.json ]] || { echo "first: cmake --preset fuzz" >&2; exit 2; }
if [[ $# -gt 0 ]]; then files=("$@"); else mapfile -t files < <(find src/rivulet -name '*.cpp' | sort); fi
# The compiler's own flags for warnings are gcc's business; clang's defaults are enough here.
printf '%s\0' "${files[@]}" |
    xargs -0 -n 4 -P "$(nproc)" clang-tidy -p $build --quiet 2> >(grep -v 'warnings generated\|Suppressed\|Use -header-filter\|Use -system-headers' >&2)
