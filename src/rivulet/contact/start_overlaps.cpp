#include <rivulet/contact/start_overlaps.h>

#include <algorithm>
#include <vector>

#include <rivulet/contact/detector.h>

namespace rivulet::contact {
namespace {

constexpr int kMostPasses = 60;
/// Overlaps of this part of the thickness are none.
constexpr double kNone = 1e-3;

using strand::EndKind;
using strand::StrandState;

/// 1: may move; 0: held.
std::vector<double> free_vertices(const StrandState& s) {
    std::vector<double> free(s.vertex_count(), 1);
    for (std::size_t k = 0; k < s.strand_count(); ++k) {
        const auto hold = [&](const strand::EndTargets& target, std::size_t end, std::size_t next) {
            const auto kind = EndKind(target.kind[k]);
            if (kind != EndKind::free) free[end] = 0;
            if (kind == EndKind::clamp) free[next] = 0;
        };
        hold(s.root_target, s.begin(k), s.begin(k) + 1);
        hold(s.tip_target, s.end(k) - 1, s.end(k) - 2);
    }
    return free;
}

struct Mover {
    StrandState& strands;
    const std::vector<double> free = free_vertices(strands);
    const std::vector<Vec3d> start = strands.position;
    double most;

    void push(std::uint32_t v, const Vec3d& by) {
        Vec3d& x = strands.position[v];
        const Vec3d way = x + by - start[v];
        const double far = length(way);
        x = far > most ? start[v] + way * (most / far) : start[v] + way;
    }
    /// Moves two edges, or an edge and a wall, apart by `by` along n.
    void part(std::uint32_t a, double place_a, std::uint32_t b, double place_b, bool wall, const Vec3d& n,
              double by) {
        const double w[4] = {free[a] * (1 - place_a), free[a + 1] * place_a,
                             wall ? 0 : free[b] * (1 - place_b), wall ? 0 : free[b + 1] * place_b};
        const double whole = (1 - place_a) * w[0] + place_a * w[1] + (1 - place_b) * w[2] + place_b * w[3];
        if (!(whole > 1e-3)) return;
        const Vec3d step = n * (by / whole);
        push(a, step * w[0]), push(a + 1, step * w[1]);
        if (!wall) push(b, step * -w[2]), push(b + 1, step * -w[3]);
    }
    void restore_lengths() {
        for (std::size_t k = 0; k < strands.strand_count(); ++k)
            for (int pass = 0; pass < 4; ++pass)
                for (std::size_t v = strands.begin(k); v + 1 < strands.end(k); ++v) {
                    const double together = free[v] + free[v + 1];
                    if (together == 0) continue;
                    const Vec3d edge = strands.position[v + 1] - strands.position[v];
                    const double is = length(edge);
                    const Vec3d change = edge * ((is - strands.rest_length[v]) / (is * together));
                    strands.position[v] += change * free[v];
                    strands.position[v + 1] -= change * free[v + 1];
                }
    }
};

}  // namespace

StartOverlaps part_overlaps(StrandState& strands, StrandEdges& edges, const geometry::SolidField& solids,
                            double most) {
    StartOverlaps report;
    Detector detector;
    std::vector<Contact> found;
    const std::vector<Vec3d> still(strands.vertex_count());
    Mover mover{.strands = strands, .most = most};
    for (int pass = 0; pass <= kMostPasses; ++pass) {
        edges.move(strands, still, 1);
        detector.detect(edges.list(strands), solids, {}, found);
        double deepest = 0;
        std::size_t overlaps = 0;
        for (const Contact& c : found) {
            const bool wall = c.kind != ContactKind::edge_edge;
            const double touch = edges.radius(c.edge_a) + (wall ? 0 : edges.radius(c.edge_b));
            const double part = -c.gap / touch;
            if (part <= kNone) continue;
            ++overlaps;
            if (part > deepest) {
                deepest = part;
                report.strand = c.owner_a, report.wall = wall;
                report.other = wall ? static_cast<std::uint32_t>(solids.solid(c.edge_b).obstacle) : c.owner_b;
            }
            if (pass < kMostPasses)
                mover.part(edges.vertex(c.edge_a), c.place_a, wall ? 0 : edges.vertex(c.edge_b), c.place_b,
                           wall, c.normal, -c.gap + kNone * touch);
        }
        if (pass == 0) report.found = overlaps, report.deepest = deepest;
        report.left = deepest;
        if (overlaps == 0) break;
        mover.restore_lengths();
    }
    for (std::size_t v = 0; v < strands.vertex_count(); ++v)
        report.moved = std::max(report.moved, length(strands.position[v] - mover.start[v]));
    return report;
}

}  // namespace rivulet::contact
