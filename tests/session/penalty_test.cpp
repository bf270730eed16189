#include "session/support.h"

#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>

/// Runs with the penalty law are the same however they are run.
namespace rivulet::session {
namespace {

/// A lock of wet hair that swings against a bar: springs between strands and to a wall, bridges alive.
std::string wet_lock() {
    return R"(format = 1
time = { fps = 100, end = "0.1 s" }
step = { max = "1 ms" }
checkpoint = { every = "0 s" }
output = { min_free_disk = 0 }
contact = { law = "penalty" }
[obstacle.bar]
shape = { type = "capsule", from = "-2, -2, 0 cm", to = "2, -2, 0 cm", radius = "2 mm" }
[[obstacle.bar.motion]]
type = "translate"
keys = [["0 s", "0, 0, -3.2 mm"], ["0.1 s", "0, 0, 0 mm"]]
[strands.lock]
material = "human_hair"
radius = { root = "50 um" }
segment = "3 mm"
film = { liquid = "water", thickness = "30 um" }
groom = { type = "rows", columns = 4, rows = 3, column_step = "0.155, 0, 0 mm", row_step = "0, 0, 0.155 mm", direction = [0, -1, 0], length = "3 cm" }
)";
}

TEST(PenaltyRun, ThreadsResumeAndANewStepperGiveTheSameBits) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", wet_lock());
    expect_same_however_run(scene, folder, 4);

    const output::Csv metrics = output::parse_csv(io::read_text(folder / "1/metrics.csv"));
    const auto value = [&](const char* column, std::size_t row) {
        return std::stod(metrics.rows[row][std::size_t(metrics.column(column))]);
    };
    EXPECT_GT(value("contacts", 40), 50);
    EXPECT_GT(value("contact_iterations", 40), 0);
    EXPECT_LE(value("contact_residual", 40), 1e-6);
}

}  // namespace
}  // namespace rivulet::session
