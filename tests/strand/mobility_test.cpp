#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "strand/laden_strands.h"

#include <rivulet/base/error.h>
#include <rivulet/base/members.h>
#include <rivulet/base/parallel.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/pieces.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {
namespace {

using samples::Laden;

/// A direction in the space of all impulses; angular ones are smaller by the radius squared.
Motion random_impulses(const StrandState& s, std::uint64_t seed) {
    const Random r(seed, 3);
    Motion d{std::vector<Vec3d>(s.vertex_count()), std::vector<double>(s.vertex_count())};
    for (std::size_t i = 0; i < s.vertex_count(); ++i) {
        d.velocity[i] = 1e-6 * r.direction(i);
        d.twist_velocity[i] = 1e-9 * r.normal(1000 + i);
    }
    for (std::size_t k = 0; k < s.strand_count(); ++k) d.twist_velocity[s.end(k) - 1] = 0;
    return d;
}

Motion answer(const Mobility& mobility, const Motion& impulses) {
    Motion out = impulses;
    mobility.apply(out.velocity, out.twist_velocity, out.velocity, out.twist_velocity);
    return out;
}

/// Largest velocity of the surface in a motion, or in the difference of two, by the rubber's radius of 1 mm.
double speed(const Motion& a) {
    double most = 0;
    for (const Vec3d& v : a.velocity) most = std::max(most, length(v));
    for (const double w : a.twist_velocity) most = std::max(most, 1e-3 * std::abs(w));
    return most;
}
Motion combined(const Motion& a, const Motion& b, double scale_a, double scale_b) {
    Motion out = a;
    for (std::size_t i = 0; i < a.velocity.size(); ++i) {
        out.velocity[i] = scale_a * a.velocity[i] + scale_b * b.velocity[i];
        out.twist_velocity[i] = scale_a * a.twist_velocity[i] + scale_b * b.twist_velocity[i];
    }
    return out;
}

/// The nonlinear solve's own answer, by central differences.
Motion by_differences(Laden laden, const Motion& impulses, double part, const SolveOptions& options) {
    Motion up, down;
    Solver solver;
    for (const double sign : {1.0, -1.0}) {
        for (std::size_t i = 0; i < impulses.velocity.size(); ++i) {
            laden.impulse[i] = sign * part * impulses.velocity[i];
            laden.angular_impulse[i] = sign * part * impulses.twist_velocity[i];
        }
        solver.solve(laden.state, laden.materials, laden.loads(), laden.dt, sign > 0 ? up : down, options);
    }
    return combined(up, down, 0.5 / part, -0.5 / part);
}

void step(Laden& laden, int steps) {
    Solver solver;
    Motion motion;
    for (int k = 0; k < steps; ++k) {
        solver.solve(laden.state, laden.materials, laden.loads(), laden.dt, motion);
        commit(laden.state, motion, laden.dt);
    }
}

/// A step solved to the end, with its mobility.
struct Asked {
    Solver solver;
    Motion motion;
    Mobility mobility;
    SolveReport report;

    explicit Asked(const Laden& laden, const SolveOptions& options = samples::to_the_end()) {
        report =
            solver.solve(laden.state, laden.materials, laden.loads(), laden.dt, motion, options, &mobility);
    }
};

TEST(StrandMobility, IsTheDerivativeOfTheSolve) {
    for (Laden& laden : samples::laden_strands()) {
        step(laden, 10);
        const Asked exact(laden), usual(laden, {});
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const Motion impulses = random_impulses(laden.state, seed);
            const Motion real = by_differences(laden, impulses, 1e-2, samples::to_the_end());
            const auto error = [&](const Asked& a) {
                return speed(combined(real, answer(a.mobility, impulses), 1, -1)) / speed(real);
            };
            ASSERT_GT(speed(real), 5e-3) << laden.name;
            EXPECT_LT(error(exact), 1e-7) << laden.name;  // of the differences
            EXPECT_LT(error(usual), 1e-4) << laden.name;  // of the tolerance, 1e-5 m/s
        }
    }
}

