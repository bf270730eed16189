#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>

#include "strand/laden_strands.h"

#include <rivulet/base/error.h>
#include <rivulet/strand/mass.h>
#include <rivulet/strand/rod_loader.h>
#include <rivulet/strand/rod_potential.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {
namespace {

using samples::Laden;

constexpr double kNone = 0, kInfinite = std::numeric_limits<double>::infinity();

StrandState free_strand(const Curves& curves) {
    MakeOptions options;
    options.root = EndKind::free;
    return make_strands(curves, options);
}

Motion solved(const Laden& laden) {
    Motion motion;
    Solver().solve(laden.state, laden.materials, laden.loads(), laden.dt, motion, samples::to_the_end());
    return motion;
}

double mass_of(const Laden& laden, std::size_t i) {
    return vertex_mass(laden.state, laden.materials, 0, i);
}

/// `ratio` times the mass of the strand, with one friction. Its end vertices are dry unless `ends`: half of
/// their film would have no edge to slide along.
void wet_evenly(Laden& laden, double ratio, double friction, bool ends = false) {
    const std::size_t n = laden.state.vertex_count();
    for (std::size_t i = 0; i < n; ++i)
        laden.film_mass.push_back(ends || (i > 0 && i + 1 < n) ? ratio * mass_of(laden, i) : 0);
    laden.film_friction.assign(n, friction);
}

Vec3d tangent(const StrandState& s, std::size_t edge) {
    return normalized(s.position[edge + 1] - s.position[edge]);
}

/// dt² × Hessian at no displacement, dense; with it the pull, dt² × −gradient.
struct DenseInertia {
    Eigen::MatrixXd hessian;
    Eigen::VectorXd pull;

    explicit DenseInertia(const Laden& laden) {
        const Loads loads = laden.loads();
        const StepInput input{laden.state, laden.materials, loads, laden.dt};
        RodProblem<double> p;
        RodLoader<double>(input, {{0}}).load(p);
        evaluate_potential(p, p.trial, 1.0);
        const std::size_t n = unknown_count(p.vertices);
        hessian = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n));
        pull.resize(Eigen::Index(n));
        const double square = laden.dt * laden.dt;
        for (std::size_t j = 0; j < n; ++j) {
            pull(Eigen::Index(j)) = -square * p.gradient[j];
            for (std::size_t i = j; i < std::min(n, j + 11); ++i)
                hessian(Eigen::Index(i), Eigen::Index(j)) = hessian(Eigen::Index(j), Eigen::Index(i)) =
                    square * p.band[Band::index(i, j)];
        }
    }
};

// M = m_f − Σ v vᵀ/(m_e + dt c), and momentum and weight by the same M.
TEST(StrandLoads, TheFilmsTermIsTheEffectiveMass) {
    Laden dry("dry", free_strand(samples::curls(1)));
    samples::stir(dry.state, 0.3, 5);
    Laden wet = dry;
    wet.wet(20);
    wet.film_mass[4] = wet.film_mass[5] = wet.film_friction[4] = 0;  // a dry edge
    const DenseInertia a(dry), b(wet);
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(a.hessian.rows(), a.hessian.cols());
    Eigen::VectorXd fall = Eigen::VectorXd::Zero(a.pull.size());
    for (std::size_t i = 0; i < 16; ++i)
        for (int c = 0; c < 3; ++c) {
            const Eigen::Index row = Eigen::Index(4 * i) + c;
            mass(row, row) = wet.film_mass[i];
            fall(row) = wet.dt * (wet.state.velocity[i][c] + wet.dt * wet.gravity[c]);
        }
    for (std::size_t e = 0; e < 15; ++e) {
        const Eigen::Index row = Eigen::Index(4 * e);
        const double held = 0.5 * (wet.film_mass[e] + wet.film_mass[e + 1]) + wet.dt * wet.film_friction[e];
        Eigen::VectorXd v = Eigen::VectorXd::Zero(mass.rows());
        for (int c = 0; c < 3; ++c) {
            v(row + c) = 0.5 * wet.film_mass[e] * tangent(wet.state, e)[c];
            v(row + 4 + c) = 0.5 * wet.film_mass[e + 1] * tangent(wet.state, e)[c];
        }
        if (held > 0) mass -= v * v.transpose() / held;
        mass(row + 3, row + 3) = wet.film_inertia[e];
        fall(row + 3) = wet.dt * wet.state.twist_velocity[e];
    }
    const double scale = mass.cwiseAbs().maxCoeff();
    // NOTE: round-off of the stiffness that the difference takes away, 1e-16 × dt² EA/l.
    EXPECT_LT((b.hessian - a.hessian - mass).cwiseAbs().maxCoeff(), 1e-9 * scale);
    EXPECT_LT((b.pull - a.pull - mass * fall).cwiseAbs().maxCoeff(), 1e-9 * scale * fall.norm());
    EXPECT_GT(mass.eigenvalues().real().minCoeff(), -1e-12 * scale);
}

