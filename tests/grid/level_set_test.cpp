#include <rivulet/grid/level_set.h>

#include <gtest/gtest.h>

#include <rivulet/base/random.h>
#include <rivulet/grid/kernel.h>
#include <support/free_kernel.h>

using namespace rivulet;
using namespace rivulet::grid;

namespace {

constexpr double kCell = 0.1;

struct Liquid {
    std::vector<Vec3d> position;
    std::vector<double> volume;
    Topology topology;
    ParticleOrder order;
    Field fraction, phi;

    explicit Liquid(const std::vector<Vec3d>& points, const auto& open_volume_of) {
        TopologyBuilder builder;
        builder.start(kCell, {});
        builder.add_points(points);
        builder.build(topology);
        ParticleSorter().sort(topology, points, order);
        reorder(order, points, position);
        volume.assign(points.size(), kCell * kCell * kCell / 8);
        Field open(topology.cells());
        for (std::size_t b = 0; b < topology.size(); ++b)
            for (int k = 0; k < kBlockEdge; ++k)
                for (int j = 0; j < kBlockEdge; ++j)
                    for (int i = 0; i < kBlockEdge; ++i)
                        open[b * kBlockCells + std::size_t(cell_in_block(i, j, k))] =
                            open_volume_of(topology.cell_centre(b, i, j, k));
        const Field free = test::free_kernel(topology, open);
        find_level_set(topology, order, position, volume, &free, fraction, phi);
        geometric_volume = volume_inside(topology, phi, &open);
    }
    double at(int i, int j, int k) const { return phi[std::size_t(topology.index(Vec3i{i, j, k}))]; }
    double geometric_volume = 0;
};

/// Particles at 8 per cell in the box [0, nx] × [0, ny] × [0, nz] half cells, shifted up by `lift`.
std::vector<Vec3d> lattice(int nx, int ny, int nz, double jitter = 0, Vec3d lift = {}) {
    const Random random(4, 0);
    std::vector<Vec3d> points;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const Vec3d u = random.uniform3(points.size()) - Vec3d{0.5, 0.5, 0.5};
                points.push_back((Vec3d{i + 0.5, j + 0.5, k + 0.5} + u * jitter) * (kCell / 2) + lift);
            }
    return points;
}

const auto kNoSolids = [](Vec3d) { return 1.0; };

}  // namespace

TEST(LevelSet, FlatSurfaceLiesAtItsHeightWhereverThatIs) {
    for (double lift : {0.0, 0.012, 0.03, 0.05, 0.077}) {
        const Liquid l(lattice(24, 16, 24, 0, {0, lift, 0}), kNoSolids);
        const double top = 8 * kCell + lift;
        for (int j = 6; j <= 9; ++j) {
            const double depth = (j + 0.5) * kCell - top;
            if (std::abs(depth) < 0.8 * kCell) {
                EXPECT_NEAR(l.at(6, j, 6), depth, 0.05 * kCell);
            }
        }
        const double inside = l.at(6, 7, 6), outside = l.at(6, 8, 6);
        if (inside < 0 && outside > 0) {
            const double crossing = 7.5 + inside / (inside - outside);
            EXPECT_NEAR(crossing * kCell, top, 0.02 * kCell);
        }
    }
}

TEST(LevelSet, TankWithWallsIsFlatUpToTheWalls) {
    const auto tank = [](Vec3d x) {
        const double side = 6 * kCell;
        return x.x > 0 && x.x < side && x.z > 0 && x.z < side && x.y > 0 ? 1.0 : 0.0;
    };
    const Liquid l(lattice(12, 8, 12), tank);
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) {
            EXPECT_NEAR(l.at(i, 3, k), -0.5 * kCell, 0.08 * kCell);
            EXPECT_NEAR(l.at(i, 4, k), 0.5 * kCell, 0.08 * kCell);
            EXPECT_LT(l.at(i, 0, k), -kCell);
        }
    EXPECT_NEAR(l.geometric_volume, 6 * 4 * 6 * kCell * kCell * kCell, 0.005 * 144 * kCell * kCell * kCell);
}

TEST(LevelSet, JitteredLiquidStaysFullAndKeepsItsVolume) {
    const Liquid l(lattice(24, 24, 24, 1.0), kNoSolids);
    for (int i = 2; i < 10; ++i) EXPECT_LT(l.at(i, 5, 6), -0.5 * kCell);
    const double cube = 12 * kCell;
    // Edges of the cube are rounded off by about a quarter of a cell: 2 to 3 % here.
    EXPECT_NEAR(l.geometric_volume, cube * cube * cube, 0.04 * cube * cube * cube);
    const auto tank = [](Vec3d x) {
        const double side = 12 * kCell;
        return x.x > 0 && x.x < side && x.z > 0 && x.z < side && x.y > 0 ? 1.0 : 0.0;
    };
    for (double fill : {11, 12, 13}) {
        const Liquid pool(lattice(24, int(fill), 24, 1.0), tank);
        const double expected = 144 * fill / 2 * kCell * kCell * kCell;
        EXPECT_NEAR(pool.geometric_volume, expected, 0.01 * expected);
    }
}

