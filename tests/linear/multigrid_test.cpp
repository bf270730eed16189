#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>

#include <linear/block_problem.h>
#include <rivulet/linear/multigrid.h>
#include <rivulet/linear/pcg.h>

namespace rivulet::linear {
namespace {

template <int Edge>
PcgResult solve(const BlockProblem<Edge>& problem, AlignedVector<double>& x, double tolerance = 1e-6,
                int most = 200) {
    Multigrid<Edge> multigrid;
    multigrid.build(problem.layout, problem.matrix);
    PcgWorkspace work;
    x.assign(problem.b.size(), 0.0);
    return pcg([&](std::span<const double> p,
                   std::span<double> ap) { multiply<Edge>(problem.matrix, problem.layout, p, ap); },
               [&](std::span<const double> r, std::span<double> z) { multigrid.apply(r, z); }, problem.b, x,
               work, {tolerance, most});
}

double all_open(const Vec3i&, int) {
    return 1;
}

/// Liquid under a wavy surface around a sphere; couplings at the sphere partly closed.
bool under_waves(const Vec3i& c) {
    return c.y < 20 + 4 * std::sin(0.4 * c.x) * std::cos(0.3 * c.z);
}
double around_sphere(const Vec3i& c, int axis) {
    Vec3d p = to_double(c) + Vec3d{0.5, 0.5, 0.5};
    p[axis] -= 0.5;
    return std::clamp(0.01 * std::floor(100 * (length(p - Vec3d{18.3, 9.1, 13.7}) - 6.2)), 0.0, 1.0);
}

template <int Edge>
Eigen::SparseMatrix<double> assembled(const BlockProblem<Edge>& problem, std::vector<int>& unknown) {
    const std::size_t entries = problem.b.size();
    unknown.assign(entries, -1);
    int n = 0;
    for (std::size_t e = 0; e < entries; ++e)
        if (problem.matrix.diagonal[e] > 0) unknown[e] = n++;
    std::map<std::array<int, 3>, std::size_t> entry_of;
    for (std::size_t e = 0; e < entries; ++e)
        entry_of[{problem.cell[e].x, problem.cell[e].y, problem.cell[e].z}] = e;
    std::vector<Eigen::Triplet<double>> triplets;
    for (std::size_t e = 0; e < entries; ++e) {
        if (unknown[e] < 0) continue;
        triplets.emplace_back(unknown[e], unknown[e], problem.matrix.surface[e]);
        for (int axis = 0; axis < 3; ++axis) {
            const double w = problem.matrix.coupling[std::size_t(axis)][e];
            if (w == 0) continue;
            Vec3i low = problem.cell[e];
            low[axis] -= 1;
            const int u = unknown[e], v = unknown[entry_of.at({low.x, low.y, low.z})];
            triplets.emplace_back(u, u, w);
            triplets.emplace_back(v, v, w);
            triplets.emplace_back(u, v, -w);
            triplets.emplace_back(v, u, -w);
        }
    }
    Eigen::SparseMatrix<double> a(n, n);
    a.setFromTriplets(triplets.begin(), triplets.end());
    return a;
}

template <class T>
struct MultigridOf : testing::Test {};
using Edges = testing::Types<std::integral_constant<int, 4>, std::integral_constant<int, 8>>;
TYPED_TEST_SUITE(MultigridOf, Edges);

TYPED_TEST(MultigridOf, AgreesWithIncompleteCholeskyTwin) {
    constexpr int Edge = TypeParam::value;
    const BlockProblem<Edge> problem({37, 30, 29}, under_waves, around_sphere, {-3, -2, -5});
    AlignedVector<double> x;
    const PcgResult result = solve(problem, x, 1e-10);
    ASSERT_TRUE(result.converged) << result.iterations << " " << result.relative_residual;

    std::vector<int> unknown;
    const auto a = assembled(problem, unknown);
    Eigen::VectorXd b(a.rows());
    for (std::size_t e = 0; e < unknown.size(); ++e)
        if (unknown[e] >= 0) b[unknown[e]] = problem.b[e];
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::IncompleteCholesky<double>>
        twin;
    twin.setTolerance(1e-11);
    twin.compute(a);
    const Eigen::VectorXd y = twin.solve(b);
    ASSERT_EQ(twin.info(), Eigen::Success);
    EXPECT_LT(result.iterations, twin.iterations());
    const double scale = y.cwiseAbs().maxCoeff();
    for (std::size_t e = 0; e < unknown.size(); ++e)
        EXPECT_NEAR(x[e], unknown[e] < 0 ? 0.0 : y[unknown[e]], 1e-8 * scale);
}

TYPED_TEST(MultigridOf, PreconditionerIsSymmetricAndPositive) {
    constexpr int Edge = TypeParam::value;
    const BlockProblem<Edge> problem({37, 30, 29}, under_waves, around_sphere);
    Multigrid<Edge> multigrid;
    multigrid.build(problem.layout, problem.matrix);
    const std::size_t n = problem.b.size();
    AlignedVector<double> u(n), v(n), bu(n), bv(n);
    const Random random(11, 1);
    for (std::size_t i = 0; i < n; ++i)
        if (problem.matrix.diagonal[i] > 0) {
            u[i] = random.uniform(2 * i, -1, 1);
            v[i] = random.uniform(2 * i + 1, -1, 1) + 1;
        }
    multigrid.apply(u, bu);
    multigrid.apply(v, bv);
    const double scale = std::sqrt(dot(u, bu) * dot(v, bv));
    EXPECT_GT(dot(u, bu), 0);
    EXPECT_GT(dot(v, bv), 0);
    EXPECT_NEAR(dot(u, bv), dot(v, bu), 1e-5 * scale);  // single precision inside
}

TYPED_TEST(MultigridOf, PinnedCellsLeaveTheProblem) {
    constexpr int Edge = TypeParam::value;
    const Random random(5, 2);
    BlockProblem<Edge> problem({37, 30, 29}, under_waves, around_sphere);
    std::vector<std::size_t> pinned;
    for (std::size_t e = 0; e < problem.b.size(); ++e)
        if (problem.matrix.diagonal[e] > 0 && random.uniform(e) < 0.05) pinned.push_back(e);
    Multigrid<Edge> multigrid, twin;
    multigrid.build(problem.layout, problem.matrix, pinned);
    // The twin is built from the matrix without their rows and columns.
    BlockOperator<double> rest = problem.matrix;
    for (const std::size_t e : pinned)
        for (std::size_t face = 0; face < 6; ++face) {
            const std::ptrdiff_t n = neighbour_entry<Edge>(problem.layout, e, face);
            if (n >= 0) rest.coupling[face / 2][face % 2 ? std::size_t(n) : e] = 0;
        }
    finish_diagonal<Edge>(rest, problem.layout);
    for (std::size_t e = 0; e < problem.b.size(); ++e)
        rest.surface[e] += problem.matrix.diagonal[e] - rest.diagonal[e];
    for (const std::size_t e : pinned) rest.surface[e] = problem.b[e] = 0;
    finish_diagonal<Edge>(rest, problem.layout);
    twin.build(problem.layout, rest);
    AlignedVector<double> z(problem.b.size()), expected(problem.b.size());
    multigrid.apply(problem.b, z);
    twin.apply(problem.b, expected);
    const double scale = std::sqrt(dot(expected, expected) / double(problem.unknowns));
    for (std::size_t e = 0; e < z.size(); ++e) ASSERT_NEAR(z[e], expected[e], 1e-4 * scale);
    for (const std::size_t e : pinned) ASSERT_EQ(z[e], 0);
}

TYPED_TEST(MultigridOf, SameBitsForAnyThreadCount) {
    constexpr int Edge = TypeParam::value;
    const BlockProblem<Edge> problem({37, 30, 29}, under_waves, around_sphere);
    AlignedVector<double> one, three;
    with_threads(1, [&] { solve(problem, one); });
    with_threads(3, [&] { solve(problem, three); });
    EXPECT_EQ(one, three);
}

TYPED_TEST(MultigridOf, ClosedContainerConverges) {
    constexpr int Edge = TypeParam::value;
    BlockProblem<Edge> problem(
        {32, 32, 32}, [](const Vec3i&) { return true; }, all_open);
    double mean = 0;
    for (double v : problem.b) mean += v / double(problem.b.size());
    for (double& v : problem.b) v -= mean;
    AlignedVector<double> x;
    const PcgResult result = solve(problem, x, 1e-9);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 20);
}

TYPED_TEST(MultigridOf, ThinObstacleConverges) {
    constexpr int Edge = TypeParam::value;
    // A plate of no thickness, open at the top, between cells 21 and 22: inside an aggregate of every level.
    const BlockProblem<Edge> problem(
        {48, 48, 48}, [](const Vec3i& c) { return c.y < 40; },
        [](const Vec3i& c, int axis) { return axis == 0 && c.x == 21 && c.y < 30 ? 0.0 : 1.0; });
    AlignedVector<double> x;
    const PcgResult result = solve(problem, x);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 15);
}

