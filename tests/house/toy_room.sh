#!/usr/bin/env bash
# A room added to a copy of the house: its own folder, one row in the room table, one line in World. It must step, be
# written to frames, and survive a checkpoint, with nothing else touched.
set -euo pipefail
source_dir=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$source_dir"/{CMakeLists.txt,CMakePresets.json,cmake,src,docs,scenes,tests} "$copy"
[[ ! -d "$source_dir/web" ]] || cp -r "$source_dir/web" "$copy"

mkdir "$copy/src/rivulet/toy"
echo 'rivulet_room(toy LINKS base)' >"$copy/src/rivulet/toy/CMakeLists.txt"
cat >"$copy/src/rivulet/toy/state.h" <<'CODE'
#pragma once

#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/step_view.h>

namespace rivulet::toy {

/// A clock of its own: counts steps and sums their lengths.
struct ToyState {
    double elapsed = 0;
    std::vector<double> ticks{0, 0, 0};
    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"toy/elapsed", "s", Centring::scalar, kCheckpoint | kFrame}, s.elapsed);
        visit(FieldInfo{"toy/ticks", "", Centring::other, kCheckpoint | kFrame}, s.ticks);
    }
};
inline void move(ToyState& toy, const StepView& view) {
    toy.elapsed += view.dt;
    for (double& t : toy.ticks) t += 1;
}

}  // namespace rivulet::toy
CODE
sed -i 's/^| 3 | `liquid` |/| 3 | `toy` | a clock of its own |\n&/' "$copy/docs/architecture.md"
sed -i 's/^    liquid::LiquidState liquid;/&\n    toy::ToyState toy;/' "$copy/src/rivulet/world/world.h"
[[ $(grep -c toy "$copy/docs/architecture.md") == 1 && $(grep -c toy "$copy/src/rivulet/world/world.h") == 1 ]]

cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DRIVULET_TESTS=OFF >/dev/null
cmake --build "$copy/build" --target rivulet >"$copy/log" || { tail -50 "$copy/log"; exit 1; }
rivulet=$copy/build/bin/rivulet
scene=$source_dir/tests/session/kill_scene.toml
"$rivulet" run "$scene" -o "$copy/whole" --frames 4 --quiet
"$rivulet" run "$scene" -o "$copy/parts" --frames 2 --quiet
"$rivulet" resume "$copy/parts" --frames 4 --quiet
"$rivulet" compare "$copy/whole" "$copy/parts"
/usr/bin/python3 - "$copy/whole" <<'CODE'
import sys, numpy
frame = numpy.load(sys.argv[1] + "/frames/000004.npz")
assert abs(frame["toy/elapsed"] - 0.02) < 1e-6, frame["toy/elapsed"]
assert (frame["toy/ticks"] == frame["step"]).all(), frame["toy/ticks"]
print("the toy room steps, is written and resumes")
CODE
