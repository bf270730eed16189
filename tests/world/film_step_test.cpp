#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/scene/build.h>
#include <rivulet/world/film_speed.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/stepper.h>

/// Films in the whole step.
namespace rivulet::world {
namespace {

std::string hanging(const std::string& film, const std::string& more = "") {
    return R"(format = 1
time = { fps = 100, end = "1 s" }
step = { max = "1 ms" }
grid = { cell = "0.5 mm" }
contact = { law = "none" }
[film]
)" + film + R"(
[strands.hair]
material = "human_hair"
radius = { root = "50 um" }
segment = "1 mm"
film = { liquid = "water", thickness = "60 um", from = 0.1, to = 0.5 }
groom = { type = "rows", origin = "0, 0, 0 m", direction = [0.2, -1, 0], length = "2 cm" }
)" + more;
}

struct Played {
    Model model;
    World world;
    explicit Played(const std::string& text, int steps) {
        scene::Built built = scene::build(scene::read_scene_text(text, "film.toml", "."));
        model = std::move(built.model), world = std::move(built.world);
        Stepper stepper(model);
        for (int i = 0; i < steps; ++i) stepper.advance(world);
    }
    double volume() const { return film_volume(world); }
};

TEST(FilmStep, RunsDownAndKeepsItsVolume) {
    const Played start(hanging("dripping = false"), 0), later(hanging("dripping = false"), 100);
    EXPECT_NEAR(later.volume() / start.volume(), 1, 1e-13);
    const auto centre = [](const Played& run) {
        double sum = 0;
        for (std::size_t v = 0; v < run.world.film.size(); ++v)
            sum += run.world.film.area[v] * run.world.film.length[v] * double(v);
        return sum / run.volume();
    };
    EXPECT_GT(centre(later), centre(start) + 1);
}

TEST(FilmStep, MetricsHaveWhatFilmsHoldInMemorySurfaceAndSpin) {
    Played run(hanging("dripping = false"), 0);
    run.model.film.flow.surface_tension = true;
    run.model.film.liquids[0].shear_modulus = 200;
    film::FilmState& film = run.world.film;
    const double a = 50e-6, outer = 110e-6, area = std::numbers::pi * (outer * outer - a * a);
    film.strain.assign(film.size(), 0.5);
    for (std::size_t v = 0; v < film.size(); ++v) film.area[v] = area, film.share[v] = 1;
    const Metrics still = measure(run.model, run.world, {});
    const double tension = run.model.film.liquids[0].surface_tension, length = 0.02;
    EXPECT_NEAR(still.energy_surface / (tension * 2 * std::numbers::pi * (outer - a) * length), 1, 1e-9);
    Played dry(hanging("dripping = false"), 0);
    const double rod = measure(dry.model, dry.world, {}).energy_elastic;
    EXPECT_NEAR((still.energy_elastic - rod) / (200 * (std::sqrt(1 + 0.25 * 0.25) - 1) * area * length), 1,
                1e-9);
    for (double& rate : run.world.strands.twist_velocity) rate = 7;
    run.world.strands.twist_velocity.back() = 0;
    const double both = measure(run.model, run.world, {}).energy_kinetic;
    run.model.film.weighs = false;
    const double alone = measure(run.model, run.world, {}).energy_kinetic;
    const double inertia = 0.5 * run.model.film.liquids[0].density * std::numbers::pi *
                           (std::pow(outer, 4) - std::pow(a, 4));  // per length
    // Half of what the end vertices hold belongs to no edge and does not turn: a quarter segment each.
    EXPECT_NEAR((both - alone) / (0.5 * inertia * 49 * (length - 0.5e-3)), 1, 1e-9);
}

TEST(FilmStep, StaysWhereItIsWithoutFlow) {
    const Played start(hanging("flow = false\ndripping = false"), 0),
        later(hanging("flow = false\ndripping = false"), 50);
    EXPECT_EQ(start.world.film.area, later.world.film.area);
    for (const double w : later.world.film.speed) EXPECT_EQ(w, 0);
}

/// A film that rides is dead weight: the strand sags as one of that density would.
TEST(FilmStep, WeighsOnTheStrandAsDeadMassWithoutFlow) {
    const std::string heavy = R"([material.heavy]
type = "strand"
base = "human_hair"
density = "10000 kg/m^3"
[strands.dry]
material = "heavy"
radius = { root = "50 um" }
segment = "1 mm"
groom = { type = "rows", origin = "0, 0, 0.1 m", direction = [1, 0, 0], length = "2 cm" }
[strands.wet]
material = "human_hair"
radius = { root = "50 um" }
segment = "1 mm"
film = { liquid = "water", area = "7e-8 m^2" }
groom = { type = "rows", origin = "0, 0, 0.2 m", direction = [1, 0, 0], length = "2 cm" }
)";
    scene::Built built = scene::build(
        scene::read_scene_text(hanging("flow = false\ndripping = false", heavy), "film.toml", "."));
    const strand::StrandState& s = built.world.strands;
    // As heavy as the other, per length.
    const double section = 3.141592653589793 * 50e-6 * 50e-6;
    const double area = (10000 - built.model.strands.materials[s.material[2]].density) * section / 998.2;
    for (std::size_t v = s.begin(2); v < s.end(2); ++v) built.world.film.area[v] = area;
    Stepper stepper(built.model);
    for (int i = 0; i < 60; ++i) stepper.advance(built.world);
    const double dry = s.position[s.end(1) - 1].y, wet = s.position[s.end(2) - 1].y;
    EXPECT_LT(dry, -5e-4);
    EXPECT_NEAR(wet / dry, 1, 2e-3);
}

