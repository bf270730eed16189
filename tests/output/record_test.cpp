#include <gtest/gtest.h>

#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/inputs.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/output/run_record.h>

#include "support/temporary_folder.h"

namespace rivulet::output {
namespace {

RunRecord full_record() {
    RunRecord r;
    r.version = "1.2.3";
    r.scene = "a \"quoted\" name.toml";
    r.scene_xxh64 = "0123456789abcdef";
    r.status = RunStatus::failed;
    r.error = RunRecord::Failure{"project", "liquid", "did not converge", 7};
    r.host = "here";
    r.pid = 12;
    r.heartbeat = 1.5e9 + 0.25;
    r.threads = 2;
    r.seed = 18446744073709551615u;
    r.steps = 100;
    r.frames = 7;
    r.last_frame = 20;
    r.fps = 24;
    r.simulated_seconds = 7.0 / 24;
    r.wall_seconds = 3.25;
    r.peak_memory_bytes = 1 << 30;
    r.stages = {{"move", 1.5, 100}, {"commit", 0.5, 100}};
    r.warnings = {"one", "two"};
    return r;
}

TEST(RunRecord, SurvivesTheRoundTrip) {
    const RunRecord r = parse_run_record(to_json(full_record()), "run.json");
    EXPECT_EQ(to_json(r), to_json(full_record()));
    EXPECT_EQ(r.seed, 18446744073709551615u);
    ASSERT_TRUE(r.error);
    EXPECT_EQ(r.error->frame, 7);
    EXPECT_EQ(r.stages[1].name, "commit");
    EXPECT_EQ(r.scene_xxh64, "0123456789abcdef");
}

TEST(RunRecord, DamagedAndNewerOnesAreErrors) {
    const std::string good = to_json(full_record());
    for (std::size_t cut = 0; cut + 2 < good.size(); cut += 7)
        EXPECT_THROW(parse_run_record(good.substr(0, cut), "run.json"), InputError);
    std::string newer = good;
    newer.replace(newer.find("\"format\": 1"), 11, "\"format\": 9");
    try {
        parse_run_record(newer, "run.json");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("newer"), std::string::npos) << e.what();
    }
}

TEST(Csv, RowsUpToALimitAreKeptAndTornOnesNot) {
    const std::string text = "step,a\n1,x\n2,y\n3,z\n4,torn";
    EXPECT_EQ(length_up_to(text, 2), std::string("step,a\n1,x\n2,y\n").size());
    EXPECT_EQ(length_up_to(text, 99), std::string("step,a\n1,x\n2,y\n3,z\n").size());
    EXPECT_EQ(length_up_to(text, 0), std::string("step,a\n").size());
    EXPECT_EQ(length_up_to("", 5), 0u);
    EXPECT_EQ(length_up_to("header without end", 5), 0u);
}

TEST(Csv, MetricsHaveTheColumnsOfTheContract) {
    EXPECT_EQ(
        metrics_header(),
        "step,frame,time,dt,retries,particles,grid_cells,contacts,volume_bulk,volume_film,volume_fabric,"
        "volume_in,volume_out,volume_error,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
        "angular_momentum_y,angular_momentum_z,energy_kinetic,energy_elastic,energy_gravity,max_speed,"
        "max_divergence,newton_iterations,pressure_iterations,shear_iterations,contact_iterations,"
        "contact_residual,contact_rounds,contact_zones,mixture_divergence,energy_surface\n");
    world::Metrics m;
    m.step = 3;
    m.dt = 0.1;
    const Csv csv = parse_csv(metrics_header() + metrics_row(m));
    ASSERT_EQ(csv.rows.size(), 1u);
    EXPECT_EQ(csv.rows[0][std::size_t(csv.column("dt"))], "0.1");
    EXPECT_EQ(csv.rows[0][std::size_t(csv.column("step"))], "3");
}

TEST(Inputs, AChangedOrMissingCopyIsNamed) {
    const test::TemporaryFolder folder;
    const auto mesh = folder / "mesh.obj", scene = folder / "scene.toml";
    std::ofstream(mesh) << "v 0 0 0\n";
    std::ofstream(scene) << "format = 1\n";
    const auto inputs = folder / "run/inputs";
    store_inputs(io::real_file_system(), folder / "run", {scene.string(), mesh.string()});
    EXPECT_NO_THROW(require_unchanged_inputs(inputs));
    std::ofstream(mesh) << "v 1 0 0\n";
    EXPECT_NO_THROW(require_unchanged_inputs(inputs)) << "the run has its own copy";
    EXPECT_EQ(stored_inputs(inputs), (std::vector<std::string>{"0/scene.toml", "0/mesh.obj", "inputs.json"}));
    std::ofstream(inputs / "0/scene.toml") << "format = 2\n";
    EXPECT_NO_THROW(require_unchanged_inputs(inputs)) << "scene.toml of the run holds all it said";
    std::ofstream(inputs / "0/mesh.obj") << "v 1 0 0\n";
    try {
        require_unchanged_inputs(inputs);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("mesh.obj"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("changed"), std::string::npos);
    }
    std::filesystem::remove(inputs / "0/mesh.obj");
    EXPECT_THROW(require_unchanged_inputs(inputs), InputError);
}

TEST(RunDirectory, TwoProcessesCannotHoldOneRun) {
    const test::TemporaryFolder folder;
    RunDirectory first = RunDirectory::create(io::real_file_system(), folder / "run", false, full_record());
    EXPECT_THROW(RunDirectory::reopen(io::real_file_system(), folder / "run"), IoError);
}

}  // namespace
}  // namespace rivulet::output
