#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <rivulet/base/vec3.h>
#include <rivulet/strand/mobility.h>

namespace rivulet::strand {

/// A spring between a place on the surface of an edge and something else: it sees E u = w₀ u₀ + w₁ u₁ + arm ω
/// of the edge's two vertices and its turning rate, and resists with `along` (the normal) and `across`:
/// impulse per velocity, R = across 1 + (along − across) n nᵀ.
struct SurfaceSpring {
    std::size_t strand = 0, edge = 0;  // the edge by the number of its first vertex among all vertices
    double first = 0, second = 0;      // w₀, w₁
    Vec3d arm, normal;
    double along = 0, across = 0;  // [kg]
};

/// Strands that lie on springs: C + Σ Eᵀ R E, which has the band of C, for the C that a mobility answers
/// with. Strands without springs cost nothing. Keeps memory between uses; a pack of four is factorised at
/// once.
class Bedding {
 public:
    Bedding();
    ~Bedding();
    Bedding(Bedding&&) noexcept;
    Bedding& operator=(Bedding&&) noexcept;

    /// Takes C from what a solve has left in `mobility`, for the strands marked.
    void prepare(const Mobility& mobility, std::span<const std::uint8_t> strands);
    /// Factorises with these springs.
    void lay(std::span<const SurfaceSpring> springs);
    /// (C + Σ Eᵀ R E)⁻¹ of impulses, in place, one entry per vertex, for the strands marked, all of which
    /// were prepared; others are left alone.
    void solve(std::span<Vec3d> velocity, std::span<double> twist_velocity,
               std::span<const std::uint8_t> only) const;

    std::size_t memory() const;

 private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

}  // namespace rivulet::strand
