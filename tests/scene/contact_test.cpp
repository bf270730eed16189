#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/build_contact.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

const std::string kTwo = R"(format = 1
time = { fps = 24, end = "1 s" }
[material.hair]
type = "strand"
friction = { dry = 0.2, wet = 0.4 }
contact_angle = "70 deg"
[material.bristle]
type = "strand"
friction = { dry = 0.45, wet = 0.1 }
contact_angle = "30 deg"
[obstacle.wall]
shape = { type = "plane", point = 0 }
[obstacle.comb]
shape = { type = "sphere", center = "1, 1, 1 m", radius = "1 cm" }
[liquid.pool]
material = "water"
fill = { type = "sphere", center = "0, 1, 0 m", radius = "2 cm" }
[liquid.drop]
material = "honey"
fill = { type = "sphere", center = "0, 2, 0 m", radius = "2 cm" }
)";

Scene read(const std::string& more, const std::vector<std::string>& settings = {}) {
    return read_scene_text(kTwo + more, "s.toml", "/", settings);
}

std::string complaint(const std::string& more) {
    try {
        read(more);
    } catch (const InputError& e) {
        return e.problems().size() == 1 ? e.problems()[0].text() : "several: " + std::string(e.what());
    }
    return "";
}
void expect_complaint(const std::string& more, const std::string& part) {
    EXPECT_NE(complaint(more).find(part), std::string::npos) << more << "\n" << complaint(more);
}

TEST(SceneContact, DefaultsAreConesAndBridges) {
    const world::ContactModel model = build_contact(read(""));
    EXPECT_EQ(model.law, world::ContactLaw::cone);
    EXPECT_EQ(model.cohesion, world::Cohesion::bridge);
    EXPECT_EQ(model.margin, 0);
    EXPECT_EQ(model.tolerance, 1e-3);
    EXPECT_EQ(model.rounds, 8);
}

TEST(SceneContact, ReadsEveryKey) {
    const Scene scene = read(
        "[contact]\nlaw = \"none\"\ncohesion = \"hysteresis\"\nmargin = \"10 um\"\ntolerance = 1e-6\n"
        "rounds = 3\n");
    EXPECT_EQ(scene.contact.law, world::ContactLaw::none);
    EXPECT_EQ(scene.contact.cohesion, world::Cohesion::hysteresis);
    EXPECT_DOUBLE_EQ(scene.contact.margin, 1e-5);
    EXPECT_EQ(scene.contact.tolerance, 1e-6);
    EXPECT_EQ(scene.contact.rounds, 3);
}

TEST(SceneContact, ThePenaltyLawHasKeysOfItsOwn) {
    const world::ContactModel plain = build_contact(read("[contact]\nlaw = \"penalty\"\n"));
    EXPECT_EQ(plain.law, world::ContactLaw::penalty);
    EXPECT_EQ(plain.penalty.stiffness, 2000) << "20000 dyn/cm^2 of the published scenes";
    EXPECT_EQ(plain.penalty.rest_gap, 1) << "at 3 radii";
    const world::ContactModel model = build_contact(
        read("[contact]\nlaw = \"penalty\"\npenalty = { stiffness = \"5 kPa\", rest_gap = 0.5 }\n"));
    EXPECT_DOUBLE_EQ(model.penalty.stiffness, 5000);
    EXPECT_EQ(model.penalty.rest_gap, 0.5);
}

