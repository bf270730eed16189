#include <rivulet/strand/mobility.h>

#include <algorithm>
#include <cassert>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/strand/mobility_memory.h>

namespace rivulet::strand {
namespace {

/// Impulses and answers of one strand.
struct Sides {
    std::span<const Vec3d> impulse;
    std::span<const double> angular_impulse;
    std::span<Vec3d> velocity;
    std::span<double> twist_velocity;

    Sides of(std::size_t first, std::size_t count) const {
        const auto part = [&](auto span) { return span.empty() ? span : span.subspan(first, count); };
        return {part(impulse), part(angular_impulse), part(velocity), part(twist_velocity)};
    }
    bool fit(std::size_t n) const {
        const auto fits = [&](std::size_t size) { return size == 0 || size == n; };
        return impulse.size() == n && velocity.size() == n && fits(angular_impulse.size()) &&
               fits(twist_velocity.size());
    }
};

void put(const Sides& s, int lane, std::span<Pack> x) {
    const std::size_t n = s.impulse.size();
    for (std::size_t i = 0; i < n; ++i) {
        Pack* at = &x[4 * i];
        for (int c = 0; c < 3; ++c) at[c].set(lane, s.impulse[i][c]);
        if (i + 1 < n && !s.angular_impulse.empty()) at[3].set(lane, s.angular_impulse[i]);
    }
}

void get(std::span<const Pack> x, int lane, const Sides& s) {
    const std::size_t n = s.velocity.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Pack* at = &x[4 * i];
        s.velocity[i] = {at[0][lane], at[1][lane], at[2][lane]};
        if (!s.twist_velocity.empty()) s.twist_velocity[i] = i + 1 < n ? at[3][lane] : 0;
    }
}

}  // namespace

void Mobility::Memory::prepare(const StrandState& state) {
    filled = inverted = false;
    if (!plan.make(state)) return;
    first.assign(plan.packs.size() + 1, 0);
    for (std::size_t k = 0; k < plan.packs.size(); ++k)
        first[k + 1] = first[k] + Band::factor_size(unknown_count(plan.vertices(k)));
    factor.assign(first.back(), Pack(0.0));
    inverse.clear();
}

Mobility::Mobility() : memory_(std::make_unique<Memory>()) {}
Mobility::~Mobility() = default;
Mobility::Mobility(Mobility&&) noexcept = default;
Mobility& Mobility::operator=(Mobility&&) noexcept = default;

std::size_t Mobility::memory() const {
    const Memory& m = *memory_;
    std::size_t packs = m.factor.capacity() + m.inverse.capacity();
    for (const auto& x : m.work) packs += x.capacity();
    return m.plan.memory() + m.first.capacity() * sizeof(std::size_t) + packs * sizeof(Pack);
}

void Mobility::apply(std::span<const Vec3d> impulse, std::span<const double> angular_impulse,
                     std::span<Vec3d> velocity, std::span<double> twist_velocity,
                     std::span<const std::uint8_t> only) const {
    const Memory& m = *memory_;
    const Sides all{impulse, angular_impulse, velocity, twist_velocity};
    if (!m.filled || !all.fit(static_cast<std::size_t>(m.plan.start.back())))
        throw Error("strands: a mobility answers for the strands of a solve that has filled it");
    parallel_for(m.plan.packs.size(), [&](std::size_t k) {
        const PackPlan::PackOf& pack = m.plan.packs[k];
        if (!pack.wanted(only)) return;
        const std::size_t n = m.plan.vertices(k);
        auto& x = m.work.local();
        x.assign(Band::vector_size(unknown_count(n)), Pack(0.0));
        const auto side = [&](std::size_t l) {
            return all.of(static_cast<std::size_t>(m.plan.start[pack.lanes.strand[l]]), n);
        };
        const auto each = [&](auto&& visit) {
            for (std::size_t l = 0; l < pack.used; ++l)
                if (only.empty() || only[pack.lanes.strand[l]] != 0) visit(l);
        };
        each([&](std::size_t l) { put(side(l), int(l), x); });
        Band::solve<Pack>(std::span(m.factor).subspan(m.first[k]), unknown_count(n), x);
        each([&](std::size_t l) { get(x, int(l), side(l)); });
    });
}

void Mobility::invert_band(std::span<const std::uint8_t> only) {
    Memory& m = *memory_;
    if (!m.filled) throw Error("strands: no solve has filled this mobility");
    m.inverse.resize(m.factor.size());
    parallel_for(m.plan.packs.size(), [&](std::size_t k) {
        if (!m.plan.packs[k].wanted(only)) return;
        Band::invert_in_band<Pack>(m.factor_of(k), unknown_count(m.plan.vertices(k)),
                                   std::span(m.inverse).subspan(m.first[k]));
    });
    m.inverted = true;
}

namespace {

/// Entries of a strand's inverse by the numbers of its unknowns.
struct Entries {
    std::span<const Pack> band;
    int lane;

    double operator()(std::size_t i, std::size_t j) const {
        return i < j ? (*this)(j, i) : band[Band::index(i, j)][lane];
    }
    Mat3d block(std::size_t i, std::size_t j) const {
        Mat3d m;
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) m(int(r), int(c)) = (*this)(i + r, j + c);
        return m;
    }
    Vec3d column(std::size_t i, std::size_t j) const {
        return {(*this)(i, j), (*this)(i + 1, j), (*this)(i + 2, j)};
    }
};

}  // namespace

Mat3d Mobility::vertices(std::size_t strand, std::size_t a, std::size_t b) const {
    const Memory& m = *memory_;
    assert(m.inverted && (a < b ? b - a : a - b) <= 2);
    const std::size_t slot = m.plan.slot[strand], begin = static_cast<std::size_t>(m.plan.start[strand]);
    const Entries z{std::span(m.inverse).subspan(m.first[slot / Pack::kWidth]), int(slot % Pack::kWidth)};
    return z.block(4 * (a - begin), 4 * (b - begin));
}

EdgeMobility Mobility::edge(std::size_t strand, std::size_t edge) const {
    const Memory& m = *memory_;
    assert(m.inverted);
    const std::size_t slot = m.plan.slot[strand], begin = static_cast<std::size_t>(m.plan.start[strand]);
    const Entries z{std::span(m.inverse).subspan(m.first[slot / Pack::kWidth]), int(slot % Pack::kWidth)};
    const std::size_t u = 4 * (edge - begin);
    return {z.block(u, u),      z.block(u + 4, u + 4),  z.block(u, u + 4),
            z.column(u, u + 3), z.column(u + 4, u + 3), z(u + 3, u + 3)};
}

}  // namespace rivulet::strand
