#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/contact/detector.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {
namespace {

constexpr std::size_t kEdges = 29;    // per strand
constexpr double kEdgeLength = 5e-3;  // m
constexpr double kRadius = 50e-6;     // m
constexpr double kStep = 1e-3;        // s

/// A ball of hair: strands that wander inside a sphere and move at a few metres per second.
struct HairBall {
    std::vector<Vec3d> start, end;
    std::vector<std::array<std::uint32_t, 2>> vertices;
    std::vector<double> radius, arc_from, arc_to;
    std::vector<std::uint32_t> owner, index;
    std::vector<std::int32_t> grows_from;
    std::vector<std::uint8_t> held;

    HairBall(std::size_t strands, double ball, double speed) {
        for (std::size_t s = 0; s < strands; ++s) add(s, ball, speed);
        radius.assign(vertices.size(), kRadius);
        grows_from.assign(vertices.size(), -1);
        held.assign(vertices.size(), 0);
    }
    void add(std::size_t strand, double ball, double speed) {
        const Random random(16, strand);
        Vec3d x = random.direction(0) * (ball * std::cbrt(random.uniform(1)));
        Vec3d direction = random.direction(2);
        const Vec3d motion = random.direction(3) * (speed * kStep);
        for (std::uint32_t i = 0; i <= kEdges; ++i) {
            start.push_back(x);
            end.push_back(x + motion + random.direction(100 + i) * (0.2 * speed * kStep));
            // Back towards the middle, the more the farther out.
            const Vec3d inwards = x * (-0.6 * length(x) / (ball * ball));
            direction = normalized(direction + random.direction(10 + i) * 0.4 + inwards);
            x += direction * kEdgeLength;
            if (i == kEdges) break;
            const auto v = static_cast<std::uint32_t>(start.size() - 1);
            vertices.push_back({v, v + 1});
            owner.push_back(static_cast<std::uint32_t>(strand)), index.push_back(i);
            arc_from.push_back(i * kEdgeLength), arc_to.push_back((i + 1) * kEdgeLength);
        }
    }
    contact::EdgeList list() const {
        return {start, end, vertices, radius, owner, index, arc_from, arc_to, grows_from, held};
    }
};

/// A floor and a moving ball within the hair.
geometry::SolidField floor_and_ball(double size) {
    using geometry::Shape;
    std::vector<geometry::Solid> all;
    const geometry::PoseInterval moves({}, {Mat3d::identity(), {1e-3, 0, 0}}, {});
    all.push_back({std::make_shared<Shape>(
                       std::vector<Shape::Part>{geometry::HalfSpace{{0, -0.7 * size, 0}, {0, 1, 0}}}),
                   nullptr, false, geometry::PoseInterval{}, 0});
    all.push_back({std::make_shared<Shape>(std::vector<Shape::Part>{geometry::Sphere{{}, 0.3 * size}}),
                   nullptr, false, moves, 1});
    return geometry::SolidField(std::move(all), kStep);
}

/// Exact tests alone, on edges next to each other in the list as candidates would be: the part of the time
/// that no tree can save.
double seconds_per_exact_test(const contact::EdgeList& edges, const contact::DetectionSettings& settings) {
    const std::size_t count = std::min<std::size_t>(edges.size() - 40, 20000);
    std::size_t found = 0;
    contact::Contact out[2];
    const double seconds = best_seconds(3, [&] {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = i + 2; j < i + 18; ++j)
                found += std::size_t(
                    contacts_of_edges(edges.moving(i), edges.moving(j), 2 * kRadius, settings, out));
    });
    return (seconds + 1e-30 * double(found)) / double(16 * count);
}

Counters detect_benchmark(const BenchOptions& options) {
    const std::size_t strands = options.quick ? 2000 : 10000;
    const double ball = 0.1 * std::cbrt(double(strands) / 10000);
    const HairBall hair(strands, ball, 1);
    const contact::EdgeList edges = hair.list();
    const geometry::SolidField solids = floor_and_ball(ball);
    const contact::DetectionSettings settings{0.2 * kRadius};
    contact::Detector detector;
    std::vector<contact::Contact> contacts;
    detector.detect(edges, solids, settings, contacts);
    const double sweep = best_seconds(5, [&] { detector.sweep(edges, settings); });
    const double pairs = best_seconds(5, [&] { detector.find_edge_contacts(edges, settings); });
    const double walls = best_seconds(3, [&] { detector.find_wall_contacts(edges, solids, settings); });
    const double all = best_seconds(3, [&] { detector.detect(edges, solids, settings, contacts); });
    const double n = double(edges.size()), tested = double(detector.tested_pairs()), cores = thread_count();
    Counters counters;
    counters.add("edges", n);
    counters.add("candidate_pairs", tested);
    counters.add("contacts", double(contacts.size()));
    counters.add("seconds", all);
    counters.add("pairs_per_second_per_core", tested / pairs / cores);
    counters.add("swept_edges_per_second_per_core", n / sweep / cores);
    counters.add("edge_walls_per_second_per_core", n * double(solids.size()) / walls / cores);
    counters.add("exact_tests_per_second", 1 / seconds_per_exact_test(edges, settings));
    counters.add("bytes_per_edge", double(detector.memory()) / n);
    return counters;
}

}  // namespace

std::vector<BenchCase> contact_step_benchmarks();

std::vector<BenchCase> contact_benchmarks() {
    std::vector<BenchCase> all = contact_step_benchmarks();
    all.insert(all.begin(),
               {"contact", "detect", "contacts of a ball of hair; at least 3 M candidate pairs/s per core",
                detect_benchmark});
    return all;
}

}  // namespace rivulet::verify