// A straight free strand gets impulses in proportion to its mass, with or without that of the film: it moves
// as a whole if that is the mass which the push feels.
TEST(StrandLoads, FilmLoadsAcrossAndByItsFrictionAlong) {
    const auto speeds = [](double friction, const Vec3d& push, double film_part) {
        Laden laden("free", free_strand(samples::straight(15, 0.15, 1e-3)));
        laden.gravity = {};
        wet_evenly(laden, 3, friction);
        for (std::size_t i = 0; i < 16; ++i)
            laden.impulse[i] = (mass_of(laden, i) + film_part * laden.film_mass[i]) * push;
        std::vector<double> along;
        for (const Vec3d& v : solved(laden).velocity) along.push_back(dot(v, push));
        return along;
    };
    const Vec3d along{1, 0, 0}, across{0, 1, 0};
    const auto all_one = [](const std::vector<double>& v) {
        for (const double u : v) EXPECT_NEAR(u, 1, 1e-9);
    };
    for (const double friction : {kNone, 0.05, kInfinite}) all_one(speeds(friction, across, 1));
    all_one(speeds(kNone, along, 0));
    all_one(speeds(kInfinite, along, 1));
    EXPECT_GT(speeds(0.05, along, 1)[7], 1.1);  // in between
    EXPECT_LT(speeds(0.05, along, 0)[7], 0.9);
}

TEST(StrandLoads, AFilmThatSticksIsAddedMass) {
    Laden wet("wet", make_strands(samples::curls(1)));
    samples::stir(wet.state, 0.3, 5);
    Laden heavy = wet;
    wet_evenly(wet, 4, kInfinite, true);
    const double inertia = edge_inertia(1000.0, edge_section(wet.state, 0, 0), 1.0);
    for (std::size_t i = 0; i < 16; ++i) wet.film_inertia.push_back(4 * inertia * wet.state.rest_length[i]);
    heavy.materials[0].density *= 5;
    const Motion a = solved(wet), b = solved(heavy);
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_LT(length(a.velocity[i] - b.velocity[i]), 1e-11);
        EXPECT_NEAR(a.twist_velocity[i], b.twist_velocity[i], 1e-8);
    }
}

// A film without friction hangs on nothing: a vertical strand stretches, given time, under its own weight
// only; and a free strand falls with its film.
TEST(StrandLoads, AFilmThatSlidesFallsByItself) {
    Laden dry("dry", make_strands(samples::straight(15, 0.15, 1e-3, {0, -1, 0})));
    dry.dt = 1000;
    Laden slides = dry, sticks = dry;
    wet_evenly(slides, 10, kNone);
    wet_evenly(sticks, 10, kInfinite);
    const double alone = solved(dry).velocity[15].y;
    EXPECT_NEAR(solved(slides).velocity[15].y / alone, 1, 1e-6);
    EXPECT_GT(solved(sticks).velocity[15].y / alone, 5);

    Laden free("free", free_strand(samples::curls(1)));
    free.wet(20);
    for (const Vec3d& v : solved(free).velocity) EXPECT_LT(length(v - free.dt * free.gravity), 1e-11);
}

