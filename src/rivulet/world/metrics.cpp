#include <rivulet/world/metrics.h>

#include <cmath>
#include <type_traits>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/energy.h>
#include <rivulet/world/film_energy.h>
#include <rivulet/world/film_speed.h>

namespace rivulet::world {

double bulk_volume(const World& world) {
    LiquidTally tally;
    held_liquid(world.liquid, tally);
    return tally.total();
}

double film_volume(const World& world) {
    LiquidTally tally;
    held_liquid(world.film, tally);
    return tally.total();
}

namespace {

/// Mass, momenta and energies of things that move freely; adds up in a fixed order.
struct Motion {
    CompensatedSum px, py, pz, lx, ly, lz, kinetic, gravity;
    double max_speed_squared = 0;

    void add(double mass, const Vec3d& x, const Vec3d& v, const Vec3d& g) {
        const Vec3d p = mass * v, l = cross(x, p);
        px.add(p.x), py.add(p.y), pz.add(p.z);
        lx.add(l.x), ly.add(l.y), lz.add(l.z);
        kinetic.add(0.5 * mass * squared_length(v));
        gravity.add(-mass * dot(g, x));
        max_speed_squared = std::max(max_speed_squared, squared_length(v));
    }
    friend Motion operator+(const Motion& a, const Motion& b) {
        return {
            a.px + b.px,           a.py + b.py,           a.pz + b.pz,
            a.lx + b.lx,           a.ly + b.ly,           a.lz + b.lz,
            a.kinetic + b.kinetic, a.gravity + b.gravity, std::max(a.max_speed_squared, b.max_speed_squared)};
    }
};

/// APIC particles also carry spin: angular momentum of the affine part about the particle, with the kernel's
/// second moment D = cell²/4 per axis (Jiang et al. 2015, eq. 12): m * D * axial(C), kinetic ½ m D |C|².
Motion liquid_motion(const Model& model, const liquid::LiquidState& liquid) {
    const double moment = 0.25 * model.cell * model.cell;
    return ordered_reduce(
        liquid.size(), 4096, Motion{},
        [&](std::size_t begin, std::size_t end) {
            Motion m;
            for (std::size_t i = begin; i < end; ++i) {
                const double mass = liquid.volume[i] * model.liquid.materials[liquid.material[i]].density;
                m.add(mass, liquid.position[i], liquid.velocity[i], model.gravity);
                const Mat3d& c = liquid.affine[i];
                m.lx.add(mass * moment * (c(2, 1) - c(1, 2)));
                m.ly.add(mass * moment * (c(0, 2) - c(2, 0)));
                m.lz.add(mass * moment * (c(1, 0) - c(0, 1)));
                m.kinetic.add(0.5 * mass * moment * contract(c, c));
            }
            return m;
        },
        [](const Motion& a, const Motion& b) { return a + b; });
}

/// Films, in halves as they slide.
Motion film_motion(const Model& model, const World& world) {
    const film::FilmState& film = world.film;
    const strand::StrandState& s = world.strands;
    if (!model.film.weighs || film.size() == 0) return {};
    const auto mass_of = [&](std::size_t v) {
        double density = 0;
        for (std::size_t l = 0; l < film.liquids(); ++l)
            density += film.share[v * film.liquids() + l] * model.liquid.materials[l].density;
        return film.area[v] * film.length[v] * density;
    };
    return ordered_reduce(
        s.strand_count(), 64, Motion{},
        [&](std::size_t begin, std::size_t end) {
            Motion m;
            for (std::size_t k = begin; k < end; ++k)
                for (std::size_t v = s.begin(k); v < s.end(k); ++v) {
                    if (film.area[v] == 0) continue;
                    const double half = 0.5 * mass_of(v);
                    const FilmHalves moves = film_halves(film, s, k, v);
                    m.add(half, s.position[v], s.velocity[v] + moves.before, model.gravity);
                    m.add(half, s.position[v], s.velocity[v] + moves.after, model.gravity);
                }
            return m;
        },
        [](const Motion& a, const Motion& b) { return a + b; });
}

}  // namespace

std::int64_t vertex_count(const World& world) {
    std::int64_t count = 0;
    for_each_member(world, [&](const auto& state) {
        using State = std::remove_cvref_t<decltype(state)>;
        if constexpr (HasGroup<State>)
            if constexpr (State::group.shape != GroupShape::points)
                count += static_cast<std::int64_t>(state.position.size());
    });
    return count;
}

Metrics measure(const Model& model, const World& world, const StepCounts& counts) {
    Metrics m;
    m.step = world.clock.step;
    m.frame = world.clock.frame;
    m.time = world.clock.time;
    m.dt = counts.dt;
    m.retries = counts.retries;
    m.particles = static_cast<std::int64_t>(world.liquid.size());
    m.grid_cells = counts.grid_cells;
    m.contacts = counts.contacts;
    m.volume_bulk = bulk_volume(world);
    m.volume_film = film_volume(world);
    m.volume_in = world.ledger.total_in();
    m.volume_out = world.ledger.total_out();
    m.volume_error = world.ledger.error(present_liquid(world));
    const Motion moving = liquid_motion(model, world.liquid) + film_motion(model, world);
    const strand::Totals strands = strand::totals(world.strands, model.strands.materials, model.gravity);
    m.momentum = Vec3d{moving.px.value(), moving.py.value(), moving.pz.value()} + strands.momentum;
    m.angular_momentum =
        Vec3d{moving.lx.value(), moving.ly.value(), moving.lz.value()} + strands.angular_momentum;
    const FilmEnergy film = film_energy(model, world);
    m.energy_kinetic = moving.kinetic.value() + strands.kinetic + film.spin;
    m.energy_elastic = strands.elastic + film.memory;
    m.energy_surface = film.surface;
    m.energy_gravity = moving.gravity.value() + strands.gravity;
    m.max_speed = std::max(std::sqrt(moving.max_speed_squared), strands.max_speed);
    m.max_divergence = counts.max_divergence;
    m.newton_iterations = counts.newton_iterations;
    m.pressure_iterations = counts.pressure_iterations;
    m.shear_iterations = counts.shear_iterations;
    m.contact_iterations = counts.contact_iterations;
    m.contact_residual = counts.contact_residual;
    m.contact_rounds = counts.contact_rounds;
    m.contact_zones = counts.contact_zones;
    m.mixture_divergence = counts.mixture_divergence;
    return m;
}

}  // namespace rivulet::world
