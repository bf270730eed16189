#pragma once

#include <array>
#include <numbers>
#include <span>

#include <rivulet/elastic/cross_section.h>
#include <rivulet/strand/loads.h>
#include <rivulet/strand/mass.h>
#include <rivulet/strand/rod_problem.h>

namespace rivulet::strand {

/// What a step of strands is given.
struct StepInput {
    const StrandState& state;
    std::span<const StrandMaterial> materials;
    const Loads& loads;
    double dt;
    const Motion* guess = nullptr;  // to begin with; otherwise the velocity at the start of the step
};

/// Where a held end goes: displacements of its two vertices and turn of its edge, for one strand.
struct EndMotion {
    EndKind kind = EndKind::free;
    Vec3d end, inner;
    double turn = 0;
};

namespace detail {

inline EndMotion end_motion(const StrandState& s, std::size_t strand, bool at_tip) {
    const EndTargets& targets = at_tip ? s.tip_target : s.root_target;
    EndMotion m;
    m.kind = static_cast<EndKind>(targets.kind[strand]);
    if (m.kind == EndKind::free) return m;
    const std::size_t end = at_tip ? s.end(strand) - 1 : s.begin(strand);
    const std::size_t inner = at_tip ? end - 1 : end + 1, edge = at_tip ? inner : end;
    const Vec3d position = targets.position[strand];
    m.end = position - s.position[end];
    if (m.kind == EndKind::pin) return m;

    const Vec3d tangent = normalized(targets.tangent[strand]);
    const double reach = at_tip ? -s.rest_length[edge] : s.rest_length[edge];
    m.inner = position + reach * tangent - s.position[inner];
    const Vec3d now = normalized(s.position[edge + 1] - s.position[edge]);
    const Vec3d carried = elastic::parallel_transport(s.reference_director[edge], now, tangent);
    const Vec3d wanted = elastic::squared_up(targets.director[strand], tangent);
    const double angle = elastic::signed_angle(carried, wanted, tangent) - s.twist[edge];
    // NOTE: the shorter way round: an end may turn by at most half a revolution in a step.
    m.turn = angle - 2 * std::numbers::pi * std::round(angle / (2 * std::numbers::pi));
    return m;
}

/// Stiffness and rest value of elasticity and internal viscosity together. Both are quadratic in one strain:
/// ½k(ε−ε̄)² + ½c(ε−ε₀)² = ½(k+c)(ε−ε*)² + const, where c = viscous coefficient / dt and ε₀ is the strain at
/// the start of the step. Lanes without viscosity keep their bits.
template <class T>
T merged_rest(const T& k, const T& rest, const T& c, const T& start) {
    return select(c > T(0.0), (k * rest + c * start) / (k + c), rest);
}

}  // namespace detail

/// Natural curvatures of a joint in the frames of its two edges, which are turned by half the natural twist
/// either way from the frame half-way.
template <class T>
elastic::Curvatures<T> natural_curvatures(const T& k1, const T& k2, const T& twist) {
    using std::cos, std::sin;
    T c(1.0), s(0.0);
    if (any(!(twist == T(0.0)))) c = cos(T(0.5) * twist), s = sin(T(0.5) * twist);
    return {c * k1 - s * k2, s * k1 + c * k2, c * k1 + s * k2, c * k2 - s * k1};
}

/// Fills the problem of a step.
template <class T>
class RodLoader {
 public:
    RodLoader(const StepInput& input, const Lanes<T>& lanes) : in_(input), s_(input.state), lanes_(lanes) {
        for (std::size_t l = 0; l < L::kCount; ++l) {
            first_[l] = s_.begin(lanes.strand[l]);
            root_[l] = detail::end_motion(s_, lanes.strand[l], false);
            tip_[l] = detail::end_motion(s_, lanes.strand[l], true);
        }
        const auto of_material = [&](auto&& value) {
            return L::gather(
                [&](std::size_t l) { return value(in_.materials[s_.material[lanes.strand[l]]]); });
        };
        density_ = of_material([](const StrandMaterial& m) { return m.density; });
        young_ = of_material([](const StrandMaterial& m) { return m.youngs_modulus; });
        shear_ = of_material([](const StrandMaterial& m) { return m.shear(); });
        viscosity_ = of_material([](const StrandMaterial& m) { return m.internal_viscosity; });
        aspect_ = L::gather([&](std::size_t l) { return s_.aspect[lanes.strand[l]]; });
        root_clamped_ = is_end(root_, EndKind::clamp);
        tip_clamped_ = is_end(tip_, EndKind::clamp);
    }

