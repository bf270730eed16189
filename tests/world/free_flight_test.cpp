#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "support/same_world.h"

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

/// Drops that fly by themselves, in the whole step.
namespace rivulet::world {
namespace {

struct Stage {
    Model model;
    World world;

    /// Water in cells of 1 cm and steps of 1 ms, nothing in it yet.
    explicit Stage(const std::string& more = "", const std::string& head = "") {
        scene::Built built = scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 100, end = "1 s" }
step = { max = "1 ms" }
grid = { cell = "1 cm" }
)" + head + R"(
[liquid.block]
material = "water"
fill = { type = "box", min = "0, 0, 0 cm", max = "8, 8, 8 cm" }
)" + more,
                                                                 "flight.toml", "."));
        model = std::move(built.model), world = std::move(built.world);
    }
    Stage& empty() {
        const auto emitted = world.liquid.emitted_volume;
        world.liquid = {};
        world.liquid.emitted_volume = emitted;
        return *this;
    }
    void add(const Vec3d& position, const Vec3d& velocity, const Mat3d& affine = {}, double part = 1) {
        const liquid::NewParticle p{position, velocity, part * model.cell * model.cell * model.cell / 8, 0,
                                    affine};
        liquid::add_particles(world.liquid, std::span(&p, 1));
    }
    double mass(std::size_t p) const { return model.liquid.materials[0].density * world.liquid.volume[p]; }
    Vec3d momentum() const {
        Vec3d sum;
        for (std::size_t p = 0; p < world.liquid.size(); ++p) sum += world.liquid.velocity[p] * mass(p);
        return sum;
    }
    /// About the centre of mass, affine matrices included.
    Vec3d spin() const {
        const liquid::LiquidState& s = world.liquid;
        Vec3d centre, sum;
        double all = 0;
        for (std::size_t p = 0; p < s.size(); ++p) centre += s.position[p] * mass(p), all += mass(p);
        centre = centre / all;
        for (std::size_t p = 0; p < s.size(); ++p) {
            const Mat3d& c = s.affine[p];
            const Vec3d own{c(2, 1) - c(1, 2), c(0, 2) - c(2, 0), c(1, 0) - c(0, 1)};
            sum += (cross(s.position[p] - centre, s.velocity[p]) + own * (model.cell * model.cell / 4)) *
                   mass(p);
        }
        return sum;
    }
};

const Mat3d kTurning = Mat3d::from_rows({0, -3, 1}, {3, 0.5, 2}, {-1, -2, -0.5});

TEST(FreeFlight, ADropFollowsItsParabolaWithoutAGrid) {
    Stage stage;
    const Vec3d start{0.031, 0.4, -0.2}, throws{0.3, 1.1, -0.2}, g = stage.model.gravity;
    stage.empty().add(start, throws, kTurning);
    Stepper stepper(stage.model);
    constexpr int kSteps = 100;
    const double dt = 1e-3;
    for (int n = 1; n <= kSteps; ++n) {
        EXPECT_EQ(stepper.advance(stage.world).grid_cells, 0);
        const Vec3d expected = start + throws * (n * dt) + g * (dt * dt * n * (n + 1) / 2);
        EXPECT_LT(length(stage.world.liquid.position[0] - expected), 1e-14) << n;
        EXPECT_LT(length(stage.world.liquid.velocity[0] - (throws + g * (n * dt))), 1e-13) << n;
    }
    EXPECT_EQ(stage.world.liquid.affine[0], kTurning);
    EXPECT_NEAR(stage.world.liquid.age[0], kSteps * dt, 1e-6);
    EXPECT_EQ(stepper.liquid().topology.size(), 0u);
}

TEST(FreeFlight, APieceKeepsMomentumAndSpin) {
    Stage stage;
    stage.empty();
    stage.add({0.02, 0.3, 0.01}, {0.3, 0.1, -0.2}, kTurning);
    stage.add({0.025, 0.3, 0.02}, {0.31, 0.2, -0.1}, kTurning * -0.3, 0.4);
    stage.add({0.03, 0.307, 0.01}, {0.25, 0.1, -0.2}, {}, 1.7);
    const Vec3d spin = stage.spin(), momentum = stage.momentum();
    const double all = stage.mass(0) + stage.mass(1) + stage.mass(2);
    Stepper stepper(stage.model);
    for (int n = 1; n <= 200; ++n) {
        EXPECT_EQ(stepper.advance(stage.world).grid_cells, 0);
        const Vec3d expected = momentum + stage.model.gravity * (all * stage.world.clock.time);
        EXPECT_LT(length(stage.momentum() - expected), 1e-13 * length(expected));
        EXPECT_LT(length(stage.spin() - spin), 1e-12 * length(spin));
    }
}

