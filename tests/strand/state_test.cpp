#include <gtest/gtest.h>

#include <rivulet/strand/material.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {
namespace {

TEST(StrandState, ListsEveryMember) {
    EXPECT_EQ(listed_field_count<StrandState>(), member_count<StrandState>());
    EXPECT_EQ(listed_field_count<EndTargets>(), member_count<EndTargets>());
}

TEST(StrandMaterial, ShearModulusFollowsFromPoissonUnlessGiven) {
    StrandMaterial m;
    m.youngs_modulus = 3e9;
    m.poisson_ratio = 0.5;
    EXPECT_DOUBLE_EQ(m.shear(), 1e9);
    m.shear_modulus = 7e8;
    EXPECT_DOUBLE_EQ(m.shear(), 7e8);
}

}  // namespace
}  // namespace rivulet::strand