// Hair is 10⁵ times stiffer along than across: a tension off by what the tolerance lets stretch would be
// felt. The matrix of the last Newton step has the tension of where it goes.
TEST(StrandMobility, OfHairIsTheDerivativeAtTheUsualTolerance) {
    for (const double dt : {0.001, 1.0 / 240})
        for (const double curl : {0.0, 4e-3}) {
            Curves curves;
            for (int s = 0; s < 4; ++s)
                samples::add_curl(curves, 30, {0, 0.1 * s, 0}, 0.15, curl, 0.03, s, 40e-6);
            Laden laden("hair", make_strands(curves));
            laden.materials = {StrandMaterial{}};
            laden.dt = dt;
            step(laden, 20);
            const Motion rubber = random_impulses(laden.state, 1), light = combined(rubber, rubber, 1e-3, 0);
            const Motion real = by_differences(laden, light, 1e-2, samples::to_the_end());
            const Asked usual(laden, {});
            ASSERT_GT(speed(real), 5e-3);
            EXPECT_LT(speed(combined(real, answer(usual.mobility, light), 1, -1)), 1e-5 * speed(real));
        }
}

/// C of one strand as a dense matrix, from the potential of its step at the end of a motion, and which of its
/// unknowns are held.
struct DenseStep {
    Eigen::MatrixXd c;
    std::vector<bool> held;

    DenseStep(const Laden& laden, const Motion& motion, std::size_t strand, double exact = 1) {
        const Loads loads = laden.loads();
        RodProblem<double> p;
        RodLoader<double>({laden.state, laden.materials, loads, laden.dt}, {{strand}}).load(p);
        const std::size_t n = unknown_count(p.vertices), begin = laden.state.begin(strand);
        for (std::size_t i = 0; i < n; ++i)
            p.trial[i] = laden.dt * (i % 4 == 3 ? motion.twist_velocity[begin + i / 4]
                                                : motion.velocity[begin + i / 4][int(i % 4)]);
        evaluate_potential(p, p.trial, exact);
        c = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n));
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = j; i < std::min(n, j + 11); ++i)
                at(i, j) = at(j, i) = laden.dt * laden.dt * p.band[Band::index(i, j)];
        held.assign(n, false);
        for_each_held(p.held, p.vertices, [&](bool is, std::size_t row) { held[row] = is; });
    }
    double& at(std::size_t i, std::size_t j) { return c(Eigen::Index(i), Eigen::Index(j)); }

    /// Scaled to mass 1 on its diagonal before it is inverted; 0 for what is held.
    Eigen::MatrixXd inverse() const {
        const Eigen::VectorXd scale = c.diagonal().cwiseSqrt().cwiseInverse();
        Eigen::MatrixXd z =
            scale.asDiagonal() * (scale.asDiagonal() * c * scale.asDiagonal()).inverse() * scale.asDiagonal();
        for (std::size_t k = 0; k < held.size(); ++k)
            if (held[k]) z.row(Eigen::Index(k)).setZero(), z.col(Eigen::Index(k)).setZero();
        return z;
    }
};

