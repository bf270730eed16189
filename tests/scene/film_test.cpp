#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/build_film.h>
#include <rivulet/world/ledger.h>
#include <rivulet/world/metrics.h>

namespace rivulet::scene {
namespace {

constexpr double kPi = std::numbers::pi;

/// Ten hairs of 5 cm in a row, 1 mm apart, 11 vertices each.
std::string hairs(const std::string& more, const std::string& name = "a") {
    return "[strands." + name +
           "]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\nsegment = \"5 mm\"\n"
           "groom = { type = \"rows\", columns = 10, column_step = \"0, 0, 1 mm\", direction = [0, -1, 0], "
           "length = \"5 cm\" }\n" +
           more;
}
Scene read(const std::string& lines) {
    return read_scene_text("format = 1\ntime = { end = \"1 s\" }\n" + lines, "s.toml", "/");
}
std::string complaint(const std::string& lines) {
    try {
        build(read(lines));
    } catch (const InputError& e) {
        return e.problems().size() == 1 ? e.problems()[0].text() : "several: " + std::string(e.what());
    }
    return "";
}

TEST(SceneFilm, CoatsStrandsAsThickAsTold) {
    const Built built = build(read(hairs("film = { liquid = \"water\", thickness = \"20 um\" }\n")));
    const film::FilmState& film = built.world.film;
    ASSERT_EQ(film.size(), 110u);
    ASSERT_EQ(film.liquids(), 1u) << "the film alone brings the liquid into the scene";
    ASSERT_EQ(built.model.liquid.materials.size(), 1u);
    EXPECT_EQ(built.model.liquid.materials[0].name, "water");
    const double area = kPi * (70e-6 * 70e-6 - 50e-6 * 50e-6);
    for (std::size_t v = 0; v < 110; ++v) {
        EXPECT_NEAR(film.area[v] / area, 1, 1e-12);
        EXPECT_NEAR(film.length[v], v % 11 == 0 || v % 11 == 10 ? 2.5e-3 : 5e-3, 1e-12);
        EXPECT_EQ(film.share[v], 1);
    }
    EXPECT_NEAR(world::film_volume(built.world) / (10 * 0.05 * area), 1, 1e-12);
    EXPECT_NEAR(world::present_liquid(built.world).total() / (10 * 0.05 * area), 1, 1e-12);
    EXPECT_EQ(built.world.ledger.total_initial(), world::film_volume(built.world));
    EXPECT_NEAR(world::measure(built.model, built.world, {}).volume_error, 0, 1e-15);
}

TEST(SceneFilm, AnAreaIsTakenAsItIs) {
    const Built built = build(read(hairs("film = { liquid = \"water\", area = \"1e-8 m^2\" }\n")));
    for (const double area : built.world.film.area) EXPECT_DOUBLE_EQ(area, 1e-8);
}

TEST(SceneFilm, EllipsesAreCoatedEvenly) {
    const Built built =
        build(read(hairs("aspect = 2\nfilm = { liquid = \"water\", thickness = \"20 um\" }\n")));
    EXPECT_NEAR(built.world.film.area[5] / (kPi * (70e-6 * 120e-6 - 50e-6 * 100e-6)), 1, 1e-12);
}

// A stretch that begins and ends between vertices holds exactly what it should.
TEST(SceneFilm, CoversTheStretchItIsTold) {
    const double area = kPi * 20e-6 * 120e-6;
    for (const auto& [from, to] : {std::pair{0.0, 0.5}, {0.25, 1.0}, {0.333, 0.3456}, {0.62, 0.91}}) {
        const Built built = build(
            read(hairs("film = { liquid = \"water\", thickness = \"20 um\", from = " + std::to_string(from) +
                       ", to = " + std::to_string(to) + " }\n")));
        EXPECT_NEAR(world::film_volume(built.world) / (10 * 0.05 * area * (to - from)), 1, 1e-9);
        for (std::size_t v = 0; v < 11; ++v) {
            const double place = double(v) / 10;  // ± half a segment
            if (place < from - 0.051 || place > to + 0.051) {
                EXPECT_EQ(built.world.film.area[v], 0) << place;
                EXPECT_EQ(built.world.film.share[v], 0) << place;
            }
            if (place > from + 0.051 && place < to - 0.051) {
                EXPECT_NEAR(built.world.film.area[v] / area, 1, 1e-12) << place;
            }
        }
    }
}

TEST(SceneFilm, EachGroupHasItsOwnAndOthersNone) {
    const Built built =
        build(read("[contact]\nlaw = \"none\"\n[liquid.pool]\nmaterial = \"honey\"\nfill = { type = "
                   "\"sphere\", center = \"1, 0, 0 m\", "
                   "radius = \"5 "
                   "cm\" }\n" +
                   hairs("film = { liquid = \"water\", thickness = \"20 um\" }\n", "a") + hairs("", "b") +
                   hairs("film = { liquid = \"honey\", thickness = \"10 um\" }\n", "c")));
    const film::FilmState& film = built.world.film;
    ASSERT_EQ(film.size(), 330u);
    ASSERT_EQ(film.liquids(), 2u);
    const auto share = [&](std::size_t v, std::size_t l) { return film.share[2 * v + l]; };
    const std::size_t water = built.model.liquid.materials[0].name == "water" ? 0 : 1, honey = 1 - water;
    EXPECT_EQ(share(3, water), 1);
    EXPECT_EQ(share(3, honey), 0);
    EXPECT_EQ(film.area[115], 0);
    EXPECT_EQ(share(115, water) + share(115, honey), 0);
    EXPECT_GT(film.length[115], 0);
    EXPECT_EQ(share(300, honey), 1);
    const LiquidTally tally = world::present_liquid(built.world);
    EXPECT_NEAR(tally.of(water).value() / (10 * 0.05 * kPi * 20e-6 * 120e-6), 1, 1e-12);
}

TEST(SceneFilm, WithoutFilmsThereIsNone) {
    EXPECT_EQ(build(read(hairs(""))).world.film.size(), 0u);
}

TEST(SceneFilm, ResolvedScenesKeepItOrItsAbsence) {
    const Scene scene =
        read(hairs("film = { liquid = \"water\", area = \"1e-8 m^2\", to = 0.5 }\n", "a") + hairs("", "b"));
    const std::string text = resolved_text(scene);
    EXPECT_NE(text.find("film = { liquid = \"water\", area = \"1e-08 m^2\", from = 0.0, to = 0.5 }\n"),
              std::string::npos)
        << text;
    const Scene again = read_scene_text(text, "r.toml", "/");
    EXPECT_EQ(resolved_text(again), text);
    EXPECT_EQ(again.strands[0].film.liquid, 0);
    EXPECT_EQ(again.strands[1].film.liquid, -1);
}

TEST(SceneFilm, RefusesWhatCannotBe) {
    const auto says = [](const std::string& film, const std::string& part) {
        const std::string got = complaint(hairs("film = { " + film + " }\n"));
        EXPECT_NE(got.find(part), std::string::npos) << got;
    };
    says("liquid = \"wter\", thickness = \"20 um\"",
         "strands.a.film.liquid: there is no liquid material 'wter'; did you mean 'water'?");
    says("liquid = \"wool\", thickness = \"20 um\"", "there is no liquid material 'wool'");
    says("thickness = \"20 um\"", "strands.a.film.liquid: missing");
    says("liquid = \"water\"", "a film needs a thickness or an area");
    says("liquid = \"water\", thickness = \"20 um\", area = \"1e-8 m^2\"", "both given");
    says("liquid = \"water\", thickness = \"-20 um\"", "must be > 0");
    says("liquid = \"water\", thickness = \"20 um\", from = 0.5, to = 0.5",
         "strands.a.film.to: must be larger");
    says("liquid = \"water\", thickness = \"20 um\", to = 1.5", "between 0 and 1");
    says(
        "liquid = \"water\", thickness = \"1.1 mm\"",
        "strands.a.film.thickness: the film is 0.0011 m thick, but neighbouring roots are only about 0.001 m "
        "apart");
    says("liquid = \"water\", area = \"1 cm^2\"", "strands.a.film.area: the film is");
    EXPECT_EQ(complaint(hairs("film = { liquid = \"water\", thickness = \"0.9 mm\" }\n")), "");
}

TEST(SceneFilm, SpacingIsThatOfNeighbours) {
    const auto spacing = [](const std::string& groom) {
        const Built built =
            build(read("[strands.a]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\n"
                       "segment = \"5 mm\"\ngroom = { " +
                       groom + ", length = \"1 cm\" }\n"));
        return root_spacing(built.world.strands, 0, built.world.strands.strand_count());
    };
    EXPECT_NEAR(
        spacing("type = \"rows\", columns = 40, rows = 30, column_step = \"2, 0, 0 mm\", row_step = \"0, 0, "
                "3 mm\""),
        2e-3, 1e-12);
    EXPECT_TRUE(std::isinf(spacing("type = \"rows\"")));
    // A ball of 5 cm with 3000 roots: 10.5 mm² for each.
    const double each = std::sqrt(4 * kPi * 0.05 * 0.05 / 3000);
    const double found = spacing("type = \"ball\", count = 3000, radius = \"5 cm\"");
    EXPECT_GT(found, 0.5 * each);
    EXPECT_LT(found, 1.2 * each);
}

TEST(SceneFilm, BehavesAsToldByKeys) {
    const world::FilmModel usual =
        build(read(hairs("film = { liquid = \"water\", thickness = \"20 um\" }\n"))).model.film;
    EXPECT_TRUE(usual.weighs && usual.flows && usual.inertia && usual.drips);
    EXPECT_EQ(usual.carry, film::Carry::mixture);
    EXPECT_EQ(usual.flow.friction.law, film::FrictionLaw::annular);
    EXPECT_FALSE(usual.flow.surface_tension);
    EXPECT_TRUE(usual.feeds.empty());
    const world::FilmModel told =
        build(
            read(
                "film = { flow = false, dripping = false, inertia = false, momentum = \"rescaled\", friction "
                "= \"papers\", slip_length = \"2 um\" }\n" +
                hairs("film = { liquid = \"water\", thickness = \"20 um\" }\n")))
            .model.film;
    EXPECT_FALSE(told.flows || told.inertia || told.drips);
    EXPECT_EQ(told.carry, film::Carry::rescaled);
    EXPECT_EQ(told.flow.friction.law, film::FrictionLaw::fei_2019);
    EXPECT_DOUBLE_EQ(told.flow.friction.slip_length, 2e-6);
}

TEST(SceneFilm, LiquidsBringTheirFlowCurve) {
    const world::FilmModel model =
        build(read(hairs("film = { liquid = \"drilling_mud\", thickness = \"20 um\" }\n"))).model.film;
    ASSERT_EQ(model.liquids.size(), 1u);
    EXPECT_NEAR(model.liquids[0].yield_stress, 0.9707, 1e-4);
    EXPECT_NEAR(model.liquids[0].consistency, 0.3839, 1e-4);
    EXPECT_GT(model.liquids[0].shear_modulus, 0);
}

TEST(SceneFilm, RefusesToDripWithoutSurfaceTension) {
    const std::string slick = "[material.slick]\ntype = \"liquid\"\nviscosity = \"1 mPa*s\"\n" +
                              hairs("film = { liquid = \"slick\", thickness = \"20 um\" }\n");
    EXPECT_NE(complaint(slick).find("strands.a.film.liquid: 'slick' has no surface tension"),
              std::string::npos)
        << complaint(slick);
    EXPECT_EQ(complaint("film = { dripping = false }\n" + slick), "");
}

TEST(SceneFilm, RefusesBeadsOnLongSegments) {
    const std::string coated = hairs("film = { liquid = \"water\", thickness = \"20 um\" }\n");
    const std::string said = complaint("film = { surface_tension = true }\n" + coated);
    EXPECT_NE(said.find("strands.a.segment: segments of 0.005 m cannot carry the beads"), std::string::npos)
        << said;
    EXPECT_NE(said.find("at most 7e-05 m"), std::string::npos) << said;
}

TEST(SceneFilm, RefusesFeedsThatNoFilmCarries) {
    const auto fed = [](const std::string& rate) {
        return hairs("film = { liquid = \"water\", feed = \"" + rate + "\" }\n");
    };
    EXPECT_EQ(complaint(fed("1 mm^3/s")), "");
    EXPECT_NE(complaint(fed("1 m^3/s")).find("strands.a.film.feed: 1 m^3/s is more than a film"),
              std::string::npos);
    EXPECT_NE(complaint("film = { dripping = false }\n" + fed("1 mm^3/s")).find("never leaves"),
              std::string::npos);
    const Built built = build(read(fed("1 mm^3/s")));
    ASSERT_EQ(built.model.film.feeds.size(), 1u);
    EXPECT_EQ(built.model.film.feeds[0].last, 10u);
    EXPECT_EQ(world::film_volume(built.world), 0);
}

}  // namespace
}  // namespace rivulet::scene
