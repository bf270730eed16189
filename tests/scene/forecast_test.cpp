#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/scene/costs.h>
#include <rivulet/scene/fall.h>
#include <rivulet/scene/forecast.h>
#include <rivulet/world/stepper.h>

#include "support/temporary_folder.h"

namespace rivulet::scene {
namespace {

namespace fs = std::filesystem;

struct Made {
    Scene scene;
    Built built;
};

Made make(const std::string& text) {
    Scene scene = read_scene_text("format = 1\n" + text, "s.toml", RIVULET_SOURCE_DIR);
    Built built = build(scene);
    return {std::move(scene), std::move(built)};
}

const std::string kTime = "time = { fps = 20, end = \"1 s\" }\n";
const std::string kTank =
    "[obstacle.tank]\nside = \"inside\"\nshape = { type = \"box\", min = 0, max = \"1, 1, 1 m\" }\n";

double ratio(double a, double b) {
    return std::max((a + 1) / (b + 1), (b + 1) / (a + 1));
}

struct Measured {
    double particles = 0, steps = 0, seconds = 0;
    double contacts = 0;  // mean over the steps that have any
};

Measured run(const Built& built, std::int64_t frames) {
    world::World world = built.world;
    world::Stepper stepper(built.model);
    Measured m;
    const double begin = processor_seconds();
    double touching = 0;
    while (world.clock.frame < std::min(frames, built.model.last_frame())) {
        const world::StepCounts counts = stepper.advance(world);
        ++m.steps;
        m.particles = std::max(m.particles, double(world.liquid.size()));
        touching += counts.contacts > 0;
        m.contacts += double(counts.contacts);
    }
    m.seconds = processor_seconds() - begin;
    m.contacts /= std::max(touching, 1.0);
    return m;
}

/// Five frames; one of scenes that would take long.
std::int64_t few_frames(const Scene& scene, const Built& built) {
    return forecast(scene, built, 5).core_seconds > 0.8 ? 1 : 5;
}

/// The part of a scene's detail at which even cells of a few millimetres are few.
constexpr double kSmall = 0.3;

/// The checked build takes many times as long.
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr bool kTimed = false;
#else
constexpr bool kTimed = true;
#endif

TEST(Forecast, FiveSmallFramesOfEveryShippedSceneAreWithinAFactorThree) {
    int seen = 0;
    std::map<std::string, double> guessed, taken;  // core seconds, by folder
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RIVULET_SOURCE_DIR) / "scenes")) {
        if (entry.path().extension() != ".toml") continue;
        SCOPED_TRACE(entry.path().string());
        const std::string file = entry.path().string();
        const Scene scene = read_scene(file, {"detail=" + std::to_string(kSmall * read_scene(file).detail)});
        const auto before = double(restart_peak_memory());
        const Built built = build(scene);
        const std::int64_t frames = few_frames(scene, built);
        const Forecast guess = forecast(scene, built, frames);
        // Threads that wait take time, too: one.
        const Measured m = with_threads(1, [&] { return run(built, frames); });
        const double bytes = kBytesAtLeast + double(peak_memory_bytes()) - before;
        EXPECT_LT(ratio(guess.memory_bytes, bytes), 3)
            << guess.memory_bytes << " guessed, " << bytes << " held";
        EXPECT_LT(ratio(guess.steps, m.steps), 3) << guess.steps << " guessed, " << m.steps << " taken";
        EXPECT_LT(ratio(guess.particles_most, m.particles), 3)
            << guess.particles_most << " guessed, " << m.particles << " there";
        const std::string folder = entry.path().parent_path().filename();
        guessed[folder] += guess.core_seconds, taken[folder] += m.seconds;
        ++seen;
    }
    EXPECT_GT(seen, 20);
    // A single small scene is a tenth of a second, of which the machine takes what it likes.
    for (const auto& [folder, seconds] : guessed)
        if (kTimed && taken[folder] > 0.3) {
            EXPECT_LT(ratio(seconds, taken[folder]), 3)
                << folder << ": " << seconds << " s guessed, " << taken[folder] << " s taken";
        }
}

