#include <gtest/gtest.h>

#include <rivulet/fabric/state.h>

namespace rivulet::fabric {
namespace {

TEST(FabricState, ListsEveryMember) {
    EXPECT_EQ(listed_field_count<FabricState>(), member_count<FabricState>());
    EXPECT_EQ(listed_field_count<HeldTargets>(), member_count<HeldTargets>());
}

}  // namespace
}  // namespace rivulet::fabric