/// Light particles as films drip them: their own free surfaces pushed them sideways, to metres per second
/// within 0.3 s.
TEST(FreeFlight, AFewLightParticlesDoNotSpeedEachOtherUp) {
    Stage stage("", "");
    stage.model.cell = 0.7e-3;
    const double h = stage.model.cell;
    stage.empty();
    stage.add({0.1 * h, 0, 0.3 * h}, {}, {}, 0.375);
    stage.add({0.9 * h, 0.4 * h, 0}, {0.01, 0, 0}, {}, 0.4);
    stage.add({0.2 * h, 1.4 * h, 0.2 * h}, {0, 0, 0.01}, {}, 0.375);
    const Vec3d momentum = stage.momentum();
    const double all = stage.mass(0) + stage.mass(1) + stage.mass(2);
    Stepper stepper(stage.model);
    while (stage.world.clock.frame < 30) EXPECT_EQ(stepper.advance(stage.world).grid_cells, 0);
    const double fallen = 9.81 * 0.3;
    for (const Vec3d& u : stage.world.liquid.velocity) {
        EXPECT_LT(std::hypot(u.x, u.z), 0.0100001);
        EXPECT_NEAR(u.y, -fallen, 1e-11);
    }
    EXPECT_LT(length(stage.momentum() - momentum - Vec3d{0, -fallen * all, 0}), 1e-11 * fallen * all);
}

TEST(FreeFlight, ADropJoinsLiquidAndNothingIsLost) {
    Stage stage("", "world = { gravity = \"0, 0, 0 m/s^2\" }");
    stage.add({0.04, 0.2, 0.041}, {0, -2, 0.1});
    const std::uint64_t drop = stage.world.liquid.id.back();
    const double volume = bulk_volume(stage.world);
    const Vec3d momentum = stage.momentum();
    Stepper stepper(stage.model);
    bool flew = false, joined = false;
    double lowest = 1;
    while (stage.world.clock.time < 0.1) {
        stepper.advance(stage.world);
        const liquid::LiquidState& s = stage.world.liquid;
        const bool flies = !stepper.liquid().flight.found().empty();
        double height = 0;
        for (std::size_t p = 0; p < s.size(); ++p)
            if (s.id[p] == drop) height = s.position[p].y;
        if (flies) {
            EXPECT_GT(height, 0.08 + 0.02);
        }
        // The step that takes it back to the grid changes nothing by itself; what follows is the impact.
        if (flies || !joined) {
            EXPECT_LT(length(stage.momentum() - momentum), 1e-14 * length(momentum)) << height;
        }
        flew |= flies;
        joined |= !flies;
        lowest = std::min(lowest, height);
        EXPECT_NEAR(bulk_volume(stage.world) / volume, 1, 1e-14);
    }
    EXPECT_TRUE(flew && joined);
    EXPECT_LT(lowest, 0.088);
}

TEST(FreeFlight, DropsThatFlyDoNotShortenTheStep) {
    Stage stage;
    stage.model.step.max = 5e-3;
    const double alone = Stepper(stage.model).advance(stage.world).dt;
    stage.add({0.5, 0.5, 0.5}, {12, 0, 0});
    Stepper stepper(stage.model);
    for (int n = 0; n < 10; ++n) EXPECT_NEAR(stepper.advance(stage.world).dt, alone, 1e-12);
    // Liquid that does not fly counts as ever.
    stage.world.liquid.velocity[0] = {12, 0, 0};
    EXPECT_LT(stepper.advance(stage.world).dt, 1e-2 / 12);
}

TEST(FreeFlight, NoLiquidIsSkippedHoweverFastTheDrop) {
    Stage stage("", "world = { gravity = \"0, 0, 0 m/s^2\" }");
    stage.empty();
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 16; ++k)
            for (int j = 0; j < 2; ++j) stage.add(Vec3d{i + 0.5, j + 0.5, k + 0.5} * 0.005, {});
    stage.model.step.max = 0.01;
    const double speed = 23;
    stage.add({0.041, 1.03, 0.038}, {0, -speed, 0});
    const std::uint64_t drop = stage.world.liquid.id.back();
    Stepper stepper(stage.model);
    double longest = 0, height = 1;
    while (height > 0.01 && stage.world.clock.time < 0.2) {
        longest = std::max(longest, stepper.advance(stage.world).dt);
        const liquid::LiquidState& s = stage.world.liquid;
        for (std::size_t p = 0; p < s.size(); ++p)
            if (s.id[p] == drop) height = s.position[p].y;
        if (!stepper.liquid().flight.found().empty()) {
            EXPECT_GT(height, 0.03);
        }
    }
    EXPECT_GT(longest, 2 * stage.model.cell / speed);
    EXPECT_GT(height, 0);  // it is met in the sheet
}

