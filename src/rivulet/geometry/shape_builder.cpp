#include <rivulet/geometry/shape_builder.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <rivulet/base/error.h>
#include <rivulet/geometry/composed_shapes.h>
#include <rivulet/geometry/revolved.h>
#include <rivulet/geometry/shape_search.h>

namespace rivulet::geometry {
namespace {

constexpr int kDeepestNesting = 32;
constexpr double kLargestCoordinate = 1e6;  // [m]; keeps squares far from overflow and round-off visible

class Builder {
 public:
    Builder(std::string key, const MeshLoader& load_mesh, int depth)
        : key_(std::move(key)), load_mesh_(load_mesh), depth_(depth) {}

    void add(const ShapeDescription& d) {
        if (depth_ > kDeepestNesting)
            refuse("", "shapes are nested too deeply", "flatten the lists of parts");
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
            case ShapeType::revolve:
                return parts.emplace_back(revolved(d)), void();
            case ShapeType::all_of:
                return add_union(d);
            case ShapeType::intersection:
            case ShapeType::difference:
                return parts.emplace_back(intersection(d)), void();
            case ShapeType::shell:
                return parts.emplace_back(shell(d)), void();
            case ShapeType::rotate:
                return parts.emplace_back(rotated(d)), void();
            case ShapeType::scale:
                return parts.emplace_back(scaled(d)), void();
        }
        refuse("", "unknown shape type", "");
    }

    std::vector<Shape::Part> parts;

 private:
    [[noreturn]] void refuse(const char* member, std::string message, std::string hint) const {
        throw InputError(Problem{{}, 0, 0, inner_key(member), std::move(message), std::move(hint)});
    }
    std::string inner_key(const std::string& member) const {
        return key_ + (key_.empty() || member.empty() ? "" : ".") + member;
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
        return {d.point, unit("normal", d.normal)};
    }
    std::shared_ptr<const DistanceField> mesh(const ShapeDescription& d) const {
        if (!load_mesh_) refuse("type", "a mesh cannot be used here", "use a primitive shape");
        return load_mesh_(d);
    }
    std::shared_ptr<const DistanceField> revolved(const ShapeDescription& d) const {
        check_place("center", d.center);
        for (const ProfilePoint& p : d.profile) check_place("profile", {p.radius, p.height, 0});
        if (!(d.thickness >= 0)) refuse("thickness", "must not be negative", "0 or left out: solid");
        const std::string problem = profile_problem(d.profile, d.smooth, d.thickness);
        if (!problem.empty())
            refuse("profile", problem, "points are \"radius, height unit\", in their order");
        return std::make_shared<Revolved>(Profile(d.profile, d.smooth, d.thickness), d.center,
                                          unit("axis", d.axis));
    }
    void add_union(const ShapeDescription& d) {
        if (d.parts.empty()) refuse("parts", "a union needs at least one part", "add a shape");
        for (std::size_t i = 0; i < d.parts.size(); ++i) {
            Builder inner(inner_key("parts." + std::to_string(i)), load_mesh_, depth_ + 1);
            inner.add(d.parts[i]);
            std::move(inner.parts.begin(), inner.parts.end(), std::back_inserter(parts));
        }
    }
    std::shared_ptr<const DistanceField> intersection(const ShapeDescription& d) const {
        const bool difference = d.type == ShapeType::difference;
        const char* const list = difference ? "minus" : "parts";
        if (d.parts.empty()) refuse(list, "needs at least one shape", "add a shape");
        std::vector<Shape> inside, outside;
        if (difference) inside.push_back(changed(d));
        for (std::size_t i = 0; i < d.parts.size(); ++i)
            (difference ? outside : inside)
                .push_back(inner_shape(d.parts[i], std::string(list) + "." + std::to_string(i)));
        const auto field = std::make_shared<Intersection>(std::move(inside), std::move(outside));
        const Bounds box = field->bounds();
        if (box.is_empty() || (box.is_finite() && !reaches_below(Shape({field}), 0)))
            refuse(list, difference ? "takes everything away: nothing is left" : "have nothing in common",
                   "check the places, sizes and units of the shapes");
        return field;
    }
    std::shared_ptr<const DistanceField> shell(const ShapeDescription& d) const {
        check_positive("thickness", d.thickness);
        Shape of = changed(d);
        if (of.bounds().is_finite() && !reaches_below(of, -d.thickness))
            refuse("thickness", "leaves nothing hollow: no point lies that deep in the shape",
                   "make it thinner, or use the shape itself");
        return std::make_shared<Shell>(std::move(of), d.thickness);
    }
    std::shared_ptr<const DistanceField> rotated(const ShapeDescription& d) const {
        check_place("pivot", d.pivot);
        if (!std::isfinite(d.angle)) refuse("angle", "must be finite", "");
        return std::make_shared<Placed>(changed(d), rotation_about(unit("axis", d.axis), d.angle), 1.0,
                                        d.pivot);
    }
    std::shared_ptr<const DistanceField> scaled(const ShapeDescription& d) const {
        check_place("pivot", d.pivot);
        for (int i = 0; i < 3; ++i)
            if (!(d.factor[i] > 0) || !std::isfinite(d.factor[i]))
                refuse("factor", "must be > 0 along every axis", "1 leaves the shape as it is");
        const double smallest = std::min({d.factor.x, d.factor.y, d.factor.z});
        return std::make_shared<Placed>(changed(d), Mat3d::diagonal(d.factor), smallest, d.pivot);
    }
    /// The shape under the key `of`.
    Shape changed(const ShapeDescription& d) const {
        if (d.of.size() != 1) refuse("of", "missing; the shape that is changed", "");
        return inner_shape(d.of[0], "of");
    }
    Shape inner_shape(const ShapeDescription& d, const std::string& member) const {
        Builder inner(inner_key(member), load_mesh_, depth_ + 1);
        inner.add(d);
        return Shape(std::move(inner.parts));
    }
    Vec3d unit(const char* member, const Vec3d& direction) const {
        const double l = length(direction);
        if (!std::isfinite(l) || !(l > 0)) refuse(member, "must not be zero", "for example [0, 1, 0]");
        return direction / l;
    }

    std::string key_;
    const MeshLoader& load_mesh_;
    int depth_;
};

}  // namespace

std::vector<Shape::Part> build_parts(const ShapeDescription& description, const std::string& key,
                                     const MeshLoader& load_mesh) {
    Builder builder(key, load_mesh, 0);
    builder.add(description);
    return std::move(builder.parts);
}

}  // namespace rivulet::geometry
