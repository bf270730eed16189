#include <rivulet/base/error.h>
#include <rivulet/io/archive.h>
#include <rivulet/output/run_directory.h>

#include "session/support.h"
#include "support/faulty_file_system.h"

namespace rivulet::session {
namespace {

using test::Fault;
using test::FaultyFileSystem;

RunSetup frames(std::int64_t last, io::FileSystem& files) {
    RunSetup setup;
    setup.files = &files;
    setup.limits.frames = last;
    return setup;
}
RunSetup two_frames(io::FileSystem& files) {
    return frames(2, files);
}

/// Every frame that frames.csv lists is whole.
void expect_listed_frames_are_good(const fs::path& out) {
    std::ifstream in(out / "frames.csv");
    const auto csv = output::parse_csv(std::string(std::istreambuf_iterator<char>(in), {}));
    for (const auto& row : csv.rows)
        EXPECT_NO_THROW(io::ArchiveReader(output::RunPaths{out}.frame(std::stoll(row[0]))).verify());
}

/// A run whose n-th file operation goes wrong, for every n: what was listed stays, and going on gives the
/// same bits.
void run_with_every(Fault fault) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    start(scene, {"grid.cell=15 cm"}, folder / "whole", false, two_frames(io::real_file_system()));
    for (long n = 1;; ++n) {
        SCOPED_TRACE("operation " + std::to_string(n));
        const fs::path out = folder / ("out" + std::to_string(n));
        FaultyFileSystem files(fault, n);
        try {
            start(scene, {"grid.cell=15 cm"}, out, false, two_frames(files));
        } catch (const IoError&) {
            if (fs::exists(out / "scene.toml")) {
                const auto record = output::read_run_record(out / "run.json");
                EXPECT_EQ(record.status, output::RunStatus::failed);
                EXPECT_EQ(record.error.value_or(output::RunRecord::Failure{}).entity, "files");
            }
        } catch (const test::SimulatedCrash&) {
        }
        if (!files.triggered()) {
            EXPECT_GT(n, 30);
            return;
        }
        if (fs::exists(out / "scene.toml")) {
            expect_listed_frames_are_good(out);
            resume(out, two_frames(io::real_file_system()));
        } else {
            if (fs::exists(out / "run.json")) {
                EXPECT_THROW(resume(out, two_frames(io::real_file_system())), InputError);
            }
            start(scene, {"grid.cell=15 cm"}, out, false, two_frames(io::real_file_system()));
        }
        expect_same(out, folder / "whole");
        if (testing::Test::HasFailure()) return;
        fs::remove_all(out);
    }
}

/// A run over an earlier one whose n-th file operation goes wrong, for every n: the folder is never nobody's,
/// and running once more gives the same bits.
TEST(Faults, OverwritingHalfWay) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene()), out = folder / "out";
    start(scene, {"grid.cell=15 cm"}, folder / "whole", false, frames(1, io::real_file_system()));
    for (long n = 1;; ++n) {
        SCOPED_TRACE("operation " + std::to_string(n));
        start(scene, {"grid.cell=25 cm"}, out, true, frames(0, io::real_file_system()));
        FaultyFileSystem files(Fault::crash, n);
        try {
            start(scene, {"grid.cell=15 cm"}, out, true, frames(1, files));
        } catch (const test::SimulatedCrash&) {
        }
        const bool under_way = output::checkpoint_steps({out}).empty() && fs::exists(out / "static.npz");
        if (under_way) {  // what comes now is a run like any other
            EXPECT_GT(n, 20);
            return;
        }
        start(scene, {"grid.cell=15 cm"}, out, true, frames(1, io::real_file_system()));
        expect_same(out, folder / "whole");
        EXPECT_EQ(output::frame_numbers(output::RunPaths{out}).size(), 2u);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Faults, DiskFull) {
    run_with_every(Fault::no_space);
}
TEST(Faults, ShortWrite) {
    run_with_every(Fault::short_write);
}
TEST(Faults, CrashBefore) {
    run_with_every(Fault::crash);
}
TEST(Faults, CrashAfter) {
    run_with_every(Fault::crash_after);
}

}  // namespace
}  // namespace rivulet::session
