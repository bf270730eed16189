#include <algorithm>
#include <map>

#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>

#include "session/support.h"

namespace rivulet::session {
namespace {

struct Lists : testing::Test {
    ScratchFolder folder;
    fs::path scene = folder.write("scene.toml", small_scene());
    fs::path out = folder / "out";
    RunSetup two, three;

    Lists() {
        two.limits.frames = 2;
        three.limits.frames = 3;
        start(scene, {"grid.cell=15 cm"}, out, false, two);
    }
    /// Whether resuming names the file and leaves it as it is.
    bool noticed(const char* name, const std::string& content) const {
        folder.write("out/" + std::string(name), content);
        try {
            resume(out, three);
            return false;
        } catch (const InputError& e) {
            return std::string(e.what()).find(std::string(name) + ": is damaged") != std::string::npos &&
                   io::read_text(out / name) == content;
        }
    }
};

TEST_F(Lists, DamageIsNoticedAndNothingIsTouched) {
    for (const char* name : {"metrics.csv", "frames.csv"}) {
        const std::string good = io::read_text(out / name);
        const std::size_t row = good.find('\n') + 1;
        for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 50) {
            std::string changed = good;
            changed[at] = char(changed[at] ^ 1);
            EXPECT_TRUE(noticed(name, changed)) << name << " byte " << at;
            EXPECT_TRUE(noticed(name, good.substr(0, at))) << name << " cut at " << at;
        }
        EXPECT_TRUE(noticed(name, good.substr(0, row) + good.substr(good.find('\n', row) + 1)))
            << name << ": a row is gone";
        EXPECT_TRUE(noticed(name, good.substr(0, row) + "what?\n" + good.substr(row)));
        folder.write("out/" + std::string(name), good + "3,rows behind the checkpoint and half of on");
        EXPECT_NO_THROW(resume(out, two)) << "are computed again";
        EXPECT_EQ(io::read_text(out / name), good);
    }
    resume(out, three);
    start(scene, {"grid.cell=15 cm"}, folder / "whole", false, three);
    expect_same(out, folder / "whole");
}

TEST_F(Lists, AListThatIsGoneBeginsAnewAndThatIsSaid) {
    const std::string frames = io::read_text(out / "frames.csv");
    fs::remove(out / "metrics.csv");
    fs::remove(out / "frames.csv");
    const auto record = resume(out, two);
    EXPECT_EQ(io::read_text(out / "frames.csv"), frames) << "made again from the frames";
    EXPECT_TRUE(std::any_of(record.warnings.begin(), record.warnings.end(), [](const std::string& w) {
        return w.find("metrics.csv was gone") != std::string::npos;
    }));
    const std::string metrics = io::read_text(out / "metrics.csv");
    EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 1) << "a header";
    EXPECT_EQ(resume(out, three).frames, 3);
}

/// The stages that docs/architecture.md says a step has, in their order.
std::vector<std::string> documented_stages() {
    const std::string text = io::read_text(fs::path(RIVULET_SOURCE_DIR) / "docs/architecture.md");
    std::vector<std::string> stages;
    std::size_t at = text.find("| stage | does | where |");
    const std::size_t end = text.find("\n\n", at);
    while ((at = text.find("\n| `", at)) < end) {
        at += 4;
        stages.push_back(text.substr(at, text.find('`', at) - at));
    }
    return stages;
}

/// timings.csv has a column for every stage whether or not there was anything to do in it.
TEST_F(Lists, TimingsNameEveryStageOfTheStep) {
    std::string header = "step";
    for (const std::string& stage : documented_stages()) header += "," + stage;
    EXPECT_GT(std::count(header.begin(), header.end(), ','), 10);
    const std::string both = small_scene();
    const std::size_t liquid = both.find("[liquid.drop]"), strands = both.find("[material.fibre]");
    const std::map<std::string, std::string> scenes{{"both", both},
                                                    {"dry", both.substr(0, liquid) + both.substr(strands)},
                                                    {"wet", both.substr(0, strands)}};
    for (const auto& [name, text] : scenes) {
        start(folder.write(name + ".toml", text), {"grid.cell=15 cm"}, folder / name, false, two);
        const auto csv = output::parse_csv(io::read_text(folder / name / "timings.csv"));
        const std::string timings = io::read_text(folder / name / "timings.csv");
        EXPECT_EQ(timings.substr(0, timings.find('\n')), header) << name;
        ASSERT_GT(csv.rows.size(), 3u);
        for (const auto& row : csv.rows)
            for (const std::string& cell : row) EXPECT_GE(std::stod(cell), 0) << name;
    }
}

TEST_F(Lists, ARunStoppedBeforeItBeganIsOurs) {
    const auto message = [&](const fs::path& run) {
        try {
            resume(run, two);
            return std::string("went on");
        } catch (const InputError& e) {
            return std::string(e.what());
        }
    };
    // Killed after the lock, after the first record, after the inputs.
    const fs::path young = folder / "young";
    fs::create_directories(young);
    folder.write("young/lock", "");
    EXPECT_NE(message(young).find("before it began; start it again: rivulet run SCENE -o"), std::string::npos)
        << message(young);
    output::RunRecord record;
    record.scene = scene.string();
    folder.write("young/run.json", output::to_json(record));
    fs::create_directories(young / "inputs/0");
    folder.write("young/inputs/0/scene.toml", "");
    EXPECT_NE(message(young).find("rivulet run " + scene.string() + " -o"), std::string::npos)
        << message(young);
    folder.write("young/notes.txt", "mine");
    start(scene, {"grid.cell=15 cm"}, young, false, two);
    expect_same(young, out);
    EXPECT_TRUE(fs::exists(young / "notes.txt"));
    EXPECT_THROW(start(scene, {"grid.cell=15 cm"}, young, false, two), InputError) << "now it holds a run";
}

}  // namespace
}  // namespace rivulet::session
