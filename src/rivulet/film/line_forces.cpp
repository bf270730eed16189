#include <rivulet/film/line_forces.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numbers>

#include <rivulet/film/curvature.h>
#include <rivulet/film/strain.h>

namespace rivulet::film {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kLanes = std::size_t(Pack::kWidth);

Pack load(const double* from) {
    Pack out;
    std::memcpy(&out.v, from, sizeof(out.v));
    return out;
}
void store(double* to, const Pack& pack) {
    std::memcpy(to, &pack.v, sizeof(pack.v));
}

/// A symmetric matrix of edges: entries (e, e), (e, e + 1) and (e, e + 2).
struct Band {
    double *diagonal, *beside, *beyond;
};

/// A line at work. Arrays are whole packs long; what lies beyond the line is film that does not flow.
struct Line {
    const FilmLine& film;
    std::size_t vertices, edges, padded;
    bool tension, capillary, newtonian;

    // Per edge: mass [kg]; radius of the strand, area that flows and liquid; friction per mass and wall
    // stress 2 pi a / (rho A) [m^2/kg]; friction's rate [1/s]; speed at the end of the step so far.
    double *mass, *radius, *flow_area, *yield, *consistency, *index, *per_stress, *surface_tension, *rate,
        *speed;
    double *aim, *loss, *log_excess;  // of the search for friction
    double* right;                    // right side of the system
    Band system;
    // Tension of vertex v: pulled[v] + stiffness[v] (speed[v] - speed[v - 1]).
    double *modulus, *vertex_yield, *vertex_consistency, *vertex_index, *stretch_rate, *pulled, *stiffness;
    // Capillary force: pressed - capillary_band speed.
    double *pressed, *pressure, *outer, *node, *node_beside;
    Band capillary_band;

    Line(const FilmLine& from, const FlowOptions& options, LineScratch& scratch)
        : film(from), vertices(from.vertices()), edges(from.edges()) {
        assert(edges + 1 == vertices && from.edge_length.size() == edges && from.face_area.size() == edges);
        padded = (vertices + kLanes - 1) / kLanes * kLanes;
        const auto some = [&](auto&& property) {
            return std::any_of(film.liquids.begin(), film.liquids.end(), property);
        };
        tension = !film.strain.empty() && some([](const FilmLiquid& l) { return l.remembers(); });
        newtonian = !some([](const FilmLiquid& l) { return !l.newtonian(); });
        capillary = options.surface_tension;
        double** const arrays[] = {&mass,
                                   &radius,
                                   &flow_area,
                                   &yield,
                                   &consistency,
                                   &index,
                                   &per_stress,
                                   &surface_tension,
                                   &rate,
                                   &speed,
                                   &aim,
                                   &loss,
                                   &log_excess,
                                   &right,
                                   &system.diagonal,
                                   &system.beside,
                                   &system.beyond,
                                   &modulus,
                                   &vertex_yield,
                                   &vertex_consistency,
                                   &vertex_index,
                                   &stretch_rate,

                                   &pulled,
                                   &stiffness,
                                   &pressed,
                                   &pressure,
                                   &outer,
                                   &node,
                                   &node_beside,
                                   &capillary_band.diagonal,
                                   &capillary_band.beside,
                                   &capillary_band.beyond};
        if (scratch.memory.size() < std::size(arrays) * padded)
            scratch.memory.resize(std::size(arrays) * padded);
        double* next = scratch.memory.data();
        for (double** array : arrays) {
            *array = next;
            next += padded;
        }
    }

