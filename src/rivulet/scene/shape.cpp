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

Fields<S> union_fields() {
    return Fields<S>("all_of", "The union of several shapes.")
        .list("parts", &S::parts, shape_table, "The shapes.")
        .required()
        .check([](const S& s, Check& check) {
            if (s.parts.empty()) check.fail("parts", "must have at least one shape");
            if (s.parts.size() > kMostParts) check.fail("parts", "too many shapes", "use a mesh");
        });
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
            .variant(&S::type, ShapeType::all_of, union_fields())
            .done();
    return table;
}

}  // namespace rivulet::scene
