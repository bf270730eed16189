#pragma once

#include <cmath>

#include <rivulet/grid/kernel.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// The plain loop over nodes that the fast kernels must agree with.
template <class F>
void for_nodes(const Topology& t, const Vec3d& x, int component, F&& body) {
    int base[3];
    double d[3];
    for (int a = 0; a < 3; ++a) {
        const double s = x[a] / t.cell - (a == component ? 0 : 0.5);
        base[a] = static_cast<int>(std::floor(s + 0.5));
        d[a] = s - base[a];
    }
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
                const double w =
                    QuadraticWeights(d[0])[i] * QuadraticWeights(d[1])[j] * QuadraticWeights(d[2])[k];
                const Vec3d slope{
                    QuadraticSlopes(d[0])[i] * QuadraticWeights(d[1])[j] * QuadraticWeights(d[2])[k],
                    QuadraticWeights(d[0])[i] * QuadraticSlopes(d[1])[j] * QuadraticWeights(d[2])[k],
                    QuadraticWeights(d[0])[i] * QuadraticWeights(d[1])[j] * QuadraticSlopes(d[2])[k]};
                const Vec3d arm = Vec3d{i - 1 - d[0], j - 1 - d[1], k - 1 - d[2]} * t.cell;
                body(Vec3i{base[0] + i - 1, base[1] + j - 1, base[2] + k - 1}, w, arm, slope / t.cell);
            }
}

}  // namespace rivulet::grid
