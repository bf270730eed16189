#include <gtest/gtest.h>

#include <cmath>

#include "strand/strand_samples.h"

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod_frame.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/energy.h>
#include <rivulet/strand/pieces.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {
namespace {

const std::vector<StrandMaterial> kRubber{samples::rubber()};

Loads weight() {
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    return loads;
}

void expect_same_bits(const StrandState& a, const StrandState& b) {
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.twist, b.twist);
    EXPECT_EQ(a.reference_director, b.reference_director);
}

StrandState after_steps(StrandState state, int steps, bool packed,
                        std::span<const StrandMaterial> materials = kRubber) {
    Solver solver;
    Motion motion;
    for (int k = 0; k < steps; ++k) {
        if (packed)
            solver.solve(state, materials, weight(), 0.004, motion);
        else
            solve_plainly(state, materials, weight(), 0.004, motion);
        commit(state, motion, 0.004);
    }
    return state;
}

TEST(StrandSolve, PacksGiveTheBitsOfPlainDoubles) {
    StrandState state = make_strands(samples::curls(23, true));
    samples::stir(state, 0.5, 3);
    expect_same_bits(after_steps(state, 10, true), after_steps(state, 10, false));
}

TEST(StrandSolve, AStrandDoesNotFeelItsPackMates) {
    std::vector<StrandMaterial> materials{samples::rubber(), samples::rubber()};
    materials[1].internal_viscosity = 50;
    const Curves curves = samples::curls(6);
    const StrandState calm = make_strands(curves);
    StrandState wild = calm;
    wild.material.assign(6, 1);
    wild.root_target.kind[1] = std::uint8_t(EndKind::free);
    wild.root_target.kind[2] = std::uint8_t(EndKind::pin);
    samples::stir(wild, 3, 50);
    for (std::size_t i = wild.begin(3); i < wild.end(3); ++i) {
        wild.velocity[i] = calm.velocity[i];
        wild.twist_velocity[i] = calm.twist_velocity[i];
    }
    wild.material[3] = 0;
    const StrandState a = after_steps(calm, 10, true, materials), b = after_steps(wild, 10, true, materials);
    for (std::size_t i = wild.begin(3); i < wild.end(3); ++i) {
        EXPECT_EQ(a.position[i], b.position[i]);
        EXPECT_EQ(a.velocity[i], b.velocity[i]);
        EXPECT_EQ(a.twist[i], b.twist[i]);
    }
}

TEST(StrandSolve, ThreadsDoNotChangeBits) {
    StrandState state = make_strands(samples::curls(40, true));
    const auto one = with_threads(1, [&] { return after_steps(state, 5, true); });
    const auto two = with_threads(2, [&] { return after_steps(state, 5, true); });
    expect_same_bits(one, two);
}

TEST(StrandSolve, ASolverKeepsNoTruth) {
    StrandState state = make_strands(samples::curls(5)), other = state;
    Solver kept;
    Motion motion;
    for (int k = 0; k < 10; ++k) {
        kept.solve(state, kRubber, weight(), 0.004, motion);
        commit(state, motion, 0.004);
        Solver fresh;
        Motion fresh_motion;
        fresh.solve(other, kRubber, weight(), 0.004, fresh_motion);
        commit(other, fresh_motion, 0.004);
    }
    expect_same_bits(state, other);
}

TEST(StrandSolve, SolvingTwiceChangesNothingAndCommitsNothing) {
    StrandState state = make_strands(samples::curls(5));
    const StrandState before = state;
    Solver solver;
    Motion first, second;
    solver.solve(state, kRubber, weight(), 0.004, first);
    solver.solve(state, kRubber, weight(), 0.004, second);
    EXPECT_EQ(first.velocity, second.velocity);
    expect_same_bits(state, before);
    SolveOptions from_result;
    from_result.guess_given = true;
    const SolveReport report = solver.solve(state, kRubber, weight(), 0.004, second, from_result);
    EXPECT_EQ(report.iterations_most, 1);  // nothing left to do
}

