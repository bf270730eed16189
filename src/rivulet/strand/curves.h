#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>

namespace rivulet::strand {

/// Strands as they are authored: polylines from root to tip, before they become elastic rods. SI.
/// Strand s owns the vertices [start[s], start[s + 1]).
struct Curves {
    std::vector<Vec3d> position;         // m
    std::vector<std::int64_t> start{0};  // strands + 1 entries
    std::vector<double> radius;          // per vertex, m
    std::vector<Vec2d> root_uv;          // per strand, or empty: where the root sits on its surface
    std::vector<Vec3d> root_normal;      // per strand, or empty: unit normal of that surface

    std::size_t strand_count() const { return start.size() - 1; }
    std::size_t vertex_count() const { return position.size(); }
    std::size_t first_vertex(std::size_t strand) const { return static_cast<std::size_t>(start[strand]); }
    std::size_t vertex_count(std::size_t strand) const {
        return static_cast<std::size_t>(start[strand + 1] - start[strand]);
    }
    std::span<const Vec3d> positions(std::size_t strand) const {
        return {position.data() + start[strand], vertex_count(strand)};
    }
    std::span<const double> radii(std::size_t strand) const {
        return {radius.data() + start[strand], vertex_count(strand)};
    }
    /// Adds a strand; both spans have the same length. Root arrays, if used, are the caller's to extend.
    void add_strand(std::span<const Vec3d> points, std::span<const double> radii_of_points) {
        position.insert(position.end(), points.begin(), points.end());
        radius.insert(radius.end(), radii_of_points.begin(), radii_of_points.end());
        start.push_back(static_cast<std::int64_t>(position.size()));
    }
};

}  // namespace rivulet::strand
