#include <rivulet/base/error.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

using geometry::ShapeDescription;
using geometry::ShapeType;
using S = ShapeDescription;

constexpr std::size_t kMostParts = 10'000;

Fields<S> box_fields() {
    return Fields<S>("box", "A box along the axes.")
        .vector("min", &S::min, "m", "Lower corner.")
        .required()
        .vector("max", &S::max, "m", "Upper corner.")
        .required()
        .check([](const S& s, Check& check) {
            for (int i = 0; i < 3; ++i)
                if (!(s.max[i] > s.min[i])) return check.fail("max", "must be above min along every axis");
        });
}

Fields<S> rounded_box_fields() {
    return Fields<S>("rounded_box", "A box along the axes with rounded edges.")
        .vector("center", &S::center, "m", "Centre.")
        .required()
        .vector("size", &S::size, "m", "Full extent along each axis, rounding included.")
        .required()
        .positive()
        .quantity("radius", &S::radius, "m", "Radius of the edges.")
        .required()
        .at_least(0)
        .check([](const S& s, Check& check) {
            for (int i = 0; i < 3; ++i)
                if (2 * s.radius > s.size[i])
                    return check.fail("radius", "must be at most half of the smallest size");
        });
}

Fields<S> sphere_fields() {
    return Fields<S>("sphere", "A ball.")
        .vector("center", &S::center, "m", "Centre.")
        .required()
        .quantity("radius", &S::radius, "m", "Radius.")
        .required()
        .positive();
}

Fields<S> rod_fields(const std::string& name, const std::string& doc) {
    return Fields<S>(name, doc)
        .vector("from", &S::from, "m", "One end of the axis.")
        .required()
        .vector("to", &S::to, "m", "The other end of the axis.")
        .required()
        .quantity("radius", &S::radius, "m", "Radius.")
        .required()
        .positive()
        .check([](const S& s, Check& check) {
            if (s.from == s.to) check.fail("to", "must differ from 'from'");
        });
}

Fields<S> plane_fields() {
    return Fields<S>("plane", "A half space.")
        .vector("point", &S::point, "m", "A point on the plane.")
        .required()
        .direction("normal", &S::normal, "Points out of the solid.");
}

Fields<S> mesh_fields() {
    return Fields<S>("mesh", "A closed mesh from a file.")
        .file("file", &S::file, "OBJ or PLY file.")
        .required()
        .file_unit("file_unit", &S::file_scale, "What one unit of the file measures.")
        .vector("offset", &S::offset, "m", "Added to every vertex after scaling.");
}

/// What can only be seen by building the shape: nothing in common, nothing hollow, a line that crosses
/// itself. With meshes in it that waits until they are read.
void check_by_building(const S& s, Check& check) {
    if (geometry::has_mesh(s)) return;
    try {
        geometry::Shape shape(s);
    } catch (const InputError& error) {
        for (const Problem& p : error.problems()) check.fail(p.key, p.message, p.hint);
    }
}

void check_count(const S& s, Check& check, const char* key) {
    if (s.parts.empty()) return check.fail(key, "must have at least one shape");
    if (s.parts.size() > kMostParts) return check.fail(key, "too many shapes", "use a mesh");
    if (s.type != ShapeType::all_of) check_by_building(s, check);
}

/// The one shape that another changes.
S& changed(S& s) {
    if (s.of.empty()) s.of.resize(1);
    return s.of[0];
}

Fields<S> revolve_fields() {
    return Fields<S>("revolve", "A profile turned about an axis: a bowl, a bottle, a ring.")
        .profile(
            "profile", &S::profile,
            "Points of the profile: distance from the axis and height along it. Open ends are joined to the "
            "axis at their height; a last point equal to the first closes it.")
        .required()
        .quantity(
            "thickness", &S::thickness, "m",
            "0: the solid the profile encloses. Else a wall of this thickness, the profile in its middle, "
            "its free ends round.")
        .at_least(0)
        .boolean("smooth", &S::smooth, "A curve through the points instead of straight lines.")
        .vector("center", &S::center, "m", "The point of the axis at height 0.")
        .direction("axis", &S::axis, "Direction of the axis, towards larger heights.")
        .check(check_by_building);
}

Fields<S> union_fields() {
    return Fields<S>("union", "All that is in any of several shapes.")
        .also_called("all_of")
        .list("parts", &S::parts, shape_table, "The shapes.")
        .required()
        .check([](const S& s, Check& check) { check_count(s, check, "parts"); });
}

Fields<S> intersection_fields() {
    return Fields<S>("intersection", "What several shapes have in common.")
        .list("parts", &S::parts, shape_table, "The shapes.")
        .required()
        .check([](const S& s, Check& check) { check_count(s, check, "parts"); });
}

Fields<S> difference_fields() {
    return Fields<S>("difference", "A shape without what is in others.")
        .table("of", changed, shape_table, "The shape that is cut.")
        .required()
        .list("minus", &S::parts, shape_table, "The shapes taken away from it.")
        .required()
        .check([](const S& s, Check& check) { check_count(s, check, "minus"); });
}

Fields<S> shell_fields() {
    return Fields<S>("shell",
                     "The wall of a hollow shape, inside its surface: outer sizes stay as they are. "
                     "Opened by a difference.")
        .table("of", changed, shape_table, "The shape that is hollowed.")
        .required()
        .quantity("thickness", &S::thickness, "m", "Thickness of the wall.")
        .required()
        .positive()
        .check(check_by_building);
}

Fields<S> rotate_fields() {
    return Fields<S>("rotate", "A shape turned about an axis.")
        .table("of", changed, shape_table, "The shape that is turned.")
        .required()
        .quantity("angle", &S::angle, "rad", "By how much, counter-clockwise seen against the axis.")
        .required()
        .direction("axis", &S::axis, "Direction of the axis.")
        .vector("pivot", &S::pivot, "m", "A point of the axis.");
}

Fields<S> scale_fields() {
    return Fields<S>("scale", "A shape made larger or smaller, along each axis by its own factor.")
        .table("of", changed, shape_table, "The shape that is stretched.")
        .required()
        .triple("factor", &S::factor, "Factors along x, y and z.")
        .range(1e-6, 1e6)
        .required()
        .vector("pivot", &S::pivot, "m", "The point that stays.");
}

}  // namespace

const Table& shape_table() {
    static const Table table =
        Fields<S>("shape", "A region of space.")
            .variant(&S::type, ShapeType::box, box_fields())
            .variant(&S::type, ShapeType::rounded_box, rounded_box_fields())
            .variant(&S::type, ShapeType::sphere, sphere_fields())
            .variant(&S::type, ShapeType::capsule, rod_fields("capsule", "A rod with round ends."))
            .variant(&S::type, ShapeType::cylinder, rod_fields("cylinder", "A rod with flat ends."))
            .variant(&S::type, ShapeType::plane, plane_fields())
            .variant(&S::type, ShapeType::mesh, mesh_fields())
            .variant(&S::type, ShapeType::revolve, revolve_fields())
            .variant(&S::type, ShapeType::all_of, union_fields())
            .variant(&S::type, ShapeType::intersection, intersection_fields())
            .variant(&S::type, ShapeType::difference, difference_fields())
            .variant(&S::type, ShapeType::shell, shell_fields())
            .variant(&S::type, ShapeType::rotate, rotate_fields())
            .variant(&S::type, ShapeType::scale, scale_fields())
            .done();
    return table;
}

}  // namespace rivulet::scene
