#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/contact/sweep_tree.h>

namespace rivulet::contact {
namespace {

using geometry::Bounds;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<Bounds> some_boxes(std::uint64_t seed, std::size_t count) {
    const Random random(seed, 3);
    std::vector<Bounds> boxes(count);
    for (std::size_t i = 0; i < count; ++i) {
        // Multiples of 1/1024 are exact in single precision; sizes over four decades.
        const auto exact = [](const Vec3d& v) {
            return Vec3d{std::round(v.x * 1024) / 1024, std::round(v.y * 1024) / 1024,
                         std::round(v.z * 1024) / 1024};
        };
        const double size = std::pow(10, -3 + 4 * std::pow(random.uniform(3 * i), 4));
        const Vec3d at = exact(random.uniform3(3 * i + 1) * (seed % 3 == 0 ? 0.0 : 4.0));
        boxes[i] = {at, at + exact(random.uniform3(3 * i + 2) * size)};
    }
    return boxes;
}

Pairs tree_pairs(const SweepTree& tree) {
    std::vector<Pairs> parts(tree.groups());
    parallel_for(tree.groups(), [&](std::size_t g) {
        tree.pairs_of(g, [&](std::size_t p, std::size_t q) {
            const auto [low, high] = std::minmax(tree.order()[p], tree.order()[q]);
            parts[g].emplace_back(low, high);
        });
    });
    Pairs all;
    for (const Pairs& p : parts) all.insert(all.end(), p.begin(), p.end());
    return all;
}

TEST(SweepTree, FindsThePairsOfASlowTwinOnce) {
    SweepTree tree;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::size_t count = seed < 20 ? seed : seed * 13;
        const std::vector<Bounds> boxes = some_boxes(seed, count);
        tree.build(boxes);
        ASSERT_EQ(tree.size(), count);
        Pairs found = tree_pairs(tree);
        std::sort(found.begin(), found.end());
        Pairs slow;
        for (std::uint32_t i = 0; i < count; ++i)
            for (std::uint32_t j = i + 1; j < count; ++j)
                if (boxes[i].squared_distance(boxes[j]) == 0) slow.emplace_back(i, j);
        ASSERT_EQ(found, slow) << seed;
    }
}

TEST(SweepTree, OrderDoesNotDependOnThreads) {
    const std::vector<Bounds> boxes = some_boxes(4, 5000);
    Pairs first;
    for (int threads : {1, 2, 4}) {
        const Pairs found = with_threads(threads, [&] {
            SweepTree tree;
            tree.build(boxes);
            return tree_pairs(tree);
        });
        if (threads == 1) first = found;
        EXPECT_EQ(found, first);
    }
}

TEST(SweepTree, MemoryIsLinearWithHugeBoxes) {
    std::vector<Bounds> boxes = some_boxes(5, 100000);
    SweepTree plain, with_huge;
    plain.build(boxes);
    boxes[77] = {{-5, -5, -5}, {5, 5, 5}};
    boxes[5000] = {{-1e4, 0, 0}, {1e4, 1, 1}};
    with_huge.build(boxes);
    EXPECT_EQ(with_huge.memory(), plain.memory());
    EXPECT_LT(plain.memory(), 80 * boxes.size());
}

}  // namespace
}  // namespace rivulet::contact
