#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/base/members.h>

namespace rivulet {
namespace {

struct Three {
    std::vector<Vec3d> position;
    double mass = 0;
    Vec3d center;
    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"three/position", "m", Centring::vertex, kFrame}, s.position);
        visit(FieldInfo{"three/mass", "kg", Centring::scalar, kCheckpoint}, s.mass);
        visit(FieldInfo{"three/center", "m", Centring::scalar, kCheckpoint}, s.center);
    }
};
struct Forgetful {
    std::vector<double> listed, forgotten;
    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"listed", "", Centring::other, kCheckpoint}, s.listed);
    }
};
struct Nested {
    Three inner;
    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"outer", "", Centring::other, kCheckpoint}, s.inner);
    }
};
struct Pair {
    Forgetful first;
    Nested second;
};

TEST(Fields, MembersAreCounted) {
    EXPECT_EQ(member_count<Three>(), 3u);
    EXPECT_EQ(listed_field_count<Three>(), 3u);
    EXPECT_EQ(member_count<Pair>(), 2u);
}

TEST(Fields, AForgottenMemberShows) {
    EXPECT_NE(member_count<Forgetful>(), listed_field_count<Forgetful>());
}

TEST(Fields, AggregatesOfStatesAreWalkedInOrder) {
    Pair pair;
    std::string names;
    visit_all_fields(pair, [&](const FieldInfo& info, auto&) { names += std::string(info.name) + " "; });
    EXPECT_EQ(names, "listed outer/three/position outer/three/mass outer/three/center ");
}

}  // namespace
}  // namespace rivulet
