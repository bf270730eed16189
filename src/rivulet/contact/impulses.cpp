#include <rivulet/contact/impulses.h>

#include <cassert>

#include <rivulet/base/parallel.h>

namespace rivulet::contact {
namespace {

Vec3d in_axes(const Cone& cone, const Vec3d& v) {
    return {dot(cone.axes[0], v), dot(cone.axes[1], v), dot(cone.axes[2], v)};
}
Vec3d in_world(const Cone& cone, const Vec3d& r) {
    return r.x * cone.axes[0] + r.y * cone.axes[1] + r.z * cone.axes[2];
}

/// Calls use(node, part) for what the contact acts on.
template <class Use>
void for_each_part(const Cone& cone, Use&& use) {
    for (std::uint32_t k = 0; k < 4; ++k)
        if (cone.node[k] != Cone::kNone) use(cone.node[k], k);
    for (std::uint32_t k = 0; k < 2; ++k)
        if (cone.turn[k] != Cone::kNone) use(cone.turn[k], 4 + k);
}

}  // namespace

Vec3d contact_velocity(const Cone& cone, std::span<const Vec3d> velocity, std::span<const double> turning) {
    Vec3d v = -cone.wall;
    for (std::size_t k = 0; k < 4; ++k)
        if (cone.node[k] != Cone::kNone) v += cone.weight[k] * velocity[cone.node[k]];
    for (std::size_t k = 0; k < 2; ++k)
        if (cone.turn[k] != Cone::kNone) v += turning[cone.turn[k]] * cone.arm[k];
    return in_axes(cone, v);
}

Vec3d side_velocity(const Cone& cone, std::size_t side, std::span<const Vec3d> velocity,
                    std::span<const double> turning) {
    Vec3d v;
    for (std::size_t k = 2 * side; k < 2 * side + 2; ++k)
        if (cone.node[k] != Cone::kNone) v += cone.weight[k] * velocity[cone.node[k]];
    if (cone.turn[side] != Cone::kNone) v += turning[cone.turn[side]] * cone.arm[side];
    return in_axes(cone, v);
}

void ImpulseSum::prepare(std::span<const Cone> cones, std::size_t nodes) {
    assert(cones.size() < (std::size_t{1} << 29));
    start_.assign(nodes + 1, 0);
    for (const Cone& c : cones) for_each_part(c, [&](std::uint32_t node, std::uint32_t) { ++start_[node]; });
    std::uint32_t all = 0;
    for (std::uint32_t& s : start_) all += s, s = all;
    parts_.resize(all);
    for (std::size_t i = cones.size(); i-- > 0;)
        for_each_part(cones[i], [&](std::uint32_t node, std::uint32_t part) {
            parts_[--start_[node]] = static_cast<std::uint32_t>(8 * i) + part;
        });
}

void ImpulseSum::sum(std::span<const Cone> cones, std::span<const Vec3d> applied, std::span<Vec3d> impulse,
                     std::span<double> angular_impulse) const {
    sum_sides(cones, applied, applied, impulse, angular_impulse);
}

void ImpulseSum::sum_sides(std::span<const Cone> cones, std::span<const Vec3d> first,
                           std::span<const Vec3d> second, std::span<Vec3d> impulse,
                           std::span<double> angular_impulse) const {
    const std::size_t nodes = start_.size() - 1;
    assert(first.size() == cones.size() && impulse.size() == nodes && angular_impulse.size() == nodes);
    parallel_chunks(nodes, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t n = begin; n < end; ++n) {
            Vec3d sum;
            double turn = 0;
            for (std::uint32_t p = start_[n]; p < start_[n + 1]; ++p) {
                const std::uint32_t i = parts_[p] / 8, part = parts_[p] % 8;
                const Cone& cone = cones[i];
                const Vec3d r = in_world(cone, part < 2 || part == 4 ? first[i] : second[i]);
                if (part < 4)
                    sum += cone.weight[part] * r;
                else
                    turn += dot(cone.arm[part - 4], r);
            }
            impulse[n] = sum, angular_impulse[n] = turn;
        }
    });
}

std::size_t ImpulseSum::memory() const {
    return (start_.capacity() + parts_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace rivulet::contact
