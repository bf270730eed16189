#include <rivulet/viewer/surface_maker.h>

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "session/made_up_run.h"

namespace rivulet::viewer {
namespace {

namespace fs = std::filesystem;

bool says(const SurfaceMaker& maker, const std::string& text) {
    return maker.state().find(text) != std::string::npos;
}

/// Until the job has ended, a minute at most.
void wait_for(const SurfaceMaker& maker) {
    for (int k = 0; k < 6000 && says(maker, "\"running\": true"); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_TRUE(says(maker, "\"running\": false")) << maker.state();
}

TEST(SurfaceMaker, MakesSurfacesOneJobAtATime) {
    const session::MadeUpRun run;
    SurfaceMaker maker(run.paths);
    EXPECT_TRUE(says(maker, "\"job\": 0, \"running\": false"));
    ASSERT_TRUE(maker.start({0, 2}));
    // The job may have ended already; only while it runs is another refused.
    const bool second = maker.start({1});
    wait_for(maker);
    EXPECT_TRUE(says(maker, "\"error\": \"\"")) << maker.state();
    EXPECT_TRUE(fs::exists(run.paths.surface(0)) && fs::exists(run.paths.surface(2)));
    EXPECT_EQ(fs::exists(run.paths.surface(1)), second);
    ASSERT_TRUE(maker.start({0, 1, 2}));
    wait_for(maker);
    EXPECT_TRUE(says(maker, second ? "\"made\": 0" : "\"made\": 1")) << maker.state();
}

TEST(SurfaceMaker, SaysWhatWentWrongAndStopsWithItsOwner) {
    const session::MadeUpRun run;
    std::ofstream(run.paths.frame(1), std::ios::trunc) << "no frame";
    {
        SurfaceMaker maker(run.paths);
        ASSERT_TRUE(maker.start({1}));
        wait_for(maker);
        EXPECT_TRUE(says(maker, "frame 1: ")) << maker.state();
        ASSERT_TRUE(maker.start({0, 2}));
        maker.stop();
        wait_for(maker);
        EXPECT_TRUE(says(maker, "\"error\": \"\"")) << maker.state();
        ASSERT_TRUE(maker.start({0, 2}));
    }
    for (const auto& entry : fs::directory_iterator(run.paths.surfaces()))
        EXPECT_EQ(entry.path().extension(), ".npz") << "no half of a file: " << entry.path();
}

}  // namespace
}  // namespace rivulet::viewer
