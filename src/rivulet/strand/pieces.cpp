#include <rivulet/strand/pieces.h>

#include <rivulet/strand/commit.h>
#include <rivulet/strand/mobility_memory.h>

namespace rivulet::strand {
namespace {

template <class V>
V slice(const V& v, std::size_t begin, std::size_t end) {
    return V(v.begin() + std::ptrdiff_t(begin), v.begin() + std::ptrdiff_t(end));
}

StrandState extract(const StrandState& s, std::size_t strand) {
    const std::size_t b = s.begin(strand), e = s.end(strand);
    StrandState one;
    one.position = slice(s.position, b, e);
    one.velocity = slice(s.velocity, b, e);
    one.twist = slice(s.twist, b, e);
    one.twist_velocity = slice(s.twist_velocity, b, e);
    one.reference_director = slice(s.reference_director, b, e);
    for (const auto& [from, to] :
         {std::pair{&s.root_target, &one.root_target}, {&s.tip_target, &one.tip_target}}) {
        to->resize(1);
        to->kind[0] = from->kind[strand];
        to->position[0] = from->position[strand];
        to->tangent[0] = from->tangent[strand];
        to->director[0] = from->director[strand];
    }
    one.start = {0, static_cast<std::int64_t>(e - b)};
    one.radius = slice(s.radius, b, e);
    one.id = {s.id[strand]};
    one.root_uv = {s.root_uv[strand]};
    one.material = {s.material[strand]};
    one.aspect = {s.aspect[strand]};
    one.rest_position = slice(s.rest_position, b, e);
    one.rest_length = slice(s.rest_length, b, e);
    one.natural_curvature = slice(s.natural_curvature, b, e);
    one.natural_twist = slice(s.natural_twist, b, e);
    return one;
}

/// The path of a held end over the step, by parts of it.
class EndPath {
 public:
    EndPath(const StrandState& one, bool at_tip) {
        const EndTargets& target = at_tip ? one.tip_target : one.root_target;
        const std::size_t end = at_tip ? one.vertex_count() - 1 : 0, edge = at_tip ? end - 1 : 0;
        from_ = one.position[end];
        to_ = target.position[0];
        tangent_from_ = normalized(one.position[edge + 1] - one.position[edge]);
        tangent_to_ = normalized_or(target.tangent[0], tangent_from_);
        axis_ = material_axis(one, edge);
        const Vec3d carried = elastic::parallel_transport(axis_, tangent_from_, tangent_to_);
        spin_ =
            elastic::signed_angle(carried, elastic::squared_up(target.director[0], tangent_to_), tangent_to_);
    }
    void place(double part, EndTargets& target) const {
        target.position[0] = from_ + part * (to_ - from_);
        const Vec3d t = normalized_or(tangent_from_ + part * (tangent_to_ - tangent_from_), tangent_to_);
        target.tangent[0] = t;
        target.director[0] =
            elastic::turned(elastic::parallel_transport(axis_, tangent_from_, t), t, part * spin_);
    }

 private:
    Vec3d from_, to_, tangent_from_, tangent_to_, axis_;
    double spin_;
};

/// Loads of one strand during one of several equal pieces of the step.
struct PieceLoads {
    std::vector<Vec3d> impulse, force;
    std::vector<Mat3d> slope;
    std::vector<double> angular_impulse, torque, film_mass, film_friction, film_inertia, film_speed,
        film_force, film_tension;
    std::uint8_t dammed = 0;
    Loads loads;

