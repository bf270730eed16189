#pragma once

#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>
#include <rivulet/grid/transfer.h>

namespace rivulet::grid {

/// Random particles, sorted, with the grid around them.
struct ParticleCloud {
    std::vector<Vec3d> position, velocity;
    std::vector<Mat3d> affine;
    std::vector<double> volume, density{1000, 700};
    std::vector<std::uint8_t> material;
    Topology topology;
    ParticleOrder order;

    /// `count` particles in a cube of `span` cells centred at the origin (from 0 on periodic axes).
    ParticleCloud(std::size_t count, double span, double cell, Vec3i period = {}, int threads = 0) {
        const Random where(11, 0), how(11, 1), more(11, 2);
        std::vector<Vec3d> unsorted(count);
        for (std::size_t i = 0; i < count; ++i)
            unsorted[i] = (where.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * (span * cell);
        with_threads(threads, [&] {
            TopologyBuilder builder;
            builder.start(cell, period);
            builder.add_points(unsorted);
            builder.build(topology);
            ParticleSorter sorter;
            sorter.sort(topology, unsorted, order);
            reorder(order, unsorted, position);
        });
        for (Vec3d& p : position) p = topology.wrapped(p);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t from = order.source[i];
            velocity.push_back(how.uniform3(from) - Vec3d{0.5, 0.5, 0.5});
            Mat3d c;
            for (std::size_t a = 0; a < 3; ++a) {
                const Vec3d row = more.uniform3(3 * from + a) - Vec3d{0.5, 0.5, 0.5};
                for (int j = 0; j < 3; ++j) c(int(a), j) = row[j] / cell;
            }
            affine.push_back(c);
            volume.push_back(cell * cell * cell / 8 * (0.5 + how.uniform(count + from)));
            material.push_back(std::uint8_t(from % 2));
        }
    }
    ParticleView view() const { return {position, velocity, affine, volume, material, density}; }
    double mass(std::size_t p) const { return volume[p] * density[material[p]]; }
};

}  // namespace rivulet::grid
