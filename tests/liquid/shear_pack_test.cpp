#include <rivulet/liquid/shear_pack.h>

#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/liquid/shear_operator.h>

#include <liquid/rheology_samples.h>

namespace rivulet::liquid {
namespace {

struct Sample {
    Strain strain;
    Mat3d gradient;
    ParticleLaw law;
};

/// Particles at rest and strained, gradients from none to a shear of about 1 per step of 0.01 s.
Sample sample(std::uint64_t i) {
    const Random random(3, i);
    const auto rows = printed_rows();
    const PrintedRow& row = rows[i % rows.size()];
    Sample s{identity_strain(), {}, {row.shear_modulus, row.law()}};
    Mat3d before;
    const double size = 100 * std::pow(10.0, -double(i % 7)), earlier = i % 3 == 0 ? 0 : 20.0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            s.gradient(a, b) = size * (random.uniform(std::size_t(3 * a + b)) - 0.5);
            before(a, b) = earlier * (random.uniform(std::size_t(20 + 3 * a + b)) - 0.5);
        }
    s.strain = elastic_predictor(s.strain, before, 0.01);
    return s;
}

Strain lane_of(const PackStrain& a, int lane) {
    return {a.xx[lane], a.xy[lane], a.xz[lane], a.yy[lane], a.yz[lane], a.zz[lane]};
}

PackShearStep packed(const Sample& a, const Sample& b, const Sample& c, const Sample& d) {
    const auto pack = [&](auto&& of) { return Pack(of(a), of(b), of(c), of(d)); };
    Mat3<Pack> gradient;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) gradient(i, j) = pack([&](const Sample& s) { return s.gradient(i, j); });
    const PackStrain strain{
        pack([](const Sample& s) { return s.strain.xx; }), pack([](const Sample& s) { return s.strain.xy; }),
        pack([](const Sample& s) { return s.strain.xz; }), pack([](const Sample& s) { return s.strain.yy; }),
        pack([](const Sample& s) { return s.strain.yz; }), pack([](const Sample& s) { return s.strain.zz; })};
    return pack_shear_step(strain, gradient, 0.01,
                           {pack([](const Sample& s) { return s.law.shear_modulus; }),
                            pack([](const Sample& s) { return s.law.law.yield; }),
                            pack([](const Sample& s) { return s.law.power; }),
                            pack([](const Sample& s) { return s.law.consistency; })});
}

TEST(ShearPack, IsTheStepOfOneParticle) {
    for (std::uint64_t i = 0; i < 400; i += 4) {
        const PackShearStep got = packed(sample(i), sample(i + 1), sample(i + 2), sample(i + 3));
        for (int lane = 0; lane < 4; ++lane) {
            const Sample s = sample(i + std::uint64_t(lane));
            const ShearStep want = shear_step(s.strain, s.gradient, 0.01, s.law.shear_modulus, s.law.law);
            // Round-off of the strain turns the direction of a small deviator.
            const double turn = 1e-14 / norm(deviator(elastic_predictor(s.strain, s.gradient, 0.01)));
            const Strain strain = lane_of(got.strain, lane), direction = lane_of(got.direction, lane);
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    EXPECT_NEAR(strain(a, b), want.strain(a, b), 2e-13 * norm(want.strain));
                    EXPECT_NEAR(direction(a, b), want.direction(a, b), turn);
                }
            EXPECT_NEAR(determinant(strain), 1, 1e-13);
            EXPECT_NEAR(got.ratio[lane], want.ratio, 1e-12);
            EXPECT_NEAR(got.slope[lane], want.slope, 1e-12);
            EXPECT_NEAR(got.trial_modulus[lane], want.trial_modulus, 1e-13 * want.trial_modulus);
        }
    }
}

TEST(ShearPack, LanesDoNotSeeEachOther) {
    for (std::uint64_t i = 0; i < 60; ++i) {
        const Sample s = sample(i);
        const PackShearStep alone = packed(s, s, s, s),
                            among = packed(sample(i + 7), sample(i + 1), s, sample(i + 13));
        const Strain a = lane_of(alone.strain, 0), b = lane_of(among.strain, 2);
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) EXPECT_EQ(a(k, l), b(k, l));
        EXPECT_EQ(alone.ratio[0], among.ratio[2]);
        EXPECT_EQ(alone.slope[0], among.slope[2]);
    }
}

TEST(ShearPack, ReturnSolvesItsEquationForEveryIndexAndStep) {
    for (const double n : {0.05, 0.22, 0.5173, 1.0, 1.7, 3.0})
        for (const double eta : {1e-3, 2.0, 500.0})
            for (const double excess : {1e-9, 1e-3, 1.0, 1e5})
                for (const double flow : {1e-6, 1e-2, 10.0, 1e3}) {
                    const ParticleLaw law(1, {0, eta, n});
                    const PackReturn r =
                        pack_return({1, 0, law.power, law.consistency}, Pack(excess), Pack(flow));
                    const NormLaw norm_law{0, eta, n};
                    const PlasticReturn want = backward_euler_return(norm_law, excess, flow, 0.5);
                    EXPECT_NEAR(r.kept[0], want.stress / excess, 1e-12 * r.kept[0]) << n << ' ' << eta;
                    EXPECT_NEAR(r.by_trial[0], want.by_trial, 1e-11) << n << ' ' << eta;
                }
}

TEST(ShearPack, StrainThatIsNoStrainIsSeen) {
    Sample s = sample(1);
    s.gradient = Mat3d::diagonal({-300, 0, 0});  // f = 1 - 3 + 4.5, b turned inside out below
    s.strain.xx = -s.strain.xx;
    EXPECT_FALSE(std::isfinite(packed(s, s, s, s).strain.xx[0]));
}

}  // namespace
}  // namespace rivulet::liquid
