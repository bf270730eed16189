#include <rivulet/strand/bedding.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/mobility_memory.h>

namespace rivulet::strand {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// C = L D Lᵀ from the factor of a pack. Held unknowns, marked by 1/D = 0, have nothing but a 1 on the
/// diagonal.
void multiply_out(std::span<const Pack> factor, std::size_t unknowns, std::span<Pack> band) {
    constexpr std::size_t half = Band::kHalf;
    std::vector<Pack> pivot(unknowns);
    for (std::size_t k = 0; k < unknowns; ++k) {
        const Pack inverse = factor[Band::index(k, k)];
        pivot[k] = select(inverse > Pack(0.0), Pack(1.0) / select(inverse > Pack(0.0), inverse, Pack(1.0)),
                          Pack(0.0));
    }
    for (std::size_t column = 0; column < unknowns; ++column)
        for (std::size_t row = column; row < std::min(unknowns, column + half + 1); ++row) {
            Pack sum(0.0);
            for (std::size_t k = row > half ? row - half : 0; k <= column; ++k) {
                const Pack at_column = k == column ? Pack(1.0) : factor[Band::index(column, k)];
                const Pack at_row = k == row ? Pack(1.0) : factor[Band::index(row, k)];
                sum += at_column * at_row * pivot[k];
            }
            band[Band::index(row, column)] = sum;
        }
}

}  // namespace

struct Bedding::Memory {
    const Mobility::Memory* mobility = nullptr;
    std::vector<std::size_t> place;   // per pack: where its bands begin; kNowhere: no strand of it is touched
    std::vector<std::size_t> packs;   // that are touched
    std::vector<Pack> plain, bedded;  // bands of C, and of C with springs: factorised
};

Bedding::Bedding() : memory_(std::make_unique<Memory>()) {}
Bedding::~Bedding() = default;
Bedding::Bedding(Bedding&&) noexcept = default;
Bedding& Bedding::operator=(Bedding&&) noexcept = default;

void Bedding::prepare(const Mobility& mobility, std::span<const std::uint8_t> strands) {
    Memory& m = *memory_;
    m.mobility = mobility.memory_.get();
    const PackPlan& plan = m.mobility->plan;
    m.place.assign(plan.packs.size(), kNowhere);
    m.packs.clear();
    std::size_t size = 0;
    for (std::size_t k = 0; k < plan.packs.size(); ++k) {
        if (!plan.packs[k].wanted(strands)) continue;
        m.place[k] = size;
        m.packs.push_back(k);
        size += Band::storage_size(unknown_count(plan.vertices(k)));
    }
    if (m.plain.size() < size) m.plain.resize(size), m.bedded.resize(size);
    parallel_for(m.packs.size(), [&](std::size_t i) {
        const std::size_t k = m.packs[i], n = unknown_count(plan.vertices(k));
        const std::span<Pack> band = std::span(m.plain).subspan(m.place[k], Band::storage_size(n));
        std::fill(band.begin(), band.end(), Pack(0.0));
        multiply_out(std::span(m.mobility->factor).subspan(m.mobility->first[k]), n, band);
    });
}

void Bedding::lay(std::span<const SurfaceSpring> springs) {
    Memory& m = *memory_;
    const PackPlan& plan = m.mobility->plan;
    std::copy(m.plain.begin(), m.plain.end(), m.bedded.begin());
    for (const SurfaceSpring& s : springs) {
        const std::size_t slot = plan.slot[s.strand], k = slot / Pack::kWidth;
        const int lane = static_cast<int>(slot % Pack::kWidth);
        assert(m.place[k] != kNowhere);
        const std::size_t base = 4 * (s.edge - static_cast<std::size_t>(plan.start[s.strand]));
        // Rows of E by unknown: first vertex, turn, second vertex.
        const Vec3d unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        Vec3d e[7], re[7];
        for (int c = 0; c < 3; ++c) e[c] = unit[c] * s.first, e[4 + c] = unit[c] * s.second;
        e[3] = s.arm;
        for (int p = 0; p < 7; ++p)
            re[p] = e[p] * s.across + s.normal * ((s.along - s.across) * dot(s.normal, e[p]));
        for (std::size_t p = 0; p < 7; ++p)
            for (std::size_t q = p; q < 7; ++q) {
                Pack& entry = m.bedded[m.place[k] + Band::index(base + q, base + p)];
                entry.set(lane, entry[lane] + dot(e[q], re[p]));
            }
    }
    parallel_for(m.packs.size(), [&](std::size_t i) {
        const std::size_t k = m.packs[i], n = unknown_count(plan.vertices(k));
        const std::span<Pack> band = std::span(m.bedded).subspan(m.place[k], Band::storage_size(n));
        const std::span<const Pack> factor = std::span(m.mobility->factor).subspan(m.mobility->first[k]);
        for (std::size_t u = 0; u < n; ++u) {
            const auto held = !(factor[Band::index(u, u)] > Pack(0.0));
            if (!any(held)) continue;
            for (std::size_t v = u > Band::kHalf ? u - Band::kHalf : 0; v < std::min(n, u + Band::kHalf + 1);
                 ++v) {
                Pack& entry = band[Band::index(std::max(u, v), std::min(u, v))];
                entry = select(held, Pack(u == v ? 1.0 : 0.0), entry);
            }
        }
        Band::factorise<Pack>(band, n);
        for (std::size_t u = 0; u < n; ++u) {
            Pack& pivot = band[Band::index(u, u)];
            pivot = select(factor[Band::index(u, u)] > Pack(0.0), pivot, Pack(0.0));
        }
    });
}

void Bedding::solve(std::span<Vec3d> velocity, std::span<double> twist_velocity,
                    std::span<const std::uint8_t> only) const {
    const Memory& m = *memory_;
    const PackPlan& plan = m.mobility->plan;
    parallel_for(m.packs.size(), [&](std::size_t i) {
        const std::size_t k = m.packs[i], vertices = plan.vertices(k), n = unknown_count(vertices);
        const PackPlan::PackOf& pack = plan.packs[k];
        if (!pack.wanted(only)) return;
        auto& x = m.mobility->work.local();
        x.assign(Band::vector_size(n), Pack(0.0));
        const auto each = [&](auto&& visit) {
            for (std::size_t l = 0; l < pack.used; ++l) {
                const std::size_t strand = pack.lanes.strand[l],
                                  first = static_cast<std::size_t>(plan.start[strand]);
                if (!only[strand]) continue;
                for (std::size_t v = 0; v < vertices; ++v) visit(static_cast<int>(l), v, first + v);
            }
        };
        each([&](int lane, std::size_t v, std::size_t at) {
            for (int c = 0; c < 3; ++c) x[4 * v + std::size_t(c)].set(lane, velocity[at][c]);
            if (v + 1 < vertices) x[4 * v + 3].set(lane, twist_velocity[at]);
        });
        Band::solve<Pack>(std::span(m.bedded).subspan(m.place[k], Band::storage_size(n)), n, x);
        each([&](int lane, std::size_t v, std::size_t at) {
            velocity[at] = {x[4 * v][lane], x[4 * v + 1][lane], x[4 * v + 2][lane]};
            twist_velocity[at] = v + 1 < vertices ? x[4 * v + 3][lane] : 0;
        });
    });
}

std::size_t Bedding::memory() const {
    return (memory_->plain.capacity() + memory_->bedded.capacity()) * sizeof(Pack);
}

}  // namespace rivulet::strand
