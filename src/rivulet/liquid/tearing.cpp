#include <rivulet/liquid/tearing.h>

#include <algorithm>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particle_strain.h>

namespace rivulet::liquid {

Tearing::Tearing(std::span<const LiquidMaterial> materials) : laws_(particle_laws(materials)) {
    for (const LiquidMaterial& m : materials) {
        Bond bond;
        if (m.tears()) {
            if (laws_.size() > 255)
                throw InputError(
                    Problem{"", 0, 0, "material." + m.name + ".tear_strain",
                            "too many liquids: with those that tear counted twice, 256 are allowed",
                            "let fewer of them tear"});
            any_ = true;
            bond = {m.tear_strain, m.bond_recovery, static_cast<std::uint8_t>(laws_.size())};
            ParticleLaw law = laws_[bonds_.size()];
            law.law.yield *= m.torn_yield;
            laws_.push_back(law);
        }
        bonds_.push_back(bond);
    }
}

void Tearing::detect(LiquidState& state) {
    if (!has_stretch(state)) start_stretch(state);
    law_of_.resize(state.size());
    parallel_chunks(state.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const Bond& bond = bonds_[state.material[i]];
            const bool torn =
                bond.tear_strain > 0 &&
                plastic_distortion(strain_of(state, i), stretch_of(state, i)) >= bond.tear_strain;
            law_of_[i] = torn ? bond.torn : state.material[i];
        }
    });
}

void Tearing::deform(double dt, LiquidState& state) const {
    parallel_chunks(state.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const Bond& bond = bonds_[state.material[i]];
            if (bond.tear_strain == 0) continue;
            const Strain strain = strain_of(state, i);
            Strain stretch =
                recovered(stretched(stretch_of(state, i), state.affine[i], dt), strain, dt, bond.recovery);
            const double over = plastic_distortion(strain, stretch) / (kMostTorn * bond.tear_strain);
            if (over > 1) stretch = scaled(1 / over, stretch);
            set_stretch(state, i, stretch);
        }
    });
}

}  // namespace rivulet::liquid
