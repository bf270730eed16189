#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Of the fastest particle [m/s]; not a number when one is not.
double max_speed(const LiquidState& state);

/// Calls visit(array) for every per-particle array of the state.
template <class State, class Visit>
void for_particle_arrays(State& state, Visit&& visit) {
    visit_fields(state, [&](const FieldInfo& info, auto& field) {
        if constexpr (requires { field.size(); })
            if (info.centring == Centring::particle) visit(field);
    });
}

/// The same without the arrays of strain when no liquid remembers its shape, and those of stretch when none
/// tears: nothing is allocated for them.
template <class Visit>
void for_held_arrays(LiquidState& state, Visit&& visit) {
    const bool strained = !state.strain_diagonal.empty(), tears = !state.stretch_diagonal.empty();
    for_particle_arrays(state, [&](auto& array) {
        const void* const here = &array;
        const bool strain = here == &state.strain_diagonal || here == &state.strain_off_diagonal;
        const bool stretch = here == &state.stretch_diagonal || here == &state.stretch_off_diagonal;
        if ((strained || !strain) && (tears || !stretch)) visit(array);
    });
}

/// Calls visit(array of a, same array of b) for every per-particle array.
template <class Visit>
void for_particle_arrays(const LiquidState& a, LiquidState& b, Visit&& visit) {
    std::size_t at_a = 0;
    for_particle_arrays(a, [&](const auto& from) {
        std::size_t at_b = 0;
        for_particle_arrays(b, [&](auto& to) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(from)>,
                                         std::remove_cvref_t<decltype(to)>>)
                if (at_a == at_b) visit(from, to);
            ++at_b;
        });
        ++at_a;
    });
}

/// Writes the particles of `front` in sorted order, wrapped on periodic axes, to `back`, and what is not per
/// particle as it is. `front` stays untouched: it is the copy to roll back to.
void sort_particles(const grid::Topology& topology, const grid::ParticleOrder& order,
                    const LiquidState& front, LiquidState& back);

struct NewParticle {
    Vec3d position, velocity;  // m, m/s
    double volume = 0;         // m^3
    std::uint8_t material = 0;
    Mat3d affine;
};

/// Appends particles with fresh ids, at rest density, without strain and of age 0.
void add_particles(LiquidState& state, std::span<const NewParticle> particles);

/// Removes the particles of these indices (increasing, each once); the last ones take their places.
void remove_particles(LiquidState& state, std::span<const std::uint32_t> indices);
/// The same, but those that stay keep their order.
void remove_in_order(LiquidState& state, std::span<const std::uint32_t> indices);

}  // namespace rivulet::liquid
