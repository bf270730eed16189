#!/usr/bin/env bash
# A room added to a copy of the house: its own folder, one row in the room table, one line in World. It must step, be
# written to frames, survive a checkpoint, be counted by the ledger, shown by the viewer and exported, with nothing else
# touched.
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
#include <rivulet/base/liquid_tally.h>
#include <rivulet/base/step_view.h>
#include <rivulet/base/vec3.h>

namespace rivulet::toy {

/// Three rising buckets, and a clock of their own. One leaks in steps that start at 10 ms or later: nobody is told.
struct ToyState {
    static constexpr GroupInfo group{"toy", GroupShape::points, ""};

    double elapsed = 0;
    std::vector<Vec3d> position{{0, 1, 0}, {0.1, 1, 0}, {0.2, 1, 0}};
    std::vector<double> volume{1e-3, 1e-3, 1e-3};
    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"toy/elapsed", "s", Centring::scalar, kCheckpoint | kFrame}, s.elapsed);
        visit(FieldInfo{"toy/position", "m", Centring::particle, kCheckpoint | kFrame}, s.position);
        visit(FieldInfo{"toy/volume", "m^3", Centring::particle, kCheckpoint | kFrame}, s.volume);
    }
};
inline void move(ToyState& toy, const StepView& view) {
    toy.elapsed += view.dt;
    for (Vec3d& x : toy.position) x.y += view.dt;
    if (view.time > 0.0095) toy.volume[1] *= 0.5;
}
inline void held_liquid(const ToyState& toy, LiquidTally& tally) {
    for (const double v : toy.volume) tally.add(0, v);
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
for format in ply usda; do "$rivulet" export "$copy/whole" --to $format --quiet; done
"$rivulet" view "$copy/whole" >"$copy/address" 2>&1 &
viewer=$!
trap 'kill $viewer 2>/dev/null || true; rm -rf "$copy"' EXIT
/usr/bin/python3 - "$copy" <<'CODE'
import csv, json, re, struct, sys, time, urllib.request, zipfile, numpy
copy = sys.argv[1]
frame = numpy.load(copy + "/whole/frames/000004.npz")
assert abs(frame["toy/elapsed"] - 0.02) < 1e-6, frame["toy/elapsed"]
assert abs(frame["toy/position"][:, 1] - 1.02).max() < 1e-6, frame["toy/position"]
assert json.loads(zipfile.ZipFile(copy + "/whole/frames/000004.npz").read("fields.json"))["toy"]["shape"] == "points"
print("the toy room steps, is written and resumes")

rows = list(csv.DictReader(open(copy + "/whole/metrics.csv")))
tight = [abs(float(r["volume_error"])) for r in rows if float(r["time"]) <= 0.0105]
assert len(tight) == 2 and max(tight) < 1e-15, tight
lost = [-float(r["volume_error"]) for r in rows if float(r["time"]) > 0.0105]
assert len(lost) == 2 and 0.04 < lost[0] < lost[1] < 0.08, lost  # 0.5 and 0.75 of about 10.2 litres
print("the ledger counts its water and sees the leak")

assert "element vertex 3" in open(copy + "/whole/export/ply/toy.0004.ply", "rb").read(400).decode("latin1")
clip = open(copy + "/whole/export/usda/frames/run.0004.usda").read()
assert re.search(r'def Points "toy"', open(copy + "/whole/export/usda/run.usda").read() + clip), clip[:2000]
print("it is exported")

for _ in range(100):
    found = re.search(r"http://\S+", open(copy + "/address").read())
    if found: break
    time.sleep(0.1)
packet = urllib.request.urlopen(found.group(0) + "api/frame/4").read()
text = json.loads(packet[8:8 + struct.unpack("<I", packet[4:8])[0]])
toy = [g for g in text["groups"] if g["name"] == "toy"]
assert len(toy) == 1 and toy[0]["kind"] == "points" and text["messages"] == [], text
print("the viewer shows it")
CODE
