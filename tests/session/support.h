#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <rivulet/base/parallel.h>
#include <rivulet/output/compare.h>
#include <rivulet/session/run.h>

#include "support/temporary_folder.h"

namespace rivulet::session {

namespace fs = std::filesystem;

/// A temporary folder that files can be put into.
struct ScratchFolder : test::TemporaryFolder {
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path() / name) << text;
        return path() / name;
    }
};

/// Water and strands, wet with milk, between a container and two moving obstacles; a checkpoint after every
/// frame.
inline std::string small_scene() {
    return R"(format = 1
title = "drops between moving things"
time = { fps = 50, end = "0.4 s" }
step = { max = "5 ms" }
grid = { cell = "5 cm" }
checkpoint = { every = "0 s" }
output = { min_free_disk = 0 }

[obstacle.room]
shape = { type = "box", min = "-1, 0, -1 m", max = "1, 2, 1 m" }
side = "inside"

[obstacle.paddle]
shape = { type = "rounded_box", center = "0, 0.5, 0 m", size = "20, 60, 80 cm", radius = "2 cm" }
[[obstacle.paddle.motion]]
type = "oscillate"
amplitude = "10, 0, 0 cm"
period = "0.4 s"

[obstacle.ball]
shape = { type = "sphere", center = "0.5, 0.4, 0.5 m", radius = "20 cm" }
[[obstacle.ball.motion]]
type = "spin"
axis = [0, 1, 0]
rate = "120 rpm"

[liquid.drop]
material = "water"
fill = { type = "sphere", center = "0, 1.4, 0 m", radius = "30 cm" }
velocity = "0.5, 0, 0.2 m/s"

[material.fibre]
type = "strand"
density = "1.3 g/cm^3"
youngs_modulus = "10 MPa"
poisson_ratio = 0.36

[strands.fur]
material = "fibre"
radius = { root = "2 mm" }
segment = "2 cm"
root = { type = "clamp", to = "ball" }
film = { liquid = "milk", thickness = "0.2 mm", to = 0.5 }
groom = { type = "patch", on = "ball", count = 11, length = "20 cm", length_spread = 0.3, seed = 3 }
)";
}

inline void expect_same(const fs::path& a, const fs::path& b) {
    const output::Comparison c = output::compare_runs(a, b, std::nullopt);
    EXPECT_GT(c.frames, 0);
    EXPECT_TRUE(c.same()) << c.first->where << ": " << c.first->what;
}

/// A scene gives the same bits with 1, 2 and 4 threads, with a new stepper after every step, and stopped
/// after so many frames and resumed. What one thread made stays in "1" of the folder.
inline void expect_same_however_run(const fs::path& scene, const ScratchFolder& folder, std::int64_t frames) {
    for (int threads : {1, 2, 4})
        with_threads(threads, [&] { start(scene, {}, folder / std::to_string(threads), false, {}); });
    expect_same(folder / "1", folder / "2");
    expect_same(folder / "1", folder / "4");
    RunSetup rebuilding, part;
    rebuilding.rebuild_stepper = true;
    start(scene, {}, folder / "rebuilt", false, rebuilding);
    expect_same(folder / "1", folder / "rebuilt");
    part.limits.frames = frames;
    start(scene, {}, folder / "parts", false, part);
    resume(folder / "parts", {});
    expect_same(folder / "1", folder / "parts");
}

}  // namespace rivulet::session
