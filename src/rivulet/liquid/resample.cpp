#include <rivulet/liquid/resample.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/grid/tile.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>

namespace rivulet::liquid {

namespace {

constexpr int kE = grid::kBlockEdge;

/// Particles of one cell that are still there.
using Cell = std::vector<std::uint32_t>;

/// How a material's particles fill a cell.
struct Measure {
    double part = 0;     // one particle's, of the number in a full cell
    double volume = 0;   // m^3, of one in a full cell
    double spacing = 0;  // m, there
};

std::array<Measure, 256> measures(const ResampleRule& rule, double size) {
    std::array<Measure, 256> out;
    for (std::size_t m = 0; m < out.size(); ++m) {
        const int n = rule.in_full_cell(m);
        out[m] = {1.0 / n, size * size * size / n, particle_spacing(size, n)};
    }
    return out;
}

struct Pair {
    std::size_t a = 0, b = 0;  // places in the cell
    double squared_distance = 1e300;
};

/// The closest pair of one material that may become one particle; of `only` with another when it is given.
/// `largest`: volume of that particle, as `small` and `largest` of the rule.
Pair closest_pair(const LiquidState& s, const Cell& cell, std::span<const Measure> measure, double largest,
                  std::int64_t only = -1) {
    // NOTE: a cell of thousands is looked at in windows, so that the work stays linear.
    constexpr std::size_t kWindow = 32;
    Pair best;
    const auto consider = [&](std::size_t a, std::size_t b) {
        const std::uint32_t i = cell[a], j = cell[b];
        const std::uint8_t m = s.material[i];
        if (m != s.material[j] || s.volume[i] + s.volume[j] > largest * measure[m].volume) return;
        const double d = squared_length(s.position[i] - s.position[j]);
        if (d < best.squared_distance) best = {a, b, d};
    };
    if (only >= 0) {
        const std::size_t one = std::size_t(only);
        for (std::size_t a = one - std::min(one, kWindow); a < one; ++a) consider(a, one);
        for (std::size_t b = one + 1; b < std::min(cell.size(), one + 1 + kWindow); ++b) consider(one, b);
        return best;
    }
    for (std::size_t a = 0; a < cell.size(); ++a)
        for (std::size_t b = a + 1; b < std::min(cell.size(), a + 1 + kWindow); ++b) consider(a, b);
    return best;
}

/// Of the number in a full cell.
double number_in(const LiquidState& s, const Cell& cell, std::span<const Measure> measure) {
    double number = 0;
    for (const std::uint32_t p : cell) number += measure[s.material[p]].part;
    return number;
}

/// Merges within one cell; returns how many.
std::size_t merge_cell(LiquidState& s, Cell& cell, double size, const ResampleRule& rule,
                       std::span<const Measure> measure, std::vector<std::uint32_t>& dead) {
    std::size_t merged = 0;
    const auto is_near = [&](const Pair& pair) {
        const double near = rule.near * measure[s.material[cell[pair.a]]].spacing;
        return pair.squared_distance <= near * near;
    };
    const auto merge = [&](const Pair& pair) {
        merge_particles(s, cell[pair.a], cell[pair.b], size);
        dead.push_back(cell[pair.b]);
        cell.erase(cell.begin() + std::ptrdiff_t(pair.b));
        ++merged;
    };
    double number = number_in(s, cell, measure);
    for (int n = 0; n < 16 && number > rule.crowded; ++n) {
        const Pair pair = closest_pair(s, cell, measure, rule.largest);
        if (!is_near(pair)) break;
        number -= measure[s.material[cell[pair.b]]].part;
        merge(pair);
    }
    // Small ones come from splits: together they are what they were before.
    for (std::size_t a = 0; a < cell.size(); ++a) {
        const Measure& own = measure[s.material[cell[a]]];
        if (number <= rule.sparse + own.part) break;
        if (s.volume[cell[a]] > rule.small * own.volume) continue;
        const Pair pair = closest_pair(s, cell, measure, 1.25, std::int64_t(a));
        if (!is_near(pair)) continue;
        number -= own.part;
        merge(pair);
    }
    return merged;
}

/// The offset of two children from their parent: of a few directions the one that leads farthest from the
/// others of the cell.
Vec3d split_offset(const LiquidState& s, const Cell& cell, std::uint32_t parent, double reach,
                   const Random& random) {
    Vec3d best;
    double widest = -1;
    for (std::uint64_t trial = 0; trial < 6; ++trial) {
        const Vec3d offset = random.direction(6 * s.id[parent] + trial) * reach;
        double gap = 1e300;
        for (const std::uint32_t other : cell) {
            if (other == parent) continue;
            gap = std::min({gap, squared_length(s.position[parent] + offset - s.position[other]),
                            squared_length(s.position[parent] - offset - s.position[other])});
        }
        if (gap > widest) widest = gap, best = offset;
    }
    return best;
}

/// Splits and merges as the blocks have found, in their order.
template <class Changes>
ResampleReport carry_out(LiquidState& state, std::span<const Changes> blocks,
                         std::vector<std::uint32_t>& dead) {
    ResampleReport report;
    dead.clear();
    for (const Changes& changes : blocks) {
        for (const auto& birth : changes.births) {
            const std::uint32_t p = birth.parent;
            // Both keep the parent's velocity and affine matrix: then momentum and spin stay exactly.
            state.volume[p] *= 0.5;
            for_particle_arrays(state, [&](auto& array) {
                if (!array.empty()) array.push_back(array[p]);
            });
            state.id.back() = state.next_id++;
            state.position.back() += birth.offset;
            state.position[p] -= birth.offset;
            ++report.split;
        }
        dead.insert(dead.end(), changes.dead.begin(), changes.dead.end());
    }
    std::sort(dead.begin(), dead.end());
    remove_particles(state, dead);
    report.merged = dead.size();
    return report;
}

}  // namespace

void merge_particles(LiquidState& s, std::size_t a, std::size_t b, double cell) {
    const double va = s.volume[a], vb = s.volume[b], v = va + vb, wa = va / v, wb = vb / v;
    const Vec3d apart = s.position[a] - s.position[b], relative = s.velocity[a] - s.velocity[b];
    const Mat3d mean = s.affine[a] * wa + s.affine[b] * wb;
    // Per mass, the pair spins with wa*wb * apart × relative about its centre, and a matrix [w]× with
    // cell²/4 * sum_a row_a × e_a = cell²/2 * w.
    const Vec3d lost = cross(apart, relative) * (wa * wb * grid::kAffineScale / (cell * cell));
    s.affine[a] = mean + cross_matrix(lost * 0.5);
    s.position[a] = s.position[a] * wa + s.position[b] * wb;
    s.velocity[a] = s.velocity[a] * wa + s.velocity[b] * wb;
    s.volume_ratio[a] = s.volume_ratio[a] * wa + s.volume_ratio[b] * wb;
    if (has_strain(s)) set_strain(s, a, mean_strain(wa, strain_of(s, a), wb, strain_of(s, b)));
    if (has_stretch(s)) set_stretch(s, a, liquid::mean(wa, stretch_of(s, a), wb, stretch_of(s, b)));
    s.age[a] = static_cast<float>(s.age[a] * wa + s.age[b] * wb);
    s.volume[a] = v;
}

ResampleReport Resampler::run(LiquidState& state, const grid::Topology& topology,
                              const grid::ParticleOrder& order, const grid::Field& fraction,
                              const SolidDistance& solids, std::uint64_t seed, const ResampleRule& rule,
                              std::span<const std::uint8_t> law_of) {
    const double size = topology.cell;
    const std::array<Measure, 256> measure = measures(rule, size);
    const Random random(seed, 0x73706c69ull);
    if (changes_.size() < topology.size()) changes_.resize(topology.size());
    grid::for_blocks(topology, [&](std::size_t b) {
        BlockChanges& changes = changes_[b];
        changes.dead.clear();
        changes.births.clear();
        if (order.block_begin(b) == order.block_end(b)) return;
        grid::Tile<1, 1> filled;
        filled.gather(topology, fraction.data(), b);
        Cell cell;
        for (int c = 0; c < grid::kBlockCells; ++c) {
            const std::size_t index = b * grid::kBlockCells + std::size_t(c);
            const std::size_t first = order.cell_begin(index), last = order.cell_end(index);
            if (first == last) continue;
            double number = 0;
            bool odd_sizes = false;
            for (std::size_t p = first; p < last; ++p) {
                const Measure& own = measure[state.material[p]];
                number += own.part;
                odd_sizes |=
                    state.volume[p] <= rule.small * own.volume || state.volume[p] > rule.largest * own.volume;
            }
            if (number > rule.sparse && number <= rule.crowded && !odd_sizes) continue;
            cell.clear();
            for (std::size_t p = first; p < last; ++p) cell.push_back(static_cast<std::uint32_t>(p));
            if (number > rule.crowded || odd_sizes)
                merge_cell(state, cell, size, rule, measure, changes.dead);

            const int i = c % kE, j = c / kE % kE, k = c / (kE * kE);
            const bool inner = filled(i - 1, j, k) > 0.6 && filled(i + 1, j, k) > 0.6 &&
                               filled(i, j - 1, k) > 0.6 && filled(i, j + 1, k) > 0.6 &&
                               filled(i, j, k - 1) > 0.6 && filled(i, j, k + 1) > 0.6;
            for (const std::uint32_t p : cell) {
                const Measure& own = measure[state.material[p]];
                const double v = state.volume[p] / own.volume;
                const bool torn = !law_of.empty() && law_of[p] != state.material[p];
                const bool thin_out = inner && !torn && number <= rule.sparse && v >= rule.least_split;
                if (!(v > rule.largest || thin_out)) continue;
                const Vec3d offset = split_offset(state, cell, p, 0.25 * own.spacing * std::cbrt(v), random);
                if (solids &&
                    !(solids(state.position[p] + offset) > 0 && solids(state.position[p] - offset) > 0))
                    continue;
                changes.births.push_back({p, offset});
            }
        }
    });
    return carry_out(state, std::span<const BlockChanges>(changes_).first(topology.size()), dead_);
}

}  // namespace rivulet::liquid
