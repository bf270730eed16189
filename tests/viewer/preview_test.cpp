#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/io/archive_writer.h>
#include <rivulet/io/text_file.h>
#include <rivulet/viewer/decimate.h>
#include <rivulet/viewer/preview.h>
#include <rivulet/viewer/quantise.h>
#include <support/temporary_folder.h>

using namespace rivulet;
using namespace rivulet::viewer;

namespace {

std::vector<Vec3f> random_points(std::size_t n, std::uint64_t stream) {
    const Random random(7, stream);
    std::vector<Vec3f> points(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3d p = random.uniform3(i);
        points[i] = {float(3 * p.x - 1), float(0.01 * p.y), float(200 * p.z)};
    }
    return points;
}

std::string json_of(const std::string& packet) {
    std::uint32_t length = 0;
    EXPECT_EQ(packet.substr(0, 4), "RVLT");
    std::memcpy(&length, packet.data() + 4, 4);
    return packet.substr(8, length);
}

TEST(ViewerQuantise, PositionsAreWithinHalfAStep) {
    const auto points = random_points(5000, 1);
    const Box box = box_around(points);
    const auto codes = quantise(points, box);
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int a = 0; a < 3; ++a) {
            const double step = (box.high[a] - box.low[a]) / 65535;
            const double back = box.low[a] + step * codes[i][std::size_t(a)];
            EXPECT_NEAR(back, double(points[i][a]), 0.5001 * step);
        }
}

TEST(ViewerQuantise, ChannelsAreWithinHalfACodeAndOutliersReadAsTheTop) {
    const Random random(3, 0);
    std::vector<float> values(10'000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(random.uniform(i, -2, 5));
    values[17] = 1e6f;
    values[18] = std::numeric_limits<float>::quiet_NaN();
    const Channel channel = quantise("speed", "m/s", values);
    EXPECT_LT(channel.high, 5);
    EXPECT_GT(channel.high, 4.9);
    const double step = (channel.high - channel.low) / 255;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i == 17 || i == 18) continue;
        const double wanted = std::min(double(values[i]), channel.high);
        EXPECT_NEAR(channel.low + step * channel.codes[i], wanted, 0.5001 * step);
    }
    EXPECT_EQ(channel.codes[17], 255);
    EXPECT_EQ(channel.codes[18], 0);
    EXPECT_EQ(quantise("x", "", {2, 2, 2}).codes, (std::vector<std::uint8_t>{0, 0, 0}));
}

