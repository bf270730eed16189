#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <vector>

#include <rivulet/strand/mobility.h>
#include <rivulet/strand/pack_plan.h>
#include <rivulet/strand/rod_problem.h>

namespace rivulet::strand {

/// What the solver fills and `Mobility` reads: per pack the factor LDLᵀ of C, 1/D on the diagonal and 0 there
/// for held unknowns.
struct Mobility::Memory {
    PackPlan plan;
    std::vector<std::size_t> first;  // of each pack in `factor` and `inverse`
    std::vector<Pack> factor, inverse;
    bool filled = false, inverted = false;
    mutable tbb::enumerable_thread_specific<std::vector<Pack>> work;

    /// Makes room for the strands; nothing is filled after it.
    void prepare(const StrandState& state);
    std::span<Pack> factor_of(std::size_t pack) {
        return std::span(factor).subspan(first[pack], first[pack + 1] - first[pack]);
    }
};

/// Turns the factor of H that Newton's method kept into that of C = dt² H, with nothing for held unknowns.
template <class T>
void finish_kept_factor(const RodProblem<T>& p, double dt) {
    const std::size_t unknowns = unknown_count(p.vertices);
    const T scale(1 / (dt * dt));
    for (std::size_t j = 0; j < unknowns; ++j) p.kept[Band::index(j, j)] *= scale;
    for_each_held(p.held, p.vertices, [&](const MaskOf<T>& mask, std::size_t row) {
        T& pivot = p.kept[Band::index(row, row)];
        pivot = select(mask, T(0.0), pivot);
    });
}

}  // namespace rivulet::strand