TEST(StrandMobility, ProductsAndBandAreThoseOfTheDenseInverse) {
    for (Laden& laden : samples::laden_strands()) {
        step(laden, 3);
        Asked asked(laden);
        asked.mobility.invert_band();
        const Motion impulses = random_impulses(laden.state, 4), linear = answer(asked.mobility, impulses);
        for (std::size_t s = 0; s < laden.state.strand_count(); ++s) {
            const Eigen::MatrixXd z = DenseStep(laden, asked.motion, s).inverse();
            const std::size_t begin = laden.state.begin(s), n = laden.state.end(s) - begin;
            Eigen::VectorXd b(z.rows());
            for (Eigen::Index i = 0; i < b.size(); ++i) {
                const std::size_t v = begin + std::size_t(i / 4);
                b(i) = i % 4 == 3 ? impulses.twist_velocity[v] : impulses.velocity[v][int(i % 4)];
            }
            const Eigen::VectorXd x = z * b;
            for (std::size_t i = 0; i < n; ++i)
                for (int c = 0; c < 3; ++c)
                    EXPECT_NEAR(linear.velocity[begin + i][c], x(Eigen::Index(4 * i) + c), 1e-7 * x.norm());
            const auto near = [&](double v, Eigen::Index i, Eigen::Index j) {
                EXPECT_NEAR(v, z(i, j), 1e-7 * std::sqrt(z(i, i) * z(j, j))) << laden.name << i << " " << j;
            };
            for (std::size_t i = 0; i + 1 < n; ++i) {
                const EdgeMobility e = asked.mobility.edge(s, begin + i);
                const auto row = Eigen::Index(4 * i);
                for (int r = 0; r < 3; ++r) {
                    for (int c = 0; c < 3; ++c) {
                        near(e.first(r, c), row + r, row + c);
                        near(e.second(r, c), row + 4 + r, row + 4 + c);
                        near(e.first_second(r, c), row + r, row + 4 + c);
                        if (i + 2 < n)
                            near(asked.mobility.vertices(s, begin + i + 2, begin + i)(r, c), row + 8 + r,
                                 row + c);
                    }
                    near(e.first_turn[r], row + r, row + 3);
                    near(e.second_turn[r], row + 4 + r, row + 3);
                }
                near(e.turn, row + 3, row + 3);
            }
        }
    }
}

TEST(StrandMobility, HeldUnknownsAnswerNothing) {
    MakeOptions options;
    options.tip = EndKind::pin;
    Laden laden("held", make_strands(samples::curls(3), options));
    laden.state.root_target.kind[1] = std::uint8_t(EndKind::pin);
    laden.state.root_target.kind[2] = std::uint8_t(EndKind::free);
    Asked asked(laden);
    asked.mobility.invert_band();
    const Motion linear = answer(asked.mobility, random_impulses(laden.state, 2));
    const Vec3d none{};
    EXPECT_EQ(linear.velocity[0], none);
    EXPECT_EQ(linear.velocity[1], none);
    EXPECT_EQ(linear.twist_velocity[0], 0);
    EXPECT_EQ(linear.velocity[15], none);
    EXPECT_EQ(linear.velocity[16], none);
    EXPECT_NE(linear.velocity[17], none);
    EXPECT_NE(linear.twist_velocity[16], 0);
    EXPECT_NE(linear.velocity[32], none);
    const EdgeMobility e = asked.mobility.edge(0, 1);
    EXPECT_EQ(e.first, Mat3d{});
    EXPECT_EQ(e.first_second, Mat3d{});
    EXPECT_EQ(e.first_turn, none);
    EXPECT_GT(e.turn, 0);
    EXPECT_GT(e.second(0, 0), 0);
}

TEST(StrandMobility, AStrandAloneGivesTheBitsOfAll) {
    Laden laden("some", make_strands(samples::curls(7, true)));
    Asked asked(laden);
    const Motion impulses = random_impulses(laden.state, 2), linear = answer(asked.mobility, impulses);
    for (std::size_t s = 0; s < 7; ++s) {
        const std::size_t b = laden.state.begin(s), n = laden.state.end(s) - b;
        const Vec3d untouched{7, 7, 7};
        std::vector<Vec3d> v(laden.state.vertex_count(), untouched);
        std::vector<double> w(v.size(), 7);
        std::vector<std::uint8_t> only(7);
        only[s] = 1;
        asked.mobility.apply(impulses.velocity, impulses.twist_velocity, v, w, only);
        for (std::size_t i = 0; i < v.size(); ++i) {
            const bool ours = i >= b && i < b + n;
            EXPECT_EQ(v[i], ours ? linear.velocity[i] : untouched);
            EXPECT_EQ(w[i], ours ? linear.twist_velocity[i] : 7);
        }
    }
}