// Implicit Euler keeps linear momentum to the Newton tolerance and a free rotation's angular momentum to
// first order in dt.
TEST(StrandSolve, FreeMotionKeepsMomentum) {
    MakeOptions options;
    options.root = EndKind::free;
    std::vector<double> drift;
    for (const double dt : {2e-3, 1e-3}) {
        StrandState state = make_strands(samples::curls(1), options);
        const Vec3d axis{0.4, 0.8, 0.3}, shift{0.3, -0.2, 0.5};
        for (std::size_t i = 0; i < state.vertex_count(); ++i)
            state.velocity[i] = shift + 4.0 * cross(axis, state.position[i]);
        const Totals before = totals(state, kRubber, {});
        Solver solver;
        Motion motion;
        SolveOptions exact;
        exact.tolerance = 1e-8;
        for (int k = 0; k * dt < 0.2; ++k) {
            solver.solve(state, kRubber, {}, dt, motion, exact);
            commit(state, motion, dt);
        }
        const Totals after = totals(state, kRubber, {});
        EXPECT_LT(length(after.momentum - before.momentum), 1e-9 * length(before.momentum));
        drift.push_back(length(after.angular_momentum - before.angular_momentum) /
                        length(before.angular_momentum));
    }
    EXPECT_LT(drift[1], 0.01);
    EXPECT_NEAR(drift[0] / drift[1], 2, 0.4);
}

TEST(StrandSolve, ImpulsesChangeMomentumByThemselves) {
    MakeOptions options;
    options.root = EndKind::free;
    StrandState state = make_strands(samples::curls(1), options);
    std::vector<Vec3d> impulse(state.vertex_count()), force(state.vertex_count());
    Vec3d sum;
    for (std::size_t i = 0; i < impulse.size(); ++i) {
        impulse[i] = 1e-5 * Random(2, 2).direction(i);
        force[i] = 1e-3 * Random(2, 2).direction(50 + i);
        sum += impulse[i] + 0.004 * force[i];
    }
    Loads loads;
    loads.impulse = impulse;
    loads.force = force;
    Motion motion;
    Solver().solve(state, kRubber, loads, 0.004, motion);
    commit(state, motion, 0.004);
    EXPECT_LT(length(totals(state, kRubber, {}).momentum - sum), 1e-6 * length(sum));
}

TEST(StrandSolve, RestShapeStaysAtRest) {
    MakeOptions options;
    options.aspect = 0.6;
    StrandState state = make_strands(samples::curls(3), options);
    const StrandState before = state;
    Solver solver;
    Motion motion;
    for (int k = 0; k < 50; ++k) {
        solver.solve(state, kRubber, {}, 0.01, motion);
        commit(state, motion, 0.01);
    }
    for (std::size_t i = 0; i < state.vertex_count(); ++i)
        EXPECT_LT(length(state.position[i] - before.position[i]), 1e-12);
}

TEST(StrandSolve, ClampedRootsFollowTheirTargets) {
    StrandState state = make_strands(samples::curls(2));
    Solver solver;
    Motion motion;
    const double dt = 0.002, rate = 8;
    for (int k = 1; k <= 100; ++k) {
        const double a = rate * k * dt;
        for (std::size_t s = 0; s < 2; ++s) {
            state.root_target.position[s] = {0.02 * std::cos(a), 0.02 * std::sin(a), 0.1 * double(s)};
            state.root_target.tangent[s] = {std::cos(a), std::sin(a), 0};
            state.root_target.director[s] = {-std::sin(a) * std::cos(2 * a), std::cos(a) * std::cos(2 * a),
                                             std::sin(2 * a)};
        }
        solver.solve(state, kRubber, weight(), dt, motion);
        commit(state, motion, dt);
        for (std::size_t s = 0; s < 2; ++s) {
            const std::size_t b = state.begin(s);
            EXPECT_LT(length(state.position[b] - state.root_target.position[s]), 1e-14);
            EXPECT_LT(
                length(normalized(state.position[b + 1] - state.position[b]) - state.root_target.tangent[s]),
                1e-12);
            EXPECT_LT(length(material_axis(state, b) - state.root_target.director[s]), 1e-10);
        }
    }
}