TEST(SceneContact, WithoutPairsTheRuleHolds) {
    const world::ContactModel model = build_contact(read(""));
    ASSERT_EQ(model.strand_materials, 2u);
    ASSERT_EQ(model.obstacles, 2u);
    ASSERT_EQ(model.pairs.size(), 8u);
    EXPECT_EQ(model.between(0, 0).friction_dry, 0.2);
    EXPECT_EQ(model.between(1, 1).friction_wet, 0.1);
    EXPECT_DOUBLE_EQ(model.between(0, 1).friction_dry, 0.3);
    EXPECT_DOUBLE_EQ(model.between(1, 0).friction_wet, 0.2);
    EXPECT_EQ(model.with_obstacle(1, 0).friction_dry, 0.45);
    ASSERT_EQ(model.between(0, 1).angle.size(), 2u);
    for (std::size_t liquid = 0; liquid < 2; ++liquid) {
        EXPECT_DOUBLE_EQ(model.between(0, 1).angle[liquid], 70 * kDegree);
        EXPECT_DOUBLE_EQ(model.between(0, 1).other_angle[liquid], 30 * kDegree);
        EXPECT_DOUBLE_EQ(model.between(1, 0).angle[liquid], 30 * kDegree);
        EXPECT_DOUBLE_EQ(model.with_obstacle(1, 1).angle[liquid], 30 * kDegree);
        EXPECT_DOUBLE_EQ(model.with_obstacle(1, 1).other_angle[liquid], 30 * kDegree);
    }
}

TEST(SceneContact, PairsOverrideTheRuleInBothOrders) {
    const Scene scene = read(R"([[contact.pair]]
materials = ["bristle", "hair"]
friction = { dry = 0.9 }
contact_angle = { honey = "100 deg" }
[[contact.pair]]
materials = ["comb", "hair"]
friction = { dry = 0, wet = 0.5 }
)");
    const world::ContactModel model = build_contact(scene);
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 0}}) {
        const world::ContactPair& pair = model.between(std::size_t(a), std::size_t(b));
        EXPECT_EQ(pair.friction_dry, 0.9);
        EXPECT_DOUBLE_EQ(pair.friction_wet, 0.2) << "not written: by the rule";
        EXPECT_DOUBLE_EQ(pair.angle[1], 100 * kDegree);
        EXPECT_DOUBLE_EQ(pair.other_angle[1], 100 * kDegree);
    }
    EXPECT_DOUBLE_EQ(model.between(0, 1).angle[0], 70 * kDegree) << "water is not written";
    EXPECT_EQ(model.with_obstacle(0, 1).friction_dry, 0);
    EXPECT_EQ(model.with_obstacle(0, 1).friction_wet, 0.5);
    EXPECT_EQ(model.with_obstacle(0, 0).friction_wet, 0.4) << "the wall has no pair";
    EXPECT_EQ(model.with_obstacle(1, 1).friction_wet, 0.1) << "nor have comb and bristle";
}

TEST(SceneContact, APairOfOneMaterialIsWithItself) {
    const world::ContactModel model = build_contact(
        read("[[contact.pair]]\nmaterials = [\"hair\", \"hair\"]\nfriction = { dry = 0.7, wet = 0.8 }\n"));
    EXPECT_EQ(model.between(0, 0).friction_dry, 0.7);
    EXPECT_DOUBLE_EQ(model.between(0, 1).friction_dry, 0.3);
}

/// Materials have names of their own, so an obstacle may be called the same.
TEST(SceneContact, AKindBeforeANameSaysWhichIsMeant) {
    const std::string hair_too =
        "[obstacle.hair]\nshape = { type = \"sphere\", center = 0, radius = \"1 cm\" }\n";
    const auto pair = [&](const std::string& names) {
        return read(hair_too + "[[contact.pair]]\nmaterials = [" + names + "]\nfriction = { dry = 0.7 }\n");
    };
    EXPECT_EQ(build_contact(pair("'hair', 'hair'")).between(0, 0).friction_dry, 0.7);
    EXPECT_EQ(build_contact(pair("'hair', 'obstacle.hair'")).with_obstacle(0, 2).friction_dry, 0.7);
    EXPECT_EQ(build_contact(pair("'material.hair', 'material.bristle'")).between(0, 1).friction_dry, 0.7);
    // Of the catalogue, too; and an obstacle of the scene goes before the catalogue.
    EXPECT_EQ(build_contact(pair("'wool', 'hair'")).between(2, 0).friction_dry, 0.7);
    const Scene wool = read(
        "[obstacle.wool]\nshape = { type = \"sphere\", center = 0, radius = \"1 cm\" }\n"
        "[[contact.pair]]\nmaterials = [\"wool\", \"hair\"]\n");
    EXPECT_EQ(wool.contact.pairs[0].materials[0].kind, ContactPair::obstacle);
    EXPECT_EQ(wool.strand_materials.size(), 2u);
}

