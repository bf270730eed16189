#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <rivulet/geometry/primitives.h>
#include <rivulet/geometry/shape_description.h>

namespace rivulet::geometry {

/// Turns the description of a mesh into its distance; given by whoever reads and caches mesh files.
using MeshLoader = std::function<std::shared_ptr<const DistanceField>(const ShapeDescription&)>;

/// A solid in its rest frame: the union of primitives and other fields. Outside, the distance is as exact as
/// that of the parts; inside a union of several overlapping parts it is a bound (no farther than the true
/// surface).
class Shape {
 public:
    using Part =
        std::variant<RoundedBox, Sphere, Capsule, Cylinder, HalfSpace, std::shared_ptr<const DistanceField>>;

    /// Checks sizes and builds (see shape_builder.h); throws InputError. Meshes need a loader.
    explicit Shape(const ShapeDescription& description, const std::string& key = {},
                   const MeshLoader& load_mesh = {});
    explicit Shape(std::vector<Part> parts);

    double distance(const Vec3d& p) const {
        double least = Bounds::kInfinity;
        for (const Part& part : parts_) least = std::min(least, part_distance(part, p));
        return least;
    }
    DistanceSample sample(const Vec3d& p) const;
    /// out[i] = distance(first + i * step) for i in [0, count).
    void distance_row(const Vec3d& first, const Vec3d& step, std::size_t count, double* out) const;

    const Bounds& bounds() const { return bounds_; }
    const std::vector<Part>& parts() const { return parts_; }
    /// A single primitive, which is a convex set: a half-space, box, sphere, capsule or cylinder.
    bool is_convex_primitive() const { return parts_.size() == 1 && parts_[0].index() < 5; }
    /// The least thickness a grid has to resolve [m]; infinite where it is not known.
    double thinnest() const;
    bool is_half_space() const { return parts_.size() == 1 && std::holds_alternative<HalfSpace>(parts_[0]); }

    static double part_distance(const Part& part, const Vec3d& p) {
        return std::visit(
            [&](const auto& s) {
                if constexpr (requires { s.distance(p); })
                    return s.distance(p);
                else
                    return s->distance(p);
            },
            part);
    }

 private:
    std::vector<Part> parts_;
    Bounds bounds_;
};

}  // namespace rivulet::geometry
