#include <rivulet/liquid/particles.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include <rivulet/liquid/particle_strain.h>

namespace rivulet::liquid {

void sort_particles(const grid::Topology& topology, const grid::ParticleOrder& order,
                    const LiquidState& front, LiquidState& back) {
    for_particle_arrays(front, back, [&](const auto& from, auto& to) {
        if (from.size() == front.size())
            grid::reorder(order, from, to);
        else
            to.clear();
    });
    back.next_id = front.next_id;
    back.emitted_volume = front.emitted_volume;
    if (topology.period == Vec3i{}) return;
    parallel_chunks(back.size(), 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) back.position[i] = topology.wrapped(back.position[i]);
    });
}

void add_particles(LiquidState& state, std::span<const NewParticle> particles) {
    const std::size_t first = state.size();
    const bool strained = has_strain(state), tears = has_stretch(state);
    for_held_arrays(state, [&](auto& array) { array.resize(first + particles.size()); });
    for (std::size_t n = 0; n < particles.size(); ++n) {
        const NewParticle& p = particles[n];
        const std::size_t i = first + n;
        state.id[i] = state.next_id++;
        state.position[i] = p.position;
        state.velocity[i] = p.velocity;
        state.affine[i] = p.affine;
        state.volume[i] = p.volume;
        state.volume_ratio[i] = 1;
        state.age[i] = 0;
        state.material[i] = p.material;
        if (strained) set_strain(state, i, identity_strain());
        if (tears) set_stretch(state, i, identity_strain());
    }
}

void remove_particles(LiquidState& state, std::span<const std::uint32_t> indices) {
    assert(std::is_sorted(indices.begin(), indices.end(), std::less_equal<>()));
    assert(indices.empty() || indices.back() < state.size());
    // From the last: the place of a removed particle is taken by one that stays.
    for (std::size_t n = indices.size(); n-- > 0;)
        for_particle_arrays(state, [&](auto& array) {
            if (array.empty()) return;
            array[indices[n]] = array.back();
            array.pop_back();
        });
}

void remove_in_order(LiquidState& state, std::span<const std::uint32_t> indices) {
    assert(std::is_sorted(indices.begin(), indices.end(), std::less_equal<>()));
    if (indices.empty()) return;
    for_particle_arrays(state, [&](auto& array) {
        if (array.empty()) return;
        std::size_t to = indices[0], next = 0;
        for (std::size_t from = to; from < array.size(); ++from) {
            if (next < indices.size() && indices[next] == from)
                ++next;
            else
                array[to++] = array[from];
        }
        array.resize(to);
    });
}

double max_speed(const LiquidState& state) {
    const auto& v = state.velocity;
    return std::sqrt(parallel_max(v.size(), 0.0, [&](std::size_t i) { return squared_length(v[i]); }));
}

}  // namespace rivulet::liquid