TEST(ViewerQuantise, TheSubsetStaysWhenParticlesLeave) {
    std::vector<std::uint64_t> ids(10'000);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = 3 * i;
    std::set<std::uint64_t> before;
    for (const std::size_t k : stable_subset(ids, 1000)) before.insert(ids[k]);
    EXPECT_EQ(before.size(), 1000u);
    ids.erase(ids.begin() + 100, ids.begin() + 600);
    std::set<std::uint64_t> after;
    for (const std::size_t k : stable_subset(ids, 1000)) after.insert(ids[k]);
    for (const std::uint64_t id : before)
        if (id < 300 || id >= 1800) {
            EXPECT_TRUE(after.contains(id));
        }
    // About evenly spread: a tenth of every tenth.
    for (std::uint64_t part = 0; part < 10; ++part)
        EXPECT_NEAR(
            double(std::distance(before.lower_bound(part * 3000), before.lower_bound((part + 1) * 3000))),
            100, 40);
}

TEST(ViewerDecimate, LinesKeepTheirEndsAndTheBudget) {
    std::vector<std::uint64_t> start{0}, key;
    for (std::size_t s = 0; s < 1000; ++s) {
        key.push_back(s);
        start.push_back(start.back() + 20 + s % 60);
    }
    const SmallerLines lines = thin_lines(start, key, 12'000);
    EXPECT_LE(lines.vertex.size(), 12'000u);
    EXPECT_EQ(lines.line.size(), 1000u);
    for (std::size_t k = 0; k < lines.line.size(); ++k) {
        const std::size_t s = lines.line[k];
        EXPECT_EQ(lines.vertex[lines.start[k]], start[s]);
        EXPECT_EQ(lines.vertex[lines.start[k + 1] - 1], start[s + 1] - 1);
        for (std::size_t i = lines.start[k] + 1; i < lines.start[k + 1]; ++i)
            EXPECT_LT(lines.vertex[i - 1], lines.vertex[i]);
    }
    const SmallerLines few = thin_lines(start, key, 2000);
    EXPECT_LE(few.vertex.size(), 2000u);
    EXPECT_GT(few.line.size(), 150u);
    EXPECT_EQ(thin_lines(start, key, 1'000'000).vertex.size(), start.back());
}

TEST(ViewerDecimate, TheSurfaceOfACrowdComesFirst) {
    // A ball of radius 1 with particles as evenly spread as liquid's, and a far-off drop, so that the crowd
    // fills little of its box.
    const Random random(9, 0);
    constexpr int across = 40;
    std::vector<Vec3f> position;
    for (int i = 0; i < across * across * across; ++i) {
        const Vec3d cell{double(i % across), double(i / across % across), double(i / across / across)};
        const Vec3d p = 2.0 / across * (cell + random.uniform3(std::uint64_t(i))) - Vec3d{1, 1, 1};
        if (length(p) < 1) position.push_back({float(p.x), float(p.y), float(p.z)});
    }
    for (int k = 0; k < 50; ++k) position.push_back({9, float(k) * 1e-3f, 0});
    std::vector<std::size_t> order(position.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::size_t outer = outer_first(position, order);
    EXPECT_LT(outer, order.size() / 2);
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), position.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const double r = double(length(position[order[k]]));
        if (r > 0.97) {
            EXPECT_LT(k, outer) << r;
        }
        if (r < 0.7) {
            EXPECT_GE(k, outer) << r;
        }
    }
    std::vector<std::size_t> few{3, 1, 2};
    EXPECT_EQ(outer_first(position, few), 3u);
    EXPECT_EQ(few, (std::vector<std::size_t>{3, 1, 2}));
}

TEST(ViewerDecimate, ClusteringKeepsTheShapeWithinTheBudget) {
    // A square of 100 x 100 vertices in the plane z = 0.
    std::vector<Vec3f> position;
    std::vector<std::array<std::uint32_t, 3>> triangle;
    for (std::uint32_t j = 0; j < 100; ++j)
        for (std::uint32_t i = 0; i < 100; ++i) {
            position.push_back({float(i), float(j), 0});
            const std::uint32_t v = 100 * j + i;
            if (i < 99 && j < 99)
                triangle.push_back({v, v + 1, v + 100}), triangle.push_back({v + 1, v + 101, v + 100});
        }
    const SmallerMesh all = cluster_vertices(position, triangle, {}, 10'000);
    EXPECT_EQ(all.vertex.size(), 10'000u);
    EXPECT_EQ(all.triangle.size(), triangle.size());
    const SmallerMesh mesh = cluster_vertices(position, triangle, {}, 1500);
    EXPECT_LE(mesh.vertex.size(), 1500u);
    EXPECT_GT(mesh.vertex.size(), 300u);
    double area = 0;
    for (const auto& t : mesh.triangle) {
        const Vec3f a = position[mesh.vertex[t[0]]], b = position[mesh.vertex[t[1]]],
                    c = position[mesh.vertex[t[2]]];
        area += 0.5 * double(cross(b - a, c - a).z);
    }
    EXPECT_NEAR(area, 99 * 99, 0.1 * 99 * 99);
}

struct FrameFolder {
    test::TemporaryFolder folder;
    output::FrameFiles files{folder / "frame.npz", folder / "static.npz", folder / "surface.npz"};

    void write(const std::vector<Vec3f>& position, const std::vector<float>& speed) const {
        std::vector<Vec3f> velocity;
        for (const float v : speed) velocity.push_back({v, 0, 0});
        std::vector<std::uint64_t> id(position.size());
        for (std::size_t i = 0; i < id.size(); ++i) id[i] = i;
        io::ArchiveWriter frame;
        frame.add_scalar("time", 0.25);
        frame.add("liquid/id", id);
        frame.add("liquid/position", position);
        frame.add("liquid/velocity", velocity);
        frame.add("foam/position", position);
        const std::vector<float> wrong(3);
        frame.add("liquid/age", wrong);
        frame.add("smoke/density", wrong);
        frame.write(io::real_file_system(), files.frame);
    }
};

TEST(ViewerPreview, KeepsTheBudgetAndSaysWhatIsLeftOut) {
    FrameFolder f;
    auto position = random_points(5000, 2);
    position[10].x = std::numeric_limits<float>::quiet_NaN();
    f.write(position, std::vector<float>(5000, 1.0f));
    const std::string json = json_of(make_preview(4, f.files, {1000, 1000, 1000}));
    EXPECT_NE(json.find("\"frame\": 4, \"time\": 0.25"), std::string::npos) << json;
    EXPECT_NE(json.find("\"name\": \"liquid\", \"count\": 1000, \"total\": 5000"), std::string::npos) << json;
    EXPECT_NE(json.find("\"name\": \"foam\""), std::string::npos);
    EXPECT_NE(json.find("\"name\": \"speed\""), std::string::npos);
    EXPECT_NE(json.find("1 points are not finite"), std::string::npos);
    EXPECT_NE(json.find("liquid/age is left out"), std::string::npos);
    EXPECT_NE(json.find("smoke cannot be shown"), std::string::npos);
}

TEST(ViewerPreview, AParticleFarAwayDoesNotTakeTheResolution) {
    FrameFolder f;
    auto position = random_points(5000, 2);
    position[10] = {1e9f, 0, 0};
    f.write(position, std::vector<float>(5000, 1.0f));
    const std::string json = json_of(make_preview(0, f.files));
    EXPECT_NE(json.find("too far away"), std::string::npos);
    EXPECT_EQ(json.find("1e+09"), std::string::npos) << json;
}

TEST(ViewerPreview, DamageIsAnErrorOrAMessageWhereverItIs) {
    FrameFolder f;
    f.write(random_points(50, 2), std::vector<float>(50, 1.0f));
    const std::string good = io::read_text(f.files.frame);
    int errors = 0, messages = 0;
    for (std::size_t at = 0; at < good.size(); at += 37) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x55);
        io::write_atomically(io::real_file_system(), f.files.frame, bad);
        try {
            const std::string json = json_of(make_preview(0, f.files));
            messages += json.find("left out: ") != std::string::npos;
        } catch (const Error&) {
            ++errors;
        }
    }
    EXPECT_GT(errors, 5);
    EXPECT_GT(messages, 5);
    for (std::size_t length = 0; length < good.size(); length += 211) {
        io::write_atomically(io::real_file_system(), f.files.frame, good.substr(0, length));
        EXPECT_THROW(make_preview(0, f.files), Error);
    }
}

TEST(ViewerPreview, FindsWhatAnErrorNames) {
    FrameFolder f;
    const std::vector<Vec3f> position{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const std::vector<std::uint64_t> id{30, 10, 20}, strand_id{7, 5};
    const std::vector<std::int32_t> start{0, 1, 3};
    const std::vector<Vec3i> triangle{{0, 1, 2}};
    io::ArchiveWriter frame;
    frame.add("liquid/id", id);
    frame.add("liquid/position", position);
    frame.add("strands/position", position);
    frame.add("strands/start", start);
    frame.add("strands/id", strand_id);
    frame.add("fabric/position", position);
    frame.add("fabric/triangle", triangle);
    frame.write(io::real_file_system(), f.files.frame);
    EXPECT_EQ(locate_entity(f.files, "particle 10"), "{\"points\": [[4, 5, 6]]}");
    EXPECT_EQ(locate_entity(f.files, "liquid/velocity of particle 20"), "{\"points\": [[7, 8, 9]]}");
    EXPECT_EQ(locate_entity(f.files, "strand 5"), "{\"points\": [[4, 5, 6], [7, 8, 9]]}");
    EXPECT_EQ(locate_entity(f.files, "strand 7"), "{\"points\": [[1, 2, 3]]}");
    EXPECT_EQ(locate_entity(f.files, "strand 5, vertex 1"), "{\"points\": [[7, 8, 9]]}");
    EXPECT_EQ(locate_entity(f.files, "strands/twist of strand 5, edge 0"),
              "{\"points\": [[4, 5, 6], [7, 8, 9]]}");
    EXPECT_EQ(locate_entity(f.files, "fabric/velocity of vertex 2"), "{\"points\": [[7, 8, 9]]}");
    for (const char* none :
         {"", "liquid", "strand 1", "strand 18446744073709551615", "particle 31", "particle 0", "particles",
          "strands/velocity of particle 10", "strand 5, vertex 2", "strand 5, vertex 18446744073709551615",
          "fabric/velocity of vertex 18446744073709551615"})
        EXPECT_EQ(locate_entity(f.files, none), "{\"points\": []}") << none;
}

}  // namespace