TEST(SceneContact, TheResolvedSceneKeepsWhatWasLeftOut) {
    const std::string more =
        "[obstacle.hair]\nshape = { type = \"sphere\", center = 0, radius = \"1 cm\" }\n"
        "[[contact.pair]]\nmaterials = [\"hair\", \"obstacle.hair\"]\n"
        "friction = { wet = 0.7 }\ncontact_angle = { milk = \"20 deg\" }\n";
    const Scene scene = read(more);
    const std::string text = resolved_text(scene);
    EXPECT_NE(
        text.find("{ materials = [\"hair\", \"obstacle.hair\"], friction = { wet = 0.7 }, contact_angle = { "
                  "milk = "),
        std::string::npos)
        << text;
    const Scene again = read_scene_text(text, "r.toml", "/");
    EXPECT_EQ(resolved_text(again), text);
    EXPECT_EQ(again.contact.pairs[0].friction_dry, -1);
}

TEST(SceneContact, PairsCanBeSetFromTheCommandLine) {
    const Scene scene = read("[[contact.pair]]\nmaterials = [\"hair\", \"wall\"]\nfriction = { dry = 0.3 }\n",
                             {"contact.law=none", "contact.pair.0.friction.dry=0.6",
                              "contact.pair.0.contact_angle.water=20 deg", "contact.margin=1 um"});
    EXPECT_EQ(scene.contact.law, world::ContactLaw::none);
    EXPECT_EQ(scene.contact.pairs[0].friction_dry, 0.6);
    ASSERT_EQ(scene.contact.pairs[0].contact_angle.size(), 1u);
    EXPECT_DOUBLE_EQ(scene.contact.pairs[0].contact_angle[0].value, 20 * kDegree);
}

TEST(SceneContact, RefusesWhatCannotBe) {
    const auto pair = [](const std::string& lines) { return "[[contact.pair]]\n" + lines; };
    expect_complaint(
        pair("materials = [\"hair\", \"combe\"]\n"),
        "contact.pair.0.materials.1: there is no strand material or obstacle 'combe'; did you mean 'comb'?");
    expect_complaint(pair("materials = [\"hair\", \"obstacle.combe\"]\n"), "did you mean 'comb'?");
    expect_complaint(pair("materials = [\"hair\", \"water\"]\n"),
                     "there is no strand material or obstacle 'water'");
    expect_complaint(pair("materials = [\"wall\", \"comb\"]\n"), "two obstacles");
    expect_complaint(pair("materials = [\"hair\"]\n"), "expected two names, got an array of 1");
    expect_complaint(pair("materials = \"hair\"\n"), "expected two names");
    expect_complaint(pair("friction = { dry = 0.3 }\n"), "contact.pair.0.materials: missing");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\n") + pair("materials = [\"comb\", \"hair\"]\n"),
                     "contact.pair.1.materials: the same two as in pair 0");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\nfriction = { dry = -0.1 }\n"),
                     "contact.pair.0.friction.dry: must be between 0 and 100, got -0.1");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\ncontact_angle = { water = \"180 deg\" }\n"),
                     "contact_angle.water: must be >= 0 and < 180 deg, got \"180 deg\"");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\ncontact_angle = { water = \"-1 deg\" }\n"),
                     "must be >= 0 and < 180 deg");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\ncontact_angle = { watter = \"10 deg\" }\n"),
                     "there is no liquid material 'watter'; did you mean 'water'?");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\ncontact_angle = { water = 70 }\n"),
                     "write \"70 deg\"");
    expect_complaint(pair("materials = [\"hair\", \"comb\"]\ncontact_angle = \"70 deg\"\n"),
                     "expected a table");
    expect_complaint("[contact]\nlaw = \"cones\"\n", "did you mean 'cone'?");
    expect_complaint("[contact]\nmargin = \"-1 mm\"\n", "must be at least 0");
    expect_complaint("[contact]\ntolerance = 0\n", "between 1e-10 and 1");
    expect_complaint("[contact]\nrounds = 0\n", "between 1 and 100");
    expect_complaint("[contact]\npenalty = { stiffness = \"0 Pa\" }\n", "> 0");
    expect_complaint("[contact]\npenalty = { rest_gap = 0 }\n", "between 0.01 and 100");
    expect_complaint("[material.soft]\ntype = \"strand\"\ncontact_angle = \"180 deg\"\n", "< 180 deg");
    expect_complaint("[material.soft]\ntype = \"strand\"\nfriction = { wet = -1 }\n", "between 0 and 100");
}

