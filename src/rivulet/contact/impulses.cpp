#include <rivulet/contact/impulses.h>

namespace rivulet::contact {

Vec3d contact_velocity(const Cone& cone, std::span<const Vec3d> velocity, std::span<const double> turning) {
    Vec3d v = -cone.wall;
    for (std::size_t k = 0; k < 4; ++k)
        if (cone.node[k] != Cone::kNone) v += cone.weight[k] * velocity[cone.node[k]];
    for (std::size_t k = 0; k < 2; ++k)
        if (cone.turn[k] != Cone::kNone) v += turning[cone.turn[k]] * cone.arm[k];
    return {dot(cone.axes[0], v), dot(cone.axes[1], v), dot(cone.axes[2], v)};
}

}  // namespace rivulet::contact