    bool flows(std::size_t e) const { return mass[e] > 0 && rate[e] < kInfinity; }
    /// Tension [N] at the speeds so far; beyond the tip nothing pulls.
    double tension_at(std::size_t v) const {
        if (v + 1 >= vertices) return 0;
        return pulled[v] + stiffness[v] * (speed[v] - (v > 0 ? speed[v - 1] : 0));
    }
    double capillary_force(std::size_t e) const {
        const auto& [diagonal, beside, beyond] = capillary_band;
        double force = pressed[e] - diagonal[e] * speed[e];
        if (e >= 1) force -= beside[e - 1] * speed[e - 1];
        if (e >= 2) force -= beyond[e - 2] * speed[e - 2];
        if (e + 1 < edges) force -= beside[e] * speed[e + 1];
        if (e + 2 < edges) force -= beyond[e] * speed[e + 2];
        return force;
    }
};

void pour_edge(Line& line, std::size_t e, const FilmLiquid& liquid) {
    const double area = line.film.face_area[e];
    line.radius[e] = 0.5 * (line.film.radius[e] + line.film.radius[e + 1]);
    line.flow_area[e] = area;
    line.yield[e] = liquid.yield_stress;
    line.consistency[e] = liquid.consistency;
    line.index[e] = liquid.flow_index;
    line.per_stress[e] = area > 0 ? 2 * kPi * line.radius[e] / (liquid.density * area) : 0;
    line.surface_tension[e] = liquid.surface_tension;
    line.speed[e] = line.film.speed[e];
}

void pour_vertex(Line& line, std::size_t v, const FilmLiquid& liquid) {
    line.modulus[v] = liquid.shear_modulus;
    line.vertex_yield[v] = liquid.yield_stress;
    line.vertex_consistency[v] = liquid.consistency;
    line.vertex_index[v] = liquid.flow_index;
}

void pour_one_liquid(Line& line) {
    const FilmLine& film = line.film;
    const FilmLiquid& liquid = film.liquids[0];
    const auto held = [&](std::size_t v) { return 0.5 * liquid.density * film.area[v] * film.length[v]; };
    for (std::size_t e = 0; e < line.edges; ++e) {
        line.mass[e] = held(e) + held(e + 1);
        pour_edge(line, e, liquid);
    }
    if (line.tension)
        for (std::size_t v = 0; v < line.vertices; ++v) pour_vertex(line, v, liquid);
}

/// An edge has the mixture of both its vertices, by volume.
void pour_mixtures(Line& line) {
    const FilmLine& film = line.film;
    const std::size_t liquids = film.liquids.size();
    constexpr std::size_t kMost = 16;
    assert(film.share.size() == liquids * line.vertices && liquids <= kMost);
    double shares[kMost];
    const auto volume = [&](std::size_t v) { return film.area[v] * film.length[v]; };
    double held_before = 0;
    for (std::size_t v = 0; v < line.vertices; ++v) {
        const auto own = film.share.subspan(v * liquids, liquids);
        FilmLiquid liquid = film.liquids[0];
        if (volume(v) > 0) liquid = mixture(film.liquids, own);
        const double held = 0.5 * liquid.density * volume(v);
        pour_vertex(line, v, liquid);
        if (v > 0) {
            const double all = volume(v - 1) + volume(v), part = all > 0 ? volume(v) / all : 0;
            const auto before = film.share.subspan((v - 1) * liquids, liquids);
            for (std::size_t l = 0; l < liquids; ++l) shares[l] = (1 - part) * before[l] + part * own[l];
            line.mass[v - 1] = held_before + held;
            pour_edge(line, v - 1, all > 0 ? mixture(film.liquids, {shares, liquids}) : film.liquids[0]);
        }
        held_before = held;
    }
    // Dry edges beside wet ones have the surface tension of what may come.
    for (std::size_t e = 1; e < line.edges; ++e)
        if (!(line.mass[e] > 0)) line.surface_tension[e] = line.surface_tension[e - 1];
    for (std::size_t e = line.edges - 1; e-- > 0;)
        if (!(line.mass[e] > 0)) line.surface_tension[e] = line.surface_tension[e + 1];
}

void pour(Line& line) {
    // A single liquid fills what there is, whatever its shares.
    if (line.film.liquids.size() == 1)
        pour_one_liquid(line);
    else
        pour_mixtures(line);
    for (std::size_t e = line.edges; e < line.padded; ++e) {
        line.radius[e] = line.consistency[e] = line.index[e] = 1;
        line.flow_area[e] = line.yield[e] = line.per_stress[e] = line.aim[e] = line.loss[e] = 0;
    }
}

/// Tension at the end of the step about the speeds so far: mu A (c' + dc'/du_x (u_x - rate)), where c' is the
/// strain after stretching at `rate`, and A the area before the step: the force then yields to speeds only by
/// stretching them apart, and the system stays positive. Where liquid yields the chord stands for the slope:
/// Newton's steps would leap from yield to yield in stiff liquids (zigzag of 3 cm/s at 1 ms and 30 MPa).
void stretch(Line& line, double step) {
    const FilmLine& film = line.film;
    const std::size_t last = line.vertices - 1;
    // NOTE: strain grows as an exponential; linearised where one step stretches more than e-fold it would say
    // little about speeds near rest.
    const double most = 0.5 / step;
    for (std::size_t v = 0; v < last; ++v) {
        const double rate = (line.speed[v] - (v > 0 ? line.speed[v - 1] : 0)) / film.length[v];
        line.stretch_rate[v] = std::clamp(rate, -most, most);
        line.pulled[v] = film.strain[v];
    }
    for (std::size_t v = last; v < line.padded; ++v) {
        line.stretch_rate[v] = line.pulled[v] = line.modulus[v] = 0;
        line.vertex_yield[v] = line.vertex_consistency[v] = line.vertex_index[v] = 1;
    }
    for (std::size_t v = 0; v < line.padded; v += kLanes) {
        const StrainLaw law{load(line.modulus + v), load(line.vertex_yield + v),
                            load(line.vertex_consistency + v), load(line.vertex_index + v)};
        const auto [strain, slope, chord] =
            advance_strain(law, load(line.pulled + v), load(line.stretch_rate + v), step);
        store(line.pulled + v, strain);
        store(line.stiffness + v, max(slope, chord));
    }
    for (std::size_t v = 0; v < last; ++v) {
        const double pull = line.modulus[v] * film.area[v], slope = line.stiffness[v];
        line.pulled[v] = pull * (line.pulled[v] - slope * line.stretch_rate[v]);
        line.stiffness[v] = pull * slope / film.length[v];
    }
    line.pulled[last] = line.stiffness[last] = 0;
}

/// Capillary force -A (p_{e+1} - p_e) at the end of the step. Of the pressure's answer to areas only what
/// evens them out is implicit, areas following the speeds by A' = A - step (difference of A u)/length: then
/// force and speeds belong to a symmetric matrix that is never negative. What makes beads grow stays
/// explicit.
void press(Line& line, double step) {
    const FilmLine& film = line.film;
    double* const stiff = line.system.diagonal;  // free until the system is made
    double* const lever = line.node_beside;      // dR/dV of a vertex, until its neighbour has been read
    for (std::size_t v = 0; v < line.vertices; ++v) {
        line.outer[v] = std::sqrt(film.radius[v] * film.radius[v] + film.area[v] * (1 / kPi));
        lever[v] = 1 / (2 * kPi * line.outer[v] * film.length[v]);
        line.pressure[v] = 0;
    }
    for (std::size_t e = 0; e < line.edges; ++e) {
        const Cone c = cone(line.outer[e], line.outer[e + 1], film.edge_length[e]);
        const double sigma = line.surface_tension[e];
        line.pressure[e] += sigma * c.by_r0 * lever[e];
        line.pressure[e + 1] += sigma * c.by_r1 * lever[e + 1];
        stiff[e] = -sigma * c.by_r0_r1;
    }
    for (std::size_t v = 0; v < line.vertices; ++v) {
        const double after = v < line.edges ? stiff[v] : 0, before = v > 0 ? stiff[v - 1] : 0;
        line.node[v] = lever[v] * lever[v] * (before + after);
        lever[v] *= v < line.edges ? -lever[v + 1] * after : 0;  // from here on node_beside
    }
    const auto& [diagonal, beside, beyond] = line.capillary_band;
    for (std::size_t e = 0; e < line.edges; ++e) {
        const double area = film.face_area[e], *node = line.node + e, *near = line.node_beside + e;
        line.pressed[e] = -area * (line.pressure[e + 1] - line.pressure[e]);
        diagonal[e] = step * area * area * (node[0] - 2 * near[0] + node[1]);
        beside[e] =
            e + 1 < line.edges ? step * area * film.face_area[e + 1] * (near[0] - node[1] + near[1]) : 0;
        beyond[e] = e + 2 < line.edges ? -step * area * film.face_area[e + 2] * near[1] : 0;
    }
}

/// Friction of each edge for itself, its neighbours moving as they do so far: its own answer to forces is in
/// the mass that has to be moved.
void rub(Line& line, const FrictionOptions& options, double step, bool again) {
    const FilmLine& film = line.film;
    for (std::size_t e = 0; e < line.edges; ++e) {
        const double mass = line.mass[e];
        double answer = 0, push = 0;
        if (line.tension) {
            answer += line.stiffness[e] + line.stiffness[e + 1];
            push += line.tension_at(e + 1) - line.tension_at(e);
        }
        if (line.capillary) {
            answer += line.capillary_band.diagonal[e];
            push += line.capillary_force(e);
        }
        push += answer * line.speed[e];
        const double part = mass > 0 ? mass / (mass + step * answer) : 0;  // of what moves, the film's own
        const double kick = film.speed[e] + step * film.drive[e];
        line.aim[e] = mass > 0 ? part * (kick + step * push / mass) : 0;
        line.loss[e] = part * step * line.per_stress[e];
    }
    for (std::size_t e = 0; e < line.padded; e += kLanes) {
        const FilmPack pack{load(line.radius + e), load(line.flow_area + e), load(line.yield + e),
                            load(line.consistency + e), load(line.index + e)};
        const Pack guess = load(line.log_excess + e), aim = load(line.aim + e);
        const SlidePack slid = slide(options, pack, abs(aim), load(line.loss + e), again ? &guess : nullptr);
        store(line.log_excess + e, slid.log_excess);
        store(line.rate + e, select(slid.stuck, kInfinity, load(line.per_stress + e) * slid.resistance));
        if (!again) store(line.aim + e, select(aim < Pack(0.0), -slid.speed, slid.speed));
    }
}

/// (m + step m k) u' - step F(u') = m (u + step drive) for all edges at once, by LDL^T.
void solve(Line& line, double step) {
    const FilmLine& film = line.film;
    const auto& [diagonal, beside, beyond] = line.system;
    const Band& capillary = line.capillary_band;
    for (std::size_t e = 0; e < line.edges; ++e) {
        beside[e] = beyond[e] = 0;
        if (!line.flows(e)) {
            diagonal[e] = 1;
            line.right[e] = 0;
            continue;
        }
        const double mass = line.mass[e];
        const bool next = e + 1 < line.edges && line.flows(e + 1),
                   second = e + 2 < line.edges && line.flows(e + 2);
        double answer = 0, push = 0;
        if (line.tension) {
            answer += line.stiffness[e] + line.stiffness[e + 1];
            push += line.pulled[e + 1] - line.pulled[e];
            if (next) beside[e] -= step * line.stiffness[e + 1];
        }
        if (line.capillary) {
            answer += capillary.diagonal[e];
            push += line.pressed[e];
            if (next) beside[e] += step * capillary.beside[e];
            if (second) beyond[e] = step * capillary.beyond[e];
        }
        diagonal[e] = mass + step * (mass * line.rate[e] + answer);
        line.right[e] = mass * (film.speed[e] + step * film.drive[e]) + step * push;
    }
    for (std::size_t e = 0; e < line.edges; ++e) {
        const double inverse = 1 / diagonal[e], one = beside[e] * inverse, two = beyond[e] * inverse;
        if (e + 1 < line.edges) {
            diagonal[e + 1] -= one * beside[e];
            beside[e + 1] -= one * beyond[e];
            line.right[e + 1] -= one * line.right[e];
        }
        if (e + 2 < line.edges) {
            diagonal[e + 2] -= two * beyond[e];
            line.right[e + 2] -= two * line.right[e];
        }
        line.right[e] *= inverse;
        beside[e] = one;
        beyond[e] = two;
    }
    for (std::size_t e = line.edges; e-- > 0;) {
        double speed = line.right[e];
        if (e + 1 < line.edges) speed -= beside[e] * line.speed[e + 1];
        if (e + 2 < line.edges) speed -= beyond[e] * line.speed[e + 2];
        line.speed[e] = speed;
    }
}

void write(const Line& line, const LineForces& out) {
    for (std::size_t v = 0; v < line.vertices; ++v) out.tension[v] = line.tension ? line.tension_at(v) : 0;
    for (std::size_t e = 0; e < line.edges; ++e) {
        const bool wet = line.mass[e] > 0;
        out.friction[e] = wet ? line.mass[e] * line.rate[e] : 0;
        out.force[e] = out.speed[e] = 0;
        if (!wet) continue;
        out.speed[e] = line.speed[e];
        if (line.tension) out.force[e] += out.tension[e + 1] - out.tension[e];
        if (line.capillary) out.force[e] += line.capillary_force(e);
    }
}

}  // namespace

void line_forces(const FilmLine& film, const FlowOptions& options, double step, LineScratch& scratch,
                 const LineForces& out) {
    // Friction for the forces so far, then the speeds of all edges together; the second round has both at the
    // end of the step but for what they changed in it.
    constexpr int kRounds = 2;
    if (film.vertices() < 2) {
        std::fill(out.tension.begin(), out.tension.end(), 0.0);
        return;
    }
    Line line(film, options, scratch);
    pour(line);
    if (!line.tension && !line.capillary) {
        rub(line, options.friction, step, false);
        std::copy_n(line.aim, line.edges, line.speed);
    } else {
        if (line.capillary) press(line, step);
        for (int round = 0; round < kRounds; ++round) {
            if (line.tension) stretch(line, step);
            if (round == 0 || !line.newtonian) rub(line, options.friction, step, round > 0);
            if (round == 0 || !line.newtonian || line.tension) solve(line, step);
        }
    }
    write(line, out);
}

}  // namespace rivulet::film
