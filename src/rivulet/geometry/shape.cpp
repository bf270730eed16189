#include <rivulet/base/error.h>
#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {
namespace {

constexpr int kDeepestUnion = 32;
constexpr double kLargestCoordinate = 1e6;  // [m]; keeps squares far from overflow and round-off visible

class Builder {
 public:
    Builder(const std::string& key, const MeshLoader& load_mesh) : key_(key), load_mesh_(load_mesh) {}

    void add(const ShapeDescription& d, int depth) {
        switch (d.type) {
            case ShapeType::box:
                return parts.emplace_back(box(d)), void();
            case ShapeType::rounded_box:
                return parts.emplace_back(rounded_box(d)), void();
            case ShapeType::sphere:
                return parts.emplace_back(sphere(d)), void();
            case ShapeType::capsule:
                return parts.emplace_back(capsule(d)), void();
            case ShapeType::cylinder:
                return parts.emplace_back(cylinder(d)), void();
            case ShapeType::plane:
                return parts.emplace_back(half_space(d)), void();
            case ShapeType::mesh:
                return parts.emplace_back(mesh(d)), void();
            case ShapeType::all_of:
                return add_union(d, depth);
        }
        refuse("", "unknown shape type", "");
    }

    std::vector<Shape::Part> parts;

 private:
    [[noreturn]] void refuse(const char* member, std::string message, std::string hint) const {
        const std::string dot = key_.empty() || !*member ? "" : ".";
        throw InputError(Problem{{}, 0, 0, key_ + dot + member, std::move(message), std::move(hint)});
    }
    void check_place(const char* member, const Vec3d& p) const {
        const double most = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        if (!is_finite(p) || most > kLargestCoordinate)
            refuse(member, "must be finite and within 1000 km of the origin", "check the unit");
    }
    void check_positive(const char* member, double v) const {
        if (!(v > 0) || !(v <= kLargestCoordinate))
            refuse(member, "must be > 0 and below 1000 km", "check the unit");
    }
    RoundedBox box(const ShapeDescription& d) const {
        check_place("min", d.min), check_place("max", d.max);
        if (!(d.min.x < d.max.x && d.min.y < d.max.y && d.min.z < d.max.z))
            refuse("max", "must be larger than min in every direction",
                   "swap the two corners or give it a thickness");
        return {(d.min + d.max) * 0.5, (d.max - d.min) * 0.5, 0};
    }
    RoundedBox rounded_box(const ShapeDescription& d) const {
        check_place("center", d.center);
        for (int i = 0; i < 3; ++i) check_positive("size", d.size[i]);
        const double most = 0.5 * std::min({d.size.x, d.size.y, d.size.z});
        if (!(d.radius >= 0) || d.radius > most)
            refuse("radius", "must be between 0 and half of the smallest size", "make the radius smaller");
        return {d.center, d.size * 0.5, d.radius};
    }
    Sphere sphere(const ShapeDescription& d) const {
        check_place("center", d.center), check_positive("radius", d.radius);
        return {d.center, d.radius};
    }
    double axis_length(const ShapeDescription& d, const char* hint) const {
        check_place("from", d.from), check_place("to", d.to), check_positive("radius", d.radius);
        const double l = length(d.to - d.from);
        if (!(l > 1e-9 * d.radius) || !(l > 0)) refuse("to", "must differ from 'from'", hint);
        return l;
    }
    Capsule capsule(const ShapeDescription& d) const {
        axis_length(d, "use a sphere");
        return Capsule{d.from, d.to, d.radius};
    }
    Cylinder cylinder(const ShapeDescription& d) const {
        const double l = axis_length(d, "give the cylinder a length");
        return {(d.from + d.to) * 0.5, (d.to - d.from) / l, 0.5 * l, d.radius};
    }
    HalfSpace half_space(const ShapeDescription& d) const {
        check_place("point", d.point);
        const double l = length(d.normal);
        if (!std::isfinite(l) || !(l > 0)) refuse("normal", "must not be zero", "for a floor: [0, 1, 0]");
        return {d.point, d.normal / l};
    }
    std::shared_ptr<const DistanceField> mesh(const ShapeDescription& d) const {
        if (!load_mesh_) refuse("type", "a mesh cannot be used here", "use a primitive shape");
        return load_mesh_(d);
    }
    void add_union(const ShapeDescription& d, int depth) {
        if (d.parts.empty()) refuse("parts", "a union needs at least one part", "add a shape");
        if (depth >= kDeepestUnion)
            refuse("parts", "unions are nested too deeply", "flatten the list of parts");
        for (const ShapeDescription& part : d.parts) add(part, depth + 1);
    }

    const std::string& key_;
    const MeshLoader& load_mesh_;
};

std::vector<Shape::Part> build(const ShapeDescription& d, const std::string& key, const MeshLoader& loader) {
    Builder builder(key, loader);
    builder.add(d, 0);
    return std::move(builder.parts);
}

template <class Field>
void lower_row(const Field& field, const Vec3d& first, const Vec3d& step, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i)
        out[i] = std::min(out[i], field.distance(first + step * static_cast<double>(i)));
}

/// The same for a primitive, as a loop the compiler can make four wide: a copy that `out` cannot alias, and
/// 32-bit counting, which converts to double in packs.
template <class Primitive>
void lower_row_of_primitive(const Primitive& shape, const Vec3d& first, const Vec3d& step, int count,
                            double* out) {
    const Primitive own = shape;
    for (int i = 0; i < count; ++i) {
        const double d = own.distance(first + step * static_cast<double>(i));
        out[i] = d < out[i] ? d : out[i];
    }
}

}  // namespace

Shape::Shape(const ShapeDescription& description, const std::string& key, const MeshLoader& load_mesh)
    : Shape(build(description, key, load_mesh)) {}

Shape::Shape(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (const Part& part : parts_)
        bounds_.include(std::visit(
            [](const auto& s) {
                if constexpr (requires { s.bounds(); })
                    return s.bounds();
                else
                    return s->bounds();
            },
            part));
}

DistanceSample Shape::sample(const Vec3d& p) const {
    const Part* nearest = nullptr;
    double least = Bounds::kInfinity;
    for (const Part& part : parts_) {
        const double d = part_distance(part, p);
        if (d < least || !nearest) least = d, nearest = &part;
    }
    if (!nearest) return {least, {0, 1, 0}};
    return std::visit(
        [&](const auto& s) {
            if constexpr (requires { s.sample(p); })
                return s.sample(p);
            else
                return s->sample(p);
        },
        *nearest);
}

void Shape::distance_row(const Vec3d& first, const Vec3d& step, std::size_t count, double* out) const {
    std::fill(out, out + count, Bounds::kInfinity);
    for (const Part& part : parts_)
        std::visit(
            [&](const auto& s) {
                if constexpr (requires { s.distance(first); })
                    lower_row_of_primitive(s, first, step, static_cast<int>(count), out);
                else
                    lower_row(*s, first, step, count, out);
            },
            part);
}

}  // namespace rivulet::geometry
