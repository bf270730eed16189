#include <rivulet/geometry/shape_search.h>

#include <algorithm>
#include <array>

namespace rivulet::geometry {
namespace {

constexpr int kDeepest = 8;

bool search(const Shape& shape, const Bounds& box, double level, int depth) {
    struct Part {
        Bounds box;
        double distance;
    };
    std::array<Part, 8> parts;
    const Vec3d middle = box.centre();
    for (int i = 0; i < 8; ++i) {
        Part& part = parts[static_cast<std::size_t>(i)];
        part.box.include(middle);
        part.box.include(box.corner(i));
        part.distance = shape.distance(part.box.centre());
        if (part.distance < level) return true;
    }
    if (depth == kDeepest) return false;
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return a.distance < b.distance; });
    const double reach = 0.25 * length(box.size());
    for (const Part& part : parts)
        if (part.distance - reach < level && search(shape, part.box, level, depth + 1)) return true;
    return false;
}

}  // namespace

bool reaches_below(const Shape& shape, double level) {
    const Bounds box = shape.bounds();
    if (box.is_empty()) return false;
    return shape.distance(box.centre()) < level || search(shape, box, level, 1);
}

}  // namespace rivulet::geometry
