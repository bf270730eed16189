#include <rivulet/coupling/capture.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>

namespace rivulet::coupling {
namespace {

constexpr double kCell = 0.01, kFull = kCell * kCell * kCell / 8;

/// Particles before they are sorted.
struct Loose {
    std::vector<Vec3d> position, velocity;
    std::vector<double> volume;
    std::vector<std::uint8_t> material;

    void add(const Vec3d& x, double v, const Vec3d& u = {}, std::uint8_t m = 0) {
        position.push_back(x), velocity.push_back(u), volume.push_back(v), material.push_back(m);
    }
};

/// Sorted particles and the grid around them.
struct Bulk {
    std::vector<Vec3d> position, velocity;
    std::vector<double> volume, density{1000, 700, 1300};
    std::vector<std::uint8_t> material;
    grid::Topology topology;
    grid::ParticleOrder order;

    explicit Bulk(const Loose& loose, Vec3i period = {}) {
        grid::TopologyBuilder builder;
        builder.start(kCell, period);
        builder.add_points(loose.position);
        builder.build(topology);
        grid::ParticleSorter sorter;
        sorter.sort(topology, loose.position, order);
        grid::reorder(order, loose.position, position);
        grid::reorder(order, loose.velocity, velocity);
        grid::reorder(order, loose.volume, volume);
        grid::reorder(order, loose.material, material);
    }
    GivingParticles view() const { return {position, velocity, volume, material, density}; }
    Captured capture(const Askers& askers, const CaptureRule& rule = {}) const {
        Capture capture;
        Captured out;
        capture.run(topology, order, view(), askers, rule, out);
        return out;
    }
};

Loose pool(std::size_t count, double span_cells) {
    const Random random(21, 0);
    Loose loose;
    for (std::size_t i = 0; i < count; ++i)
        loose.add((random.uniform3(3 * i) - Vec3d{0.5, 0.5, 0.5}) * (span_cells * kCell),
                  kFull * (0.4 + 1.6 * random.uniform(9 * count + i)),
                  random.uniform3(3 * i + 1) * 2.0 - Vec3d{1, 0.3, 1}, std::uint8_t(i % 3));
    return loose;
}

/// Hair through a pool, some of it outside; each point asks for up to `most`, every fifth for nothing.
Askers hair(std::size_t strands, double span_cells, double most) {
    const Random random(22, 0);
    Askers askers;
    const std::size_t points = 30;
    askers.resize(strands * points);
    for (std::size_t s = 0; s < strands; ++s) {
        const Vec3d root = (random.uniform3(2 * s) - Vec3d{0.5, 0.5, 0.5}) * (span_cells * kCell);
        const Vec3d axis = normalized(random.uniform3(2 * s + 1) - Vec3d{0.5, 0.5, 0.5});
        for (std::size_t k = 0; k < points; ++k) {
            const std::size_t i = s * points + k;
            askers.position[i] = root + axis * (0.4 * kCell * double(k));
            askers.demand[i] = i % 5 == 0 ? 0 : most * random.uniform(100000 + i);
            askers.reach[i] = kCell * (0.6 + random.uniform(200000 + i));
        }
    }
    return askers;
}

template <class F>
double exact_sum(std::size_t n, F&& term) {
    CompensatedSum sum;
    for (std::size_t i = 0; i < n; ++i) sum.add(term(i));
    return sum.value();
}

void expect_conserved(const Bulk& bulk, const Askers& askers, const Captured& out) {
    for (std::size_t m = 0; m < 3; ++m) {
        const double given = exact_sum(
            bulk.volume.size(), [&](std::size_t p) { return bulk.material[p] == m ? out.given[p] : 0.0; });
        const double got = exact_sum(askers.size(), [&](std::size_t i) { return out.volume[3 * i + m]; });
        EXPECT_GT(given, 0);
        EXPECT_NEAR(got, given, 1e-15 * given) << "material " << m;
    }
    for (int a = 0; a < 3; ++a) {
        const auto part = [&](std::size_t p) {
            return out.given[p] * bulk.density[bulk.material[p]] * bulk.velocity[p][a];
        };
        const double given = exact_sum(bulk.volume.size(), part);
        const double size = exact_sum(bulk.volume.size(), [&](std::size_t p) { return std::abs(part(p)); });
        const double got = exact_sum(askers.size(), [&](std::size_t i) { return out.momentum[i][a]; });
        EXPECT_NEAR(got, given, 1e-15 * size);
    }
}

double got(const Captured& out, std::size_t asker) {
    return out.volume[3 * asker] + out.volume[3 * asker + 1] + out.volume[3 * asker + 2];
}

TEST(Capture, VolumesOfEachLiquidAndMomentumPassOver) {
    const Bulk bulk(pool(6000, 9));
    // From a little of what is there to far more.
    for (const double most : {1e-3 * kFull, 0.3 * kFull, 10 * kFull})
        for (const CaptureRule& rule : {CaptureRule{}, CaptureRule{0.5, 0.375 * kFull}}) {
            const Askers askers = hair(150, 9, most);
            const Captured out = bulk.capture(askers, rule);
            expect_conserved(bulk, askers, out);
            for (std::size_t p = 0; p < bulk.volume.size(); ++p) {
                ASSERT_GE(out.given[p], 0);
                ASSERT_LE(out.given[p], bulk.volume[p]);
                const double left = bulk.volume[p] - out.given[p];
                ASSERT_TRUE(out.given[p] == 0 || left == 0 || left >= rule.least_volume);
                ASSERT_TRUE(left == 0 || out.given[p] <= rule.most_share * bulk.volume[p]);
            }
            for (std::size_t i = 0; rule.least_volume == 0 && i < askers.size(); ++i)
                ASSERT_LE(got(out, i), askers.demand[i] * (1 + 1e-14));
        }
}

/// All pairs, without a grid.
Captured plain(const Bulk& bulk, const Askers& askers) {
    const std::size_t n = bulk.volume.size();
    std::vector<std::vector<double>> q(askers.size());
    std::vector<double> asked(n, 0);
    for (std::size_t i = 0; i < askers.size(); ++i) {
        q[i].assign(n, 0);
        double sum = 0;
        for (std::size_t p = 0; p < n; ++p) {
            const double d = length(bulk.position[p] - askers.position[i]) / askers.reach[i];
            if (d < 1) q[i][p] = std::pow(1 - d * d, 3) * bulk.volume[p];
            sum += q[i][p];
        }
        for (std::size_t p = 0; p < n && sum > 0; ++p) {
            q[i][p] = std::min(bulk.volume[p], q[i][p] * askers.demand[i] / sum);
            asked[p] += q[i][p];
        }
    }
    Captured out;
    out.volume.assign(3 * askers.size(), 0);
    for (std::size_t p = 0; p < n; ++p) {
        const double part = asked[p] > bulk.volume[p] ? bulk.volume[p] / asked[p] : 1;
        out.given.push_back(part * asked[p]);
        for (std::size_t i = 0; i < askers.size(); ++i)
            out.volume[3 * i + bulk.material[p]] += part * q[i][p];
    }
    return out;
}

TEST(Capture, AgreesWithAllPairs) {
    const Bulk bulk(pool(1500, 6));
    Askers askers = hair(12, 6, 2 * kFull);
    askers.reach[7] = 2.7 * kCell, askers.reach[101] = 4 * kCell;
    for (std::size_t i = 0; i < askers.size(); ++i)
        if (length(askers.position[i]) > 6 * kCell) askers.demand[i] = 0;
    const Captured out = bulk.capture(askers), reference = plain(bulk, askers);
    for (std::size_t p = 0; p < bulk.volume.size(); ++p)
        EXPECT_NEAR(out.given[p], reference.given[p], 1e-12 * kFull);
    for (std::size_t k = 0; k < out.volume.size(); ++k)
        EXPECT_NEAR(out.volume[k], reference.volume[k], 1e-12 * kFull);
}

TEST(Capture, AnAskerNearEnoughGetsWhatItAsksFor) {
    const Bulk bulk(pool(6000, 9));
    Askers askers;
    askers.resize(1);
    askers.position[0] = {0.003, -0.004, 0.001}, askers.demand[0] = 0.7 * kFull, askers.reach[0] = kCell;
    const Captured out = bulk.capture(askers);
    EXPECT_NEAR(got(out, 0), askers.demand[0], 1e-14 * kFull);
}

TEST(Capture, WithoutDemandNothingChanges) {
    const Bulk bulk(pool(500, 4));
    Askers askers = hair(10, 4, kFull);
    std::fill(askers.demand.begin(), askers.demand.end(), 0);
    const auto untouched = [&](const Captured& out, std::size_t asker_count) {
        EXPECT_EQ(out.given, std::vector<double>(bulk.volume.size(), 0));
        EXPECT_EQ(out.volume, std::vector<double>(3 * asker_count, 0));
        EXPECT_EQ(out.momentum, std::vector<Vec3d>(asker_count));
    };
    untouched(bulk.capture(askers), askers.size());
    untouched(bulk.capture({}), 0);
    // Nor when all who ask are too far away, or nowhere.
    askers = hair(10, 4, kFull);
    for (std::size_t i = 0; i < askers.size(); ++i)
        askers.position[i] = i % 2 ? Vec3d{0.04, 1, 0.02} : Vec3d{NAN, 0, 0};
    untouched(bulk.capture(askers), askers.size());
    // And memory of an earlier run does not show.
    Capture capture;
    Captured out;
    const Askers many = hair(20, 4, kFull);
    capture.run(bulk.topology, bulk.order, bulk.view(), many, {}, out);
    capture.run(bulk.topology, bulk.order, bulk.view(), askers, {}, out);
    untouched(out, askers.size());
}

TEST(Capture, MoreDemandThanThereIsTakesAllAndNoMore) {
    Loose loose;
    const Random random(3, 0);
    for (std::size_t i = 0; i < 40; ++i)
        loose.add((random.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * kCell,
                  kFull * (0.5 + random.uniform(999 + i)), {1, double(i), 0}, std::uint8_t(i % 3));
    loose.add({3 * kCell, 0, 0}, kFull);  // out of reach
    const Bulk bulk(loose);
    Askers askers;
    askers.resize(2);
    askers.position = {{0, 0, 0}, {0.002, 0, 0}}, askers.demand = {1, 1}, askers.reach = {kCell, kCell};
    const Captured out = bulk.capture(askers);
    for (std::size_t p = 0; p < bulk.volume.size(); ++p)
        EXPECT_EQ(out.given[p], bulk.position[p].x > 2 * kCell ? 0 : bulk.volume[p]);
    expect_conserved(bulk, askers, out);
}

TEST(Capture, TwoStrandsShareAParticleByWhatTheyAsk) {
    Loose loose;
    loose.add({0, 0, 0}, kFull, {2, 0, 0}, 1);
    const Bulk bulk(loose);
    Askers askers;
    askers.resize(2);
    askers.position = {{0.3 * kCell, 0, 0}, {0, -0.6 * kCell, 0}}, askers.reach = {kCell, kCell};
    // While there is enough, each gets what it asks for; then they share it three to one.
    for (const double scale : {0.1, 0.2499, 0.2501, 0.33}) {
        askers.demand = {3 * scale * kFull, scale * kFull};
        const Captured out = bulk.capture(askers);
        const double part = std::min(scale, 0.25);
        EXPECT_NEAR(out.given[0], 4 * part * kFull, 1e-15 * kFull);
        EXPECT_NEAR(out.volume[1], 3 * part * kFull, 1e-15 * kFull);
        EXPECT_NEAR(out.volume[4], part * kFull, 1e-15 * kFull);
        EXPECT_NEAR(out.momentum[0].x, 2 * 700 * 3 * part * kFull, 1e-12 * kFull);
    }
    // No strand can announce more than there is: beyond that they share alike.
    askers.demand = {30 * kFull, 10 * kFull};
    const Captured out = bulk.capture(askers);
    EXPECT_EQ(out.given[0], kFull);
    EXPECT_NEAR(out.volume[1], 0.5 * kFull, 1e-15 * kFull);
    EXPECT_NEAR(out.volume[4], 0.5 * kFull, 1e-15 * kFull);
}

TEST(Capture, AParticleThatWouldBeTooSmallGivesAll) {
    Loose loose;
    loose.add({0, 0, 0}, kFull);
    const Bulk bulk(loose);
    Askers askers;
    askers.resize(1);
    askers.position[0] = {0.3 * kCell, 0, 0}, askers.reach[0] = kCell;
    const CaptureRule rule{1, 0.2 * kFull};
    askers.demand[0] = 0.79 * kFull;
    EXPECT_NEAR(bulk.capture(askers, rule).given[0], 0.79 * kFull, 1e-15 * kFull);
    askers.demand[0] = 0.81 * kFull;
    EXPECT_EQ(bulk.capture(askers, rule).given[0], kFull);
    EXPECT_NEAR(got(bulk.capture(askers, rule), 0), kFull, 1e-15 * kFull);
    // A part of its volume at most, but for that.
    EXPECT_NEAR(bulk.capture(askers, {0.5, 0.2 * kFull}).given[0], 0.5 * kFull, 1e-15 * kFull);
    EXPECT_EQ(bulk.capture(askers, {0.9, 0.2 * kFull}).given[0], kFull);
}

TEST(Capture, NeitherThreadsNorTheOrderOfParticlesAndAskersChangeABit) {
    const Loose loose = pool(4000, 7);
    const Askers askers = hair(100, 7, 0.5 * kFull);
    const CaptureRule rule{1, 0.1 * kFull};
    const Bulk bulk(loose);
    const Captured one = with_threads(1, [&] { return bulk.capture(askers, rule); });
    for (const int threads : {2, 4}) {
        const Captured more = with_threads(threads, [&] { return bulk.capture(askers, rule); });
        EXPECT_EQ(more.given, one.given);
        EXPECT_EQ(more.volume, one.volume);
        EXPECT_EQ(more.momentum, one.momentum);
    }
    // The same particles and askers in another order.
    const Random random(9, 0);
    const auto shuffled = [&](std::size_t n, std::uint64_t salt) {
        std::vector<std::size_t> from(n);
        std::iota(from.begin(), from.end(), std::size_t{0});
        for (std::size_t i = n; i > 1; --i)
            std::swap(from[i - 1], from[std::size_t(random.uniform(salt + i) * double(i))]);
        return from;
    };
    const auto particle_from = shuffled(loose.position.size(), 0),
               asker_from = shuffled(askers.size(), 99999);
    Loose other;
    for (const std::size_t p : particle_from)
        other.add(loose.position[p], loose.volume[p], loose.velocity[p], loose.material[p]);
    Askers others;
    others.resize(askers.size());
    for (std::size_t i = 0; i < askers.size(); ++i) {
        others.position[i] = askers.position[asker_from[i]], others.demand[i] = askers.demand[asker_from[i]];
        others.reach[i] = askers.reach[asker_from[i]];
    }
    const Bulk again(other);
    ASSERT_NE(again.position, bulk.position);
    const Captured shuffle = again.capture(others, rule);
    std::vector<double> given(loose.position.size()), given_again = given;
    for (std::size_t p = 0; p < given.size(); ++p) {
        given[bulk.order.source[p]] = one.given[p];
        given_again[particle_from[again.order.source[p]]] = shuffle.given[p];
    }
    EXPECT_EQ(given_again, given);
    for (std::size_t i = 0; i < askers.size(); ++i) {
        const std::size_t from = asker_from[i];
        ASSERT_EQ(shuffle.momentum[i], one.momentum[from]);
        for (std::size_t m = 0; m < 3; ++m)
            ASSERT_EQ(shuffle.volume[3 * i + m], one.volume[3 * from + m]) << from;
    }
}

TEST(Capture, MeansAreByTheVolumeReceived) {
    const Bulk bulk(pool(2000, 6));
    const Askers askers = hair(40, 6, 3 * kFull);
    Capture capture;
    Captured out;
    capture.run(bulk.topology, bulk.order, bulk.view(), askers, {}, out);
    std::vector<double> ones(bulk.volume.size(), 1), age, mean(askers.size());
    for (const Vec3d& u : bulk.velocity) age.push_back(u.x + 5);
    capture.mean(bulk.topology, bulk.order, bulk.view(), ones, mean);
    for (std::size_t i = 0; i < askers.size(); ++i) EXPECT_NEAR(mean[i], got(out, i) > 0 ? 1 : 0, 1e-15);
    capture.mean(bulk.topology, bulk.order, bulk.view(), age, mean);
    const double given = exact_sum(age.size(), [&](std::size_t p) { return age[p] * out.given[p]; });
    EXPECT_NEAR(exact_sum(mean.size(), [&](std::size_t i) { return mean[i] * got(out, i); }), given,
                2e-15 * given);
    EXPECT_GT(*std::max_element(mean.begin(), mean.end()), 4);
}

TEST(Capture, ReachesAroundPeriodicSides) {
    const Vec3i period{8, 8, 8};
    const double side = 8 * kCell;
    Loose loose;
    loose.add({0.1 * kCell, 4 * kCell, side - 0.1 * kCell}, kFull);
    const Bulk bulk(loose, period);
    Askers askers;
    askers.resize(2);
    askers.position = {{side - 0.2 * kCell, 4 * kCell, 0.2 * kCell},
                       {-3 * side - 0.2 * kCell, 4 * kCell, 2 * side + 0.2 * kCell}};
    askers.demand = {0.2 * kFull, 0.2 * kFull}, askers.reach = {kCell, kCell};
    const Captured out = bulk.capture(askers);
    EXPECT_NEAR(out.given[0], 0.4 * kFull, 1e-15 * kFull);
    EXPECT_NEAR(got(out, 0), 0.2 * kFull, 1e-12 * kFull);
    EXPECT_NEAR(got(out, 1), 0.2 * kFull, 1e-12 * kFull);
}

}  // namespace
}  // namespace rivulet::coupling