/// Small scenes hold little more than every program does; of this one only what it holds besides counts.
TEST(Forecast, MemoryOfManyParticlesIsWithinAFactorThree) {
    return_freed_memory();
    const auto before = double(restart_peak_memory());
    const Made m = make(
        kTime + "grid = { cell = \"15 mm\" }\n" + kTank +
        "[liquid.pool]\nmaterial = \"water\"\nfill = { type = \"box\", min = 0, max = \"1, 0.3, 1 m\" }\n"
        "[liquid.drop]\nmaterial = \"honey\"\nfill = { type = \"sphere\", center = \"50, 60, 50 cm\", radius "
        "= \"20 cm\" }\n");
    run(m.built, 1);
    const double guess = forecast(m.scene, m.built, 1).memory_bytes - kBytesAtLeast,
                 bytes = double(peak_memory_bytes()) - before;
    EXPECT_GT(bytes, 50e6);
    EXPECT_LT(ratio(guess, bytes), 3) << guess << " guessed, " << bytes << " held";
}

const std::string kBowl =
    "world = { keep = { min = \"-20, -2, -20 cm\", max = \"20, 25, 20 cm\" } }\n[obstacle.bowl]\nshape = { "
    "type = "
    "\"revolve\", profile = [\"0, 0 cm\", \"3, 0.3 cm\", \"6, 2 cm\", \"8, 6 cm\"], thickness = \"8 mm\", "
    "smooth = "
    "true, axis = [0.12, 1, 0] }\nwall = { condition = \"no_slip\" }\n[obstacle.table]\nshape = { type = "
    "\"plane\", "
    "point = \"0, -0.5, 0 cm\" }\n";
std::string drop_of_milk(const char* radius) {
    return std::string(
               "[liquid.milk]\nmaterial = \"milk\"\nfill = { type = \"sphere\", center = \"0, 7, 0 cm\", ") +
           "radius = \"" + radius + "\" }\n";
}

/// A bowl is no container by its name, and still keeps its liquid together.
TEST(Forecast, MilkThatFallsIntoABowlStaysThere) {
    const std::string head = kTime + "grid = { cell = \"5 mm\" }\n";
    const Made bowl = make(head + kBowl + drop_of_milk("3 cm"));
    const std::vector<Fall> falls = falls_of(bowl.scene, bowl.built.model);
    EXPECT_FALSE(falls[0].scatters);
    EXPECT_NEAR(falls[0].height, 0.1, 0.005);  // from its top, and no farther than the bowl
    return_freed_memory();
    const auto before = double(restart_peak_memory());
    const Measured m = run(bowl.built, 6);
    const double bytes = kBytesAtLeast + double(peak_memory_bytes()) - before;
    const Forecast guess = forecast(bowl.scene, bowl.built, 6);
    EXPECT_LT(ratio(guess.memory_bytes, bytes), 3) << guess.memory_bytes << " guessed, " << bytes << " held";
    EXPECT_LT(ratio(guess.steps, m.steps), 3) << guess.steps << " guessed, " << m.steps << " taken";
    if (kTimed) {
        EXPECT_LT(ratio(guess.core_seconds, m.seconds), 3)
            << guess.core_seconds << " s guessed, " << m.seconds << " s taken";
    }
    // More than the bowl holds, or no bowl: it flies apart.
    const Made much = make(head + kBowl + drop_of_milk("6.5 cm")),
               table = make(head + "[obstacle.table]\nshape = { type = \"plane\", point = 0 }\n" +
                            drop_of_milk("3 cm"));
    EXPECT_TRUE(falls_of(much.scene, much.built.model)[0].scatters);
    EXPECT_TRUE(falls_of(table.scene, table.built.model)[0].scatters);
    EXPECT_GT(forecast(table.scene, table.built).memory_bytes,
              2 * forecast(bowl.scene, bowl.built).memory_bytes);
}

