#include <rivulet/strand/commit.h>

#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod_frame.h>

namespace rivulet::strand {
namespace {

using elastic::parallel_transport;
using elastic::signed_angle;
using elastic::squared_up;

void commit_strand(StrandState& s, const Motion& motion, double dt, std::size_t strand) {
    const std::size_t begin = s.begin(strand), last = s.end(strand) - 1;
    Vec3d old_here = s.position[begin];
    s.position[begin] += dt * motion.velocity[begin];
    s.velocity[begin] = motion.velocity[begin];
    Vec3d tangent_before, carried_before, director_before;
    double shift = 0;  // angle from the new reference director to the transported one
    for (std::size_t i = begin; i < last; ++i) {
        const Vec3d old_tangent = normalized(s.position[i + 1] - old_here);
        old_here = s.position[i + 1];
        s.position[i + 1] += dt * motion.velocity[i + 1];
        s.velocity[i + 1] = motion.velocity[i + 1];
        const Vec3d tangent = normalized(s.position[i + 1] - s.position[i]);
        const Vec3d carried = parallel_transport(s.reference_director[i], old_tangent, tangent);
        Vec3d director = carried;
        if (i > begin) {
            const Vec3d along = parallel_transport(carried_before, tangent_before, tangent);
            shift += signed_angle(along, carried, tangent);
            director = parallel_transport(director_before, tangent_before, tangent);
        }
        s.reference_director[i] = squared_up(director, tangent);
        s.twist[i] += dt * motion.twist_velocity[i] + shift;
        s.twist_velocity[i] = motion.twist_velocity[i];
        tangent_before = tangent;
        carried_before = carried;
        director_before = s.reference_director[i];
    }
}

}  // namespace

void commit(StrandState& state, const Motion& motion, double dt) {
    parallel_chunks(state.strand_count(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t s = begin; s < end; ++s) commit_strand(state, motion, dt, s);
    });
}

Vec3d material_axis(const StrandState& s, std::size_t edge) {
    const Vec3d tangent = normalized(s.position[edge + 1] - s.position[edge]);
    return elastic::turned(s.reference_director[edge], tangent, s.twist[edge]);
}

}  // namespace rivulet::strand