    /// Everything a step needs.
    void load(RodProblem<T>& p) const {
        load_rods(p, viscosity_);
        for (std::size_t i = 0; i < p.vertices; ++i) load_vertex(p, i);
        load_edge_loads(p);
        load_film(p);
        load_guess(p);
    }

    /// Edges and joints without internal viscosity: for energies of the state as it is.
    void load_elastic(RodProblem<T>& p) const { load_rods(p, T(0.0)); }

 private:
    using L = Lanes<T>;
    using M = MaskOf<T>;

    void load_rods(RodProblem<T>& p, const T& viscosity) const {
        p.resize(s_.end(lanes_.strand[0]) - s_.begin(lanes_.strand[0]));
        const std::size_t n = p.vertices;
        const M root_held = root_clamped_ | is_end(root_, EndKind::pin);
        const M tip_held = tip_clamped_ | is_end(tip_, EndKind::pin);
        p.held = {root_held, root_clamped_, tip_held, tip_clamped_};
        for (std::size_t i = 0; i + 1 < n; ++i) load_edge(p, i, viscosity);
        for (std::size_t i = 1; i + 1 < n; ++i) load_joint(p, i, viscosity);
    }

    static MaskOf<T> is_end(const std::array<EndMotion, L::kCount>& ends, EndKind kind) {
        return L::gather([&](std::size_t l) { return ends[l].kind == kind ? 1.0 : 0.0; }) > T(0.5);
    }
    T value(std::span<const double> v, std::size_t i) const {
        return L::gather([&](std::size_t l) { return v[first_[l] + i]; });
    }
    Vec3<T> value(const std::vector<Vec3d>& v, std::size_t i) const {
        return L::gather3([&](std::size_t l) -> const Vec3d& { return v[first_[l] + i]; });
    }
    elastic::CrossSection<T> section(const T& radius) const { return {radius, aspect_ * radius}; }
    T edge_radius(std::size_t i) const { return T(0.5) * (value(s_.radius, i) + value(s_.radius, i + 1)); }

    void load_edge(RodProblem<T>& p, std::size_t i, const T& viscosity) const {
        RodElement<T>& el = p.element[i];
        el.edge = value(s_.position, i + 1) - value(s_.position, i);
        const T now = length(el.edge);
        el.base.tangent = el.edge / now;
        el.base.director = value(s_.reference_director, i);
        el.angle = value(s_.twist, i);
        const T rest = value(s_.rest_length, i);
        const T radius = edge_radius(i);
        const auto shape = section(radius);
        el.inverse_radius = T(1.0) / radius;
        const T inertia = edge_inertia(density_, shape, rest);
        el.inertia = inertia * T(1 / (in_.dt * in_.dt));
        el.turn_pull = inertia * value(s_.twist_velocity, i) * T(1 / in_.dt);
        // An incompressible viscous thread resists stretching with 3 μ A (Trouton).
        const T per_strain = shape.area() / rest;
        const T k = young_ * per_strain, c = T(3 / in_.dt) * viscosity * per_strain;
        el.tension = k * (now - rest);
        el.stretch_stiffness = k + c;
        el.rest_length = detail::merged_rest(k, rest, c, now);
    }

    void load_vertex(RodProblem<T>& p, std::size_t i) const {
        RodElement<T>& el = p.element[i];
        T mass(0.0);
        if (i > 0) mass += half_mass(i - 1);
        if (i + 1 < p.vertices) mass += half_mass(i);
        const Loads& loads = in_.loads;
        if (!loads.film.mass.empty()) mass += value(loads.film.mass, i);
        const T per_dt(1 / in_.dt);
        el.mass = mass * T(1 / (in_.dt * in_.dt));
        el.pull = (mass * per_dt) * value(s_.velocity, i);
        el.pull += mass * gravity();
        if (!loads.impulse.empty())
            el.pull += per_dt * L::gather3([&](std::size_t l) { return loads.impulse[first_[l] + i]; });
        if (!loads.force.empty())
            el.pull += L::gather3([&](std::size_t l) { return loads.force[first_[l] + i]; });
        el.drag = {};
        if (loads.force_slope.empty()) return;
        const auto slope = [&](int r, int c) {
            return -per_dt * L::gather([&](std::size_t l) { return loads.force_slope[first_[l] + i](r, c); });
        };
        el.drag = {slope(0, 0), slope(0, 1), slope(0, 2), slope(1, 1), slope(1, 2), slope(2, 2)};
    }

