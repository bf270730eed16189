#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <rivulet/contact/bridge_curve.h>
#include <rivulet/contact/bridge_points.h>
#include <rivulet/contact/bridge_table.h>
#include <rivulet/contact/contact_point.h>
#include <rivulet/contact/state.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/film/state.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// What liquid does at one row of the contact problem.
struct RowBridge {
    bool joined = false;
    double force = 0, slope = 0;  // along the normal, positive draws together [N, N/m]
    double wetted = 0,
           thickness = 0;  // of the liquid, for its resistance to being stretched [m²: length × outline; m]
    std::size_t liquid = 0;
    double dry = 1;                // part that liquid around leaves of it; in force and slope already
    contact::BridgeCurve curve{};  // its pull per length at other gaps
};

/// Part that is left of a bridge whose surroundings air fills by `dryness`: smooth, 0 and 1 at its ends (Fei
/// et al. 2017 §4.1.1 has the dryness itself, which bends where liquid begins).
inline double bridge_dryness(double dryness) {
    return dryness * dryness * (3 - 2 * dryness);
}

/// Liquid bridges between strands, and strands and walls, from the films they carry. A bridge forms where
/// films touch and lives until its gap is wider than it reaches; while it lives it pulls at every gap. The
/// film of an edge is shared among its bridges: each has the part that stands beside it, so that liquid is
/// counted once. Under liquid there is no meniscus: bridges fade as it closes over strands (bridge_dryness).
class ContactBridges {
 public:
    explicit ContactBridges(const Model& model) : model_(model) {}

    /// What the films are now. `edges` have been prepared. `dryness` of vertices, 1 in air and 0 under
    /// liquid; empty: in air.
    void begin(const film::FilmState& film, const contact::StrandEdges& edges,
               std::span<const double> dryness = {});
    bool active() const { return active_; }
    /// Per edge: the bridge of two acts at gaps below the sum of theirs, that to a wall below its own [m].
    std::span<const double> reach() const { return reach_; }
    /// How wet the surfaces of two edges are, by films or liquid around, 0 to 1: friction goes by it. `other`
    /// may be the edge itself.
    double wetness(std::size_t edge, std::size_t other) const;

    /// Rows of pairs that liquid joins are added to what detection found, `found`, which is in order and
    /// stays so: two places per pair of edges, each with its part of the bridge. They only pull; what was
    /// found keeps apart.
    void join(const strand::StrandState& strands, const contact::StrandEdges& edges,
              const geometry::SolidField& solids, const contact::ContactState& last,
              std::vector<contact::Contact>& found, std::vector<RowBridge>& rows);
    /// Memory held, tables aside [bytes].
    std::size_t memory() const;

 private:
    struct Pair {
        std::size_t a = 0, b = 0;  // edges; of walls b is the solid
        bool wall = false;
    };
    struct Liquid {
        double area = 0, tension = 0;
        std::size_t number = 0;
        const contact::BridgeTable* table = nullptr;
        double unit = 1;  // of the table's lengths [m]
        double reach = 0;
    };
    contact::Segment segment(const strand::StrandState& s, const contact::StrandEdges& e,
                             std::size_t edge) const;
    double share_of(std::size_t edge) const { return 1 / std::max(1.0, load_[edge]); }
    Liquid liquid_of(const strand::StrandState& strands, const contact::StrandEdges& edges, const Pair& pair,
                     std::size_t obstacle, bool shared);
    const contact::BridgeTable& table(double angle, double other_angle, int ratio);
    void find_edge_pairs(const strand::StrandState& strands, const contact::StrandEdges& edges,
                         const contact::ContactState& last, const std::vector<contact::Contact>& found);
    void find_wall_pairs(const strand::StrandState& strands, const contact::StrandEdges& edges,
                         const geometry::SolidField& solids, const contact::ContactState& last);
    void add_rows(const strand::StrandState& strands, const contact::StrandEdges& edges,
                  const geometry::SolidField& solids, const Pair& pair);

    const Model& model_;
    /// Part of a pair's bridge that liquid around leaves.
    double dry(const Pair& pair) const;
    double dry(std::size_t edge) const { return dry_.empty() ? 1.0 : dry_[edge]; }

    std::vector<double> area_, thickness_, reach_;  // per edge
    std::vector<double> dry_;                       // per edge: bridge_dryness; empty: all in air
    std::vector<double> mix_;                       // per edge and liquid
    std::vector<double> load_;                      // per edge: parts of it that lie beside others
    bool active_ = false;
    std::vector<Pair> pairs_;
    std::vector<std::pair<contact::Contact, RowBridge>> rows_;
    std::map<std::array<double, 3>, contact::BridgeTable> tables_;
};

}  // namespace rivulet::world