/// Everything a mobility says, as numbers.
std::vector<double> all_said(const Laden& laden, Asked& asked) {
    asked.mobility.invert_band();
    const Motion linear = answer(asked.mobility, random_impulses(laden.state, 9));
    std::vector<double> said = linear.twist_velocity;
    for (const Vec3d& v : linear.velocity) said.insert(said.end(), {v.x, v.y, v.z});
    for (std::size_t s = 0; s < laden.state.strand_count(); ++s)
        for (std::size_t e = laden.state.begin(s); e + 1 < laden.state.end(s); ++e) {
            const EdgeMobility m = asked.mobility.edge(s, e);
            said.push_back(m.turn);
            for (int c = 0; c < 3; ++c)
                said.insert(said.end(), {m.first(c, 0), m.second(0, c), m.first_second(c, 1), m.first_turn[c],
                                         m.second_turn[c]});
        }
    return said;
}

TEST(StrandMobility, ThreadsAndPackMatesChangeNoBit) {
    Laden laden("many", make_strands(samples::curls(40, true)));
    samples::stir(laden.state, 1, 20);
    const auto said = [&](int threads) {
        return with_threads(threads, [&] {
            Asked asked(laden, {});
            return all_said(laden, asked);
        });
    };
    EXPECT_EQ(said(1), said(3));

    Laden alone("alone", make_strands(samples::curls(1))),
        company("company", make_strands(samples::curls(4)));
    samples::stir(company.state, 3, 50);
    std::copy_n(company.state.velocity.begin(), 16, alone.state.velocity.begin());
    std::copy_n(company.state.twist_velocity.begin(), 16, alone.state.twist_velocity.begin());
    Asked one(alone, {}), four(company, {});
    ASSERT_NE(four.report.iterations, 4 * one.report.iterations);  // they end in different rounds
    const auto a = all_said(alone, one), b = all_said(company, four);
    EXPECT_TRUE(std::equal(a.begin() + 16, a.begin() + 64, b.begin() + 64));  // velocities
    EXPECT_TRUE(std::equal(a.begin() + 64, a.end(), b.begin() + 256));        // band of the inverse
}

TEST(StrandMobility, AskingChangesNoBitOfTheSolve) {
    for (Laden& laden : samples::laden_strands()) {
        const StrandState before = laden.state;
        Asked asked(laden, {});
        const Motion first = asked.motion;
        all_said(laden, asked);
        Motion plain;
        Solver().solve(laden.state, laden.materials, laden.loads(), laden.dt, plain);
        asked.solver.solve(laden.state, laden.materials, laden.loads(), laden.dt, asked.motion);
        for (const Motion* m : {&first, static_cast<const Motion*>(&asked.motion)}) {
            EXPECT_EQ(m->velocity, plain.velocity);
            EXPECT_EQ(m->twist_velocity, plain.twist_velocity);
        }
        EXPECT_EQ(laden.state.position, before.position);
        EXPECT_EQ(laden.state.velocity, before.velocity);
        EXPECT_EQ(laden.state.reference_director, before.reference_director);
    }
}

// A straight rod pushed along its length beyond buckling: by symmetry it stays straight, on a saddle of the
// potential, where only the Gauss-Newton Hessian is positive.
TEST(StrandMobility, IsPositiveWhereTheExactHessianIsNot) {
    Laden laden("pushed", make_strands(samples::straight(15, 0.15, 1e-3)));
    laden.dt = 0.05;
    laden.force.assign(16, Vec3d{});
    laden.force[15] = {-0.05, 0, 0};
    laden.gravity = {};
    Asked asked(laden);
    asked.mobility.invert_band();
    ASSERT_LT(DenseStep(laden, asked.motion, 0).c.eigenvalues().real().minCoeff(), 0);
    const Eigen::MatrixXd z = DenseStep(laden, asked.motion, 0, 0.0).inverse();
    for (std::size_t i = 2; i < 16; ++i) {
        const Mat3d m = asked.mobility.vertices(0, i, i);
        const auto row = Eigen::Index(4 * i);
        EXPECT_GT(z(row + 1, row + 1), 0);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(m(c, c) / z(row + c, row + c), 1, 1e-6);
    }
}