/// What a splash fills grows with the circle it reaches, not with how finely its liquid is cut up.
TEST(Forecast, ASplashIsNoLargerThanItsCircleOrTheRegionKept) {
    const std::string table =
        "[obstacle.table]\nshape = { type = \"plane\", point = 0 }\n" + drop_of_milk("3 cm");
    const auto cells = [&](const std::string& cell, const std::string& keep) {
        const Made m = make(kTime + "grid = { cell = \"" + cell + "\" }\n" + keep + table);
        return (forecast(m.scene, m.built).memory_bytes - kBytesAtLeast) / kBytesPerCell;
    };
    const std::string small = "world = { keep = { min = \"-10, -2, -10 cm\", max = \"10, 25, 10 cm\" } }\n";
    EXPECT_LT(cells("4 mm", small), 0.3 * cells("4 mm", ""));
    EXPECT_NEAR(cells("4 mm", small) / cells("8 mm", small), 4, 1.5);
}

std::string bundle(int rows, const std::string& film) {
    return "time = { fps = 100, end = \"0.2 s\" }\nstep = { max = \"1 ms\" }\n[strands.hair]\nmaterial = "
           "\"human_hair\"\nradius = { root = \"0.1 mm\" }\nsegment = \"2 mm\"\n" +
           film + "groom = { type = \"rows\", origin = \"0, 0, 0 cm\", columns = " + std::to_string(rows) +
           ", rows = " + std::to_string(rows) +
           ", column_step = \"0, 0.5, 0 mm\", row_step = \"0, 0, 0.5 mm\", direction = [1, 0, 0], length = "
           "\"4 cm\", lean = { spread = \"1.5 deg\" }, noise = { amplitude = \"0.2 mm\", length = \"1 cm\" "
           "}, "
           "seed = "
           "3 }\n";
}

TEST(Forecast, CountsContactsOfCrowdedStrands) {
    for (const char* film : {"", "film = { liquid = \"water\", thickness = \"0.1 mm\" }\n"}) {
        SCOPED_TRACE(film);
        const Made m = make(bundle(5, film));
        const Forecast guess = forecast(m.scene, m.built, 4);
        const Measured real = run(m.built, 4);
        EXPECT_GT(real.contacts, 50);
        EXPECT_LT(ratio(guess.contacts, real.contacts), 3)
            << guess.contacts << " guessed, " << real.contacts << " there";
        if (kTimed) {
            EXPECT_LT(ratio(guess.core_seconds, real.seconds), 3)
                << guess.core_seconds << " s guessed, " << real.seconds << " s taken";
        }
        EXPECT_FALSE(guess.reasons.empty());
    }
    const Made alone = make(bundle(1, ""));
    EXPECT_EQ(forecast(alone.scene, alone.built).contacts, 0);
    const Made none = make(bundle(6, "") + "[contact]\nlaw = \"none\"\n");
    EXPECT_EQ(forecast(none.scene, none.built).contacts, 0);
}

TEST(Forecast, CountsWhatInflowsBring) {
    const std::string tap =
        "[inflow.tap]\nmaterial = \"water\"\nvelocity = \"0, -1, 0 m/s\"\nactive = [\"0.2 s\", \"0.7 s\"]\n"
        "shape = { type = \"box\", min = \"40, 80, 40 cm\", max = \"60, 90, 60 cm\" }\n";
    const std::string grid = "grid = { cell = \"2 cm\" }\n";
    const Made all = make(kTime + grid + kTank + tap);
    // 4 L at once and 40 L/s for half a second, 1 cm^3 each.
    EXPECT_NEAR(forecast(all.scene, all.built).particles_most, 24000, 1200);
    EXPECT_EQ(forecast(all.scene, all.built, 3).particles_most, 0);
    const Made some = make(kTime + grid + kTank + tap + "total = \"6 L\"\n");
    EXPECT_NEAR(forecast(some.scene, some.built).particles_most, 6000, 10);
    EXPECT_GT(forecast(all.scene, all.built).disk_bytes, forecast(some.scene, some.built).disk_bytes);
}

