#pragma once

#include <cstddef>
#include <vector>

#include <rivulet/contact/bridge.h>

namespace rivulet::contact {

struct BridgePull {
    double force = 0;   ///< per length, not faded [N/m]
    double slope = 0;   ///< of it with the gap [N/m²]
    double wetted = 0;  ///< mean wetted length of both outlines [m]; area over it is the mean thickness
    double reach = 0;   ///< gap at which the bridge breaks [m]
};
/// The pull as it acts: faded before it breaks, nothing beyond.
BridgePull faded(const BridgePull& pull, double gap);

/// The exact bridge of one pair of solids, tabulated once: force within 1e-4 of the surface tension of
/// `solve_bridge` and slope of that interpolant, for areas from 1e-5 to 100 of the smaller radius squared.
/// Constant after it is made; look-ups share it among threads and allocate nothing.
///
/// Rows are even in the logarithm of the area, columns in t = v (1 + q)/(v + q), v the part of the way from
/// the shortest to the widest gap: closer near contact, where small bridges pull sharply. Between nodes the
/// force is a bicubic of values and slopes, the wetted length bilinear. Rows begin anew where a solid starts
/// to drown at contact or the range stops being the break gap, since the force has a kink there.
///
/// Outside: overlap counts as contact; bridges smaller than the smallest keep its shape and their force goes
/// to 0 with their area; larger ones than the largest count as that. Where a solid is drowned the force falls
/// smoothly to 0 at contact instead of at once.
class BridgeTable {
 public:
    explicit BridgeTable(const BridgeSolids& solids);

    /// At `gap` [m], liquid area [m²], surface tension [N/m].
    BridgePull at(double gap, double area, double tension) const;
    double reach(double area) const;
    std::size_t bytes() const;
    /// Areas between which the table holds the exact law [m²].
    double least_area() const;
    double greatest_area() const;

 private:
    static constexpr int kColumns = 72;
    struct Node {
        double force, by_column, by_row, by_both;
    };
    struct Row {
        double from, from_by_row, to, to_by_row;  ///< range of gaps over the root of the area
    };
    struct Block {
        double begin, spacing;  ///< logarithm of the area
        int first_row, rows;
    };
    struct Place {
        std::size_t row;
        double fraction, spacing, from, to;  ///< range of gaps, over the unit of length
    };

    void add_block(const BridgeSolids& unit_solids, double begin, double end);
    void add_row(const BridgeSolids& unit_solids, double area);
    void differentiate(const Block& block);
    Place place(double area) const;
    BridgePull inside(double gap, double area) const;

    double unit_ = 1;  ///< smaller radius [m]
    double least_ = 0, greatest_ = 0;
    std::vector<Block> blocks_;
    std::vector<Row> rows_;
    std::vector<Node> nodes_;
    std::vector<double> wetted_;
};

}  // namespace rivulet::contact
