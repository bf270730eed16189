#pragma once

#include <span>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>

namespace rivulet::liquid {

struct RelaxRule {
    double strength = 0.25;  // part of the density error taken away per step
    double farthest = 0.1;   // cells, largest shift per step along an axis
    int sweeps = 16;
};

/// Keeps particles at their rest density, so that a full tank stays full. Where the liquid is crowded or
/// thin, a potential q with -div(open grad q) = strength * (fraction - 1), zero in air and closed at solids,
/// gives a shift -grad q that restores the density (as the density solve of Kugelstadt et al. 2019, but from
/// fixed Chebyshev sweeps: what they leave is met again in the next step). Positions move, velocities do not:
/// no energy but that of the place is put in.
///
/// Both signs of the error are corrected where no air is within two cells. Nearer to air a low fraction is
/// the surface itself: only crowding beyond doubt (above 1.15) counts there; a lower bar would turn the noise
/// of the fraction into a steady growth.
class DensityRelaxation {
 public:
    /// Shifts on faces [m], from the filled fraction and distance at cell centres (grid::find_level_set) and
    /// the open area of faces (grid::FaceBoundary::open; null: no solids). `work` may hold anything.
    void solve(const grid::Topology& topology, const grid::Field& fraction, const grid::Field& phi,
               const grid::FaceField* open, const RelaxRule& rule, grid::FaceField& work,
               grid::FaceField& shift);

 private:
    struct Work {
        grid::Field &potential, &residual, &step;
    };
    void start(const grid::Topology& topology, const grid::Field& fraction, const grid::Field& phi,
               const grid::FaceField* open, const RelaxRule& rule, Work& work);
    void find_air(const grid::Topology& topology, const grid::Field& fraction, const grid::FaceField* open);
    void subtract_operator(const grid::Topology& topology, const grid::FaceField* open, Work& work);
    std::vector<std::uint8_t> air_;       // cell without liquid or solid
    std::vector<std::uint8_t> active_;    // block has liquid cells
    std::vector<std::uint8_t> all_open_;  // no solid closes any of its faces
    grid::Field inverse_diagonal_;
};

}  // namespace rivulet::liquid