TEST(StrandSolve, AStubbornStepIsCutAndEndsInOneVelocity) {
    StrandState state = make_strands(samples::curls(5));
    samples::stir(state, 4, 20);
    Solver solver;
    Motion whole, cut;
    SolveOptions hasty;
    hasty.most_iterations = 4;
    EXPECT_EQ(solver.solve(state, kRubber, weight(), 0.008, whole).in_pieces, 0u);
    const SolveReport report = solver.solve(state, kRubber, weight(), 0.008, cut, hasty);
    ASSERT_GT(report.in_pieces, 0u);
    for (std::size_t i = 0; i < state.vertex_count(); ++i)
        EXPECT_LT(length(whole.velocity[i] - cut.velocity[i]), 4);
}

TEST(StrandSolve, PiecesEndWhereSmallerStepsEnd) {
    StrandState state = make_strands(samples::curls(1));
    samples::stir(state, 4, 200);
    Motion motion{std::vector<Vec3d>(16), std::vector<double>(16)};
    const Loads loads = weight();
    SolveOptions halves;
    halves.most_pieces = 2;
    ASSERT_TRUE(solve_in_pieces({state, kRubber, loads, 0.008}, 0, halves, motion).solved);
    StrandState in_pieces = state;
    commit(in_pieces, motion, 0.008);
    for (int k = 0; k < 2; ++k) {
        solve_plainly(state, kRubber, loads, 0.004, motion);
        commit(state, motion, 0.004);
    }
    for (std::size_t i = 0; i < 16; ++i) EXPECT_LT(length(in_pieces.position[i] - state.position[i]), 1e-15);
    for (std::size_t i = 0; i < 15; ++i)
        EXPECT_LT(length(material_axis(in_pieces, i) - material_axis(state, i)), 1e-12);
    for (std::size_t i = 1; i < 15; ++i)
        EXPECT_NEAR(in_pieces.twist[i] - in_pieces.twist[i - 1], state.twist[i] - state.twist[i - 1], 1e-12);
}

// Both ends go and turn evenly over the pieces and are where they should be after them.
TEST(StrandSolve, PiecesBringHeldTipsToTheirTargets) {
    for (const EndKind tip : {EndKind::pin, EndKind::clamp}) {
        MakeOptions options;
        options.tip = tip;
        StrandState state = make_strands(samples::curls(1), options);
        samples::stir(state, 4, 5);
        const std::size_t end = 15, edge = 14;
        EndTargets& target = state.tip_target;
        const Vec3d tangent = normalized(state.position[end] - state.position[edge]);
        target.position[0] = state.position[end] + Vec3d{1e-4, 2e-4, -1e-4};
        target.tangent[0] = normalized(tangent + 0.05 * any_perpendicular(tangent));
        target.director[0] = elastic::squared_up(material_axis(state, edge), target.tangent[0]);
        target.director[0] = elastic::turned(target.director[0], target.tangent[0], 0.2);
        Motion motion{std::vector<Vec3d>(16), std::vector<double>(16)};
        const Loads loads = weight();
        ASSERT_TRUE(solve_in_pieces({state, kRubber, loads, 0.008}, 0, {}, motion).solved);
        commit(state, motion, 0.008);
        EXPECT_LT(length(state.position[end] - target.position[0]), 1e-14);
        if (tip == EndKind::pin) continue;
        EXPECT_LT(length(normalized(state.position[end] - state.position[edge]) - target.tangent[0]), 1e-12);
        EXPECT_LT(length(material_axis(state, edge) - target.director[0]), 1e-10);
    }
}

TEST(StrandSolve, NamesTheFirstStrandThatFails) {
    StrandState state = make_strands(samples::curls(9));
    std::vector<Vec3d> force(state.vertex_count());
    force[state.begin(7) + 4] = {std::nan(""), 0, 0};
    force[state.begin(5) + 9] = {std::nan(""), 0, 0};
    Loads loads;
    loads.force = force;
    Motion motion;
    try {
        Solver().solve(state, kRubber, loads, 0.004, motion);
        FAIL() << "no error";
    } catch (const StepFailed& e) {
        EXPECT_EQ(e.entity, "strand 5");
    }
}