/// Bytes of state, motion, solver and mobility for each vertex of many strands.
TEST(StrandMobility, MemoryIsBounded) {
    with_threads(1, [] {
        Curves hair;
        for (int k = 0; k < 1000; ++k)
            samples::add_curl(hair, 30, {0, 0.01 * k, 0}, 0.15, 0.004, 0.05, 0.7 * k, 1e-3);
        const StrandState state = make_strands(hair);
        const std::vector<StrandMaterial> materials{samples::rubber()};
        std::size_t bytes = 0;
        visit_leaf_fields(state, [&](const FieldInfo&, const auto& field) {
            if constexpr (requires { field.capacity(); }) bytes += field.capacity() * sizeof(field[0]);
        });
        Solver solver;
        Motion motion;
        Mobility mobility;
        const auto per_vertex = [&] {
            const std::size_t all = bytes + motion.velocity.capacity() * sizeof(Vec3d) +
                                    motion.twist_velocity.capacity() * sizeof(double) + solver.memory() +
                                    mobility.memory();
            return double(all) / double(state.vertex_count());
        };
        const double empty = double(mobility.memory()) / double(state.vertex_count());
        EXPECT_LT(empty, 1);
        solver.solve(state, materials, {}, 0.002, motion);
        EXPECT_LE(per_vertex(), 210);
        solver.solve(state, materials, {}, 0.002, motion, {}, &mobility);
        mobility.invert_band();
        EXPECT_GT(per_vertex(), 600) << "factor and band of the inverse";
        EXPECT_LE(per_vertex(), 1200);
    });
}

TEST(StrandMobility, KnowsWhetherItWasFilled) {
    Mobility mobility;
    std::vector<Vec3d> v(16);
    EXPECT_THROW(mobility.apply(v, {}, v, {}), Error);
    EXPECT_THROW(mobility.invert_band(), Error);
    Laden laden("one", make_strands(samples::curls(1)));
    Motion motion;
    Solver().solve(laden.state, laden.materials, laden.loads(), laden.dt, motion, {}, &mobility);
    EXPECT_NO_THROW(mobility.apply(v, {}, v, {}));
    v.resize(15);
    EXPECT_THROW(mobility.apply(v, {}, v, {}), Error);
}

/// The last strand of a sample, stepped in two halves: how its motion answers impulses, by differences and as
/// a mobility would say.
struct HalvedStep {
    Laden laden;
    std::size_t strand, begin, count;
    Motion impulses, real, linear;

    HalvedStep(const Laden& sample, const Motion& all)
        : laden(sample),
          strand(laden.state.strand_count() - 1),
          begin(laden.state.begin(strand)),
          count(laden.state.end(strand) - begin),
          impulses(combined(all, all, 0, 0)) {
        for (std::size_t i = begin; i < begin + count; ++i) {
            impulses.velocity[i] = all.velocity[i];
            impulses.twist_velocity[i] = all.twist_velocity[i];
        }
        real = combined(solved(1e-2), solved(-1e-2), 50, -50);
        linear = answered(solved(0));
    }
    double error() const { return speed(combined(real, linear, 1, -1)) / speed(real); }
    /// Work of the impulses as it is over what the linear answer says.
    double work_ratio() const { return work(real) / work(linear); }

 private:
    Motion solved(double part) {
        const Motion given = combined(impulses, impulses, part, 0);
        laden.impulse = given.velocity;
        laden.angular_impulse = given.twist_velocity;
        SolveOptions options = samples::to_the_end();
        options.most_pieces = 2;
        Motion out = combined(impulses, impulses, 0, 0);
        const Loads loads = laden.loads();
        const StepInput input{laden.state, laden.materials, loads, laden.dt};
        const StrandOutcome outcome = solve_in_pieces(input, strand, options, out);
        EXPECT_TRUE(outcome.solved && outcome.pieces == 2);
        return out;
    }
    Motion answered(const Motion& end) const {
        const Loads loads = laden.loads();
        const std::size_t unknowns = unknown_count(count);
        std::vector<double> factor(Band::factor_size(unknowns)), x(Band::vector_size(unknowns), 0.0);
        const StepInput input{laden.state, laden.materials, loads, laden.dt};
        EXPECT_TRUE(factor_where_pieces_ended(input, strand, 2, end, factor));
        Motion out = impulses;
        const auto number = [&](std::size_t i) -> double& {
            return i % 4 == 3 ? out.twist_velocity[begin + i / 4] : out.velocity[begin + i / 4][int(i % 4)];
        };
        for (std::size_t i = 0; i < unknowns; ++i) x[i] = number(i);
        Band::solve<double>(factor, unknowns, x);
        for (std::size_t i = 0; i < unknowns; ++i) number(i) = x[i];
        return out;
    }
    double work(const Motion& a) const {
        double sum = 0;
        for (std::size_t i = begin; i < begin + count; ++i)
            sum +=
                dot(a.velocity[i], impulses.velocity[i]) + a.twist_velocity[i] * impulses.twist_velocity[i];
        return sum;
    }
};