TEST(FreeFlight, SinksTakeWhatFliesIntoThem) {
    Stage stage(R"(
[sink.grate]
shape = { type = "box", min = "-20, 0, -20 cm", max = "40, 1.2, 40 cm" }
)");
    stage.model.step.max = 0.01;
    stage.empty();
    for (int i = 0; i < 5; ++i) stage.add({0.05 * i, 0.5 + 0.03 * i, 0}, {0, -9, 0});
    Stepper stepper(stage.model);
    bool flew = false;
    while (stage.world.clock.time < 0.2) {
        stepper.advance(stage.world);
        flew |= !stepper.liquid().flight.found().empty();
        for (const Vec3d& x : stage.world.liquid.position) EXPECT_GT(x.y, 0);
    }
    EXPECT_TRUE(flew);
    EXPECT_EQ(stage.world.liquid.size(), 0u);
}

TEST(FreeFlight, NoWallIsPassed) {
    Stage stage(R"(
[obstacle.plate]
shape = { type = "box", min = "-50, 0, -50 cm", max = "50, 0.1, 50 cm" }
)");
    stage.model.step.max = 0.01;
    stage.model.step.courant = 6;
    stage.empty();
    for (int i = 0; i < 12; ++i)
        stage.add({0.08 * (i - 6), 0.2 + 0.013 * i, 0.011 * i}, {0.1, -4.0 - 0.5 * i, 0});
    Stepper stepper(stage.model);
    bool flew = false, met = false;
    while (stage.world.clock.frame < 12) {
        stepper.advance(stage.world);
        flew |= !stepper.liquid().flight.found().empty();
        for (const Vec3d& x : stage.world.liquid.position) {
            EXPECT_GT(x.y, 0.001);
            met |= x.y < 0.01;
        }
    }
    EXPECT_TRUE(flew && met);
}

TEST(FreeFlight, AWallThatMovesTakesDropsAlong) {
    Stage stage(R"(
[obstacle.paddle]
shape = { type = "box", min = "-30, -20, -20 cm", max = "-29.9, 20, 20 cm" }
motion = [{ type = "translate", keys = [["0 s", "0, 0, 0 m"], ["0.1 s", "0.4, 0, 0 m"]], ease = "linear" }]
)",
                "world = { gravity = \"0, 0, 0 m/s^2\" }");
    stage.empty();
    for (int i = 0; i < 6; ++i) stage.add({-0.1 + 0.05 * i, 0.05 * (i - 3), 0.01 * i}, {});
    Stepper stepper(stage.model);
    bool flew = false;
    while (stage.world.clock.frame < 10) {
        stepper.advance(stage.world);
        flew |= !stepper.liquid().flight.found().empty();
        for (const Vec3d& x : stage.world.liquid.position)
            EXPECT_GT(x.x, -0.299 + 4 * stage.world.clock.time);
    }
    EXPECT_TRUE(flew);
}

TEST(FreeFlight, DropsThatHoldTogetherStayOnTheGrid) {
    Stage tense("", "");
    tense.model.liquid.surface_tension = true;
    Stage thick("", "");
    thick.model.liquid.materials[0].viscosity = 100;
    Stage elastic("", "");
    elastic.model.liquid.materials[0].shear_modulus = 100;
    elastic.model.liquid.materials[0].consistency = 1;
    for (Stage* stage : {&tense, &thick, &elastic}) {
        stage->empty().add({0, 0.1, 0}, {});
        EXPECT_GT(Stepper(stage->model).advance(stage->world).grid_cells, 0);
    }
}

/// A block thrown into a corner, which flies apart.
Stage splash() {
    Stage stage(R"(
[obstacle.tank]
shape = { type = "box", min = "-6, -1, -6 cm", max = "20, 40, 20 cm" }
side = "inside"
)");
    for (Vec3d& u : stage.world.liquid.velocity) u = {-3, -2, -3};
    return stage;
}

TEST(FreeFlight, BitsDependNeitherOnThreadsNorOnTheStepper) {
    Stage once = splash();
    std::size_t most = 0;
    with_threads(1, [&] {
        Stepper stepper(once.model);
        for (int i = 0; i < 120; ++i) {
            stepper.advance(once.world);
            most = std::max(most, stepper.liquid().flight.found().size());
        }
    });
    EXPECT_GT(most, 10u);
    for (const int threads : {2, 4}) {
        Stage again = splash();
        with_threads(threads, [&] {
            auto stepper = std::make_unique<Stepper>(again.model);
            for (int i = 0; i < 120; ++i) {
                if (threads == 4) stepper = std::make_unique<Stepper>(again.model);
                stepper->advance(again.world);
            }
        });
        EXPECT_EQ(first_difference(once.world, again.world), "") << threads;
    }
}

}  // namespace
}  // namespace rivulet::world
