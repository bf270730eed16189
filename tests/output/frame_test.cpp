#include <rivulet/output/frame.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/io/archive.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/field_descriptions.h>
#include <rivulet/output/state_archive.h>

#include "support/temporary_folder.h"

namespace rivulet::output {
namespace {

struct FrameFolder {
    test::TemporaryFolder folder;
    FrameFiles files{folder / "frame.npz", folder / "static.npz", folder / "surface.npz"};
    std::vector<std::string> messages;

    Frame read() {
        messages.clear();
        return read_frame(files, messages);
    }
    void write(const io::ArchiveWriter& archive, const std::filesystem::path& path) const {
        archive.write(io::real_file_system(), path);
    }
};

world::World small_world() {
    world::World w;
    w.clock.time = 0.5;
    for (std::uint64_t i = 0; i < 3; ++i) {
        w.liquid.id.push_back(10 + i);
        w.liquid.position.push_back({double(i), 0, 0});
        w.liquid.velocity.push_back({0, double(i), 0});
        w.liquid.affine.push_back({});
        w.liquid.volume.push_back(8e-6);
        w.liquid.volume_ratio.push_back(1);
        w.liquid.age.push_back(0);
        w.liquid.material.push_back(std::uint8_t(i == 2));
    }
    w.strands.position = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0}};
    w.strands.velocity.resize(5);
    w.strands.twist = {1, 0, 2, 3, 0};
    w.strands.start = {0, 2, 5};
    w.strands.radius = {1e-4, 2e-4, 3e-4, 4e-4, 5e-4};
    w.strands.id = {70, 71};
    w.strands.material = {0, 1};
    w.strands.rest_position = w.strands.position;
    return w;
}

TEST(Frame, ShapesAndStaticArraysComeBackAsTheStatesDeclareThem) {
    FrameFolder f;
    world::Model model;
    model.cell = 0.0125;
    write_frame(io::real_file_system(), f.files.frame, model, small_world(), {});
    write_static(io::real_file_system(), f.files.fixed, model, small_world());
    const Frame frame = f.read();
    ASSERT_TRUE(f.messages.empty()) << f.messages.front();
    EXPECT_EQ(frame.time, 0.5);
    EXPECT_EQ(frame.cell, 0.0125);
    ASSERT_EQ(frame.groups.size(), 2u);
    const FrameGroup &liquid = frame.groups[0], &strands = frame.groups[1];
    EXPECT_EQ(liquid.name, "liquid");
    EXPECT_EQ(liquid.shape, GroupShape::points);
    EXPECT_TRUE(is_bulk(liquid));
    EXPECT_EQ(liquid.id, (std::vector<std::int64_t>{10, 11, 12}));
    EXPECT_EQ(liquid.velocity[2].y, 2);
    EXPECT_EQ(liquid.material_of(2), 1u);
    ASSERT_EQ(liquid.find("radius").size(), 3u);
    EXPECT_FLOAT_EQ(liquid.find("radius")[0], float(std::cbrt(0.238732414637843 * 8e-6)));
    EXPECT_EQ(strands.shape, GroupShape::lines);
    EXPECT_EQ(strands.materials, "strand");
    EXPECT_EQ(strands.start, (std::vector<std::int64_t>{0, 2, 5}));
    EXPECT_EQ(strands.id, (std::vector<std::int64_t>{70, 71}));
    EXPECT_EQ(strands.material_of(1), 1u);
    EXPECT_EQ(strands.rest_position.size(), 5u);
    EXPECT_FLOAT_EQ(strands.find("radius")[4], 5e-4f);
    for (const FrameNumbers& n : strands.numbers) {
        EXPECT_EQ(n.fixed, n.name != "twist") << n.name;
        EXPECT_EQ(n.per_line, n.name == "material" || n.name == "aspect") << n.name;
    }
    const auto told = parse_descriptions(io::ArchiveReader(f.files.frame).text("fields.json"));
    EXPECT_EQ(told.groups.at("strands").shape, GroupShape::lines);
    EXPECT_EQ(told.arrays.at("strands/twist").unit, "rad");
}

TEST(Frame, MaterialsHaveNames) {
    FrameFolder f;
    world::Model model;
    model.liquid.materials.resize(2);
    model.liquid.materials[0].name = "honey";
    model.liquid.materials[1].name = "milk";
    model.liquid.materials[1].opacity = 1;
    write_frame(io::real_file_system(), f.files.frame, model, small_world(), {});
    write_static(io::real_file_system(), f.files.fixed, model, small_world());
    EXPECT_EQ(io::ArchiveReader(f.files.fixed).text("materials/liquid.txt"), "honey\nmilk\n");
    const Frame frame = f.read();
    ASSERT_TRUE(f.messages.empty()) << f.messages.front();
    EXPECT_EQ(frame.liquids(), 2u);
    EXPECT_EQ(frame.look("liquid", 0).name, "honey");
    EXPECT_EQ(frame.look("liquid", 1).name, "milk");
    EXPECT_TRUE(frame.look("liquid", 1).is_opaque());
}

