#include <rivulet/contact/bridge_life.h>
#include <rivulet/contact/bridge_range.h>
#include <rivulet/contact/bridge_table.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rivulet::contact {
namespace {

// In units of the smaller radius.
constexpr double kLeastArea = 1e-5, kGreatestArea = 100;
constexpr double kRowSpacing = 0.13;
/// Grading of the columns: the cell at contact is about q/(1 + q) of an even one.
constexpr double kGrading = 0.22;

double part_of_column(double t) {
    return kGrading * t / (1 + kGrading - t);
}
double column_of_part(double v) {
    return v * (1 + kGrading) / (v + kGrading);
}
/// dt/dv.
double column_slope(double v) {
    return kGrading * (1 + kGrading) / ((v + kGrading) * (v + kGrading));
}

/// Values and slopes at both ends of a unit interval.
struct Cubic {
    double a, slope_a, b, slope_b;
    double value(double x) const {
        const double y = 1 - x;
        return a * (y * y * (1 + 2 * x)) + b * (x * x * (3 - 2 * x)) + x * y * (slope_a * y - slope_b * x);
    }
    double slope(double x) const {
        const double y = 1 - x;
        return 6 * x * y * (b - a) + slope_a * y * (1 - 3 * x) + slope_b * x * (3 * x - 2);
    }
};

/// Fourth-order derivative at place i of n >= 5 even samples, times the spacing.
template <class F>
double difference(int i, int n, F&& sample) {
    static constexpr double kWeights[5][5] = {{-25, 48, -36, 16, -3},
                                              {-3, -10, 18, -6, 1},
                                              {1, -8, 0, 8, -1},
                                              {-1, 6, -18, 10, 3},
                                              {3, -16, 36, -48, 25}};
    const int start = std::clamp(i - 2, 0, n - 5);
    double sum = 0;
    for (int k = 0; k < 5; ++k) sum += kWeights[i - start][k] * sample(start + k);
    return sum / 12;
}

/// What the range of gaps is made of; the force has a kink in the area where this changes.
int kind_of(const BridgeSolids& solids, double area) {
    const BridgeRange range = bridge_range(solids, area);
    if (!(range.from < 0.98 * range.to)) return -1;
    const bool breaks = range.to == break_gap(0.5 * (solids.angle1 + solids.angle2), area);
    return (range.from > 0 ? 1 : 0) + (breaks ? 0 : 2);
}

BridgeSolids in_units(const BridgeSolids& solids, double unit) {
    return {solids.curvature1 * unit, solids.curvature2 * unit, solids.angle1, solids.angle2};
}

}  // namespace

BridgePull faded(const BridgePull& pull, double gap) {
    const Fade fade = bridge_fade(gap, pull.reach);
    return {fade.factor * pull.force, fade.factor * pull.slope + fade.slope * pull.force, pull.wetted,
            pull.reach};
}

BridgeTable::BridgeTable(const BridgeSolids& solids)
    : unit_(1 / std::max(solids.curvature1, solids.curvature2)) {
    const BridgeSolids unit_solids = in_units(solids, unit_);
    constexpr int kScan = 120;
    const double first = std::log(kLeastArea), last = std::log(kGreatestArea);
    double begin = first, before = first;
    int kind = kind_of(unit_solids, kLeastArea);
    assert(kind >= 0 && "the smallest bridge exists");
    for (int i = 1; i <= kScan && kind >= 0; ++i) {
        const double here = first + (last - first) * i / kScan;
        const int next = kind_of(unit_solids, std::exp(here));
        if (next != kind) {
            double low = before, high = here;
            for (int k = 0; k < 45; ++k) {
                const double middle = 0.5 * (low + high);
                (kind_of(unit_solids, std::exp(middle)) == kind ? low : high) = middle;
            }
            add_block(unit_solids, begin, low);
            begin = high, kind = next;
        }
        before = here;
    }
    if (kind >= 0) add_block(unit_solids, begin, last);
    rows_.shrink_to_fit(), nodes_.shrink_to_fit(), wetted_.shrink_to_fit();
    least_ = kLeastArea;
    greatest_ = std::exp(blocks_.back().begin + blocks_.back().spacing * (blocks_.back().rows - 1));
}

void BridgeTable::add_block(const BridgeSolids& unit_solids, double begin, double end) {
    const int rows = std::max(5, 1 + int(std::ceil((end - begin) / kRowSpacing)));
    const Block block{begin, (end - begin) / (rows - 1), int(rows_.size()), rows};
    for (int i = 0; i < rows; ++i)
        add_row(unit_solids, std::exp(i + 1 < rows ? begin + i * block.spacing : end));
    differentiate(block);
    blocks_.push_back(block);
}

