#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/resample.h>
#include <rivulet/liquid/tearing.h>

namespace rivulet::liquid {
namespace {

/// Drawn out along x by `factor`, volume kept.
Strain drawn(double factor) {
    return {factor * factor, 0, 0, 1 / factor, 0, 1 / factor};
}

TEST(Tearing, DistortionOfAKnownStretch) {
    // C_p = diag(k², 1/k, 1/k): |dev| = sqrt(2/3) (k² − 1/k).
    const double k = 3, expected = std::sqrt(2.0 / 3) * (k * k - 1 / k);
    EXPECT_NEAR(plastic_distortion(identity_strain(), drawn(k)), expected, 1e-12);
    // Of the stretch k the elastic part does not count.
    EXPECT_NEAR(plastic_distortion(drawn(1.2), drawn(1.2 * k)), expected, 1e-11);
    EXPECT_NEAR(plastic_distortion(drawn(1.2), drawn(1.2)), 0, 1e-7);
}

TEST(Tearing, DistortionDoesNotDependOnTheFrame) {
    const double c = std::cos(0.7), s = std::sin(0.7);
    const Mat3d turn{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    const auto turned = [&](const Strain& a) {
        return symmetric_part(turn * to_matrix(a) * transpose(turn));
    };
    const Strain b{1.1, 0.2, 0.05, 1.0, 0.1, 0};
    Strain strain = b;
    // det = 1 fixes the last entry.
    strain.zz = (1 - determinant(b)) / (b.xx * b.yy - b.xy * b.xy);
    const Strain stretch = symmetric_part(Mat3d{{{5, 1, 0}, {1, 2, 0.3}, {0, 0.3, 1}}});
    EXPECT_NEAR(plastic_distortion(turned(strain), turned(stretch)), plastic_distortion(strain, stretch),
                1e-12);
}

TEST(Tearing, StretchFollowsTheFlow) {
    // Uniaxial flow at rate e: stretch along x after t is exp(2 e t).
    const double rate = 5, step = 1e-4;
    Mat3d gradient;
    gradient(0, 0) = rate, gradient(1, 1) = gradient(2, 2) = -0.5 * rate;
    Strain stretch = identity_strain();
    for (int i = 0; i < 2000; ++i) stretch = stretched(stretch, gradient, step);
    EXPECT_NEAR(stretch.xx, std::exp(2 * rate * 0.2), 1e-5);
    EXPECT_NEAR(determinant(stretch), 1, 1e-10);
    // Turning alone stretches nothing.
    Mat3d spin;
    spin(0, 1) = -3, spin(1, 0) = 3;
    Strain turned = identity_strain();
    for (int i = 0; i < 1000; ++i) turned = stretched(turned, spin, 1e-3);
    EXPECT_NEAR(plastic_distortion(identity_strain(), turned), 0, 1e-5);
}

TEST(Tearing, DistortionRelaxesExponentially) {
    const double time = 0.35;
    Strain strain = drawn(1.05), stretch = drawn(12);
    const double start = plastic_distortion(strain, stretch);
    for (int i = 0; i < 100; ++i) stretch = recovered(stretch, strain, 0.005, time);
    EXPECT_NEAR(plastic_distortion(strain, stretch), start * std::exp(-0.5 / time), 1e-9 * start);
}

LiquidMaterial cream(double tear_strain) {
    LiquidMaterial m;
    m.name = "cream";
    m.yield_stress = 18, m.consistency = 18, m.flow_index = 0.22, m.shear_modulus = 290;
    m.tear_strain = tear_strain;
    m.torn_yield = 0.1;
    return m;
}

LiquidState two_particles() {
    LiquidState state;
    const NewParticle p{{0.1, 0.1, 0.1}, {}, 1e-6, 0, {}}, q{{0.2, 0.1, 0.1}, {}, 3e-6, 0, {}};
    add_particles(state, std::vector{p, q});
    start_strain(state);
    return state;
}

TEST(Tearing, TornLiquidIsWeakUntilItsBondsHaveGrownAgain) {
    const std::vector materials{cream(217.5)};
    Tearing tearing(materials);
    ASSERT_TRUE(tearing.any());
    LiquidState state = two_particles();
    tearing.detect(state);
    EXPECT_FALSE(tearing.torn(state, 0));
    // 217.5 is reached between 16 and 17 times the length; twice as much must fade before it is whole again.
    set_stretch(state, 0, drawn(16));
    set_stretch(state, 1, scaled(2 * 217.5 / plastic_distortion(identity_strain(), drawn(20)), drawn(20)));
    tearing.detect(state);
    EXPECT_FALSE(tearing.torn(state, 0));
    ASSERT_TRUE(tearing.torn(state, 1));
    const ParticleLaw whole = tearing.laws()[tearing.law_of(state)[0]],
                      torn = tearing.laws()[tearing.law_of(state)[1]];
    EXPECT_DOUBLE_EQ(torn.law.yield, 0.1 * whole.law.yield);
    EXPECT_EQ(torn.law.consistency, whole.law.consistency);
    double time = 0;
    while (tearing.torn(state, 1)) {
        tearing.deform(1e-3, state);
        tearing.detect(state);
        time += 1e-3;
    }
    EXPECT_NEAR(time, 0.35 * std::log(2.0), 2e-3);
}

TEST(Tearing, DistortionIsBounded) {
    const std::vector materials{cream(217.5)};
    Tearing tearing(materials);
    LiquidState state = two_particles();
    state.affine[0](0, 0) = 400, state.affine[0](1, 1) = state.affine[0](2, 2) = -200;
    tearing.detect(state);
    for (int i = 0; i < 500; ++i) tearing.deform(1e-3, state);
    EXPECT_NEAR(plastic_distortion(strain_of(state, 0), stretch_of(state, 0)), kMostTorn * 217.5, 1e-6);
}

TEST(Tearing, CostsNothingWhenNoLiquidTears) {
    const std::vector materials{cream(0)};
    Tearing tearing(materials);
    EXPECT_FALSE(tearing.any());
    const LiquidState state = two_particles();
    EXPECT_EQ(tearing.law_of(state).data(), state.material.data());
    EXPECT_TRUE(state.stretch_diagonal.empty());
}

TEST(Tearing, MergedParticlesKeepTheMeanStretch) {
    LiquidState state = two_particles();
    start_stretch(state);
    set_stretch(state, 0, drawn(4));
    merge_particles(state, 0, 1, 0.5);
    EXPECT_DOUBLE_EQ(stretch_of(state, 0).xx, 0.25 * 16 + 0.75);
}

TEST(Tearing, TooManyLawsAreRefused) {
    std::vector<LiquidMaterial> materials(130, cream(217.5));
    EXPECT_THROW(Tearing{materials}, InputError);
}

}  // namespace
}  // namespace rivulet::liquid
