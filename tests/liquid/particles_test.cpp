#include <rivulet/liquid/particles.h>

#include <gtest/gtest.h>

#include <set>

#include <rivulet/base/random.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/resample.h>

using namespace rivulet;
using namespace rivulet::liquid;

namespace {

LiquidState some_particles(std::size_t n, double span) {
    const Random random(1, 0);
    LiquidState s;
    std::vector<NewParticle> particles;
    for (std::size_t i = 0; i < n; ++i)
        particles.push_back({random.uniform3(i) * span, random.uniform3(n + i), 1 + double(i % 5),
                             std::uint8_t(i % 3), Mat3d::diagonal(random.uniform3(2 * n + i))});
    add_particles(s, particles);
    return s;
}

}  // namespace

TEST(LiquidState, ListsEveryMember) {
    EXPECT_EQ(listed_field_count<LiquidState>(), member_count<LiquidState>());
}

TEST(Particles, SortingMovesEveryArrayAndLeavesTheFrontAlone) {
    const LiquidState front = some_particles(5000, 2);
    grid::TopologyBuilder builder;
    grid::Topology t;
    builder.start(0.1, {2 * grid::kBlockEdge, 0, 0});
    builder.add_points(front.position);
    builder.build(t);
    grid::ParticleOrder order;
    grid::ParticleSorter().sort(t, front.position, order);
    LiquidState back;
    sort_particles(t, order, front, back);
    ASSERT_EQ(back.size(), front.size());
    EXPECT_EQ(back.next_id, front.next_id);
    for (std::size_t i = 0; i < back.size(); ++i) {
        const std::size_t from = order.source[i];
        EXPECT_EQ(back.id[i], front.id[from]);
        EXPECT_EQ(back.position[i], t.wrapped(front.position[from]));
        EXPECT_EQ(back.velocity[i], front.velocity[from]);
        EXPECT_EQ(back.affine[i], front.affine[from]);
        EXPECT_EQ(back.volume[i], front.volume[from]);
        EXPECT_EQ(back.volume_ratio[i], front.volume_ratio[from]);
        EXPECT_EQ(back.material[i], front.material[from]);
        EXPECT_EQ(back.age[i], front.age[from]);
    }
    // Sorted once, a second sort changes nothing.
    grid::ParticleSorter().sort(t, back.position, order);
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(order.source[i], i);
}

TEST(Particles, RemovingKeepsTheOthersWhole) {
    LiquidState s = some_particles(10, 1);
    const LiquidState before = s;
    const std::vector<std::uint32_t> gone{0, 3, 8, 9};
    remove_particles(s, gone);
    ASSERT_EQ(s.size(), 6u);
    std::set<std::uint64_t> left;
    for (std::size_t i = 0; i < s.size(); ++i) {
        left.insert(s.id[i]);
        EXPECT_EQ(s.position[i], before.position[s.id[i]]);
        EXPECT_EQ(s.material[i], before.material[s.id[i]]);
    }
    EXPECT_EQ(left, (std::set<std::uint64_t>{1, 2, 4, 5, 6, 7}));
}

TEST(Particles, StrainIsCarriedOnceItIsThere) {
    LiquidState s = some_particles(10, 1);
    EXPECT_FALSE(has_strain(s));  // costs nothing until a liquid remembers
    start_strain(s);
    Mat3d shear;
    shear(0, 1) = 0.3;
    set_strain(s, 4, elastic_predictor(identity_strain(), shear, 1));
    const std::vector<std::uint32_t> gone{0, 7};
    remove_particles(s, gone);
    add_particles(s, std::vector<NewParticle>(3));
    ASSERT_EQ(s.strain_diagonal.size(), s.size());
    ASSERT_EQ(s.strain_off_diagonal.size(), s.size());
    EXPECT_DOUBLE_EQ(strain_of(s, 4).xy, 0.3);
    EXPECT_EQ(strain_of(s, 10).xx, 1);

    s.volume[4] = 1, s.volume[5] = 3;
    merge_particles(s, 4, 5, 0.1);
    EXPECT_NEAR(determinant(strain_of(s, 4)), 1, 1e-14);
    EXPECT_NEAR(strain_of(s, 4).xy, 0.075, 0.003);
}
