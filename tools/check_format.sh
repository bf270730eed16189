#!/usr/bin/env bash
# Fails when a source file is not as clang-format would write it. Mend with: tools/check_format.sh clang-format --fix
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(--dry-run -Werror)
[[ "${2:-}" == --fix ]] && mode=(-i)
find src tests \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 -n 32 -P 2 "${1:-clang-format}" --style=file "${mode[@]}"
