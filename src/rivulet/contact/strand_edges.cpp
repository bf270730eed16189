#include <rivulet/contact/strand_edges.h>

#include <cmath>

#include <rivulet/base/parallel.h>

namespace rivulet::contact {

void StrandEdges::prepare(const strand::StrandState& s, double margin,
                          std::span<const std::int32_t> root_obstacle,
                          std::span<const std::int32_t> tip_obstacle) {
    if (start_ == s.start) return;
    start_ = s.start;
    const std::size_t strands = s.strand_count(), edges = s.vertex_count() - strands;
    for (auto* v : {&radius_, &arc_from_, &arc_to_}) v->resize(edges);
    for (auto* v : {&owner_, &index_}) v->resize(edges);
    vertices_.resize(edges), held_.resize(edges);
    grows_from_.assign(edges, -1);
    edge_at_.assign(s.vertex_count(), 0);
    mean_radius_ = 0;
    std::size_t e = 0;
    for (std::size_t k = 0; k < strands; ++k) {
        const std::size_t first = e, count = s.end(k) - s.begin(k) - 1;
        const double mean = std::sqrt(s.aspect[k]);
        double arc = 0;
        for (std::size_t v = s.begin(k); v + 1 < s.end(k); ++v, ++e) {
            vertices_[e] = {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v + 1)};
            radius_[e] = 0.5 * (mean * (s.radius[v] + s.radius[v + 1]) + margin);
            mean_radius_ += radius_[e] / double(edges);
            owner_[e] = static_cast<std::uint32_t>(k), index_[e] = static_cast<std::uint32_t>(e - first);
            arc_from_[e] = arc, arc_to_[e] = arc += s.rest_length[v];
            edge_at_[v] = static_cast<std::uint32_t>(e);
        }
        edge_at_[s.end(k) - 1] = static_cast<std::uint32_t>(e - 1);
        for (std::size_t i = 0; i < std::min<std::size_t>(2, count); ++i) {
            if (!tip_obstacle.empty() && tip_obstacle[k] >= 0) grows_from_[e - 1 - i] = tip_obstacle[k];
            if (!root_obstacle.empty() && root_obstacle[k] >= 0) grows_from_[first + i] = root_obstacle[k];
        }
    }
}

void StrandEdges::move(const strand::StrandState& s, std::span<const Vec3d> velocity, double dt) {
    end_.resize(s.vertex_count());
    parallel_chunks(end_.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) end_[v] = s.position[v] + dt * velocity[v];
    });
    const auto clamped = [](const strand::EndTargets& t, std::size_t k) {
        return t.kind[k] == std::uint8_t(strand::EndKind::clamp);
    };
    for (std::size_t k = 0; k < s.strand_count(); ++k) {
        const std::size_t first = s.begin(k) - k, last = s.end(k) - k - 2;
        held_[first] = held_[last] = 0;
        if (clamped(s.root_target, k)) held_[first] = 1;
        if (clamped(s.tip_target, k)) held_[last] = 1;
    }
}

EdgeList StrandEdges::list(const strand::StrandState& s, double part) {
    std::span<const double> radius = radius_;
    if (part != 1) {
        scaled_.resize(radius_.size());
        for (std::size_t e = 0; e < radius_.size(); ++e) scaled_[e] = part * radius_[e];
        radius = scaled_;
    }
    return {s.position, end_, vertices_, radius, owner_, index_, arc_from_, arc_to_, grows_from_, held_};
}

std::size_t StrandEdges::memory() const {
    const std::size_t per_edge = sizeof(vertices_[0]) + 4 * sizeof(double) + 2 * sizeof(std::uint32_t) +
                                 sizeof(std::int32_t) + sizeof(std::uint8_t);
    return vertices_.capacity() * per_edge + end_.capacity() * (sizeof(Vec3d) + sizeof(std::uint32_t));
}

}  // namespace rivulet::contact
