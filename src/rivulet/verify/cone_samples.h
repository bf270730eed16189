#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/contact/cones.h>

/// Random contact problems small enough to be solved densely, for tests and validation.
namespace rivulet::contact::samples {

/// Bodies whose answers are dense matrices: 4 unknowns per node, three velocities and a turning rate.
class DenseAnswers final : public Answers {
 public:
    std::vector<Eigen::MatrixXd> inverse;  // per owner
    std::vector<std::size_t> first{0};
    mutable std::vector<Eigen::MatrixXd> bedded{};

    void add_owner(const Eigen::MatrixXd& c) {
        inverse.push_back(c);
        first.push_back(first.back() + std::size_t(c.rows()) / 4);
    }
    std::size_t nodes() const override { return first.back(); }
    std::size_t owners() const override { return inverse.size(); }
    std::size_t first_node(std::size_t owner) const override { return first[owner]; }
    void apply(std::span<const Vec3d> impulse, std::span<const double> angular_impulse,
               std::span<Vec3d> velocity, std::span<double> turning,
               std::span<const std::uint8_t> only) const override {
        for (std::size_t s = 0; s < owners(); ++s) {
            if (!only.empty() && !only[s]) continue;
            Eigen::VectorXd p(inverse[s].rows());
            for (std::size_t n = first[s]; n < first[s + 1]; ++n) {
                const auto at = Eigen::Index(4 * (n - first[s]));
                for (int c = 0; c < 3; ++c) p(at + c) = impulse[n][c];
                p(at + 3) = angular_impulse[n];
            }
            const Eigen::VectorXd u = inverse[s] * p;
            for (std::size_t n = first[s]; n < first[s + 1]; ++n) {
                const auto at = Eigen::Index(4 * (n - first[s]));
                velocity[n] = {u(at), u(at + 1), u(at + 2)}, turning[n] = u(at + 3);
            }
        }
    }
    Mat3d own(const Cone& cone) const override {
        Mat3d w;
        for (int side = 0; side < 2; ++side) {
            const std::uint32_t owner = cone.owner[std::size_t(side)];
            if (owner == Cone::kNone) continue;
            const Eigen::MatrixXd e = rows(cone, owner, side), block = e * inverse[owner] * e.transpose();
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) w(i, j) += block(i, j);
        }
        return w;
    }
    void bed(std::span<const Cone> cones, std::span<const double> along,
             std::span<const double> across) const override {
        bedded.clear();
        for (std::uint32_t o = 0; o < owners(); ++o) {
            // Woodbury: A - A Eᵀ (R⁻¹ + E A Eᵀ)⁻¹ E A, which serves bodies that do not answer, too.
            Eigen::MatrixXd a = inverse[o];
            for (std::size_t i = 0; i < cones.size(); ++i)
                for (int side = 0; side < 2; ++side) {
                    if (cones[i].owner[std::size_t(side)] != o || !(along[i] > 0)) continue;
                    Eigen::MatrixXd axes(3, 3);
                    for (int r = 0; r < 3; ++r)
                        for (int c = 0; c < 3; ++c) axes(r, c) = cones[i].axes[std::size_t(r)][c];
                    const Eigen::MatrixXd e = axes * rows(cones[i], o, side);
                    Eigen::MatrixXd k = e * a * e.transpose();
                    k(0, 0) += 1 / along[i], k(1, 1) += 1 / across[i], k(2, 2) += 1 / across[i];
                    a -= a * e.transpose() * k.ldlt().solve(e * a);
                }
            bedded.push_back(a);
        }
    }
    void solve_bedded(std::span<Vec3d> velocity, std::span<double> turning,
                      std::span<const std::uint8_t> only) const override {
        DenseAnswers with;
        for (const Eigen::MatrixXd& b : bedded) with.add_owner(b);
        with.apply(velocity, turning, velocity, turning, only);
    }
    /// 3 × unknowns of an owner: velocity of the contact, world axes. One side (nodes 2k and 2k + 1) or both.
    Eigen::MatrixXd rows(const Cone& cone, std::uint32_t owner, int side = -1) const {
        Eigen::MatrixXd e = Eigen::MatrixXd::Zero(3, inverse[owner].rows());
        const auto ours = [&](std::uint32_t node) { return node >= first[owner] && node < first[owner + 1]; };
        for (int k = 0; k < 4; ++k) {
            const std::uint32_t node = cone.node[std::size_t(k)];
            if (node == Cone::kNone || !ours(node) || (side >= 0 && k / 2 != side)) continue;
            for (int c = 0; c < 3; ++c)
                e(c, Eigen::Index(4 * (node - first[owner])) + c) += cone.weight[std::size_t(k)];
        }
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t node = cone.turn[std::size_t(k)];
            if (node == Cone::kNone || !ours(node) || (side >= 0 && k != side)) continue;
            for (int c = 0; c < 3; ++c)
                e(c, Eigen::Index(4 * (node - first[owner])) + 3) += cone.arm[std::size_t(k)][c];
        }
        return e;
    }
};

/// Everything a solve is given.
struct Problem {
    DenseAnswers answers;
    std::vector<Cone> cones;
    std::vector<Vec3d> velocity;
    std::vector<double> turning;

