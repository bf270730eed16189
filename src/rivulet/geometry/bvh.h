#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/geometry/bounds.h>

namespace rivulet::geometry {

/// A tree of boxes over numbered items. Built the same way whatever the number of threads; queries are const
/// and safe in parallel.
class Bvh {
 public:
    Bvh() = default;
    explicit Bvh(std::span<const Bounds> items);

    bool empty() const { return nodes_.empty(); }
    const Bounds& bounds() const { return nodes_[0].box; }
    std::size_t size() const { return order_.size(); }

    /// Moves the boxes, keeps the tree.
    void refit(std::span<const Bounds> items);

    /// Visits items near p, nearest boxes first. `visit(item)` returns its squared distance; boxes beyond the
    /// least of these (and `most`) are skipped. Returns that least squared distance.
    template <class Visit>
    double nearest(const Vec3d& p, double most, Visit&& visit) const {
        double best = most;
        if (empty()) return best;
        std::array<Entry, kDeepest> stack;
        int top = 0;
        stack[0] = {0, nodes_[0].box.squared_distance(p)};
        while (top >= 0) {
            const Entry entry = stack[static_cast<std::size_t>(top--)];
            if (entry.squared_distance > best) continue;
            const Node& node = nodes_[entry.node];
            if (node.count > 0) {
                for (std::uint32_t i = 0; i < node.count; ++i)
                    best = std::min(best, visit(order_[node.first + i]));
                continue;
            }
            const double left = nodes_[node.first].box.squared_distance(p);
            const double right = nodes_[node.first + 1].box.squared_distance(p);
            const bool left_nearer = left <= right;
            stack[static_cast<std::size_t>(++top)] =
                left_nearer ? Entry{node.first + 1, right} : Entry{node.first, left};
            stack[static_cast<std::size_t>(++top)] =
                left_nearer ? Entry{node.first, left} : Entry{node.first + 1, right};
        }
        return best;
    }

    /// Visits every item whose box passes `hit_box`, in a fixed order.
    template <class HitBox, class Visit>
    void traverse(HitBox&& hit_box, Visit&& visit) const {
        if (empty()) return;
        std::array<std::uint32_t, kDeepest> stack;
        int top = 0;
        stack[0] = 0;
        while (top >= 0) {
            const Node& node = nodes_[stack[static_cast<std::size_t>(top--)]];
            if (!hit_box(node.box)) continue;
            if (node.count > 0) {
                for (std::uint32_t i = 0; i < node.count; ++i) visit(order_[node.first + i]);
                continue;
            }
            stack[static_cast<std::size_t>(++top)] = node.first + 1;
            stack[static_cast<std::size_t>(++top)] = node.first;
        }
    }
    template <class Visit>
    void overlapping(const Bounds& box, Visit&& visit) const {
        traverse([&](const Bounds& b) { return b.squared_distance(box) == 0; }, visit);
    }

 private:
    struct Node {
        Bounds box;
        std::uint32_t first = 0;  // leaf: into order_; inner: left child, the right one follows it
        std::uint32_t count = 0;  // items of a leaf; 0: inner
    };
    struct Entry {
        std::uint32_t node;
        double squared_distance;
    };
    // Surface-area splits to depth 40, halvings (at most 32 of them) below: one waiting node per level.
    static constexpr std::size_t kDeepest = 80;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
};

}  // namespace rivulet::geometry