/// Hairs whose roots are 1 mm deep in the wall (y < 0).
std::string rooted(const std::string& more) {
    return "[strands.fur]\nmaterial = \"hair\"\nradius = { root = \"50 um\" }\nsegment = \"5 mm\"\n" + more +
           "groom = { type = \"rows\", columns = 3, origin = \"0, -1, 0 mm\", direction = [0, 1, 0], length "
           "= \"4 "
           "cm\" }\n";
}

TEST(SceneContact, AHeldRootMustNotBeInAnotherObstacle) {
    const auto refused = [](const std::string& more) -> std::string {
        try {
            build(read(more));
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    for (const char* held : {"", "root = { type = \"pin\" }\n", "root = { to = \"comb\" }\n"})
        EXPECT_NE(refused(rooted(held))
                      .find("strands.fur: 3 strands have roots inside an obstacle: strand 0 in 'wall', 1 in "
                            "'wall', 2 in 'wall'; move them out, let their roots follow that obstacle"),
                  std::string::npos)
            << held << refused(rooted(held));
    EXPECT_EQ(refused(rooted("root = { to = \"wall\" }\n")), "") << "it grows from there";
    EXPECT_EQ(refused(rooted("root = { type = \"free\" }\n")), "") << "contact pushes it out";
    EXPECT_EQ(refused("[contact]\nlaw = \"none\"\n" + rooted("")), "") << "nothing touches";
    EXPECT_EQ(build(read(rooted("faults = \"drop\"\n"))).world.strands.strand_count(), 0u);
    const Built mended = build(read(rooted("faults = \"mend\"\n")));
    ASSERT_EQ(mended.world.strands.strand_count(), 3u);
    EXPECT_NEAR(mended.world.strands.position[0].y, 0, 1e-12);
}

bool warns(const Built& built, const std::string& part) {
    return std::any_of(built.warnings.begin(), built.warnings.end(),
                       [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

TEST(SceneContact, SaysWhatItDoesWithEllipsesAndWithoutALaw) {
    const std::string own = "root = { to = \"wall\" }\n";
    EXPECT_FALSE(warns(build(read(rooted(own))), "elliptic"));
    EXPECT_FALSE(warns(build(read(rooted(own))), "pass through"));
    EXPECT_TRUE(warns(build(read(rooted(own + "aspect = 4\n"))),
                      "strands.fur: contact takes elliptic strands as round, of sqrt(aspect) = 2 times"));
    const Built free = build(read("[contact]\nlaw = \"none\"\n" + rooted(own + "aspect = 4\n")));
    EXPECT_FALSE(warns(free, "elliptic"));
    EXPECT_TRUE(
        warns(free, "contact.law is \"none\": strands pass through each other and through obstacles"));
}

TEST(SceneContact, TheModelHasIt) {
    const Built built = build(read("[contact]\nlaw = \"none\"\n"));
    EXPECT_EQ(built.model.contact.law, world::ContactLaw::none);
    EXPECT_EQ(built.model.contact.pairs.size(), 8u);
}

}  // namespace
}  // namespace rivulet::scene
