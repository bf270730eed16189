#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::output {

/// Where other programs expect things: their unit of length, their up axis, their frame numbers.
struct ExportSpace {
    double scale = 1;  // units per metre: 100 for centimetres
    bool z_up = false;
    std::int64_t first_frame = 0;  // number of the run's frame 0
    double fps = 24;

    double time_code(std::int64_t frame) const { return double(first_frame + frame); }
    /// A place or a velocity; y up becomes z up by a quarter turn about x.
    Vec3f turned(const Vec3f& v) const {
        const auto s = float(scale);
        return z_up ? Vec3f{v.x * s, -v.z * s, v.y * s} : Vec3f{v.x * s, v.y * s, v.z * s};
    }
};

/// A frame as other programs want it, already in their space. Optional arrays are empty or one per vertex.
struct ExportPoints {
    std::string name;
    std::vector<Vec3f> position, velocity;
    std::vector<float> radius;
    std::vector<std::int64_t> id;
    std::vector<std::uint8_t> material;
    bool liquid = false;  // in bulk: `material` is an index into the frame's liquids
    Vec3f colour{0.6f, 0.6f, 0.6f};
};
struct ExportMesh {
    std::string name;
    std::vector<Vec3f> position, velocity;
    std::vector<Vec3i> triangle;
    std::vector<float> saturation;
    Vec3f colour{0.6f, 0.6f, 0.6f};
    bool liquid = false;                   // the surface of all liquid
    std::vector<std::uint8_t> material{};  // liquid of each triangle, where there are several; or empty
    std::vector<float> weight{};           // of each liquid at each vertex, row by row; or empty

    /// One number per vertex.
    std::vector<float> weights_of(std::size_t which, std::size_t liquids) const;
};
/// One number per vertex, under the name it has in the run: film_area, film_share_water, saturation.
struct ExportNumbers {
    std::string name;
    std::vector<float> values;
};
/// Curve k is [start[k], start[k + 1]).
struct ExportCurves {
    std::string name;
    std::vector<Vec3f> position, velocity;
    std::vector<float> radius;
    std::vector<ExportNumbers> numbers{};
    std::vector<std::int64_t> start{0};
    std::vector<std::int64_t> id;  // per curve
    Vec3f colour{0.24f, 0.13f, 0.07f};
};
struct ExportLiquid {
    std::string name;  // differs from those of the others
    Vec3f colour{0.6f, 0.6f, 0.6f};
    bool opaque = false;
    bool operator==(const ExportLiquid&) const = default;
};
struct ExportFrame {
    std::int64_t frame = 0;
    double time = 0;  // s
    double cell = 0;  // edge of the simulation's cells; 0: not known
    std::vector<ExportPoints> points;
    std::vector<ExportMesh> meshes;  // the liquid's surface first, then those of the frame, then obstacles
    std::vector<ExportCurves> curves;
    std::vector<ExportLiquid> liquids;  // by index
};

/// Colours of the liquids that points are of, and mixed by the weights at vertices.
std::vector<Vec3f> vertex_colours(const ExportPoints& points, const std::vector<ExportLiquid>& liquids);
std::vector<Vec3f> vertex_colours(const ExportMesh& mesh, const std::vector<ExportLiquid>& liquids);

}  // namespace rivulet::output
