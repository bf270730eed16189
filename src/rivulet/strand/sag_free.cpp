#include <rivulet/strand/sag_free.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/mass.h>
#include <rivulet/strand/rod_loader.h>
#include <rivulet/strand/rod_potential.h>

namespace rivulet::strand {
namespace {

using Problem = RodProblem<double>;
using Edge = elastic::RodEdge<double>;
using Energy = elastic::JointEnergy<double>;

// NOTE: a natural turn of 150° per joint; beyond it the strand cannot reach its groom without folding.
constexpr double kMostCurvature = 7.46;  // 2 tan(75°)
constexpr double kMostTwist = 2.5;       // rad per joint
constexpr std::size_t kNamed = 8;
constexpr double kNoInertia = 1e12;  // s: a step so long that inertia has no part

struct NaturalJoint {
    Vec2d curvature;
    double twist = 0;
};

/// One joint with its edges as they are, for natural shapes to be tried.
struct JointTrial {
    const RodElement<double>& element;
    Edge before, after;
    elastic::Joint<double> joint;
    double twist_now;

    JointTrial(const Problem& p, std::size_t i)
        : element(p.element[i]),
          before(elastic::place_edge(p.element[i - 1].edge, p.element[i - 1].angle, p.element[i - 1].base)),
          after(elastic::place_edge(p.element[i].edge, p.element[i].angle, p.element[i].base)),
          joint(elastic::make_joint(before, after)),
          twist_now((p.element[i].angle - p.element[i - 1].angle) + elastic::reference_twist(before, after)) {
    }

