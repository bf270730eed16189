# Shared by ./run and ./test: packages, configuration, build. Sourced, never run.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# Names of the packages of the given groups that are not there yet.
missing_packages() {
    local group package command wanted=() known
    while read -r group package command; do
        [[ " $* " == *" $group "* ]] || continue
        [[ -n "$command" ]] && command -v "$command" >/dev/null 2>&1 && continue
        wanted+=("$package")
    done < <(grep -v '^#' packages.txt)
    [[ ${#wanted[@]} -gt 0 ]] || return 0
    known=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
    for package in "${wanted[@]}"; do
        grep -qx "$package installed" <<<"$known" || printf '%s ' "$package"
    done
}

# Installs what is missing; without root or sudo prints the one line to type and stops with 2.
ensure_packages() {
    local missing as_root=()
    missing=$(missing_packages "$@")
    [[ -n "$missing" ]] || return 0
    if [[ $(id -u) -ne 0 ]]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
            as_root=(sudo)
        else
            printf 'Some Debian packages are missing. Please type:\n\n  apt install %s\n\n(as root), then try again.\n' "$missing" >&2
            exit 2
        fi
    fi
    say "Installing: $missing"
    "${as_root[@]}" apt-get update -q >&2
    # shellcheck disable=SC2086
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
}

# configure_and_build PRESET [cmake options --] [targets ...]
configure() {
    local preset=$1
    shift
    if [[ ! -f build/$preset/build.ninja || $# -gt 0 ]]; then
        say "Configuring ($preset)"
        local log
        log=$(mktemp)
        cmake --preset "$preset" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
        rm -f "$log"
    fi
}
build() {
    local preset=$1
    shift
    say "Building ($preset)"
    cmake --build "build/$preset" ${1:+--target "$@"} >&2
}