TEST(Forecast, WhatLeavesTheKeptRegionIsNotCounted) {
    const std::string text =
        kTime +
        "grid = { cell = \"2 cm\" }\nworld = { keep = { min = \"-1, -0.5, -1 m\", max = \"1, 1, 1 "
        "m\" } }\n[inflow.tap]\nmaterial = \"water\"\nvelocity = \"0, -2, 0 m/s\"\n"
        "shape = { type = \"box\", min = \"-10, 0, -10 cm\", max = \"10, 2, 10 cm\" }\n";
    const Made m = make(text);
    const Forecast f = forecast(m.scene, m.built);
    const Measured real = run(m.built, 100);
    EXPECT_LT(ratio(f.particles_most, real.particles), 2) << f.particles_most << " and " << real.particles;
    EXPECT_LT(f.particles_most, 40000);  // 80 L/s for a second would be 80 000
}

TEST(Forecast, FastObstaclesShortenSteps) {
    const auto steps = [](const char* rate) {
        const Made m = make(
            kTime + "grid = { cell = \"2 cm\" }\n" + kTank +
            "[liquid.pool]\nmaterial = \"water\"\nfill = { type = \"box\", min = 0, max = \"1, 0.3, 1 m\" }\n"
            "[obstacle.paddle]\nshape = { type = \"box\", min = \"20, 10, 45 cm\", max = \"80, 25, 55 cm\" "
            "}\n"
            "[[obstacle.paddle.motion]]\ntype = \"spin\"\naxis = [0, 1, 0]\npivot = \"50, 0, 50 cm\"\nrate = "
            "\"" +
            std::string(rate) + "\"\n");
        return forecast(m.scene, m.built).steps;
    };
    EXPECT_GT(steps("300 rpm"), 4 * steps("30 rpm"));
}

TEST(Forecast, APoolRestsAndADropFalls) {
    const Made m = make(
        kTime + "grid = { cell = \"2 cm\" }\n" + kTank +
        "[liquid.pool]\nmaterial = \"water\"\nfill = { type = \"box\", min = 0, max = \"1, 0.3, 1 m\" }\n"
        "[liquid.drop]\nmaterial = \"water\"\nfill = { type = \"sphere\", center = \"50, 80, 50 cm\", radius "
        "= \"10 cm\" }\n"
        "[liquid.heap]\nmaterial = \"shaving_cream\"\nfill = { type = \"sphere\", center = \"50, 50, 50 "
        "cm\", radius = \"10 cm\" }\n");
    const std::vector<Fall> falls = falls_of(m.scene, m.built.model);
    ASSERT_EQ(falls.size(), 3u);
    EXPECT_EQ(falls[0].height, 0);
    EXPECT_NEAR(falls[1].height, 0.9, 0.03);
    EXPECT_FALSE(falls[1].scatters);  // the tank keeps it together
    EXPECT_NEAR(falls[2].height, 0.4, 0.03);
    EXPECT_TRUE(falls[2].thick);
    EXPECT_NEAR(falls[1].speed_at(0.1, 9.81), 0.981, 1e-9);
    EXPECT_NEAR(falls[1].speed_at(10, 9.81), std::sqrt(2 * 9.81 * falls[1].height), 1e-9);
    EXPECT_EQ(falls[2].speed_at(10, 9.81), 0);
}

TEST(Forecast, IsLessSureOfMore) {
    const Made pool = make(
        kTime + "grid = { cell = \"5 cm\" }\n" + kTank +
        "[liquid.pool]\nmaterial = \"water\"\nfill = { type = \"box\", min = 0, max = \"1, 0.3, 1 m\" }\n");
    const Made splash =
        make(kTime +
             "grid = { cell = \"5 cm\" }\n[liquid.drop]\nmaterial = \"water\"\nfill = { type = \"sphere\", "
             "center = 0, radius = \"20 cm\" }\n");
    const Forecast sure = forecast(pool.scene, pool.built), unsure = forecast(splash.scene, splash.built);
    EXPECT_LT(sure.factor, unsure.factor);
    EXPECT_TRUE(sure.reasons.empty());
    EXPECT_FALSE(unsure.reasons.empty());
    EXPECT_LE(unsure.factor, 3);
}

