#include <rivulet/coupling/capture.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <rivulet/base/order_free_sum.h>
#include <rivulet/base/parallel.h>

namespace rivulet::coupling {
namespace {

using grid::kBlockCells;
using grid::kBlockEdge;
using grid::ParticleOrder;
using grid::Topology;

/// What an order lists in the cells around one cell, as ranges: a row of cells in a block is one.
class Around {
 public:
    struct Range {
        std::uint32_t begin, end;
    };

    void find(const Topology& topology, const ParticleOrder& order, std::size_t block, int cell, int reach) {
        count_ = 0;
        const int x = cell % kBlockEdge, y = cell / kBlockEdge % kBlockEdge,
                  z = cell / (kBlockEdge * kBlockEdge);
        for (int k = z - reach; k <= z + reach; ++k)
            for (int j = y - reach; j <= y + reach; ++j)
                for (int side = -1; side <= 1; ++side) {
                    const int first = std::max(x - reach, side * kBlockEdge);
                    const int last = std::min(x + reach, side * kBlockEdge + kBlockEdge - 1);
                    if (first <= last) add(topology, order, block, first, last, j, k);
                }
    }
    const Range* begin() const { return range_.data(); }
    const Range* end() const { return range_.data() + count_; }
    bool empty() const { return count_ == 0; }

 private:
    void add(const Topology& topology, const ParticleOrder& order, std::size_t block, int first, int last,
             int j, int k) {
        const std::int64_t from = topology.index(block, first, j, k);
        if (from < 0) return;
        const std::size_t c = std::size_t(from);
        const Range r{order.cell_start[c], order.cell_start[c + std::size_t(last - first) + 1]};
        if (r.begin < r.end) range_[count_++] = r;
    }
    static constexpr std::size_t kWidth = 2 * Capture::kMostReach + 1;
    std::array<Range, 3 * kWidth * kWidth> range_;
    std::size_t count_ = 0;
};

/// Squared distances, on periodic axes to the nearest image.
class Distance {
 public:
    explicit Distance(const Topology& topology) {
        for (int a = 0; a < 3; ++a) {
            period_[a] = topology.period[a] * topology.cell;
            inverse_[a] = period_[a] > 0 ? 1 / period_[a] : 0;
            periodic_ |= period_[a] > 0;
        }
    }
    double squared(const Vec3d& a, const Vec3d& b) const {
        Vec3d d = a - b;
        if (periodic_)
            for (int i = 0; i < 3; ++i) d[i] -= period_[i] * std::nearbyint(d[i] * inverse_[i]);
        return squared_length(d);
    }

 private:
    Vec3d period_, inverse_;
    bool periodic_ = false;
};

/// w v of a pair [m^3]. All passes ask this one function, so they see the same bits.
template <class Asker>
inline double weighted(const Distance& distance, const Asker& asker, const Vec3d& position, double volume) {
    const double u = 1 - distance.squared(asker.position, position) * asker.inverse_square;
    return u > 0 ? u * u * u * volume : 0;
}

/// q of a pair [m^3]; `share` is its w v, not 0.
template <class Asker>
inline double announced(const Asker& asker, double share, double volume) {
    return std::min(asker.rate * share, volume);
}

bool any_around(const Topology& topology, const ParticleOrder& order, std::size_t block) {
    for (const std::int32_t n : topology.neighbour[block])
        if (n >= 0 && order.block_begin(std::size_t(n)) < order.block_end(std::size_t(n))) return true;
    return false;
}

/// body(i, ranges of `around` near it) for everything that `items` lists and that has something around it.
template <class F>
void for_each_near(const Topology& topology, const ParticleOrder& items, const ParticleOrder& around,
                   int reach, F&& body) {
    grid::for_blocks(topology, [&](std::size_t b) {
        if (items.block_begin(b) == items.block_end(b) || !any_around(topology, around, b)) return;
        Around near;
        for (int c = 0; c < kBlockCells; ++c) {
            const std::size_t cell = b * kBlockCells + std::size_t(c);
            if (items.cell_begin(cell) == items.cell_end(cell)) continue;
            near.find(topology, around, b, c, reach);
            if (near.empty()) continue;
            for (std::size_t i = items.cell_begin(cell); i < items.cell_end(cell); ++i) body(i, near);
        }
    });
}

/// body(particle, volume) for every particle near an asker that gives it something.
template <class Asker, class F>
inline void for_gifts(const Distance& distance, const Asker& asker, const Around& near,
                      const GivingParticles& particles, std::span<const double> grant, F&& body) {
    for (const Around::Range& r : near)
        for (std::size_t p = r.begin; p < r.end; ++p) {
            if (!(grant[p] > 0)) continue;
            const double volume = particles.volume[p];
            const double share = weighted(distance, asker, particles.position[p], volume);
            if (share > 0) body(p, announced(asker, share, volume) * grant[p]);
        }
}

}  // namespace

void Askers::resize(std::size_t n) {
    position.resize(n);
    demand.resize(n);
    reach.resize(n);
}

void Capture::sort(const Topology& topology, const Askers& askers) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    place_.resize(askers.size());
    parallel_for(askers.size(), [&](std::size_t i) {
        const bool asks = askers.demand[i] > 0 && askers.reach[i] > 0;
        place_[i] = asks ? askers.position[i] : Vec3d{nan, nan, nan};
    });
    sorter_.sort_inside(topology, place_, asking_);
    const std::size_t n = asking_.source.size();
    const double most = kMostReach * topology.cell;
    sorted_.resize(n);
    parallel_for(n, [&](std::size_t s) {
        const std::size_t i = asking_.source[s];
        const double reach = std::min(askers.reach[i], most);
        sorted_[s] = {askers.position[i], 1 / (reach * reach), askers.demand[i], 0};
    });
    const double farthest =
        parallel_max(n, 0, [&](std::size_t s) { return std::min(askers.reach[asking_.source[s]], most); });
    cells_ = std::clamp(static_cast<int>(std::ceil(farthest / topology.cell)), 1, kMostReach);
}