TYPED_TEST(MultigridOf, TwoRoomsBehindAThinWallConverge) {
    constexpr int Edge = TypeParam::value;
    // One room closed, one under a free surface, and a wall of cells cut at an angle between them.
    BlockProblem<Edge> problem(
        {40, 40, 40}, [](const Vec3i& c) { return c.y < 38 || c.x + c.y / 3 < 33; },
        [](const Vec3i& c, int axis) {
            const auto left = [](const Vec3i& v) { return v.x + v.y / 3 < 33; };
            Vec3i below = c;
            below[axis] -= 1;
            return left(c) == left(below) ? 1.0 : 0.0;
        });
    double sum = 0, count = 0;
    const auto closed = [](const Vec3i& c) { return c.x + c.y / 3 < 33; };
    for (std::size_t e = 0; e < problem.b.size(); ++e)
        if (closed(problem.cell[e]) && problem.matrix.diagonal[e] > 0) sum += problem.b[e], ++count;
    for (std::size_t e = 0; e < problem.b.size(); ++e)
        if (closed(problem.cell[e]) && problem.matrix.diagonal[e] > 0) problem.b[e] -= sum / count;
    AlignedVector<double> x;
    const PcgResult result = solve(problem, x);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 20);
}

TYPED_TEST(MultigridOf, ThinSheetsAndLooseCellsConverge) {
    constexpr int Edge = TypeParam::value;
    const Random random(3, 3);
    const BlockProblem<Edge> problem(
        {64, 64, 64},
        [&](const Vec3i& c) {
            const bool sheet = std::abs(c.x - 32 + c.y / 4) <= 1;
            return sheet || random.uniform(std::uint64_t(c.x + 64 * (c.y + 64 * c.z))) < 0.02;
        },
        all_open);
    AlignedVector<double> x;
    const PcgResult result = solve(problem, x);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 15);
}