// Σ (m_s + m_f) u + Σ m_e u_f t grows by impulses and weight only, the film's speed from
// u_f′ = [m_e u_f − t·Σ ½ m_f Δu + dt m_e g·t]/(m_e + dt c).
TEST(StrandLoads, StrandAndFilmKeepTheirMomentum) {
    Laden wet("wet", free_strand(samples::curls(1)));
    samples::stir(wet.state, 0.3, 5);
    wet.wet(300);
    const Random r(1, 2);
    std::vector<double> speed;
    Vec3d given, before, after;
    for (std::size_t i = 0; i < 16; ++i) {
        wet.impulse[i] = 1e-4 * r.direction(i);
        given += wet.impulse[i] + (wet.dt * (mass_of(wet, i) + wet.film_mass[i])) * wet.gravity;
        before += (mass_of(wet, i) + wet.film_mass[i]) * wet.state.velocity[i];
    }
    const auto along = [&](std::size_t e) { return 0.5 * (wet.film_mass[e] + wet.film_mass[e + 1]); };
    const auto slip = [&](std::size_t e) { return wet.dt * wet.film_friction[e]; };
    for (std::size_t e = 0; e < 15; ++e) {
        speed.push_back(r.uniform(100 + e, -1, 1));
        const Vec3d t = tangent(wet.state, e);
        before += (along(e) * speed[e]) * t;
        const double dragged = speed[e] * slip(e) / (along(e) + slip(e));
        wet.impulse[e] += (0.5 * wet.film_mass[e] * dragged) * t;
        wet.impulse[e + 1] += (0.5 * wet.film_mass[e + 1] * dragged) * t;
    }
    const Motion end = solved(wet);
    for (std::size_t i = 0; i < 16; ++i) after += (mass_of(wet, i) + wet.film_mass[i]) * end.velocity[i];
    for (std::size_t e = 0; e < 15; ++e) {
        const Vec3d t = tangent(wet.state, e);
        const auto change = [&](std::size_t i) {
            return 0.5 * wet.film_mass[i] * dot(t, end.velocity[i] - wet.state.velocity[i]);
        };
        const double pushed = along(e) * (speed[e] + wet.dt * dot(wet.gravity, t));
        after += (along(e) * (pushed - change(e) - change(e + 1)) / (along(e) + slip(e))) * t;
    }
    EXPECT_LT(length(after - before - given), 1e-12 * length(before));
}

// The speed of a film, forces along it and its tension push as the impulses that the law names.
TEST(StrandLoads, WhatAFilmPushesIsAnImpulseOnItsVertices) {
    for (const std::uint8_t dammed : {std::uint8_t(0), kRootDams, kTipDams}) {
        Laden pushed("pushed", free_strand(samples::curls(1)));
        samples::stir(pushed.state, 0.3, 5);
        pushed.wet(20);
        pushed.film_mass[4] = pushed.film_mass[5] = 0;  // a dry edge
        pushed.film_friction[7] = kInfinite;
        pushed.film_dammed = {dammed};
        Laden flows = pushed;
        const Random r(1, 2);
        for (std::size_t i = 0; i < 16; ++i) {
            flows.film_speed.push_back(r.uniform(i, -1, 1));
            flows.film_force.push_back(i == 4 ? 0.0 : 1e-3 * r.uniform(100 + i, -1, 1));
            flows.film_tension.push_back(1e-3 * r.uniform(200 + i));
        }
        const double dt = flows.dt;
        const auto slides = [&](std::size_t i) {
            const bool stops = (i == 0 && dammed == kRootDams) || (i == 15 && dammed == kTipDams);
            return stops ? 0.0 : flows.film_mass[i];
        };
        for (std::size_t e = 0; e < 15; ++e) {
            const double mass = 0.5 * (slides(e) + slides(e + 1)), slip = dt * flows.film_friction[e];
            if (mass == 0) continue;
            const Vec3d t = tangent(flows.state, e);
            const double force = flows.film_force[e], pull = flows.film_tension[e];
            const double along =
                (std::isinf(slip) ? 1.0 : slip / (mass + slip)) * (flows.film_speed[e] + dt * force / mass) -
                dt * (force - (flows.film_tension[e + 1] - pull)) / mass;
            pushed.impulse[e] += (0.5 * slides(e) * along + dt * pull) * t;
            pushed.impulse[e + 1] += (0.5 * slides(e + 1) * along - dt * flows.film_tension[e + 1]) * t;
        }
        const Motion a = solved(flows), b = solved(pushed);
        for (std::size_t i = 0; i < 16; ++i)
            EXPECT_LT(length(a.velocity[i] - b.velocity[i]), 1e-9 * (1 + length(b.velocity[i])));
    }
}