TEST(Frame, ObstaclesSayHowFastTheyMove) {
    FrameFolder f;
    obstacle::ObstacleDescription paddle;
    paddle.name = "paddle";
    paddle.shape.type = geometry::ShapeType::sphere;
    paddle.shape.radius = 0.1;
    obstacle::Motion spin;
    spin.type = obstacle::MotionType::spin;
    spin.rate = 2;
    paddle.motion = {spin};
    world::Model model;
    model.obstacles = obstacle::ObstacleSet({paddle}, 0.01);
    write_frame(io::real_file_system(), f.files.frame, model, small_world(), {});
    write_static(io::real_file_system(), f.files.fixed, model, small_world());
    const Frame frame = f.read();
    ASSERT_TRUE(f.messages.empty()) << f.messages.front();
    ASSERT_EQ(frame.obstacles.size(), 1u);
    const auto place = frame.obstacles[0].placed(), velocity = frame.obstacles[0].velocity();
    ASSERT_EQ(velocity.size(), place.size());
    for (std::size_t v = 0; v < place.size(); ++v)
        EXPECT_LT(length(velocity[v] - cross(Vec3f{0, 2, 0}, place[v])), 1e-6f);
}

/// A room that this program does not know, by the shape it declares.
TEST(Frame, AnyGroupIsReadByItsShape) {
    FrameFolder f;
    const std::vector<Vec3d> position{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<std::int64_t> start{0, 3}, triangle_free{0};
    const std::vector<Vec3i> triangle{{0, 1, 2}};
    const std::vector<double> heat{1, 2, 3};
    io::ArchiveWriter frame;
    for (const char* name : {"dots/position", "ropes/position", "sails/position"})
        frame.add_field({name, "m", Centring::vertex}, position);
    frame.add_field({"dots/heat", "K", Centring::particle}, heat);
    frame.add("ropes/start", start);
    frame.add("sails/triangle", triangle);
    frame.add("gauge/needle", heat);
    frame.describe(GroupInfo{"dots", GroupShape::points, "dust"});
    frame.describe(GroupInfo{"ropes", GroupShape::lines, ""});
    frame.describe(GroupInfo{"sails", GroupShape::mesh, ""});
    f.write(frame, f.files.frame);
    const Frame read = f.read();
    ASSERT_TRUE(f.messages.empty()) << f.messages.front();
    ASSERT_EQ(read.groups.size(), 3u);
    EXPECT_EQ(read.groups[0].shape, GroupShape::points);
    EXPECT_EQ(read.groups[0].materials, "dust");
    EXPECT_FALSE(is_bulk(read.groups[0]));
    EXPECT_EQ(read.groups[0].numbers.at(0).unit, "K");
    EXPECT_EQ(read.groups[1].lines(), 1u);
    EXPECT_EQ(read.groups[2].triangle, triangle);
    EXPECT_EQ(read.without_points, std::vector<std::string>{"gauge"});
    EXPECT_EQ(read.group_names, (std::vector<std::string>{"dots", "gauge", "ropes", "sails"}));
    EXPECT_EQ(read.cell, 0) << "nothing is guessed";
}

TEST(Frame, WhatDoesNotFitIsLeftOutAndSaid) {
    FrameFolder f;
    const std::vector<Vec3d> position{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<double> two{1, 2};
    const std::vector<Vec3i> outside{{0, 1, 3}};
    for (const std::vector<std::int64_t>& start :
         {std::vector<std::int64_t>{}, {0}, {0, 4}, {-1, 3}, {0, 2, 1}}) {
        io::ArchiveWriter frame;
        frame.add("ropes/position", position);
        if (!start.empty()) frame.add("ropes/start", start);
        frame.describe(GroupInfo{"ropes", GroupShape::lines, ""});
        f.write(frame, f.files.frame);
        EXPECT_TRUE(f.read().groups.empty());
        ASSERT_EQ(f.messages.size(), 1u);
        EXPECT_EQ(f.messages[0], "ropes is left out: ropes/start is missing or wrong");
    }
    io::ArchiveWriter frame;
    frame.add_field({"dots/position", "m", Centring::particle}, position);
    frame.add_field({"dots/heat", "K", Centring::particle}, two);
    frame.add("sails/position", position);
    frame.add("sails/triangle", outside);
    frame.describe(GroupInfo{"sails", GroupShape::mesh, ""});
    f.write(frame, f.files.frame);
    const Frame read = f.read();
    ASSERT_EQ(read.groups.size(), 1u);
    EXPECT_TRUE(read.groups[0].numbers.empty());
    EXPECT_EQ(f.messages.size(), 3u) << "of the heat, of the triangle and of the mesh without any";
}

TEST(Frame, OnlyWhatCanBeShownIsKept) {
    FrameFolder f;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Vec3f> position{{0, 0, 0}, {nan, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    const std::vector<float> volume{8, 8, -1, 1};
    const std::vector<std::uint64_t> id{4, 5, 6, 7};
    const std::vector<std::int64_t> start{0, 4};
    const std::vector<Vec3i> triangle{{0, 1, 2}};
    io::ArchiveWriter frame;
    frame.add("liquid/position", position);
    frame.add("liquid/volume", volume);
    frame.add("liquid/id", id);
    frame.add("fabric/position", position);
    frame.add("fabric/triangle", triangle);
    frame.add("strands/position", position);
    frame.add("strands/start", start);
    f.write(frame, f.files.frame);
    Frame read = f.read();
    ASSERT_TRUE(f.messages.empty());
    keep_usable(read, f.messages);
    EXPECT_EQ(f.messages.size(), 2u);
    ASSERT_EQ(read.groups.size(), 2u);
    EXPECT_EQ(read.groups[0].id, (std::vector<std::int64_t>{4, 7}));
    EXPECT_NEAR(read.groups[0].find("radius")[1], std::cbrt(0.2387324f), 1e-6f);
    EXPECT_EQ(read.groups[1].name, "strands");
    EXPECT_EQ(read.groups[1].find("radius").size(), 4u);
}

TEST(Frame, PointsWithoutASizeAreLeftOutAndAreNoDamageUnlessTheyAreLiquid) {
    FrameFolder f;
    const std::vector<Vec3f> position{{0, 0, 0}, {1, 0, 0}};
    for (const char* materials : {"dust", "liquid"}) {
        io::ArchiveWriter frame;
        frame.add("dots/position", position);
        frame.describe(GroupInfo{"dots", GroupShape::points, materials});
        f.write(frame, f.files.frame);
        Frame read = f.read();
        keep_usable(read, f.messages);
        EXPECT_TRUE(read.groups.empty());
        const std::vector<std::string> said{
            "dots is left out: neither radius nor volume of the points is there"};
        EXPECT_EQ(read.left_out, materials == std::string("dust") ? said : std::vector<std::string>{});
        EXPECT_EQ(f.messages, materials == std::string("dust") ? std::vector<std::string>{} : said);
    }
}

TEST(Frame, DamagedBytesAreAnErrorOrAMessage) {
    FrameFolder f;
    write_frame(io::real_file_system(), f.files.frame, {}, small_world(), {});
    write_static(io::real_file_system(), f.files.fixed, {}, small_world());
    const Random random(31, 1);
    int errors = 0, said = 0;
    for (const auto& path : {f.files.frame, f.files.fixed}) {
        const std::string good = io::read_text(path);
        for (std::uint64_t trial = 0; trial < 200; ++trial) {
            std::string bad = good;
            const auto word = random.words(trial);
            bad[word[0] % bad.size()] = char(bad[word[0] % bad.size()] ^ char(1 + word[1] % 255));
            io::write_atomically(io::real_file_system(), path, bad);
            try {
                Frame read = f.read();
                keep_usable(read, f.messages);
                said += !f.messages.empty();
            } catch (const InputError&) {
                ++errors;
            }
        }
        io::write_atomically(io::real_file_system(), path, good);
    }
    EXPECT_GT(errors, 20);
    EXPECT_GT(said, 20);
}

TEST(FieldDescriptions, NonsenseIsPassedOver) {
    EXPECT_TRUE(parse_descriptions("").arrays.empty());
    EXPECT_TRUE(parse_descriptions("[1, 2").arrays.empty());
    EXPECT_TRUE(parse_descriptions(std::string(100'000, '[')).arrays.empty());
    const auto d = parse_descriptions(
        R"({"a/b": {"unit": 3, "centring": "vertex"}, "c": 4, "d": {"shape": "cube"}, "e": {"shape": "mesh"}})");
    EXPECT_EQ(d.arrays.at("a/b").unit, "");
    EXPECT_EQ(d.arrays.at("a/b").centring, "vertex");
    EXPECT_EQ(d.groups.size(), 1u);
    EXPECT_EQ(d.groups.at("e").shape, GroupShape::mesh);
}

}  // namespace
}  // namespace rivulet::output
