#include "session/support.h"

#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>

/// Strands, films, contacts and bulk liquid together, from the scene to the run directory.
namespace rivulet::session {
namespace {

/// Two liquids fall over hairs that are drawn through a pool of one of them and out of it.
const char* kEverything = R"(format = 1
time = { fps = 50, end = "0.16 s" }
step = { max = "2 ms" }
grid = { cell = "8 mm" }
output = { min_free_disk = 0 }
[obstacle.tank]
side = "inside"
shape = { type = "box", min = "-4, 0, -4 cm", max = "4, 20, 4 cm" }
[liquid.pool]
material = "water"
fill = { type = "box", min = "-4, 0, -4 cm", max = "4, 4, 4 cm" }
[liquid.drop]
material = "milk"
velocity = "0, -1, 0 m/s"
fill = { type = "sphere", center = "0, 9, 0 cm", radius = "1 cm" }
[strands.hair]
material = "human_hair"
radius = { root = "0.1 mm" }
segment = "5 mm"
film = { liquid = "milk", thickness = "0.1 mm", from = 0.5 }
groom = { type = "rows", origin = "-2, 8, -0.6 cm", columns = 4, column_step = "0, 0, 4 mm", direction = [0.3, -1, 0], length = "7 cm" }
[[strands.hair.motion]]
type = "translate"
keys = [["0 s", "0, 0, 0 cm"], ["0.15 s", "2, 6, 0 cm"]]
)";

TEST(WetRun, DependsNeitherOnThreadsNorOnTheStepperNorOnStopping) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", kEverything);
    expect_same_however_run(scene, folder, 3);

    const output::Csv metrics = output::parse_csv(io::read_text(folder / "1/metrics.csv"));
    double least = 1e30, most = 0;
    for (const auto& row : metrics.rows) {
        const auto value = [&](const char* name) {
            return std::stod(row[std::size_t(metrics.column(name))]);
        };
        EXPECT_LE(std::abs(value("volume_error")), 1e-12);
        least = std::min(least, value("volume_film")), most = std::max(most, value("volume_film"));
    }
    // Films went into the pool where hairs dip in, and were taken up again where they come out.
    EXPECT_LT(least, most);
    EXPECT_GT(most, 0);
}

}  // namespace
}  // namespace rivulet::session
