#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/liquid_tally.h>
#include <rivulet/base/mat3.h>

namespace rivulet::liquid {

/// Liquid particles, structure of arrays. Full cell = 8 particles of cell³/8 rest volume each.
struct LiquidState {
    static constexpr GroupInfo group{"liquid", GroupShape::points, "liquid"};

    std::vector<std::uint64_t> id;     // stable over time
    std::vector<Vec3d> position;       // m
    std::vector<Vec3d> velocity;       // m/s
    std::vector<Mat3d> affine;         // APIC velocity gradient, 1/s
    std::vector<double> volume;        // rest volume, m^3
    std::vector<double> volume_ratio;  // J, 1 at rest
    /// Elastic strain b with det = 1 (elastic_strain.h): xx, yy, zz and xy, xz, yz. Both empty while no
    /// liquid remembers its shape; then every particle is at rest.
    std::vector<Vec3d> strain_diagonal, strain_off_diagonal;
    /// Left stretch F Fᵀ of all deformation (tearing.h), entries as of the strain. Both empty while no liquid
    /// tears.
    std::vector<Vec3d> stretch_diagonal, stretch_off_diagonal;
    std::vector<float> age;  // since birth as bulk, s
    std::vector<std::uint8_t> material;
    std::uint64_t next_id = 0;
    std::vector<double> emitted_volume;  // by each inflow so far, m^3

    std::size_t size() const { return id.size(); }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        constexpr auto particle = Centring::particle;
        visit(FieldInfo{"liquid/id", "", particle, kCheckpoint | kFrame}, s.id);
        visit(FieldInfo{"liquid/position", "m", particle, kCheckpoint | kFrame}, s.position);
        visit(FieldInfo{"liquid/velocity", "m/s", particle, kCheckpoint | kFrame}, s.velocity);
        visit(FieldInfo{"liquid/affine", "1/s", particle, kCheckpoint}, s.affine);
        visit(FieldInfo{"liquid/volume", "m^3", particle, kCheckpoint | kFrame}, s.volume);
        visit(FieldInfo{"liquid/volume_ratio", "", particle, kCheckpoint | kFrame}, s.volume_ratio);
        visit(FieldInfo{"liquid/strain_diagonal", "", particle, kCheckpoint}, s.strain_diagonal);
        visit(FieldInfo{"liquid/strain_off_diagonal", "", particle, kCheckpoint}, s.strain_off_diagonal);
        visit(FieldInfo{"liquid/stretch_diagonal", "", particle, kCheckpoint}, s.stretch_diagonal);
        visit(FieldInfo{"liquid/stretch_off_diagonal", "", particle, kCheckpoint}, s.stretch_off_diagonal);
        visit(FieldInfo{"liquid/age", "s", particle, kCheckpoint | kFrame}, s.age);
        visit(FieldInfo{"liquid/material", "", particle, kCheckpoint | kFrame}, s.material);
        visit(FieldInfo{"liquid/next_id", "", Centring::scalar, kCheckpoint}, s.next_id);
        visit(FieldInfo{"liquid/emitted_volume", "m^3", Centring::emitter, kCheckpoint}, s.emitted_volume);
    }
};

/// Rest volumes of the particles.
void held_liquid(const LiquidState& state, LiquidTally& tally);

}  // namespace rivulet::liquid