TEST(LevelSet, SheetsAndDropsDoNotVanish) {
    for (double lift : {0.0, 0.03, 0.05, 0.08}) {
        const Liquid two_cells(lattice(24, 4, 24, 0, {0, lift, 0}), kNoSolids);
        const double thick = 2 * kCell;
        double column = 0;
        for (int j = -2; j < 5; ++j) column += two_cells.at(6, j, 6) < 0;
        EXPECT_GE(column, 1);
        EXPECT_NEAR(two_cells.geometric_volume, 144 * kCell * kCell * thick,
                    0.12 * 144 * kCell * kCell * thick);
        const Liquid one_layer(lattice(24, 1, 24, 0, {0, lift, 0}), kNoSolids);
        int wet = 0;
        for (int i = 2; i < 10; ++i)
            for (int j = -2; j < 3; ++j) wet += one_layer.at(i, j, 6) < 0;
        EXPECT_GE(wet, 8) << lift;
        const Liquid drop(lattice(2, 2, 2, 0, {0.01, lift, 0.02}), kNoSolids);
        int drop_cells = 0;
        for (const double p : drop.phi) drop_cells += p < 0;
        EXPECT_GE(drop_cells, 1) << lift;
    }
}

/// Every particle of the 27 cells looked at, none left out for being too far away.
TEST(LevelSet, SprayIsTheUnionOfAllSpheres) {
    const Random random(9, 0);
    std::vector<Vec3d> points;
    for (std::uint64_t i = 0; i < 300; ++i) points.push_back(random.uniform3(i) * (9 * kCell));
    Liquid spray(points, kNoSolids);
    for (std::size_t p = 0; p < points.size(); ++p)
        spray.volume[p] *= p % 3 == 0 ? 0.125 : 0.1 + 0.9 * random.uniform(p + 1000);
    find_level_set(spray.topology, spray.order, spray.position, spray.volume, nullptr, spray.fraction,
                   spray.phi);
    constexpr double kSprayRadius = 0.63;  // cells, of a particle of cell³/8
    const Topology& t = spray.topology;
    int compared = 0;
    for (std::size_t b = 0; b < t.size(); ++b)
        for (int c = 0; c < kBlockCells; ++c) {
            const Vec3i at{c % kBlockEdge, c / kBlockEdge % kBlockEdge, c / (kBlockEdge * kBlockEdge)};
            const std::size_t here = b * kBlockCells + std::size_t(c);
            double fullest = 0, nearest = -quadratic_integral_inverse(spray.fraction[here]);
            for (int d = 0; d < 27; ++d) {
                const std::int64_t n = t.index(b, at.x + d % 3 - 1, at.y + d / 3 % 3 - 1, at.z + d / 9 - 1);
                if (n < 0) continue;
                const std::size_t cell = std::size_t(n);
                fullest = std::max(fullest, spray.fraction[cell]);
                for (std::size_t p = spray.order.cell_begin(cell); p < spray.order.cell_end(cell); ++p) {
                    const double distance =
                        length(spray.position[p] - t.cell_centre(b, at.x, at.y, at.z)) / kCell;
                    const double size = std::cbrt(spray.volume[p] * 8 / (kCell * kCell * kCell));
                    nearest = std::min(nearest, distance - kSprayRadius * size);
                }
            }
            if (!(fullest > 0 && fullest < 0.4)) continue;
            ++compared;
            EXPECT_NEAR(spray.phi[here], nearest * kCell, 1e-12);
        }
    EXPECT_GT(compared, 300);
}

TEST(LevelSet, BallHasItsRadius) {
    std::vector<Vec3d> ball;
    const double radius = 8 * kCell;
    for (const Vec3d& p : lattice(40, 40, 40, 0, Vec3d{-1, -1, -1}))
        if (length(p) < radius) ball.push_back(p);
    const Liquid l(ball, kNoSolids);
    EXPECT_NEAR(l.geometric_volume, 4.0 / 3 * 3.14159265 * radius * radius * radius, 0.02 * 2.14);
    double worst = 0;
    for (std::size_t b = 0; b < l.topology.size(); ++b)
        for (int c = 0; c < kBlockCells; ++c) {
            const int e = kBlockEdge;
            const Vec3d x = l.topology.cell_centre(b, c % e, c / e % e, c / (e * e));
            const double expected = length(x) - radius, got = l.phi[b * kBlockCells + std::size_t(c)];
            if (std::abs(expected) < 0.7 * kCell) worst = std::max(worst, std::abs(expected - got));
        }
    EXPECT_LT(worst, 0.35 * kCell);
}