/// A cell's coefficient: 1 and `contrast` in turns, in cubes of `size` cells.
double checkered(const Vec3i& c, int size, double contrast) {
    return (c.x / size + c.y / size + c.z / size) % 2 ? contrast : 1.0;
}

/// A problem whose couplings are harmonic means of the cells' coefficients.
template <int Edge>
BlockProblem<Edge> contrasted(int size, double contrast) {
    return {{33, 20, 17}, under_waves, [=](const Vec3i& c, int axis) {
                Vec3i below = c;
                below[axis] -= 1;
                const double here = checkered(c, size, contrast), there = checkered(below, size, contrast);
                return 2 / (1 / here + 1 / there);
            }};
}

/// Every cycle is symmetric, positive and finite, whatever the coefficients.
template <int Edge>
void expect_sound(const BlockProblem<Edge>& problem, const std::string& what) {
    Multigrid<Edge> multigrid;
    multigrid.build(problem.layout, problem.matrix);
    const std::size_t n = problem.b.size();
    AlignedVector<double> u(n), v(n), bu(n), bv(n);
    const Random random(12, 1);
    for (std::size_t i = 0; i < n; ++i)
        if (problem.matrix.diagonal[i] > 0) {
            u[i] = random.uniform(2 * i, -1, 1);
            v[i] = random.uniform(2 * i + 1, 0, 2);
        }
    multigrid.apply(u, bu);
    multigrid.apply(v, bv);
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(std::isfinite(bu[i])) << what;
    EXPECT_GT(dot(u, bu), 0) << what;
    EXPECT_GT(dot(v, bv), 0) << what;
    EXPECT_NEAR(dot(u, bv), dot(v, bu), 1e-4 * std::sqrt(dot(u, bu) * dot(v, bv))) << what;
}

TYPED_TEST(MultigridOf, AnyContrastBetweenCellsIsSound) {
    constexpr int Edge = TypeParam::value;
    for (const double contrast : {1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12})
        for (const int size : {1, 2, 4, 8, 16}) {
            const std::string what =
                "contrast " + std::to_string(std::log10(contrast)) + " size " + std::to_string(size);
            BlockProblem<Edge> problem = contrasted<Edge>(size, contrast);
            expect_sound(problem, what + " of couplings");
            AlignedVector<double> x;
            const PcgResult result = solve(problem, x);
            // NOTE: beyond 1e9 the last digits of the residual itself are lost in the couplings of 1e12.
            if (std::abs(std::log10(contrast)) < 9.5) {
                EXPECT_TRUE(result.converged) << what << ": " << result.relative_residual;
                EXPECT_LE(result.iterations, 100) << what;
            }
            // The same contrast between storage and couplings.
            BlockProblem<Edge> stored({33, 20, 17}, under_waves, all_open);
            stored.matrix.storage.assign(stored.b.size(), 0.0);
            for (std::size_t e = 0; e < stored.b.size(); ++e)
                if (stored.matrix.diagonal[e] > 0)
                    stored.matrix.storage[e] = std::max(0.0, checkered(stored.cell[e], size, contrast) - 1);
            finish_diagonal<Edge>(stored.matrix, stored.layout);
            expect_sound(stored, what + " of storage");
            const PcgResult second = solve(stored, x);
            EXPECT_TRUE(second.converged) << what << ": " << second.relative_residual;
            EXPECT_LE(second.iterations, 15) << what;
        }
}