    Eigen::MatrixXd axes(const Cone& cone) const {
        Eigen::MatrixXd a(3, 3);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) a(i, j) = cone.axes[std::size_t(i)][j];
        return a;
    }
    /// The Delassus operator in the axes of the contacts, and their free velocity.
    Eigen::MatrixXd delassus() const {
        const auto n = Eigen::Index(cones.size());
        Eigen::MatrixXd s = Eigen::MatrixXd::Zero(3 * n, 3 * n);
        for (std::uint32_t o = 0; o < answers.owners(); ++o) {
            Eigen::MatrixXd e = Eigen::MatrixXd::Zero(3 * n, answers.inverse[o].rows());
            for (Eigen::Index i = 0; i < n; ++i) {
                const Cone& cone = cones[std::size_t(i)];
                if (cone.owner[0] == o || cone.owner[1] == o)
                    e.middleRows(3 * i, 3) = axes(cone) * answers.rows(cone, o);
            }
            s += e * answers.inverse[o] * e.transpose();
        }
        return s;
    }
    Eigen::VectorXd free() const {
        Eigen::VectorXd v(3 * Eigen::Index(cones.size()));
        for (std::size_t i = 0; i < cones.size(); ++i) {
            const Cone& c = cones[i];
            Vec3d u = -c.wall;
            for (std::size_t k = 0; k < 4; ++k)
                if (c.node[k] != Cone::kNone) u += c.weight[k] * velocity[c.node[k]];
            for (std::size_t k = 0; k < 2; ++k)
                if (c.turn[k] != Cone::kNone) u += turning[c.turn[k]] * c.arm[k];
            for (int k = 0; k < 3; ++k) v(Eigen::Index(3 * i) + k) = dot(c.axes[std::size_t(k)], u);
        }
        return v;
    }
};

struct Recipe {
    int owners = 4, nodes = 3, contacts = 5;
    double friction = 0.3;
    double spread = 100;   // of the eigenvalues of a body's answer
    double stiffness = 0;  // of bridges, times the contact's own answer
    double pull = 0;       // of bridges, against the impulses of free bodies
    double self = 0;       // part of contacts within one body
    double walls = 0.2;    // part of contacts with walls
};

inline Eigen::MatrixXd random_answer(const Random& random, int unknowns, double spread) {
    Eigen::MatrixXd a(unknowns, unknowns);
    for (int i = 0; i < unknowns; ++i)
        for (int j = 0; j < unknowns; ++j) a(i, j) = random.normal(std::uint64_t(1000 + unknowns * i + j));
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(a).householderQ();
    Eigen::VectorXd d(unknowns);
    for (int i = 0; i < unknowns; ++i) d(i) = std::pow(spread, -random.uniform(std::uint64_t(i)));
    return q * d.asDiagonal() * q.transpose();
}

inline void turn_axes(Cone& cone, const Vec3d& normal) {
    const Vec3d across = any_perpendicular(normal);
    cone.axes = {normal, across, cross(normal, across)};
}

inline Problem random_problem(std::uint64_t seed, const Recipe& recipe) {
    Problem p;
    for (int o = 0; o < recipe.owners; ++o)
        p.answers.add_owner(
            random_answer(Random(seed, std::uint64_t(100 + o)), 4 * recipe.nodes, recipe.spread));
    const Random random(seed, 7);
    for (std::size_t n = 0; n < p.answers.nodes(); ++n) {
        p.velocity.push_back(random.direction(2 * n));
        p.turning.push_back(random.normal(2 * n + 1));
    }
    for (int i = 0; i < recipe.contacts; ++i) {
        const Random r(seed, std::uint64_t(1000 + i));
        Cone cone;
        const auto pick = [&](std::uint64_t k, int of) { return int(r.uniform(k) * of); };
        const auto side = [&](std::size_t k, int owner, double sign) {
            const int edge = pick(10 + k, recipe.nodes - 1);
            const double place = r.uniform(20 + k);
            const auto node = std::uint32_t(owner * recipe.nodes + edge);
            cone.owner[k] = std::uint32_t(owner);
            cone.node[2 * k] = node, cone.node[2 * k + 1] = node + 1;
            cone.weight[2 * k] = sign * (1 - place), cone.weight[2 * k + 1] = sign * place;
            cone.turn[k] = node, cone.arm[k] = 0.3 * r.direction(30 + k);
        };
        const int a = pick(0, recipe.owners);
        side(0, a, 1);
        if (r.uniform(1) < recipe.walls)
            cone.wall = 0.3 * r.direction(2);
        else if (r.uniform(3) < recipe.self)
            side(1, a, -1);
        else
            side(1, (a + 1 + pick(4, recipe.owners - 1)) % recipe.owners, -1);
        turn_axes(cone, r.direction(5));
        cone.friction = recipe.friction;
        cone.clearance = 0.1 * r.normal(6);
        const double own = trace(p.answers.own(cone)) / 3;
        if (recipe.stiffness > 0) cone.stiffness = recipe.stiffness * r.uniform(7) / own;
        if (recipe.pull != 0) cone.pull = recipe.pull * r.normal(8) / own;
        p.cones.push_back(cone);
    }
    return p;
}

}  // namespace rivulet::contact::samples