TEST(Resolution, WarnsOfCellsLargerThanWhatTheyHaveToResolve) {
    const std::string things =
        kTank +
        "[obstacle.cup]\nshape = { type = \"revolve\", center = \"50, 20, 50 cm\", profile = [\"0, 0 cm\", "
        "\"20, 0 cm\", "
        "\"20, 30 cm\"], thickness = \"3 cm\" }\n"
        "[obstacle.near]\nshape = { type = \"box\", min = \"5, 60, 5 cm\", max = \"30, 80, 30 cm\" }\n"
        "[liquid.drop]\nmaterial = \"water\"\nfill = { type = \"sphere\", center = \"50, 90, 50 cm\", radius "
        "= \"4 cm\" }\n"
        "[inflow.tap]\nmaterial = \"water\"\nvelocity = \"0, -1, 0 m/s\"\nshape = { type = \"cylinder\", "
        "from = \"60, 80, 70 "
        "cm\", to = \"60, 81, 70 cm\", radius = \"2 cm\" }\n";
    const auto warnings = [&](const char* cell) {
        return make(kTime + "grid = { cell = \"" + cell + "\" }\n" + things).built.warnings;
    };
    EXPECT_TRUE(warnings("1 cm").empty());
    const std::vector<std::string> coarse = warnings("3 cm");
    const auto has = [&](const char* text) {
        return std::any_of(coarse.begin(), coarse.end(),
                           [&](const std::string& w) { return w.find(text) != std::string::npos; });
    };
    EXPECT_EQ(coarse.size(), 4u);
    EXPECT_TRUE(has("obstacle.cup.shape: a thickness of 0.03 m"));
    EXPECT_TRUE(has("obstacle.near: a gap to obstacle.tank of 0.05"));
    EXPECT_TRUE(has("liquid.drop.fill: a radius"));
    EXPECT_TRUE(has("inflow.tap.shape: a nozzle"));
}

/// A box of sheet, 1 cm thick, as OBJ: a mesh knows no thickness of its own.
TEST(Resolution, WarnsOfThinWallsOfMeshes) {
    const test::TemporaryFolder folder;
    const std::string file = folder.path() / "box.obj";
    std::ofstream out(file);
    for (const double h : {0.2, 0.19})
        for (int corner = 0; corner < 8; ++corner)
            out << "v " << (corner & 1 ? h : -h) << ' ' << (corner & 2 ? h : -h) << ' '
                << (corner & 4 ? h : -h) << '\n';
    out << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
           "f 10 12 11 9\nf 15 16 14 13\nf 13 14 10 9\nf 12 16 15 11\nf 11 15 13 9\nf 14 16 12 10\n";
    out.close();
    const auto warnings = [&](const char* cell, const char* side) {
        return make(kTime + "grid = { cell = \"" + cell + "\" }\n[obstacle.sheet]\nside = \"" + side +
                    "\"\nshape = { type = \"mesh\", file = \"" + file +
                    "\" }\n[liquid.drop]\nmaterial = \"water\"\nfill = { type = \"sphere\", center = 0, "
                    "radius = "
                    "\"15 cm\" }\n")
            .built.warnings;
    };
    EXPECT_TRUE(warnings("4 mm", "outside").empty());
    ASSERT_EQ(warnings("1 cm", "outside").size(), 1u);
    EXPECT_NE(warnings("1 cm", "outside")[0].find("obstacle.sheet.shape: a thickness of 0.01 m"),
              std::string::npos);
}

}  // namespace
}  // namespace rivulet::scene