TEST(StrandLoads, TorquesAndAngularImpulsesSpinAStrand) {
    Laden laden("free", free_strand(samples::straight(15, 0.15, 1e-3)));
    laden.torque.assign(16, 0.0);
    double given = 0, spin = 0;
    const Random r(6, 6);
    for (std::size_t e = 0; e < 15; ++e) {
        laden.angular_impulse[e] = 1e-9 * r.uniform(e, -1, 2);
        laden.torque[e] = 1e-7 * r.uniform(50 + e, -1, 2);
        given += laden.angular_impulse[e] + laden.dt * laden.torque[e];
    }
    const Motion end = solved(laden);
    for (std::size_t e = 0; e < 15; ++e)
        spin += edge_inertia(1000.0, edge_section(laden.state, 0, e), laden.state.rest_length[e]) *
                end.twist_velocity[e];
    EXPECT_NEAR(spin / given, 1, 1e-10);
    // Held by its root and left long enough, the torque at the tip is what twists every joint.
    Laden held("held", make_strands(samples::straight(15, 0.15, 1e-3)));
    held.gravity = {};
    held.dt = 100;
    held.torque.assign(16, 0.0);
    held.torque[14] = 1e-7;
    const double torsion = held.materials[0].shear() * std::numbers::pi * 1e-12 / 2;
    // 13.5 joints' lengths of 1 cm: the clamped edge is rigid, and the last edge turns as a whole.
    EXPECT_NEAR(held.dt * solved(held).twist_velocity[14] * torsion / (1e-7 * 0.135), 1, 1e-6);
}

TEST(StrandLoads, LoadsOfTheWrongLengthAreRefused) {
    Laden laden("one", make_strands(samples::curls(1)));
    for (std::vector<double>* v : {&laden.torque, &laden.film_mass, &laden.film_friction, &laden.film_inertia,
                                   &laden.film_speed, &laden.film_force, &laden.film_tension}) {
        v->assign(15, 0.0);
        EXPECT_THROW(solved(laden), Error);
        v->clear();
    }
    laden.angular_impulse.resize(3);
    EXPECT_THROW(solved(laden), Error);
}

// Nothing given, and zeros given, are the same to the bit: empty spans leave out no more than zeros.
TEST(StrandLoads, ZerosAreNothing) {
    Laden nothing("none", make_strands(samples::curls(5)));
    samples::stir(nothing.state, 0.5, 3);
    nothing.impulse.clear();
    nothing.angular_impulse.clear();
    Laden zeros = nothing;
    const std::size_t n = zeros.state.vertex_count();
    zeros.impulse.assign(n, Vec3d{});
    for (auto* v : {&zeros.angular_impulse, &zeros.torque, &zeros.film_mass, &zeros.film_friction,
                    &zeros.film_inertia, &zeros.film_speed, &zeros.film_force, &zeros.film_tension})
        v->assign(n, 0.0);
    const Motion a = solved(nothing), b = solved(zeros);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.twist_velocity, b.twist_velocity);
}

}  // namespace
}  // namespace rivulet::strand
