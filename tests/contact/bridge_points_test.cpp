#include <gtest/gtest.h>

#include <rivulet/base/random.h>
#include <rivulet/contact/bridge_points.h>

namespace rivulet::contact {
namespace {

TEST(BridgePoints, CoverTheOverlapOfEdgesSideBySide) {
    const Segment a{{0, 1, 0}, {2, 0, 0}}, b{{0.5, 0, 0}, {1, 0, 0}};
    const EdgePart part = part_beside(a, b, 0.9, 0.5);
    EXPECT_NEAR(part.from, 0.25, 1e-14);
    EXPECT_NEAR(part.to, 0.75, 1e-14);
    BridgePoint p[2];
    ASSERT_EQ(bridge_points(a, b, 0.9, 0.5, p), 2);
    EXPECT_NEAR(p[0].length + p[1].length, 1, 1e-14);
    EXPECT_NEAR(p[0].gap, 0.1, 1e-14);
    EXPECT_NEAR(length(p[0].normal - Vec3d{0, 1, 0}), 0, 1e-14);
    EXPECT_EQ(bridge_points(a, b, 0.3, 0.5, p), 0);
}

TEST(BridgePoints, EdgesThatFollowEachOtherShareNothingAndMissNothing) {
    // One long edge beside a straight line cut anywhere: the parts add up to the line.
    const Random random(3, 1);
    for (std::uint64_t k = 0; k < 200; ++k) {
        const Segment a{random.uniform3(10 * k) * 0.1, Vec3d{1, 0, 0} + random.direction(10 * k + 4) * 0.05};
        const double cut = 0.1 + 0.8 * random.uniform(10 * k + 5);
        const Segment whole{{0, 0.3, 0}, {1, 0, 0}}, first{{0, 0.3, 0}, {cut, 0, 0}},
            second{{cut, 0.3, 0}, {1 - cut, 0, 0}};
        const double all = part_beside(a, whole, 0.2, 0.5).size();
        EXPECT_NEAR(part_beside(a, first, 0.2, 0.5).size() + part_beside(a, second, 0.2, 0.5).size(), all,
                    1e-12);
    }
}

TEST(BridgePoints, MoveContinuouslyAndVanishAtTheReach) {
    // Edges that cross under any angle, drawn apart: the covered part shrinks to nothing without a jump.
    for (const double angle : {0.0, 0.02, 0.3, 1.5707963}) {
        const Vec3d along{std::cos(angle), 0, std::sin(angle)};
        const Segment b{{-1, 0, 0}, {2, 0, 0}};
        double before = -1;
        for (int i = 0; i <= 2000; ++i) {
            const double height = 0.2 + 0.3 * i / 2000;
            const double size = part_beside({Vec3d{0, height, 0} - along, along * 2.0}, b, 0.2, 0.2).size();
            if (before >= 0 && angle > 0) {
                EXPECT_LT(std::abs(size - before), 0.4 / std::sin(angle) * 0.03) << angle << " " << i;
            }
            before = size;
        }
        EXPECT_EQ(before, 0) << angle;
    }
}

}  // namespace
}  // namespace rivulet::contact
