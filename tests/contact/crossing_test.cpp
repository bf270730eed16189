#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/contact/crossing.h>
#include <rivulet/contact/moving_pairs.h>
#include <rivulet/strand/make.h>

namespace rivulet::contact {
namespace {

constexpr double kRadius = 1e-3, kTouch = 2 * kRadius;

/// An edge along x and one along z, above it by `distance` and away from the crossing by `offset` along x.
struct Crossed {
    strand::StrandState strands;
    StrandEdges edges;
    CrossingCheck check;
    std::vector<Contact> found;

    Crossed(double offset, double height) {
        strand::Curves curves;
        const std::vector<double> radii(2, kRadius);
        curves.add_strand(std::vector<Vec3d>{{-0.05, 0, 0}, {0.05, 0, 0}}, radii);
        curves.add_strand(std::vector<Vec3d>{{offset, height, -0.05}, {offset, height, 0.05}}, radii);
        strand::MakeOptions options;
        options.root = strand::EndKind::free;
        strands = strand::make_strands(curves, options);
        edges.prepare(strands, 0, {}, {});
    }
    /// The second edge moves by this in the step.
    const std::vector<Contact>& moved(const Vec3d& by) {
        edges.move(strands, std::vector<Vec3d>{{}, {}, by, by}, 1);
        check.find(strands, edges, {}, {}, found);
        return found;
    }
};

TEST(CrossingCheck, PassesWhatKeepsItsDistance) {
    Crossed c(0, kTouch);
    EXPECT_TRUE(c.moved({0.02, 0, 0.01}).empty());
    EXPECT_TRUE(c.moved({0, -0.09 * kTouch, 0}).empty()) << "a tenth is allowed for";
}

TEST(CrossingCheck, FindsWhatPassesThroughAtFullThickness) {
    Crossed c(0, 2 * kTouch);
    ASSERT_EQ(c.moved({0, -5 * kTouch, 0}).size(), 1u);
    const Contact& found = c.found[0];
    EXPECT_NEAR(found.time, 0.2, 1e-3);
    EXPECT_NEAR(found.gap, kTouch, 1e-9);
    EXPECT_NEAR(found.normal.y, -1, 1e-12);
}

/// A strand beside the end of another, in an overlap.
struct Sliding : Crossed {
    static constexpr double kStart = 0.96 * kTouch;

    Sliding() : Crossed(0.05 + std::sqrt(kStart * kStart - 0.25 * kTouch * kTouch), 0.5 * kTouch) {}
    Vec3d start_normal() const {
        return normalized(Vec3d{0.05, 0, 0} - Vec3d{strands.position[2].x, 0.5 * kTouch, 0});
    }
};

TEST(CrossingCheck, WhatBeginsInAnOverlapMayComeNearerByATenthOfItsDistance) {
    Sliding s;
    const Vec3d along = cross(s.start_normal(), {0, 0, 1});  // keeps the distance to first order
    EXPECT_TRUE(s.moved(along * (0.3 * kTouch)).empty())
        << "slides on at more than the distance it began with";
    const Vec3d inwards = s.start_normal();
    EXPECT_TRUE(s.moved(inwards * (0.09 * Sliding::kStart)).empty());
    EXPECT_FALSE(s.moved(inwards * (0.11 * Sliding::kStart)).empty());
}

TEST(CrossingCheck, AnOverlapIsAskedToKeepItsDistanceAlongTheNormalItWillHave) {
    Sliding s;
    const Vec3d by{-0.6 * kTouch, 0.1 * kTouch, 0};  // onto the other edge's end
    ASSERT_EQ(s.moved(by).size(), 1u);
    const Contact& found = s.found[0];
    EXPECT_GT(found.time, 0);
    EXPECT_LT(dot(found.normal, s.start_normal()), 0.9999)
        << "or the contact of the start would be found again";
    const Vec3d between =
        Vec3d{-0.05 + 0.1 * found.place_a, 0, 0} - (s.strands.position[2] + Vec3d{0, 0, 0.1 * found.place_b});
    EXPECT_NEAR(found.gap, dot(found.normal, between) - 0.95 * Sliding::kStart, 1e-12);
}

TEST(CrossingCheck, AxesThatMeetHaveNoSideToKeep) {
    Crossed c(0, 0);
    EXPECT_TRUE(c.moved({0, -kTouch, 0}).empty());
}

}  // namespace
}  // namespace rivulet::contact
