#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/liquid/material.h>
#include <rivulet/liquid/shear_operator.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Tearing and recovery of bonds (dissertation §14.2 steps 5 and 12; Yue et al. 2015). Plastic flow breaks
/// bonds: liquid whose plastic deformation C_p = F^T b^-1 F has come to |dev C_p| >= tear_strain is torn and
/// keeps only part of its yield stress. C_p relaxes to the identity: bonds grow again.
///
/// A particle carries the total left stretch B = F F^T, symmetric, from which C_p = F^T b^-1 F has the
/// invariants tr C_p = tr(b^-1 B) and |C_p|^2 = tr(b^-1 B b^-1 B); relaxation of C_p to the identity is that
/// of B to b.

/// |dev C_p|; 0 when all deformation is elastic. `strain` has determinant 1.
inline double plastic_distortion(const Strain& strain, const Strain& stretch) {
    const Strain& b = strain;
    const Strain inverse{b.yy * b.zz - b.yz * b.yz, b.xz * b.yz - b.xy * b.zz, b.xy * b.yz - b.xz * b.yy,
                         b.xx * b.zz - b.xz * b.xz, b.xy * b.xz - b.xx * b.yz, b.xx * b.yy - b.xy * b.xy};
    const Mat3d c = to_matrix(inverse) * to_matrix(stretch);
    const double sum = rivulet::trace(c);
    return std::sqrt(std::max(0.0, rivulet::contract(c, transpose(c)) - sum * sum / 3));
}

/// B over a step: f B f^T with the increment of elastic_strain.h, without change of volume.
inline Strain stretched(const Strain& stretch, const Mat3d& velocity_gradient, double step) {
    const Mat3d f = deformation_increment(velocity_gradient, step);
    const double volume = determinant(f);
    return scaled(1 / std::cbrt(volume * volume), symmetric_part(f * to_matrix(stretch) * transpose(f)));
}

/// C_p relaxes: C_p <- I + exp(-step / time) (C_p - I).
inline Strain recovered(const Strain& stretch, const Strain& strain, double step, double time) {
    const double keep = std::exp(-step / time);
    const auto mix = [&](double total, double elastic) { return elastic + keep * (total - elastic); };
    return {mix(stretch.xx, strain.xx), mix(stretch.xy, strain.xy), mix(stretch.xz, strain.xz),
            mix(stretch.yy, strain.yy), mix(stretch.yz, strain.yz), mix(stretch.zz, strain.zz)};
}

/// Liquid is never more than this many times over the tear strain: without a bound a thread that stretches
/// faster than it recovers would overflow, and bonds would not grow again for as long as they were stretched.
inline constexpr double kMostTorn = 10;

/// Which particles of a step are torn. Keeps scratch only; the truth is in the state's stretch.
class Tearing {
 public:
    explicit Tearing(std::span<const LiquidMaterial> materials);
    /// False: no liquid tears, and nothing else need be called.
    bool any() const { return any_; }
    /// The law of each material, then the laws of torn liquid.
    std::span<const ParticleLaw> laws() const { return laws_; }

    /// Finds torn particles; gives a state without stretches those of liquid at rest.
    void detect(LiquidState& state);
    /// Index of each particle's law; the materials themselves when no liquid tears.
    std::span<const std::uint8_t> law_of(const LiquidState& state) const {
        return any_ ? std::span<const std::uint8_t>(law_of_) : std::span<const std::uint8_t>(state.material);
    }
    bool torn(const LiquidState& state, std::size_t i) const {
        return any_ && law_of_[i] != state.material[i];
    }
    /// Stretch and recovery over the step whose velocity gradient `state.affine` holds; strains are those at
    /// its end.
    void deform(double dt, LiquidState& state) const;

 private:
    struct Bond {
        double tear_strain = 0;  // 0: does not tear
        double recovery = 0;     // s
        std::uint8_t torn = 0;   // its law
    };
    bool any_ = false;
    std::vector<Bond> bonds_;  // by material
    std::vector<ParticleLaw> laws_;
    std::vector<std::uint8_t> law_of_;
};

}  // namespace rivulet::liquid