    void load_edge_loads(RodProblem<T>& p) const {
        const Loads& loads = in_.loads;
        if (loads.torque.empty() && loads.angular_impulse.empty() && loads.film.inertia.empty()) return;
        const T per_dt(1 / in_.dt);
        for (std::size_t i = 0; i + 1 < p.vertices; ++i) {
            RodElement<T>& el = p.element[i];
            if (!loads.torque.empty()) el.turn_pull += value(loads.torque, i);
            if (!loads.angular_impulse.empty()) el.turn_pull += per_dt * value(loads.angular_impulse, i);
            if (loads.film.inertia.empty()) continue;
            const T inertia = per_dt * value(loads.film.inertia, i);
            el.inertia += per_dt * inertia;
            el.turn_pull += inertia * value(s_.twist_velocity, i);
        }
    }

    /// The part of the film's mass that its sliding takes away again, from Hessian and momentum alike: it
    /// acts on u − dt v − dt² gravity.
    void load_film(RodProblem<T>& p) const {
        using std::sqrt;
        const FilmLoads& film = in_.loads.film;
        p.film.clear();
        if (film.mass.empty()) return;
        p.film.resize(p.vertices - 1);
        const T dt(in_.dt);
        const Vec3<T> fall = (dt * dt) * gravity();
        const M root_dams = dams(film, kRootDams), tip_dams = dams(film, kTipDams);
        for (std::size_t i = 0; i + 1 < p.vertices; ++i) {
            T before = T(0.5) * value(film.mass, i), after = T(0.5) * value(film.mass, i + 1);
            if (i == 0) before = select(root_dams, T(0.0), before);
            if (i + 2 == p.vertices) after = select(tip_dams, T(0.0), after);
            T held = before + after;
            if (!film.friction.empty()) held += dt * value(film.friction, i);
            const M some = held > T(0.0);
            const T scale = select(some, T(1.0) / (dt * sqrt(select(some, held, T(1.0)))), T(0.0));
            const Vec3<T>& t = p.element[i].base.tangent;
            FilmTerm<T>& term = p.film[i];
            term = {(scale * before) * t, (scale * after) * t};
            const T sum = dot(term.a, dt * value(s_.velocity, i) + fall) +
                          dot(term.b, dt * value(s_.velocity, i + 1) + fall);
            p.element[i].pull -= sum * term.a;
            p.element[i + 1].pull -= sum * term.b;
            if (!film.speed.empty()) push_by_film(p, i, before, after, held);
        }
    }

    M dams(const FilmLoads& film, std::uint8_t end) const {
        const auto is = [&](std::size_t l) { return film.dammed[lanes_.strand[l]] & end ? 1.0 : 0.0; };
        return (film.dammed.empty() ? T(0.0) : L::gather(is)) > T(0.5);
    }

    /// What the film's speed and the forces along it do to the vertices of edge i, on which `before` and
    /// `after` [kg] of film slide; with friction over the step `held`.
    void push_by_film(RodProblem<T>& p, std::size_t i, const T& before, const T& after, const T& held) const {
        const FilmLoads& film = in_.loads.film;
        const T dt(in_.dt), mass = before + after;
        const M some = mass > T(0.0);
        const T per_mass = select(some, T(1.0) / select(some, mass, T(1.0)), T(0.0));
        T gained = value(film.speed, i), returned(0.0);
        const Vec3<T>& t = p.element[i].base.tangent;
        if (!film.force.empty()) {
            T tension(0.0);
            if (!film.tension.empty()) {
                const T here = value(film.tension, i), there = value(film.tension, i + 1);
                tension = there - here;
                p.element[i].pull += select(some, here, T(0.0)) * t;
                p.element[i + 1].pull -= select(some, there, T(0.0)) * t;
            }
            const T force = value(film.force, i);
            gained += dt * force * per_mass;
            returned = dt * (force - tension) * per_mass;
        }
        const T free = select(some, mass / select(some, held, T(1.0)), T(1.0));
        const T along = ((T(1.0) - free) * gained - returned) * T(1 / in_.dt);
        p.element[i].pull += (before * along) * t;
        p.element[i + 1].pull += (after * along) * t;
    }

    Vec3<T> gravity() const {
        const Vec3d& g = in_.loads.gravity;
        return {T(g.x), T(g.y), T(g.z)};
    }

    T half_mass(std::size_t i) const {
        return half_edge_mass(density_, section(edge_radius(i)), value(s_.rest_length, i));
    }

    /// Length of rod that bends at a joint: half of each edge, but nothing of a clamped one, which is rigid.
    T joint_length(const RodProblem<T>& p, std::size_t i) const {
        const T before = value(s_.rest_length, i - 1), after = value(s_.rest_length, i);
        const T both = T(0.5) * (before + after);
        if (p.vertices == 3) {
            const T with_root = select(tip_clamped_, both, T(0.5) * after);
            return select(root_clamped_, with_root, select(tip_clamped_, T(0.5) * before, both));
        }
        if (i == 1) return select(root_clamped_, T(0.5) * after, both);
        if (i + 2 == p.vertices) return select(tip_clamped_, T(0.5) * before, both);
        return both;
    }

