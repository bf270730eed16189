#pragma once

#include <string>
#include <vector>

#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {

/// The parts of a described shape, unions flattened. Throws InputError with `key` as the place to mend, for
/// sizes that cannot be, and for shapes with nothing in them.
std::vector<Shape::Part> build_parts(const ShapeDescription& description, const std::string& key,
                                     const MeshLoader& load_mesh);

}  // namespace rivulet::geometry
