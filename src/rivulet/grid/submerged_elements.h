#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// Resistance of a point of a thin structure to liquid passing it [kg/s]: force per relative speed along its
/// axis and in any direction across. The tensor is across (1 - a aᵀ) + along a aᵀ.
struct AxialDrag {
    double along = 0, across = 0;

    /// Diagonal of the tensor: what the faces of each component see. The rest couples components that live on
    /// different faces and is left out; row sums instead of the diagonal could turn negative.
    Vec3d diagonal(const Vec3d& axis) const {
        const double more = along - across;
        return {across + more * axis.x * axis.x, across + more * axis.y * axis.y,
                across + more * axis.z * axis.z};
    }
};

/// What thin structures show the liquid, whatever they are: points, each standing for a piece of one. A point
/// reaches one and a half cells around it, so a piece longer than half a cell must be given as several
/// points, each with its part of volume and drag.
struct SubmergedElements {
    std::vector<Vec3d> position;       // m
    std::vector<Vec3d> velocity;       // m/s
    std::vector<Vec3d> axis;           // unit vector: along a line, across a sheet
    std::vector<double> volume;        // m^3, of the solid
    std::vector<double> radius;        // m, half the thickness; for drag laws, not read in grid/
    std::vector<AxialDrag> drag;       // kg/s
    std::vector<std::uint32_t> owner;  // the piece it stands for, as the caller counts; not read in grid/

    std::size_t size() const { return position.size(); }
    void resize(std::size_t n);
};

/// Sums over the points around each face, weighted by the quadratic B-spline of the transfer (kernel.h). The
/// weights of a point sum to 1, so each array sums to that of the points. Arrays are empty when no point is
/// wet. velocity_from_momentum makes flux the volume-weighted velocity, and pull the drag-weighted one.
struct SubmergedFields {
    FaceField volume;  // m^3; over cell³: solid fraction
    FaceField flux;    // volume * velocity, m^4/s
    FaceField drag;    // kg/s
    FaceField pull;    // drag * velocity, N

    bool empty() const { return volume[0].empty(); }
};

/// Points that the grid holds, sorted by block and cell: `source` of the order lists them. A point is dry
/// when the kernel around it reaches past the blocks of the grid, when it lies outside them or is not finite;
/// dry points take no part in anything below. (With blocks at least 5 cells around every particle, all points
/// that share a face with a particle are wet.)
class WetElements {
 public:
    void sort(const Topology& topology, const SubmergedElements& elements);
    const ParticleOrder& order() const { return order_; }
    std::size_t count() const { return order_.source.size(); }
    bool is_wet(std::size_t element) const { return wet_[element] != 0; }

 private:
    ParticleSorter sorter_;
    ParticleOrder order_;
    std::vector<std::uint8_t> wet_;
};

/// Points → faces. Sums are taken in the order of blocks and colours: the same bits for any number of
/// threads.
void rasterise(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
               SubmergedFields& fields);
/// The two halves of it: what needs no drag, and what does.
void rasterise_volume(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                      SubmergedFields& fields);
void rasterise_drag(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                    SubmergedFields& fields);
/// The same of anything else that points have: sums of `weight`, and of weight × value by component.
void rasterise_products(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                        std::span<const double> weight, std::span<const Vec3d> value, FaceField& sum,
                        FaceField& product);

/// Faces → points by the same weights transposed: the weighted mean of a face field at each point, 0 at dry
/// ones. Times the volume of the point: the part of an impulse per volume (a pressure gradient) that it gets.
void sample_at_elements(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                        const FaceField& faces, std::span<Vec3d> sample);

/// By what the impulse of a face is shared among the points around it.
enum class Share { volume, drag };

/// Hands impulses of faces [N s] to points: each gets weight * share / sum of them at the face, so that the
/// impulses of all points sum to those of the faces to round-off. Impulses of faces without a share go
/// nowhere and must be 0. Dry points get 0.
void hand_to_elements(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                      const SubmergedFields& fields, Share share, const FaceField& impulse,
                      std::span<Vec3d> element_impulse);

}  // namespace rivulet::grid
