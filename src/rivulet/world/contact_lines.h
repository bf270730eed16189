#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/vec3.h>
#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// The contacts that a step has left, as frames show them (`output.contacts`): each a line of two points,
/// from the axis of its strand to that of the other, or to the wall. No truth: made from the world when a
/// frame is written. Numbers are said at both points of a line.
struct ContactLines {
    static constexpr GroupInfo group{"contacts", GroupShape::lines, ""};

    std::vector<Vec3d> position;
    std::vector<std::int64_t> start;   // of each line, and the end of the last
    std::vector<double> radius;        // to draw it with: a little more than the thinner strand has [m]
    std::vector<double> gap;           // between the surfaces; < 0: they overlap [m]
    std::vector<double> force;         // along the normal; > 0 pushes apart, < 0 holds together [N]
    std::vector<double> friction;      // across [N]
    std::vector<std::uint8_t> bridge;  // 1: liquid joins the two

    std::size_t size() const { return start.empty() ? 0 : start.size() - 1; }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        constexpr auto vertex = Centring::vertex;
        visit(FieldInfo{"contacts/position", "m", vertex, kFrame}, s.position);
        visit(FieldInfo{"contacts/start", "", Centring::strand, kFrame}, s.start);
        visit(FieldInfo{"contacts/radius", "m", vertex, kFrame}, s.radius);
        visit(FieldInfo{"contacts/gap", "m", vertex, kFrame}, s.gap);
        visit(FieldInfo{"contacts/force", "N", vertex, kFrame}, s.force);
        visit(FieldInfo{"contacts/friction", "N", vertex, kFrame}, s.friction);
        visit(FieldInfo{"contacts/bridge", "", vertex, kFrame}, s.bridge);
    }
};

/// Empty where nothing touches and no bridge lives.
ContactLines contact_lines(const Model& model, const World& world);

}  // namespace rivulet::world