    void load_joint(RodProblem<T>& p, std::size_t i, const T& viscosity) const {
        RodElement<T>& el = p.element[i];
        const auto shape = section(value(s_.radius, i));
        const T per_length = T(1.0) / joint_length(p, i);
        const T moment1 = shape.bending_moment_1(), moment2 = shape.bending_moment_2();
        const T torsion = shape.torsion_constant();
        const T twist = value(s_.natural_twist, i);
        const T k1 = L::gather([&](std::size_t l) { return s_.natural_curvature[first_[l] + i].x; });
        const T k2 = L::gather([&](std::size_t l) { return s_.natural_curvature[first_[l] + i].y; });
        el.bend = {young_ * moment1 * per_length, young_ * moment2 * per_length,
                   natural_curvatures(k1, k2, twist)};
        el.twist = {shear_ * torsion * per_length, twist};
        if (any(viscosity > T(0.0)))
            add_viscosity(p, i, T(1 / in_.dt) * viscosity * per_length, moment1, moment2, torsion);
    }

    void add_viscosity(RodProblem<T>& p, std::size_t i, const T& rate, const T& moment1, const T& moment2,
                       const T& torsion) const {
        const RodElement<T>& b = p.element[i - 1];
        RodElement<T>& el = p.element[i];
        const auto before = elastic::place_edge(b.edge, b.angle, b.base);
        const auto after = elastic::place_edge(el.edge, el.angle, el.base);
        const auto now = elastic::curvatures(elastic::make_joint(before, after), before, after);
        const T c1 = T(3.0) * rate * moment1, c2 = T(3.0) * rate * moment2, c3 = rate * torsion;
        auto& bend = el.bend;
        using detail::merged_rest;
        bend.rest = {merged_rest(bend.stiffness1, bend.rest.before1, c1, now.before1),
                     merged_rest(bend.stiffness2, bend.rest.before2, c2, now.before2),
                     merged_rest(bend.stiffness1, bend.rest.after1, c1, now.after1),
                     merged_rest(bend.stiffness2, bend.rest.after2, c2, now.after2)};
        bend.stiffness1 += c1;
        bend.stiffness2 += c2;
        const T twist = (el.angle - b.angle) + elastic::reference_twist(before, after);
        el.twist.rest = merged_rest(el.twist.stiffness, el.twist.rest, c3, twist);
        el.twist.stiffness += c3;
    }

    void load_guess(RodProblem<T>& p) const {
        const std::size_t n = p.vertices, unknowns = unknown_count(n);
        const auto& velocity = in_.guess ? in_.guess->velocity : s_.velocity;
        const auto& spin = in_.guess ? in_.guess->twist_velocity : s_.twist_velocity;
        const T dt(in_.dt);
        const M every = T(0.0) < T(1.0);
        const auto put = [&](const M& where, std::size_t row, const Vec3<T>& v) {
            for (int c = 0; c < 3; ++c) {
                T& unknown = p.guess[row + static_cast<std::size_t>(c)];
                unknown = select(where, v[c], unknown);
            }
        };
        for (std::size_t i = 0; i < n; ++i) put(every, 4 * i, dt * value(velocity, i));
        for (std::size_t i = 0; i + 1 < n; ++i) p.guess[4 * i + 3] = dt * value(spin, i);
        const auto put_end = [&](const auto& ends, const M& held, const M& edge_held, std::size_t end,
                                 std::size_t turn, std::size_t inner) {
            put(held, end, L::gather3([&](std::size_t l) { return ends[l].end; }));
            put(edge_held, inner, L::gather3([&](std::size_t l) { return ends[l].inner; }));
            p.guess[turn] =
                select(edge_held, L::gather([&](std::size_t l) { return ends[l].turn; }), p.guess[turn]);
        };
        put_end(root_, p.held.root, p.held.root_edge, 0, 3, 4);
        put_end(tip_, p.held.tip, p.held.tip_edge, unknowns - 3, unknowns - 4, unknowns - 7);
    }

    const StepInput& in_;
    const StrandState& s_;
    Lanes<T> lanes_;
    std::array<std::size_t, L::kCount> first_;
    std::array<EndMotion, L::kCount> root_, tip_;
    T density_, young_, shear_, viscosity_, aspect_;
    MaskOf<T> root_clamped_, tip_clamped_;
};

}  // namespace rivulet::strand
