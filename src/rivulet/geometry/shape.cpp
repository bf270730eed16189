#include <rivulet/geometry/shape.h>

#include <rivulet/geometry/shape_builder.h>

namespace rivulet::geometry {
namespace {

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
    : Shape(build_parts(description, key, load_mesh)) {}

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

double Shape::thinnest() const {
    double least = Bounds::kInfinity;
    for (const Part& part : parts_)
        least = std::min(least, std::visit(
                                    [](const auto& s) {
                                        if constexpr (requires { s.thinnest(); })
                                            return s.thinnest();
                                        else
                                            return s->thinnest();
                                    },
                                    part));
    return least;
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
