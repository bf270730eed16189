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

template <class P>
Strain lane_of(const elastic::Sym3<P>& a, int lane) {
    return {a.xx[lane], a.xy[lane], a.xz[lane], a.yy[lane], a.yz[lane], a.zz[lane]};
}

/// Lane i has sample of(i).
template <class P, class F>
PackFlow<P> packed(F&& of) {
    Sample samples[P::kWidth];
    for (int i = 0; i < P::kWidth; ++i) samples[i] = of(i);
    const auto pack = [&](auto&& value) { return P::generate([&](int i) { return value(samples[i]); }); };
    Mat3<P> gradient;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) gradient(i, j) = pack([&](const Sample& s) { return s.gradient(i, j); });
    const elastic::Sym3<P> strain{pack([](const Sample& s) { return s.strain.xx - 1; }),
                                  pack([](const Sample& s) { return s.strain.xy; }),
                                  pack([](const Sample& s) { return s.strain.xz; }),
                                  pack([](const Sample& s) { return s.strain.yy - 1; }),
                                  pack([](const Sample& s) { return s.strain.yz; }),
                                  pack([](const Sample& s) { return s.strain.zz - 1; })};
    const PackLaw<P> law{pack([](const Sample& s) { return s.law.shear_modulus; }),
                         pack([](const Sample& s) { return s.law.law.yield; }),
                         pack([](const Sample& s) { return s.law.power; }),
                         pack([](const Sample& s) { return s.law.consistency; })};
    return pack_flow(strain, gradient, 0.01, law);
}
ShearStep alone(const Sample& s) {
    return shear_step(s.strain, s.gradient, 0.01, s.law.shear_modulus, s.law.law);
}

TEST(ShearPack, IsTheStepOfOneParticle) {
    for (std::uint64_t i = 0; i < 400; i += 4) {
        const PackFlow<Pack> got = packed<Pack>([&](int lane) { return sample(i + std::uint64_t(lane)); });
        const auto after = flowed_strain(got);
        for (int lane = 0; lane < 4; ++lane) {
            const Sample s = sample(i + std::uint64_t(lane));
            const ShearStep want = alone(s);
            const Strain strain = lane_of(after, lane);
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    EXPECT_NEAR(strain(a, b), want.strain(a, b), 2e-13 * norm(want.strain));
            EXPECT_NEAR(determinant(strain), 1, 1e-13);
            EXPECT_NEAR(got.ratio[lane], want.ratio, 1e-12);
            EXPECT_NEAR(got.slope[lane], want.slope, 1e-12);
            const double trial = s.law.shear_modulus * got.mean[lane];
            EXPECT_NEAR(trial, want.trial_modulus, 1e-13 * want.trial_modulus);
        }
    }
}

TEST(ShearPack, HalfTheDigitsAreThoseOfTheStress) {
    for (std::uint64_t i = 0; i < 400; i += 8) {
        const auto got = packed<SinglePack>([&](int lane) { return sample(i + std::uint64_t(lane)); });
        const auto stress = scaled(got.ratio, got.deviator);
        for (int lane = 0; lane < 8; ++lane) {
            const Sample s = sample(i + std::uint64_t(lane));
            const ShearStep want = alone(s);
            const Strain dev = deviator(want.strain), half = lane_of(stress, lane);
            // Of a particle that was at rest or turns fast the deviator is what is left of larger numbers.
            const double enough =
                3e-6 * (norm(dev) + squared_length(Vec3d{length(s.gradient.row(0)), length(s.gradient.row(1)),
                                                         length(s.gradient.row(2))}) *
                                        1e-4);
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) EXPECT_NEAR(half(a, b), dev(a, b), enough) << i << ' ' << lane;
            EXPECT_NEAR(got.ratio[lane], want.ratio, 1e-5 * want.ratio);
            EXPECT_NEAR(got.slope[lane], want.slope, 2e-5);
        }
    }
}

TEST(ShearPack, LanesDoNotSeeEachOther) {
    const auto check = [](auto of) {
        using P = decltype(of);
        for (std::uint64_t i = 0; i < 60; ++i) {
            const auto same = packed<P>([&](int) { return sample(i); });
            const auto among =
                packed<P>([&](int lane) { return sample(lane == 2 ? i : i + std::uint64_t(7 + lane)); });
            const Strain a = lane_of(same.deviator, 0), b = lane_of(among.deviator, 2);
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) EXPECT_EQ(a(k, l), b(k, l));
            EXPECT_EQ(same.ratio[0], among.ratio[2]);
            EXPECT_EQ(same.slope[0], among.slope[2]);
        }
    };
    check(Pack{});
    check(SinglePack{});
}

TEST(ShearPack, ReturnSolvesItsEquationForEveryIndexAndStep) {
    for (const double n : {0.05, 0.22, 0.5173, 1.0, 1.7, 3.0})
        for (const double eta : {1e-3, 2.0, 500.0})
            for (const double excess : {1e-9, 1e-3, 1.0, 1e5})
                for (const double flow : {1e-6, 1e-2, 10.0, 1e3}) {
                    const ParticleLaw law(1, {0, eta, n});
                    const auto r =
                        pack_return<Pack>({1, 0, law.power, law.consistency}, Pack(excess), Pack(flow));
                    const NormLaw norm_law{0, eta, n};
                    const PlasticReturn want = backward_euler_return(norm_law, excess, flow, 0.5);
                    EXPECT_NEAR(r.kept[0], want.stress / excess, 1e-12 * r.kept[0]) << n << ' ' << eta;
                    EXPECT_NEAR(r.by_trial[0], want.by_trial, 1e-11) << n << ' ' << eta;
                }
}

TEST(ShearPack, CubeRootsNearAndFarFromOne) {
    for (const double d : {0.0, 1e-9, -1e-3, 0.1, -0.1999, 0.1999, 0.3, -0.9, 50.0}) {
        const double want = 1 / std::cbrt(1 + d);
        EXPECT_NEAR(inverse_cube_root(Pack(d))[0], want, 4e-16 * want) << d;
        EXPECT_NEAR(inverse_cube_root(SinglePack(d))[0], want, 4e-7 * want) << d;
    }
    EXPECT_TRUE(std::isnan(inverse_cube_root(Pack(-1.5))[0]));
}

TEST(ShearPack, StrainThatIsNoStrainIsSeen) {
    Sample s = sample(1);
    s.gradient = Mat3d::diagonal({-300, 0, 0});  // f = 1 - 3 + 4.5, b turned inside out below
    s.strain.xx = -s.strain.xx;
    EXPECT_FALSE(std::isfinite(packed<Pack>([&](int) { return s; }).deviator.xx[0]));
    EXPECT_FALSE(std::isfinite(packed<SinglePack>([&](int) { return s; }).deviator.xx[0]));
}

}  // namespace
}  // namespace rivulet::liquid