/// Pass 0, per asker: Σ w v.
void Capture::announce(const Topology& topology, const ParticleOrder& order,
                       const GivingParticles& particles) {
    const Distance distance(topology);
    const OrderFreeScale scale(largest_);
    for_each_near(topology, asking_, order, cells_, [&](std::size_t s, const Around& near) {
        Asker& asker = sorted_[s];
        OrderFreeSum sum;
        for (const Around::Range& r : near)
            for (std::size_t p = r.begin; p < r.end; ++p)
                sum.add(scale, weighted(distance, asker, particles.position[p], particles.volume[p]));
        if (sum.value() > 0) asker.rate = asker.demand / sum.value();
    });
}

/// Pass 1, per particle: what it is asked for, and what it gives of it.
void Capture::grant(const Topology& topology, const ParticleOrder& order, const GivingParticles& particles,
                    const CaptureRule& rule, std::span<double> given) {
    const Distance distance(topology);
    const OrderFreeScale scale(largest_);
    for_each_near(topology, order, asking_, cells_, [&](std::size_t p, const Around& near) {
        const double volume = particles.volume[p];
        OrderFreeSum sum;
        for (const Around::Range& r : near)
            for (std::size_t s = r.begin; s < r.end; ++s) {
                const double share = weighted(distance, sorted_[s], particles.position[p], volume);
                if (share > 0) sum.add(scale, announced(sorted_[s], share, volume));
            }
        const double asked = sum.value();
        if (!(asked > 0)) return;
        double give = std::min(asked, rule.most_share * volume);
        if (volume - give < rule.least_volume) give = volume;
        given[p] = give;
        grant_[p] = give / asked;
    });
}

/// Pass 2, per asker: the sum of what it is given, by the weights of pass 1.
void Capture::collect(const Topology& topology, const ParticleOrder& order, const GivingParticles& particles,
                      Captured& out) {
    const Distance distance(topology);
    const std::size_t n = particles.position.size(), materials = particles.density.size();
    const double heaviest = *std::max_element(particles.density.begin(), particles.density.end());
    const double fastest =
        std::sqrt(parallel_max(n, 0, [&](std::size_t p) { return squared_length(particles.velocity[p]); }));
    const OrderFreeScale volumes(largest_), momenta(largest_ * heaviest * fastest);
    for_each_near(topology, asking_, order, cells_, [&](std::size_t s, const Around& near) {
        const std::size_t i = asking_.source[s];
        double* high = out.volume.data() + i * materials;
        double* low = remnant_.data() + i * materials;
        OrderFreeSum momentum[3];
        for_gifts(distance, sorted_[s], near, particles, grant_, [&](std::size_t p, double volume) {
            const std::size_t m = particles.material_of(p);
            assert(m < materials && "every material has a density");
            const double coarse = volumes.coarse(volume), mass = volume * particles.density[m];
            high[m] += coarse;
            low[m] += volumes.fine(volume - coarse);
            momentum[0].add(momenta, mass * particles.velocity[p].x);
            momentum[1].add(momenta, mass * particles.velocity[p].y);
            momentum[2].add(momenta, mass * particles.velocity[p].z);
        });
        for (std::size_t m = 0; m < materials; ++m) high[m] += low[m];
        out.momentum[i] = {momentum[0].value(), momentum[1].value(), momentum[2].value()};
    });
}

void Capture::run(const Topology& topology, const ParticleOrder& order, const GivingParticles& particles,
                  const Askers& askers, const CaptureRule& rule, Captured& out) {
    const std::size_t n = particles.position.size(), materials = particles.density.size();
    assert(particles.velocity.size() == n && particles.volume.size() == n);
    assert(askers.demand.size() == askers.size() && askers.reach.size() == askers.size());
    out.given.assign(n, 0);
    out.volume.assign(askers.size() * materials, 0);
    out.momentum.assign(askers.size(), {});
    sort(topology, askers);
    if (sorted_.empty() || n == 0) return;
    grant_.assign(n, 0);
    remnant_.assign(out.volume.size(), 0);
    largest_ = parallel_max(n, 0, [&](std::size_t p) { return particles.volume[p]; });
    announce(topology, order, particles);
    grant(topology, order, particles, rule, out.given);
    collect(topology, order, particles, out);
}

void Capture::mean(const Topology& topology, const ParticleOrder& order, const GivingParticles& particles,
                   std::span<const double> of_particle, std::span<double> of_asker) const {
    assert(of_particle.size() == particles.position.size() && of_asker.size() == place_.size());
    std::fill(of_asker.begin(), of_asker.end(), 0);
    if (sorted_.empty() || particles.position.empty()) return;
    const Distance distance(topology);
    const double most =
        parallel_max(of_particle.size(), 0, [&](std::size_t p) { return std::abs(of_particle[p]); });
    const OrderFreeScale volumes(largest_), amounts(largest_ * most);
    for_each_near(topology, asking_, order, cells_, [&](std::size_t s, const Around& near) {
        OrderFreeSum all, amount;
        for_gifts(distance, sorted_[s], near, particles, grant_, [&](std::size_t p, double volume) {
            all.add(volumes, volume);
            amount.add(amounts, volume * of_particle[p]);
        });
        if (all.value() > 0) of_asker[asking_.source[s]] = amount.value() / all.value();
    });
}

}  // namespace rivulet::coupling