// A linear mode of any frequency that is stepped in two halves answers between 1 and 4/3 of what the whole
// step with 4/3 of its mass does.
TEST(StrandMobility, OfAStepInPiecesIsNearItsDerivative) {
    for (Laden& laden : samples::laden_strands())
        for (const double dt : {0.001, 0.004}) {
            laden.dt = dt;
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                const HalvedStep halved(laden, random_impulses(laden.state, seed));
                EXPECT_GT(halved.work_ratio(), 0.98) << laden.name << " " << dt;
                EXPECT_LT(halved.work_ratio(), 1.34) << laden.name << " " << dt;
            }
        }
}

// Free flight, and springs that leave inertia no part: exact in both.
TEST(StrandMobility, OfAStepInPiecesIsExactInBothLimits) {
    MakeOptions options;
    options.root = EndKind::free;
    Laden free("free", make_strands(samples::straight(15, 0.15, 1e-3), options));
    Motion push = random_impulses(free.state, 0);
    for (std::size_t i = 0; i < 16; ++i) {
        push.velocity[i] = (i == 0 || i == 15 ? 0.5 : 1) * Vec3d{1e-6, 2e-6, -3e-6};
        push.twist_velocity[i] = i == 15 ? 0 : 1e-9;
    }
    EXPECT_LT(HalvedStep(free, push).error(), 1e-7);

    Laden stiff("stiff", make_strands(samples::curls(1)));
    stiff.dt = 60;  // inertia has 2e-4 of a part, falling with dt²
    stiff.gravity = {};
    EXPECT_LT(HalvedStep(stiff, random_impulses(stiff.state, 1)).error(), 1e-3);
}

// Through the solver: strands that were cut answer by their pieces, their pack-mates as ever.
TEST(StrandMobility, PackMatesOfACutStrandAnswerAsEver) {
    Laden laden("cut", make_strands(samples::curls(7)));
    laden.dt = 0.008;
    samples::stir(laden.state, 4, 20);
    for (std::size_t i = laden.state.begin(2); i < laden.state.end(2); ++i)
        laden.state.velocity[i] = {}, laden.state.twist_velocity[i] = 0;
    SolveOptions hasty;
    hasty.most_iterations = 4;
    Asked cut(laden, hasty), whole(laden, {});
    ASSERT_GT(cut.report.in_pieces, 0u);
    ASSERT_LT(cut.report.in_pieces, 7u);
    const Motion impulses = random_impulses(laden.state, 5);
    const Motion a = answer(cut.mobility, impulses), b = answer(whole.mobility, impulses);
    std::size_t same = 0;
    for (std::size_t s = 0; s < 7; ++s) {
        const std::size_t at = laden.state.end(s) - 1;
        if (cut.motion.velocity[at] == whole.motion.velocity[at]) {
            ++same;
            EXPECT_EQ(a.velocity[at], b.velocity[at]);
        } else {
            EXPECT_NE(a.velocity[at], b.velocity[at]);
            EXPECT_GT(length(a.velocity[at]), 0.1 * length(b.velocity[at]));
            EXPECT_LT(length(a.velocity[at]), 10 * length(b.velocity[at]));
        }
    }
    EXPECT_EQ(same, 7 - cut.report.in_pieces);
    const auto said = [&](int threads) {
        return with_threads(threads, [&] {
            Asked asked(laden, hasty);
            return all_said(laden, asked);
        });
    };
    EXPECT_EQ(said(1), said(3));
}

}  // namespace
}  // namespace rivulet::strand