    PieceLoads(const StepInput& input, std::size_t strand, std::size_t end, int pieces) {
        const Loads& all = input.loads;
        const std::size_t begin = input.state.begin(strand);
        const auto part = [&](auto& to, const auto& from) {
            if (!from.empty())
                to.assign(from.begin() + std::ptrdiff_t(begin), from.begin() + std::ptrdiff_t(end));
        };
        part(impulse, all.impulse);
        part(force, all.force);
        part(slope, all.force_slope);
        part(angular_impulse, all.angular_impulse);
        part(torque, all.torque);
        part(film_mass, all.film.mass);
        part(film_friction, all.film.friction);
        part(film_inertia, all.film.inertia);
        part(film_speed, all.film.speed);
        part(film_force, all.film.force);
        part(film_tension, all.film.tension);
        if (!all.film.dammed.empty()) dammed = all.film.dammed[strand];
        for (Vec3d& j : impulse) j = j / double(pieces);
        for (double& j : angular_impulse) j /= double(pieces);
        if (pieces > 1) share_film_speed(input.dt, pieces);
        loads = {all.gravity,
                 impulse,
                 force,
                 slope,
                 angular_impulse,
                 torque,
                 {film_mass, film_friction, film_inertia, std::span(&dammed, 1), film_speed, film_force,
                  film_tension}};
    }

 private:
    /// The speed with which a film pushes the strand in a piece as much as in a piece of the whole step:
    /// friction takes c dt/(m + c dt) of it there.
    void share_film_speed(double dt, int pieces) {
        const std::size_t n = film_speed.size();
        for (std::size_t e = 0; e + 1 < n; ++e) {
            const double mass = 0.5 * ((e == 0 && (dammed & kRootDams) ? 0.0 : film_mass[e]) +
                                       (e + 2 == n && (dammed & kTipDams) ? 0.0 : film_mass[e + 1]));
            if (!(mass > 0)) continue;
            const double push = film_force.empty() ? 0.0 : dt * film_force[e] / mass;
            const double rubbed = dt * film_friction[e] / mass;
            const double part = std::isinf(rubbed) ? 1.0 / pieces : (1 + rubbed / pieces) / (1 + rubbed);
            film_speed[e] = (film_speed[e] + push) * part - push / pieces;
        }
    }
};

/// Writes the one-hop motion from `start` to `end` (both of one strand).
void write_motion(const StrandState& start, const StrandState& end, double dt, std::size_t first,
                  Motion& motion) {
    const std::size_t n = start.vertex_count();
    for (std::size_t i = 0; i < n; ++i)
        motion.velocity[first + i] = (end.position[i] - start.position[i]) / dt;
    Vec3d tangent_before, carried_before;
    double angle = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const Vec3d old_tangent = normalized(start.position[i + 1] - start.position[i]);
        const Vec3d tangent = normalized(end.position[i + 1] - end.position[i]);
        const Vec3d carried = elastic::parallel_transport(start.reference_director[i], old_tangent, tangent);
        if (i == 0) {
            const double turn =
                elastic::signed_angle(carried, material_axis(end, 0), tangent) - start.twist[0];
            const double full = 2 * std::numbers::pi;
            // NOTE: pieces keep count of full turns only up to the frame's own; the nearest is meant.
            angle =
                start.twist[0] + turn - full * std::round((turn - (end.twist[0] - start.twist[0])) / full);
        } else {
            const Vec3d along = elastic::parallel_transport(carried_before, tangent_before, tangent);
            angle += (end.twist[i] - end.twist[i - 1]) - elastic::signed_angle(along, carried, tangent);
        }
        motion.twist_velocity[first + i] = (angle - start.twist[i]) / dt;
        tangent_before = tangent;
        carried_before = carried;
    }
    motion.twist_velocity[first + n - 1] = 0;
}

}  // namespace

