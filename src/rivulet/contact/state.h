#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/vec3.h>

namespace rivulet::contact {

/// The contacts that a step has left, in the order of their places: their impulses are what the next step
/// begins with, and a bridge that lives goes on living. Edges are named by their first vertex; of walls
/// `other` is the obstacle.
struct ContactState {
    std::vector<std::uint32_t> edge, other;
    std::vector<std::uint8_t> kind;          // ContactKind
    std::vector<double> place, other_place;  // on either edge, 0 to 1
    std::vector<Vec3d> normal;               // unit, from the other to the edge
    std::vector<Vec3d> impulse;              // on the edge over the last step, bridge included [N*s]
    std::vector<std::uint8_t> bridge;        // 1: liquid joins the two
    double step = 0;                         // the step the impulses belong to [s]

    std::size_t size() const { return edge.size(); }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        constexpr auto other = Centring::other;
        visit(FieldInfo{"contacts/edge", "", other, kCheckpoint}, s.edge);
        visit(FieldInfo{"contacts/other", "", other, kCheckpoint}, s.other);
        visit(FieldInfo{"contacts/kind", "", other, kCheckpoint}, s.kind);
        visit(FieldInfo{"contacts/place", "", other, kCheckpoint}, s.place);
        visit(FieldInfo{"contacts/other_place", "", other, kCheckpoint}, s.other_place);
        visit(FieldInfo{"contacts/normal", "", other, kCheckpoint}, s.normal);
        visit(FieldInfo{"contacts/impulse", "N*s", other, kCheckpoint}, s.impulse);
        visit(FieldInfo{"contacts/bridge", "", other, kCheckpoint}, s.bridge);
        visit(FieldInfo{"contacts/step", "s", Centring::scalar, kCheckpoint}, s.step);
    }
};

}  // namespace rivulet::contact