// Bent almost double: 175° between neighbouring edges, released.
TEST(StrandSolve, AlmostFullFoldsOpenWithoutBlowingUp) {
    Curves c = samples::straight(20, 0.2, 1e-3);
    MakeOptions options;
    options.root = EndKind::free;
    StrandState state = make_strands(c, options);
    const double a = 175 * std::numbers::pi / 180;
    for (std::size_t i = 11; i <= 20; ++i)
        state.position[i] = state.position[10] + (0.01 * double(i - 10)) * Vec3d{std::cos(a), std::sin(a), 0};
    Vec3d before = normalized(state.position[1] - state.position[0]);
    for (std::size_t i = 1; i < 20; ++i) {
        const Vec3d t = normalized(state.position[i + 1] - state.position[i]);
        state.reference_director[i] =
            elastic::squared_up(elastic::parallel_transport(state.reference_director[i - 1], before, t), t);
        before = t;
    }
    const double stored = totals(state, kRubber, {}).elastic;
    Solver solver;
    Motion motion;
    for (int k = 0; k < 100; ++k) {
        solver.solve(state, kRubber, {}, 0.002, motion);
        commit(state, motion, 0.002);
        const Totals t = totals(state, kRubber, {});
        EXPECT_LT(t.kinetic + t.elastic, 1.001 * stored);
    }
}

// A straight rod between two clamps, the tip turned by 2 rad: ½ GJ turn²/L, L without the clamped edges.
// Exact on any mesh because a clamp has half of its joint's length.
TEST(StrandSolve, TwistBetweenClampsStoresWhatTheorySays) {
    MakeOptions options;
    options.tip = EndKind::clamp;
    StrandState state = make_strands(samples::straight(7, 0.7, 1e-3), options);
    const Vec3d t{1, 0, 0}, d = state.reference_director[6];
    state.tip_target.director[0] = std::cos(2.0) * d + std::sin(2.0) * cross(t, d);
    Solver solver;
    Motion motion;
    for (int k = 0; k < 10; ++k) {
        state.twist_velocity.assign(8, 0.0);
        solver.solve(state, kRubber, {}, 10.0, motion);
        commit(state, motion, 10.0);
    }
    const double torsion = kRubber[0].shear() * std::numbers::pi * 1e-12 / 2;
    EXPECT_NEAR(totals(state, kRubber, {}).elastic / (0.5 * torsion * 4 / 0.5), 1, 1e-9);
}

TEST(StrandMake, RefusesBadCurves) {
    const auto refused = [](Curves c) {
        try {
            make_strands(c);
        } catch (const InputError& e) {
            return e.problems()[0].key == "strand 1";
        }
        return false;
    };
    const auto with = [](auto&& spoil) {
        Curves c = samples::curls(2);
        spoil(c);
        return c;
    };
    EXPECT_TRUE(refused(with([](Curves& c) { c.position[20] = c.position[21]; })));
    EXPECT_TRUE(refused(with([](Curves& c) { c.position[20].y = std::nan(""); })));
    EXPECT_TRUE(refused(with([](Curves& c) { c.radius[20] = 0; })));
    EXPECT_TRUE(refused(with([](Curves& c) { c.position[21] = c.position[19] + 1e-9 * Vec3d{1, 1, 1}; })));
    EXPECT_TRUE(refused(with([](Curves& c) { c.start = {0, 31, 32}; })));
    EXPECT_NO_THROW(make_strands(samples::curls(2)));
}

TEST(StrandMake, AppendingKeepsBoth) {
    StrandState a = make_strands(samples::curls(2)), b = make_strands(samples::curls(3, true)), both;
    append(both, a);
    append(both, b);
    EXPECT_EQ(both.strand_count(), 5u);
    EXPECT_EQ(both.vertex_count(), a.vertex_count() + b.vertex_count());
    EXPECT_EQ(both.position[both.begin(2)], b.position[0]);
    EXPECT_EQ(both.root_target.position[4], b.root_target.position[2]);
}

}  // namespace
}  // namespace rivulet::strand