TYPED_TEST(MultigridOf, CouplingsLostBesideASurplusStayUnknowns) {
    constexpr int Edge = TypeParam::value;
    // Every coupling vanishes in single precision beside the storage of one of its cells: the diagonal cannot
    // tell who is coupled.
    for (const int odd : {0, 1}) {
        BlockProblem<Edge> problem(
            {4, 4, 4}, [](const Vec3i&) { return true; }, all_open);
        problem.matrix.storage.assign(problem.b.size(), 0.0);
        for (std::size_t e = 0; e < problem.b.size(); ++e) {
            const Vec3i& c = problem.cell[e];
            if (problem.matrix.diagonal[e] > 0 && (c.x + c.y + c.z) % 2 == odd)
                problem.matrix.storage[e] = 1e12;
        }
        finish_diagonal<Edge>(problem.matrix, problem.layout);
        expect_sound(problem, "odd " + std::to_string(odd));
        AlignedVector<double> x;
        EXPECT_TRUE(solve(problem, x).converged);
    }
}

TYPED_TEST(MultigridOf, RandomCoefficientsAreSound) {
    constexpr int Edge = TypeParam::value;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Random random(seed, 7);
        const auto number = [&](const Vec3i& c, int what) {
            return random.uniform(std::uint64_t(c.x + 64 * (c.y + 64 * (c.z + 64 * what))), -12, 12);
        };
        BlockProblem<Edge> problem({19, 21, 18}, under_waves,
                                   [&](const Vec3i& c, int axis) { return std::pow(10, number(c, axis)); });
        for (std::size_t e = 0; e < problem.b.size(); ++e)
            if (problem.matrix.diagonal[e] > 0 && number(problem.cell[e], 3) > 6)
                problem.matrix.surface[e] += std::pow(10, number(problem.cell[e], 4));
        finish_diagonal<Edge>(problem.matrix, problem.layout);
        expect_sound(problem, "seed " + std::to_string(seed));
    }
}

TEST(Multigrid, NeedsFewIterationsAtAnySize) {
    for (const int n : {16, 32, 64}) {
        const BlockProblem<8> problem(
            {n, n, n}, [n](const Vec3i& c) { return c.y + 1 < n; }, all_open);
        AlignedVector<double> x;
        const PcgResult result = solve(problem, x);
        EXPECT_TRUE(result.converged);
        EXPECT_LE(result.iterations, 10) << n;
    }
}

TEST(Multigrid, FarDropsCostOnlyThemselves) {
    const BlockProblem<8> problem(
        {4096, 8, 8}, [](const Vec3i& c) { return c.x % 512 < 4 && c.y < 4 && c.z < 4; }, all_open);
    EXPECT_EQ(problem.layout.size(), 8u);
    AlignedVector<double> x;
    EXPECT_TRUE(solve(problem, x).converged);
}

TEST(DenseCholesky, SolvesAndRefusesIndefinite) {
    DenseCholesky a;
    a.reset(3);
    a.entry(0, 0) = 4;
    a.entry(1, 0) = 1, a.entry(1, 1) = 3;
    a.entry(2, 0) = -1, a.entry(2, 1) = 0.5, a.entry(2, 2) = 2;
    ASSERT_TRUE(a.factor());
    std::vector<double> x{4 * 1 + 1 * 2 - 3, 1 + 3 * 2 + 0.5 * 3, -1 + 0.5 * 2 + 2 * 3};
    a.solve(x);
    EXPECT_NEAR(x[0], 1, 1e-14);
    EXPECT_NEAR(x[1], 2, 1e-14);
    EXPECT_NEAR(x[2], 3, 1e-14);
    a.reset(2);
    a.entry(0, 0) = 1;
    a.entry(1, 0) = 2, a.entry(1, 1) = 1;
    EXPECT_FALSE(a.factor());
}

}  // namespace
}  // namespace rivulet::linear