TEST(FilmStep, GravityAloneMovesFilmsWithoutInertia) {
    // Thrown sideways along itself: with inertia the film lags behind, without it does not notice.
    const std::string still = "dripping = false\n", without = "dripping = false\ninertia = false\n";
    const std::string motion =
        "[[strands.hair.motion]]\ntype = \"oscillate\"\namplitude = \"0, 5, 0 mm\"\nperiod = \"0.05 s\"\n";
    const Played calm(hanging(without), 40), shaken(hanging(without, motion), 40),
        felt(hanging(still, motion), 40);
    double apart = 0, felt_apart = 0;
    for (std::size_t v = 0; v < calm.world.film.size(); ++v) {
        apart = std::max(apart, std::abs(calm.world.film.area[v] - shaken.world.film.area[v]));
        felt_apart = std::max(felt_apart, std::abs(calm.world.film.area[v] - felt.world.film.area[v]));
    }
    EXPECT_LT(apart, 0.1 * felt_apart);
}

TEST(FilmStep, DropsLeaveTheTipAndAreCounted) {
    std::string text = hanging("dripping = true");
    text.replace(text.find("60 um"), 5, "0.2 mm");
    const Played run(text, 400);
    EXPECT_GT(run.world.liquid.size(), 0u);
    EXPECT_LT(std::abs(run.world.ledger.error(present_liquid(run.world))), 1e-12);
    const double least = 0.375 * 0.5e-3 * 0.5e-3 * 0.5e-3 / 8;
    for (const double v : run.world.liquid.volume) EXPECT_GE(v, least * (1 - 1e-12));
}

TEST(FilmStep, AFilmOfEveryLiquidTearsOffInDropsOfEach) {
    std::string text = hanging("dripping = true\nflow = false");
    scene::Built built =
        scene::build(scene::read_scene_text(text + "[strands.other]\nmaterial = \"human_hair\"\nradius = { "
                                                   "root = \"50 um\" }\nsegment = \"1 mm\"\nfilm = { "
                                                   "liquid = \"blood\", thickness = \"1 um\" }\ngroom = { "
                                                   "type = \"rows\", origin = \"5, 0, 0 cm\", direction = "
                                                   "[1, 0, 0], length = \"2 cm\" }\n",
                                            "film.toml", "."));
    film::FilmState& film = built.world.film;
    const strand::StrandState& s = built.world.strands;
    const std::size_t v = s.begin(1) + 10;
    film.area[v] = 4e-5, film.share[2 * v] = 0.6, film.share[2 * v + 1] = 0.4;
    built.world.ledger.open(present_liquid(built.world));
    Stepper stepper(built.model);
    for (int i = 0; i < 30; ++i) stepper.advance(built.world);
    double volume[2] = {0, 0};
    for (std::size_t i = 0; i < built.world.liquid.size(); ++i)
        volume[built.world.liquid.material[i]] += built.world.liquid.volume[i];
    EXPECT_GT(volume[0], 0);
    EXPECT_NEAR(volume[0] / volume[1], 1.5, 0.05);
    EXPECT_LT(std::abs(built.world.ledger.error(present_liquid(built.world))), 1e-12);
}

TEST(FilmStep, ADropKeepsTheStrainOfItsFilm) {
    const Vec3d t = normalized(Vec3d{1, 2, -0.5});
    for (const double c : {-3.0, -0.1, 0.0, 0.4, 5.0}) {
        const liquid::Strain b = drop_strain(c, t);
        EXPECT_NEAR(liquid::determinant(b), 1, 1e-12);
        const Vec3d side = any_perpendicular(t), along = liquid::to_matrix(b) * t,
                    across = liquid::to_matrix(b) * side;
        EXPECT_NEAR(dot(along, t) - dot(across, side), c, 1e-10);
    }
}

TEST(FilmSpeed, StrainOfFilmAndOfItsDropsAreInverse) {
    const Vec3d t = normalized(Vec3d{1, -2, 0.5});
    for (const double c : {-3.0, -0.2, 0.0, 1e-9, 0.4, 12.0})
        EXPECT_NEAR(film_strain(drop_strain(c, t), t), c, 1e-12 * (1 + std::abs(c)));
    // Stretched across the strand it is pressed along it.
    const liquid::Strain across = drop_strain(1, normalized(Vec3d{2, 1, 0}));
    EXPECT_NEAR(film_strain(across, t), -0.5, 1e-12);
}

}  // namespace
}  // namespace rivulet::world
