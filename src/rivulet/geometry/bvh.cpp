#include <algorithm>
#include <numeric>

#include <rivulet/geometry/bvh.h>

namespace rivulet::geometry {
namespace {

constexpr int kBins = 16;
constexpr std::uint32_t kLeafSize = 4;
constexpr int kHalveBelow = 40;

double half_area(const Bounds& b) {
    if (b.is_empty()) return 0;
    const Vec3d d = b.size();
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

struct Split {
    int axis = -1;
    double position = 0;  // items with their centre below go left
};

/// Binned surface-area heuristic (Wald 2007); axis -1 when no plane separates the centres.
Split choose_split(std::span<const Bounds> items, std::span<const std::uint32_t> order) {
    Bounds centres;
    for (std::uint32_t i : order) centres.include(items[i].centre());
    Split best;
    double least = Bounds::kInfinity;
    for (int axis = 0; axis < 3; ++axis) {
        const double from = centres.min[axis], width = centres.max[axis] - from;
        if (!(width > 0)) continue;
        std::array<Bounds, kBins> boxes;
        std::array<std::size_t, kBins> counts{};
        const double scale = kBins / width;
        for (std::uint32_t i : order) {
            const int bin =
                std::clamp(static_cast<int>((items[i].centre()[axis] - from) * scale), 0, kBins - 1);
            boxes[static_cast<std::size_t>(bin)].include(items[i]);
            ++counts[static_cast<std::size_t>(bin)];
        }
        std::array<double, kBins> right_cost{};
        Bounds box;
        std::size_t count = 0;
        for (std::size_t b = kBins - 1; b > 0; --b) {
            box.include(boxes[b]), count += counts[b];
            right_cost[b] = half_area(box) * static_cast<double>(count);
        }
        box = {}, count = 0;
        for (std::size_t b = 0; b + 1 < kBins; ++b) {
            box.include(boxes[b]), count += counts[b];
            if (count == 0 || count == order.size()) continue;
            const double cost = half_area(box) * static_cast<double>(count) + right_cost[b + 1];
            if (cost < least) least = cost, best = {axis, from + static_cast<double>(b + 1) / scale};
        }
    }
    return best;
}

/// Reorders and returns how many go left; 0 when the items cannot be separated.
std::size_t partition(std::span<const Bounds> items, std::span<std::uint32_t> order, int depth) {
    if (depth < kHalveBelow) {
        const Split split = choose_split(items, order);
        if (split.axis >= 0) {
            const auto middle = std::stable_partition(order.begin(), order.end(), [&](std::uint32_t i) {
                return items[i].centre()[split.axis] < split.position;
            });
            const auto left = static_cast<std::size_t>(middle - order.begin());
            if (left > 0 && left < order.size()) return left;
        }
    }
    return order.size() / 2;
}

}  // namespace

Bvh::Bvh(std::span<const Bounds> items) {
    if (items.empty()) return;
    order_.resize(items.size());
    std::iota(order_.begin(), order_.end(), 0u);
    struct Task {
        std::uint32_t node, begin, end;
        int depth;
    };
    nodes_.reserve(items.size());
    nodes_.emplace_back();
    std::vector<Task> tasks{{0, 0, static_cast<std::uint32_t>(items.size()), 0}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        const std::uint32_t count = task.end - task.begin;
        if (count <= kLeafSize) {
            nodes_[task.node].first = task.begin, nodes_[task.node].count = count;
            continue;
        }
        const std::span<std::uint32_t> mine(order_.data() + task.begin, count);
        const std::uint32_t middle =
            task.begin + static_cast<std::uint32_t>(partition(items, mine, task.depth));
        const auto left = static_cast<std::uint32_t>(nodes_.size());
        nodes_[task.node].first = left;
        nodes_.resize(nodes_.size() + 2);
        tasks.push_back({left + 1, middle, task.end, task.depth + 1});
        tasks.push_back({left, task.begin, middle, task.depth + 1});
    }
    refit(items);
}

void Bvh::refit(std::span<const Bounds> items) {
    // Children come after their parent.
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        Node& node = nodes_[n];
        node.box = {};
        if (node.count > 0)
            for (std::uint32_t i = 0; i < node.count; ++i) node.box.include(items[order_[node.first + i]]);
        else
            node.box = nodes_[node.first].box, node.box.include(nodes_[node.first + 1].box);
    }
}

}  // namespace rivulet::geometry