    Energy energy(const NaturalJoint& n) const {
        Energy out;
        elastic::BendRest<double> bend = element.bend;
        bend.rest = natural_curvatures(n.curvature.x, n.curvature.y, n.twist);
        elastic::add_bend(joint, before, after, bend, 0.0, out);
        elastic::add_twist(joint, before, after, twist_now, {element.twist.stiffness, n.twist}, 0.0, out);
        return out;
    }
};

/// What a joint must hold: the force across the edge after it, along two axes, and the torque about it.
Vec3d moments(const JointTrial& trial, const NaturalJoint& n) {
    const Energy e = trial.energy(n);
    return {dot(e.f, trial.after.axis1), dot(e.f, trial.after.axis2), e.angle_f};
}

/// Derivatives of the moments by natural curvature (in which they are linear) and twist.
Mat3d moment_slopes(const JointTrial& trial, const NaturalJoint& n, const Vec3d& now) {
    constexpr double kTwistStep = 1e-4;  // rad
    const auto with = [&](double k1, double k2, double twist) {
        return moments(trial, {{n.curvature.x + k1, n.curvature.y + k2}, n.twist + twist});
    };
    return Mat3d::from_columns(with(1, 0, 0) - now, with(0, 1, 0) - now,
                               (with(0, 0, kTwistStep) - with(0, 0, -kTwistStep)) / (2 * kTwistStep));
}

/// Natural shape of a joint that exerts the wanted moments: linear in the curvature, nearly so in the twist,
/// so a few Newton steps, mostly with the slopes of the first, reach round-off. False when it leaves what a
/// joint can hold.
bool solve_joint(const JointTrial& trial, const Vec3d& wanted, NaturalJoint& n) {
    double best = HUGE_VAL;
    NaturalJoint best_shape = n;
    Mat3d steps;
    for (int round = 0; round < 40; ++round) {
        const Vec3d now = moments(trial, n);
        const Vec3d missing = wanted - now;
        // Forces and torques in one measure: the edge's length is their lever.
        const double error = std::hypot(missing.x, missing.y) * trial.after.length + std::abs(missing.z);
        if (!std::isfinite(error)) return false;
        if (round > 0 && error >= 0.5 * best) {  // round-off, or slopes too old
            if (error < best) best = error, best_shape = n;
            if (round > 3) break;
        }
        const bool slow = error > 0.01 * best;
        if (error < best) best = error, best_shape = n;
        if (error == 0) break;
        if (round == 0 || slow) steps = inverse(moment_slopes(trial, n, now));
        const Vec3d step = steps * missing;
        if (!is_finite(step)) return false;
        n.curvature.x += step.x;
        n.curvature.y += step.y;
        n.twist += std::clamp(step.z, -0.5, 0.5);
    }
    n = best_shape;
    return std::hypot(n.curvature.x, n.curvature.y) <= kMostCurvature && std::abs(n.twist) <= kMostTwist;
}

/// One pass from tip to root. With E the elastic energy and e_i the edges, ∂E/∂x_j = G_{j-1} − G_j for
/// G_i = ∂E/∂e_i, so balance means G_i = weight beyond edge i; and ∂E/∂θ_i = 0. G_i is the stretch of edge i
/// plus a part of joint i + 1, known when coming from the tip, plus a part of joint i, which is solved for.
/// `change`: largest relative change of a rest length.
bool sweep(StrandState& s, std::size_t strand, std::span<const StrandMaterial> materials,
           const Vec3d& gravity, Problem& p, double& change) {
    const Loads none;
    const StepInput input{s, materials, none, kNoInertia};
    RodLoader<double>(input, {{strand}}).load_elastic(p);
    const std::size_t first = s.begin(strand);
    change = 0;
    Vec3d weight;       // beyond the edge
    Vec3d from_beyond;  // part of G_i by the joint beyond
    double torque_from_beyond = 0;
    for (std::size_t i = p.vertices - 2; i > 0; --i) {
        weight += gravity * vertex_mass(s, materials, strand, first + i + 1);
        const JointTrial trial(p, i);
        const Vec3d open = weight - from_beyond;
        const double tension = dot(open, trial.after.tangent);
        const double stiffness = p.element[i].stretch_stiffness * p.element[i].rest_length;  // E A [N]
        if (!(tension > -0.5 * stiffness)) return false;
        const double rest_length = trial.after.length / (1 + tension / stiffness);
        change = std::max(change, std::abs(rest_length / s.rest_length[first + i] - 1));
        s.rest_length[first + i] = rest_length;
        NaturalJoint n{s.natural_curvature[first + i], s.natural_twist[first + i]};
        const Vec3d wanted{dot(open, trial.after.axis1), dot(open, trial.after.axis2), -torque_from_beyond};
        if (!solve_joint(trial, wanted, n)) return false;
        s.natural_curvature[first + i] = n.curvature;
        s.natural_twist[first + i] = n.twist;
        const Energy e = trial.energy(n);
        from_beyond = e.e;
        torque_from_beyond = e.angle_e;
    }
    return true;
}

/// Largest force left on a free vertex over the strand's weight, and whether the balance is a minimum of the
/// energy: every pivot of the exact Hessian is positive.
struct Balance {
    double residual = 0;
    bool stable = false;
};

Balance examine(const StrandState& s, std::size_t strand, std::span<const StrandMaterial> materials,
                const Vec3d& gravity, Problem& p) {
    const Loads none;
    const StepInput input{s, materials, none, kNoInertia};
    RodLoader<double>(input, {{strand}}).load_elastic(p);
    std::fill(p.point.begin(), p.point.end(), 0.0);
    evaluate_potential(p, p.point, 1.0);
    double weight = 0;
    Balance b;
    for (std::size_t i = 0; i < p.vertices; ++i) {
        const Vec3d force = gravity * vertex_mass(s, materials, strand, s.begin(strand) + i);
        weight += length(force);
        if (i < 2) continue;
        const Vec3d left = detail::vec_at(p.gradient, 4 * i) - force;
        b.residual = std::max(b.residual, length(left));
    }
    if (weight > 0) b.residual /= weight;
    b.stable = Band::factorise(std::span<double>(p.band), unknown_count(p.vertices));
    return b;
}

enum class Outcome : std::uint8_t { stable, unstable, not_found };

struct Result {
    Outcome outcome = Outcome::not_found;
    double residual = 0;
};

Result balance_strand(StrandState& s, std::size_t strand, std::span<const StrandMaterial> materials,
                      const Vec3d& gravity, Problem& p) {
    Result result;
    if (EndKind(s.root_target.kind[strand]) != EndKind::clamp ||
        EndKind(s.tip_target.kind[strand]) != EndKind::free)
        return result;
    const auto first = static_cast<std::ptrdiff_t>(s.begin(strand)),
               last = static_cast<std::ptrdiff_t>(s.end(strand));
    const std::vector<double> lengths(s.rest_length.begin() + first, s.rest_length.begin() + last);
    const std::vector<Vec2d> curvatures(s.natural_curvature.begin() + first,
                                        s.natural_curvature.begin() + last);
    const std::vector<double> twists(s.natural_twist.begin() + first, s.natural_twist.begin() + last);
    // Rest lengths enter weights and stiffnesses: they settle by a factor of the strain with every pass.
    constexpr int kPasses = 12;
    bool found = true;
    double change = 1;
    for (int pass = 0; pass < kPasses && found && change > 1e-13; ++pass)
        found = sweep(s, strand, materials, gravity, p, change);
    if (found) {
        const Balance b = examine(s, strand, materials, gravity, p);
        result.residual = b.residual;
        result.outcome = b.stable ? Outcome::stable : Outcome::unstable;
        if (b.residual < 1e-6) return result;
    }
    std::copy(lengths.begin(), lengths.end(), s.rest_length.begin() + first);
    std::copy(curvatures.begin(), curvatures.end(), s.natural_curvature.begin() + first);
    std::copy(twists.begin(), twists.end(), s.natural_twist.begin() + first);
    return {};
}

void name(std::vector<std::uint32_t>& list, std::size_t strand) {
    if (list.size() < kNamed) list.push_back(static_cast<std::uint32_t>(strand));
}

}  // namespace

SagFreeReport make_sag_free(StrandState& state, std::size_t first, std::size_t last,
                            std::span<const StrandMaterial> materials, const Vec3d& gravity) {
    std::vector<Result> results(last - first);
    parallel_chunks(results.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        Problem p;
        for (std::size_t k = begin; k < end; ++k)
            results[k] = balance_strand(state, first + k, materials, gravity, p);
    });
    SagFreeReport report;
    for (std::size_t k = 0; k < results.size(); ++k) {
        if (results[k].outcome == Outcome::not_found) {
            ++report.not_found;
            name(report.not_found_strands, first + k);
            continue;
        }
        ++report.balanced;
        report.residual = std::max(report.residual, results[k].residual);
        if (results[k].outcome == Outcome::stable) continue;
        ++report.unstable;
        name(report.unstable_strands, first + k);
    }
    return report;
}

}  // namespace rivulet::strand
