#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/io/hair_file.h>
#include <rivulet/io/obj_curves.h>
#include <rivulet/io/ply_curves.h>

#include "support/curve_files.h"

namespace rivulet::io {
namespace {

CurveArrays example_curves() {
    CurveArrays c;
    for (int curve = 0; curve < 3; ++curve) {
        for (int i = 0; i < 2 + curve; ++i) {
            c.position.push_back({0.25 * curve, 0.5 * i, -0.125 * i * i});
            c.radius.push_back(0.0625 / (1 + i));
        }
        c.start.push_back(static_cast<std::int64_t>(c.position.size()));
    }
    return c;
}

template <class F>
std::string complaint(F&& work) {
    try {
        work();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

using Parser = CurveArrays (*)(std::string_view, const std::string&);

/// Cuts and scrambles good bytes: the reader must answer with curves or an InputError, nothing else.
void expect_survives(Parser parse, const std::string& good) {
    for (std::size_t size = 0; size < good.size(); ++size) try {
            parse(std::string_view(good).substr(0, size), "cut");
        } catch (const InputError&) {
        }
    const Random random(7, 1);
    for (std::uint64_t round = 0; round < 2000; ++round) {
        std::string bad = good;
        for (std::uint64_t k = 0; k < 1 + round % 4; ++k) {
            const auto w = random.words(round * 8 + k);
            bad[w[0] % bad.size()] = static_cast<char>(w[1]);
        }
        try {
            parse(bad, "scrambled");
        } catch (const InputError&) {
        }
    }
}

TEST(HairFile, WritesAndReadsTheSame) {
    const CurveArrays c = example_curves();
    const CurveArrays d = parse_hair(test::hair_file(c), "a.hair");
    EXPECT_EQ(d.start, c.start);
    EXPECT_EQ(d.position, c.position);  // the values are exact in float
    ASSERT_EQ(d.radius.size(), c.radius.size());
    for (std::size_t i = 0; i < c.radius.size(); ++i) EXPECT_EQ(float(d.radius[i]), float(c.radius[i]));
}

TEST(HairFile, UsesDefaultSegmentsAndThickness) {
    std::string bytes = test::hair_file(example_curves());
    const std::uint32_t header[] = {2, 4, 2, 1};  // strands, points, points array only, default segments
    std::memcpy(bytes.data() + 4, header, sizeof header);
    const float thickness = 0.5f;
    std::memcpy(bytes.data() + 20, &thickness, 4);
    const CurveArrays d = parse_hair(bytes, "a.hair");
    EXPECT_EQ(d.start, (std::vector<std::int64_t>{0, 2, 4}));
    EXPECT_EQ(d.radius, std::vector<double>(4, 0.25));
}

TEST(HairFile, RefusesLiesAboutSizes) {
    std::string bytes = test::hair_file(example_curves());
    EXPECT_NE(complaint([&] { parse_hair("PAIR", "x"); }).find("not a .hair"), std::string::npos);
    EXPECT_NE(complaint([&] { parse_hair(bytes.substr(0, 140), "x"); }).find("cut short"), std::string::npos);
    std::string huge = bytes;
    const std::uint32_t many = 0xffffffff;
    std::memcpy(huge.data() + 8, &many, 4);
    EXPECT_NE(complaint([&] { parse_hair(huge, "x"); }).find("cut short"), std::string::npos);
    std::string wrong = bytes;
    wrong[128] = 9;  // first strand's segments
    EXPECT_NE(complaint([&] { parse_hair(wrong, "x"); }).find("segments array"), std::string::npos);
}

TEST(HairFile, SurvivesDamage) {
    expect_survives(parse_hair, test::hair_file(example_curves()));
}

TEST(ObjCurves, WritesAndReadsTheSame) {
    const CurveArrays c = example_curves();
    const CurveArrays d = parse_obj_curves(test::obj_file(c), "a.obj");
    EXPECT_EQ(d.start, c.start);
    EXPECT_EQ(d.position, c.position);
    EXPECT_TRUE(d.radius.empty());
}

TEST(ObjCurves, JoinsSingleSegmentsAndNegativeNumbers) {
    const CurveArrays d = parse_obj_curves(
        "# strands\nv 0 0 0\nv 0 1 0\r\nv 0 2 0\nv 5 0 0 1.0\nl 2/1 3/2\nl 1 2\nv 5 1 0\nl -1 \\\n -2\nf 1 2 "
        "3\n",
        "a.obj");
    ASSERT_EQ(d.start, (std::vector<std::int64_t>{0, 3, 5}));
    EXPECT_EQ(d.position[0], (Vec3d{0, 0, 0}));
    EXPECT_EQ(d.position[2], (Vec3d{0, 2, 0}));
    EXPECT_EQ(d.position[3], (Vec3d{5, 1, 0}));
}

TEST(ObjCurves, RefusesBranchesLoopsAndBadNumbers) {
    const std::string v = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\n";
    const auto says = [&](const std::string& text) {
        return complaint([&] { parse_obj_curves(v + text, "a.obj"); });
    };
    EXPECT_NE(says("l 1 2\nl 2 3\nl 2 4\n").find("more than two edges"), std::string::npos);
    EXPECT_NE(says("l 1 2 3 1\n").find("closed loop"), std::string::npos);
    EXPECT_NE(says("l 1 5\n").find("a.obj:5"), std::string::npos);
    EXPECT_NE(says("l 1 x\n").find("not a vertex number"), std::string::npos);
    EXPECT_NE(says("l 1\n").find("at least two"), std::string::npos);
    EXPECT_NE(says("l 1 1\n").find("to itself"), std::string::npos);
    EXPECT_NE(says("").find("no polylines"), std::string::npos);
}

TEST(ObjCurves, SurvivesDamage) {
    expect_survives(parse_obj_curves, test::obj_file(example_curves()));
}

TEST(PlyCurves, WritesAndReadsTheSame) {
    const CurveArrays c = example_curves();
    const CurveArrays d = parse_ply_curves(test::ply_file(c), "a.ply");
    EXPECT_EQ(d.start, c.start);
    EXPECT_EQ(d.position, c.position);
    EXPECT_EQ(d.radius, c.radius);
}

TEST(PlyCurves, ReadsAsciiAndPassesOverOtherElements) {
    const CurveArrays d = parse_ply_curves(
        "ply\nformat ascii 1.0\ncomment hello\nelement vertex 3\nproperty float x\nproperty uchar red\n"
        "property float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\n"
        "element edge 2\nproperty int vertex1\nproperty int vertex2\nend_header\n"
        "0 255 1 2\n3 0 4 5\n6 0 7 8\n3 0 1 2\n0 1\n1 2\n",
        "a.ply");
    EXPECT_EQ(d.start, (std::vector<std::int64_t>{0, 3}));
    EXPECT_EQ(d.position[2], (Vec3d{6, 7, 8}));
}

TEST(PlyCurves, BigEndianEqualsLittle) {
    std::string little = test::ply_file(example_curves()), big = little;
    const std::string_view mark = "end_header\n";
    const std::size_t body = little.find(mark) + mark.size();
    const std::size_t doubles = example_curves().position.size() * 4;
    for (std::size_t i = 0; i < doubles; ++i)
        std::reverse(big.begin() + long(body + 8 * i), big.begin() + long(body + 8 * i + 8));
    for (std::size_t at = body + 8 * doubles; at < big.size(); at += 4)
        std::reverse(big.begin() + long(at), big.begin() + long(at + 4));
    big.replace(big.find("little"), 6, "big");
    EXPECT_EQ(parse_ply_curves(big, "b").position, parse_ply_curves(little, "l").position);
}

TEST(PlyCurves, RefusesWhatCannotBe) {
    EXPECT_NE(complaint([] {
                  parse_ply_curves("ply\nformat ascii 1.0\nelement vertex 99999999999\n", "a");
              }).find("do not fit"),
              std::string::npos);
    EXPECT_NE(complaint([] { parse_ply_curves("obj\n", "a"); }).find("not a PLY"), std::string::npos);
}

TEST(PlyCurves, SurvivesDamage) {
    expect_survives(parse_ply_curves, test::ply_file(example_curves()));
}

}  // namespace
}  // namespace rivulet::io