void BridgeTable::add_row(const BridgeSolids& unit_solids, double area) {
    const BridgeRange range = bridge_range(unit_solids, area);
    const double width = range.to - range.from, root = std::sqrt(area);
    rows_.push_back({range.from / root, 0, range.to / root, 0});
    for (int j = 0; j <= kColumns; ++j) {
        // NOTE: at the very ends of the range round-off decides whether there is a bridge.
        const double v =
            std::clamp(part_of_column(double(j) / kColumns), range.from > 0 ? 1e-9 : 0.0, 1 - 1e-9);
        const Bridge bridge = solve_bridge(unit_solids, range.from + v * width, area, 1);
        assert(bridge.state == BridgeState::bridged);
        const double by_column = bridge.slope * width / (column_slope(v) * kColumns);
        nodes_.push_back({bridge.force, by_column, 0, 0});
        wetted_.push_back(0.5 * (bridge.wetted1 + bridge.wetted2));
    }
}

void BridgeTable::differentiate(const Block& block) {
    const int n = block.rows, stride = kColumns + 1;
    Row* rows = rows_.data() + block.first_row;
    Node* nodes = nodes_.data() + std::ptrdiff_t(block.first_row) * stride;
    for (int i = 0; i < n; ++i) {
        rows[i].from_by_row = difference(i, n, [&](int k) { return rows[k].from; });
        rows[i].to_by_row = difference(i, n, [&](int k) { return rows[k].to; });
        for (int j = 0; j < stride; ++j) {
            Node& node = nodes[i * stride + j];
            node.by_row = difference(i, n, [&](int k) { return nodes[k * stride + j].force; });
            node.by_both = difference(i, n, [&](int k) { return nodes[k * stride + j].by_column; });
        }
    }
}

BridgeTable::Place BridgeTable::place(double area) const {
    const double logarithm = std::log(area);
    std::size_t b = 0;
    while (b + 1 < blocks_.size() && logarithm >= blocks_[b + 1].begin) ++b;
    const Block& block = blocks_[b];
    const double along = std::clamp((logarithm - block.begin) / block.spacing, 0.0, double(block.rows - 1));
    const int cell = std::min(int(along), block.rows - 2);
    const double x = along - cell, root = std::sqrt(area);
    const std::size_t row = std::size_t(block.first_row + cell);
    const Row &low = rows_[row], &high = rows_[row + 1];
    const double from = Cubic{low.from, low.from_by_row, high.from, high.from_by_row}.value(x);
    const double to = Cubic{low.to, low.to_by_row, high.to, high.to_by_row}.value(x);
    return {row, x, block.spacing, root * std::max(from, 0.0), root * to};
}

BridgePull BridgeTable::inside(double gap, double area) const {
    const Place p = place(area);
    const double width = p.to - p.from, v = std::clamp((gap - p.from) / width, 0.0, 1.0);
    const double along = column_of_part(v) * kColumns;
    const int cell = std::min(int(along), kColumns - 1);
    const double x = along - cell, y = p.fraction;
    const std::size_t low = p.row * (kColumns + 1) + std::size_t(cell), high = low + (kColumns + 1);
    const auto across = [&](std::size_t j) {
        const Node &a = nodes_[low + j], &b = nodes_[high + j];
        return std::pair{Cubic{a.force, a.by_row, b.force, b.by_row}.value(y),
                         Cubic{a.by_column, a.by_both, b.by_column, b.by_both}.value(y)};
    };
    const auto left = across(0), right = across(1);
    const Cubic cubic{left.first, left.second, right.first, right.second};
    const double wetted = (1 - y) * ((1 - x) * wetted_[low] + x * wetted_[low + 1]) +
                          y * ((1 - x) * wetted_[high] + x * wetted_[high + 1]);
    const double slope = cubic.slope(x) * kColumns * column_slope(v) / width;
    if (gap >= p.from) return {cubic.value(x), slope, wetted, p.to};
    // Drowned: from 0 at contact to the force at the edge.
    const double s = gap / p.from, force = cubic.value(x);
    return {force * s * s * (3 - 2 * s), force * 6 * s * (1 - s) / p.from, wetted, p.to};
}

BridgePull BridgeTable::at(double gap, double area, double tension) const {
    if (!(area > 0)) return {};
    const double scaled_area = area / (unit_ * unit_);
    const double small = scaled_area < least_ ? std::sqrt(scaled_area / least_) : 1;
    const double scaled_gap = std::max(gap, 0.0) / (unit_ * small);
    const BridgePull p = inside(scaled_gap, std::clamp(scaled_area, least_, greatest_));
    const double slope = gap < 0 ? 0 : p.slope * small * tension / unit_;
    return {p.force * small * small * tension, slope, p.wetted * small * unit_, p.reach * small * unit_};
}

double BridgeTable::reach(double area) const {
    if (!(area > 0)) return 0;
    const double scaled_area = area / (unit_ * unit_);
    const double small = scaled_area < least_ ? std::sqrt(scaled_area / least_) : 1;
    return place(std::clamp(scaled_area, least_, greatest_)).to * small * unit_;
}

std::size_t BridgeTable::bytes() const {
    return sizeof(*this) + blocks_.capacity() * sizeof(Block) + rows_.capacity() * sizeof(Row) +
           nodes_.capacity() * sizeof(Node) + wetted_.capacity() * sizeof(double);
}
double BridgeTable::least_area() const {
    return least_ * unit_ * unit_;
}
double BridgeTable::greatest_area() const {
    return greatest_ * unit_ * unit_;
}

}  // namespace rivulet::contact
