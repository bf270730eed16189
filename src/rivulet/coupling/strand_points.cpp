#include <rivulet/coupling/strand_points.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/mass.h>

namespace rivulet::coupling {
namespace {

/// Points are at most this far apart, in cells: a point reaches one and a half cells.
constexpr double kSpacing = 0.5;
/// No edge has more points: one that long has left every grid.
constexpr double kMostPoints = 4096;

}  // namespace

void StrandPoints::count(const strand::StrandState& strands, double cell) {
    first_.assign(strands.vertex_count() + 1, 0);
    parallel_chunks(strands.strand_count(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k)
            for (std::size_t v = strands.begin(k); v + 1 < strands.end(k); ++v) {
                const double edge = rivulet::length(strands.position[v + 1] - strands.position[v]);
                const double points = std::ceil(edge / (kSpacing * cell));
                first_[v + 1] = points > 1 ? static_cast<std::size_t>(std::min(points, kMostPoints)) : 1;
            }
    });
    for (std::size_t v = 0; v < strands.vertex_count(); ++v) first_[v + 1] += first_[v];
}

void StrandPoints::place(const strand::StrandState& strands, double cell) {
    count(strands, cell);
    elements_.resize(first_.back());
    length_.resize(first_.back());
    along_.resize(first_.back());
    parallel_chunks(strands.strand_count(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k)
            for (std::size_t v = strands.begin(k); v + 1 < strands.end(k); ++v) {
                const Vec3d edge = strands.position[v + 1] - strands.position[v];
                const double edge_length = rivulet::length(edge);
                const Vec3d axis = edge_length > 0 ? edge / edge_length : Vec3d{1, 0, 0};
                const auto section = strand::edge_section(strands, k, v);
                const std::size_t points = first_[v + 1] - first_[v];
                for (std::size_t i = 0; i < points; ++i) {
                    const std::size_t p = first_[v] + i;
                    along_[p] = (double(i) + 0.5) / double(points);
                    length_[p] = strands.rest_length[v] / double(points);
                    elements_.position[p] = strands.position[v] + along_[p] * edge;
                    elements_.axis[p] = axis;
                    elements_.volume[p] = section.area() * length_[p];
                    elements_.radius[p] = std::sqrt(section.area() / M_PI);
                    elements_.drag[p] = {};
                    elements_.owner[p] = static_cast<std::uint32_t>(v);
                }
            }
    });
    move_with(strands.velocity);
}

void StrandPoints::move_with(std::span<const Vec3d> vertex_velocity) {
    parallel_chunks(elements_.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t p = begin; p < end; ++p) elements_.velocity[p] = between(p, vertex_velocity);
    });
}

}  // namespace rivulet::coupling