template <class T>
void solve_lanes(const StepInput& input, const Lanes<T>& lanes, std::size_t used, const SolveOptions& options,
                 RodProblem<T>& p, Motion& motion, StrandOutcome* outcome) {
    using L = Lanes<T>;
    RodLoader<T>(input, lanes).load(p);
    const auto result = minimise(p, input.dt, NewtonOptions{options.tolerance, options.most_iterations});
    if (!p.kept.empty()) finish_kept_factor(p, input.dt);
    for (std::size_t l = 0; l < used; ++l) {
        outcome[l] = {L::get(result.done, l), static_cast<int>(L::get(result.iterations, l)),
                      L::get(result.residual, l)};
        if (!outcome[l].solved || !options.wanted(lanes.strand[l])) continue;
        const std::size_t first = input.state.begin(lanes.strand[l]);
        const double per_dt = 1 / input.dt;
        for (std::size_t i = 0; i < p.vertices; ++i) {
            const T* u = &p.point[4 * i];
            motion.velocity[first + i] = per_dt * Vec3d{L::get(u[0], l), L::get(u[1], l), L::get(u[2], l)};
            motion.twist_velocity[first + i] = i + 1 < p.vertices ? per_dt * L::get(u[3], l) : 0;
        }
    }
}

template void solve_lanes<double>(const StepInput&, const Lanes<double>&, std::size_t, const SolveOptions&,
                                  RodProblem<double>&, Motion&, StrandOutcome*);
template void solve_lanes<Pack>(const StepInput&, const Lanes<Pack>&, std::size_t, const SolveOptions&,
                                RodProblem<Pack>&, Motion&, StrandOutcome*);

StrandOutcome solve_in_pieces(const StepInput& input, std::size_t strand, const SolveOptions& options,
                              Motion& motion) {
    const StrandState start = extract(input.state, strand);
    const std::size_t n = start.vertex_count(), begin = input.state.begin(strand);
    const EndPath root(start, false), tip(start, true);
    RodProblem<double> work;
    Motion one{std::vector<Vec3d>(n), std::vector<double>(n)};
    StrandOutcome total;
    for (int pieces = 2; pieces <= options.most_pieces; pieces *= 2) {
        StrandState now = start;
        const PieceLoads part(input, strand, begin + n, pieces);
        const double dt = input.dt / pieces;
        total.solved = true;
        for (int k = 1; k <= pieces && total.solved; ++k) {
            root.place(double(k) / pieces, now.root_target);
            tip.place(double(k) / pieces, now.tip_target);
            StrandOutcome piece;
            const StepInput piece_input{now, input.materials, part.loads, dt};
            solve_lanes<double>(piece_input, {{0}}, 1, options, work, one, &piece);
            total.solved = piece.solved;
            total.iterations += piece.iterations;
            total.residual = piece.residual;
            if (piece.solved) commit(now, one, dt);
        }
        total.pieces = pieces;
        if (!total.solved) continue;
        write_motion(start, now, input.dt, begin, motion);
        return total;
    }
    return total;
}

bool factor_where_pieces_ended(const StepInput& input, std::size_t strand, int pieces, const Motion& motion,
                               std::span<double> factor) {
    const std::size_t begin = input.state.begin(strand), end = input.state.end(strand);
    StrandState there = extract(input.state, strand);
    commit(there, {slice(motion.velocity, begin, end), slice(motion.twist_velocity, begin, end)}, input.dt);
    // Spread over p pieces an impulse moves a free body by (p + 1)/(2p) of what it would do at once: as if
    // everything that has inertia were heavier by the inverse.
    const double heavier = 2.0 * pieces / (pieces + 1);
    StrandMaterial material = input.materials[input.state.material[strand]];
    material.density *= heavier;
    there.material[0] = 0;
    PieceLoads whole(input, strand, end, 1);
    for (double& m : whole.film_mass) m *= heavier;
    for (double& m : whole.film_inertia) m *= heavier;

    RodProblem<double> p;
    RodLoader<double>({there, std::span(&material, 1), whole.loads, input.dt}, {{0}}).load(p);
    const std::size_t unknowns = unknown_count(p.vertices);
    bool good = false;
    for (const double exact : {1.0, 0.0}) {
        if (good) break;
        evaluate_potential(p, p.trial, exact);  // nothing has moved there yet: all unknowns are 0
        good = Band::factorise<double>(p.band, unknowns);
    }
    std::copy_n(p.band.begin(), factor.size(), factor.begin());
    p.kept = factor;
    finish_kept_factor(p, input.dt);
    return good;
}

}  // namespace rivulet::strand
