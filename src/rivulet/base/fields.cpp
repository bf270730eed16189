#include <rivulet/base/fields.h>

namespace rivulet {

std::string_view to_text(Centring centring) {
    switch (centring) {
        case Centring::scalar:
            return "scalar";
        case Centring::particle:
            return "particle";
        case Centring::vertex:
            return "vertex";
        case Centring::edge:
            return "edge";
        case Centring::strand:
            return "strand";
        case Centring::triangle:
            return "triangle";
        case Centring::tetrahedron:
            return "tetrahedron";
        case Centring::cell:
            return "cell";
        case Centring::obstacle:
            return "obstacle";
        case Centring::emitter:
            return "emitter";
        case Centring::other:
            return "other";
    }
    return "other";
}

std::string_view to_text(GroupShape shape) {
    switch (shape) {
        case GroupShape::points:
            return "points";
        case GroupShape::lines:
            return "lines";
        case GroupShape::mesh:
            return "mesh";
    }
    return "points";
}

std::optional<GroupShape> group_shape(std::string_view text) {
    for (const GroupShape shape : {GroupShape::points, GroupShape::lines, GroupShape::mesh})
        if (text == to_text(shape)) return shape;
    return std::nullopt;
}

}  // namespace rivulet
