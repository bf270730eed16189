#include <algorithm>
#include <cmath>

#include <rivulet/contact/cone_sides.h>
#include <rivulet/contact/cone_solver.h>
#include <rivulet/contact/coulomb.h>
#include <rivulet/contact/impulses.h>
#include <rivulet/strand/energy.h>
#include <rivulet/verify/cone_reference.h>
#include <rivulet/verify/contact_rig.h>

/// The solver of Coulomb's law against dense problems solved another way.
namespace rivulet::verify {
namespace {

using contact::samples::Problem;
using contact::samples::Recipe;
using contact::samples::Reference;

struct Compared {
    int problems = 0, passed_over = 0;
    double worst = 0;  // difference of the impulses, relative
};

/// A solution is compared where it is unique, and the reference has found it: S not as good as singular.
bool comparable(const Problem& p, const Reference& reference) {
    const Eigen::VectorXd spectrum = p.delassus().selfadjointView<Eigen::Lower>().eigenvalues();
    return spectrum.minCoeff() > 1e-4 * spectrum.maxCoeff() && reference.residual < 1e-13L;
}

/// The law at one contact, by its quartic.
Compared local_problems(int count) {
    Compared all;
    for (int i = 0; i < count; ++i) {
        Recipe recipe;
        recipe.owners = 2, recipe.contacts = 1, recipe.friction = 0.1 * (i % 8);
        const Problem p = random_problem(std::uint64_t(i), recipe);
        const Reference reference(p, 20000);
        if (!comparable(p, reference)) {
            ++all.passed_over;
            continue;
        }
        const Eigen::MatrixXd s = p.delassus();
        const Eigen::VectorXd f = p.free();
        Mat3d w;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) w(r, c) = s(r, c);
        const Vec3d free{f(0) + p.cones[0].clearance, f(1), f(2)};
        ++all.problems;
        all.worst = std::max(all.worst,
                             difference(reference, {contact::solve_coulomb(w, free, p.cones[0].friction)}));
    }
    return all;
}

/// Up to seven contacts of up to six bodies, with bridges, walls and bodies that touch themselves.
Compared global_problems(int count) {
    Compared all;
    contact::ConeSolver solver;
    for (int i = 0; i < count; ++i) {
        Recipe recipe;
        recipe.owners = 3 + i % 4, recipe.contacts = 1 + i % 7, recipe.friction = 0.1 * (i % 5);
        if (i % 3 == 1) recipe.stiffness = 100, recipe.pull = 0.3;
        if (i % 3 == 2) recipe.self = 0.3;
        const Problem p = random_problem(std::uint64_t(i), recipe);
        const Reference reference(p, 20000);
        if (!comparable(p, reference)) {
            ++all.passed_over;
            continue;
        }
        std::vector<Vec3d> impulse(p.cones.size());
        solver.solve(p.cones, p.answers, p.velocity, p.turning, {1e-12, 100000}, impulse);
        ++all.problems;
        all.worst = std::max(all.worst, difference(reference, impulse));
    }
    return all;
}

/// S r by way of the bodies against the dense Delassus matrix, relative.
double products(int count) {
    double worst = 0;
    contact::ConeSides sides;
    for (int i = 0; i < count; ++i) {
        Recipe recipe;
        recipe.contacts = 12, recipe.self = 0.3, recipe.walls = 0.3;
        const Problem p = random_problem(std::uint64_t(i), recipe);
        const Random random(91, std::uint64_t(i));
        const auto n = Eigen::Index(p.cones.size());
        Eigen::VectorXd r(3 * n), by_bodies(3 * n);
        std::vector<Vec3d> impulse, node(p.answers.nodes());
        std::vector<double> turn(p.answers.nodes());
        for (Eigen::Index k = 0; k < n; ++k) {
            impulse.push_back(random.direction(std::uint64_t(k)));
            for (int c = 0; c < 3; ++c) r(3 * k + c) = impulse.back()[c];
        }
        sides.prepare(p.cones, p.answers);
        for (std::size_t k = 0; k < p.cones.size(); ++k) {
            const auto& axes = p.cones[k].axes;
            for (std::size_t side = 0; side < 2; ++side)
                if (const std::uint32_t slot = sides.slot(k, side); slot != contact::ConeSides::kNone)
                    sides[slot] = axes[0] * impulse[k].x + axes[1] * impulse[k].y + axes[2] * impulse[k].z;
        }
        sides.gather(node, turn);
        p.answers.apply(node, turn, node, turn, {});
        for (Eigen::Index k = 0; k < n; ++k) {
            contact::Cone cone = p.cones[std::size_t(k)];
            cone.wall = {};
            const Vec3d v = contact::contact_velocity(cone, node, turn);
            for (int c = 0; c < 3; ++c) by_bodies(3 * k + c) = v[c];
        }
        const Eigen::VectorXd dense = p.delassus() * r;
        worst = std::max(worst, (by_bodies - dense).norm() / dense.norm());
    }
    return worst;
}

struct Kept {
    double momentum = 0, angular = 0;  // the largest change in a step, and all together, see below
    std::int64_t touching = 0;         // steps with contact
};

/// Free hairs that fly at each other in pairs: what contact does to one it does to the other.
Kept thrown_pairs(double dt, int steps) {
    ContactRig rig({}, 0.3);
    rig.model.gravity = {};
    strand::MakeOptions options;
    options.root = strand::EndKind::free;
    constexpr double radius = 50e-6, speed = 0.5;
    for (std::size_t i = 0; i < 20; ++i) {
        const Random random(17, i);
        const Vec3d place{0.1 * double(i), 0, 0}, towards = random.direction(0);
        for (const double side : {-1.0, 1.0}) {
            const Vec3d along = random.direction(side < 0 ? 1 : 2) * 0.01;
            const Vec3d middle = place + towards * (side * 5e-4);
            const std::size_t first = rig.strands().vertex_count();
            rig.add_strand(line(middle - along, middle + along, 8), radius, options);
            for (std::size_t v = first; v < rig.strands().vertex_count(); ++v)
                rig.strands().velocity[v] = towards * (-side * speed);
        }
    }
    Kept kept;
    const auto totals = [&] { return strand::totals(rig.strands(), rig.model.strands.materials, {}); };
    strand::Totals before = totals();
    for (int k = 0; k < steps; ++k) {
        rig.step(dt);
        const strand::Totals after = totals();
        double exchanged = 0;
        for (const Vec3d& j : rig.world.contacts.impulse) exchanged += length(j);
        if (exchanged > 0) {
            ++kept.touching;
            kept.momentum = std::max(kept.momentum, length(after.momentum - before.momentum));
        }
        kept.angular += length(after.angular_momentum - before.angular_momentum);
        before = after;
    }
    // Over what all hairs have when they fly, and the spin they have when they turn with that at their ends.
    kept.momentum /= speed * before.mass;
    kept.angular /= speed * 0.01 * before.mass;
    return kept;
}

Outcome run_cone_solver(const Options& o) {
    Outcome out;
    using Kind = Quantity::Kind;
    const Compared local = local_problems(o.quick ? 300 : 3000),
                   global = global_problems(o.quick ? 200 : 2000);
    out.quantities.push_back(
        {"one contact, impulses against the reference", local.worst, 1e-8, 0, Kind::at_most});
    out.quantities.push_back(
        {"problems compared", double(local.problems), o.quick ? 200. : 2000., 0, Kind::at_least});
    out.quantities.push_back(
        {"up to seven contacts, impulses against the reference", global.worst, 1e-8, 0, Kind::at_most});
    out.quantities.push_back(
        {"problems compared", double(global.problems), o.quick ? 100. : 1000., 0, Kind::at_least});
    out.quantities.push_back({"products against the dense Delassus matrix", products(o.quick ? 50 : 500),
                              1e-13, 0, Kind::at_most});
    const Kept coarse = thrown_pairs(1e-3, 10), fine = thrown_pairs(6.25e-5, 160);
    out.quantities.push_back({"momentum of touching strands, change per step",
                              std::max(coarse.momentum, fine.momentum), 1e-12, 0, Kind::at_most});
    out.quantities.push_back(
        {"angular momentum, change in all at 1 ms", coarse.angular, 1e-2, 0, Kind::at_most});
    out.quantities.push_back({"the same at 1/16 ms", fine.angular, 0.5 * coarse.angular, 0, Kind::at_most});
    out.remark = std::to_string(local.passed_over) + " and " + std::to_string(global.passed_over) +
                 " problems passed over: as good as redundant, or not found by the reference; steps with "
                 "contact: " +
                 std::to_string(coarse.touching) + " and " + std::to_string(fine.touching);
    return out;
}

}  // namespace

std::vector<Case> contact_cone_cases() {
    return {{"contact", "cone_solver", "dense problems, descent on the natural map in extended precision",
             run_cone_solver}};
}

}  // namespace rivulet::verify
