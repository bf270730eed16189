#include <algorithm>
#include <array>
#include <cassert>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/solid_field.h>

namespace rivulet::geometry {

SolidField::SolidField(std::vector<Solid> solids, double dt) : dt_(dt) {
    solids_.reserve(solids.size());
    for (Solid& solid : solids) {
        Prepared p;
        p.start_inverse = inverse(solid.motion.start());
        p.end_inverse = inverse(solid.motion.end());
        p.still = solid.motion.is_still();
        p.at_rest_frame = p.still && solid.motion.start() == Pose{};
        const bool convex = !solid.deforming && solid.shape->is_convex_primitive();
        p.convex_domain = convex && (solid.liquid_inside != solid.shape->is_half_space());
        const Bounds rest = solid.deforming ? solid.deforming->bounds() : solid.shape->bounds();
        p.reach = solid.liquid_inside ? Bounds::everything() : swept(rest, solid.motion);
        p.solid = std::move(solid);
        solids_.push_back(std::move(p));
    }
}

double SolidField::distance(const Vec3d& x, double s) const {
    double best = kNoSolidDistance;
    for (const Prepared& p : solids_) {
        if (out_of_reach(p, x, best)) continue;
        const Vec3d rest = p.at_rest_frame ? x : inverse_pose(p, s).apply(x);
        best = std::min(best, signed_distance(p, rest, s));
    }
    return best;
}

SolidSample SolidField::sample(const Vec3d& x, double s) const {
    double best = kNoSolidDistance;
    const Prepared* nearest = nullptr;
    for (const Prepared& p : solids_) {
        if (out_of_reach(p, x, best)) continue;
        const double d = signed_distance(p, inverse_pose(p, s).apply(x), s);
        if (d < best) best = d, nearest = &p;
    }
    return nearest ? sample_prepared(*nearest, x, s, inverse_pose(*nearest, s)) : SolidSample{};
}

double SolidField::distance_to(std::size_t solid, const Vec3d& x, double s) const {
    const Prepared& p = solids_[solid];
    return signed_distance(p, inverse_pose(p, s).apply(x), s);
}

SolidSample SolidField::sample_of(std::size_t solid, const Vec3d& x, double s) const {
    return sample_prepared(solids_[solid], x, s, inverse_pose(solids_[solid], s));
}

SolidSample SolidField::sample_prepared(const Prepared& p, const Vec3d& x, double s, const Pose& back) const {
    const Vec3d rest = back.apply(x);
    SolidSample out;
    out.solid = p.solid.obstacle;
    Vec3d shift;
    if (p.solid.deforming) {
        const DeformingSample d = p.solid.deforming->sample(rest, s);
        out.distance = d.distance, out.normal = d.normal, shift = d.displacement;
    } else {
        const DistanceSample d = p.solid.shape->sample(rest);
        out.distance = d.distance, out.normal = d.normal;
    }
    out.normal = transpose(back.rotation) * out.normal;
    if (p.solid.liquid_inside) out.distance = -out.distance, out.normal = -out.normal;
    if (dt_ > 0 && !(p.still && !p.solid.deforming)) {
        const Vec3d from = rest - shift * s, to = rest + shift * (1 - s);
        out.velocity = (p.solid.motion.end().apply(to) - p.solid.motion.start().apply(from)) / dt_;
    }
    return out;
}

Vec3d SolidField::velocity_of(std::size_t solid, const Vec3d& x, double s) const {
    const Prepared& p = solids_[solid];
    if (p.solid.deforming) return sample_of(solid, x, s).velocity;
    if (dt_ <= 0 || p.still) return {};
    const Vec3d rest = inverse_pose(p, s).apply(x);
    return (p.solid.motion.end().apply(rest) - p.solid.motion.start().apply(rest)) / dt_;
}

void SolidField::distance(std::span<const Vec3d> x, double s, std::span<double> out) const {
    assert(x.size() == out.size());
    parallel_chunks(x.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) out[i] = distance(x[i], s);
    });
}

void SolidField::sample(std::span<const Vec3d> x, double s, std::span<SolidSample> out) const {
    assert(x.size() == out.size());
    parallel_chunks(x.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) out[i] = sample(x[i], s);
    });
}

void SolidField::fill_distance(const Vec3d& origin, double cell, const Vec3i& n, double s,
                               std::span<double> out, double band) const {
    const auto nx = static_cast<std::size_t>(n.x), ny = static_cast<std::size_t>(n.y),
               nz = static_cast<std::size_t>(n.z);
    assert(out.size() >= nx * ny * nz);
    std::fill_n(out.begin(), nx * ny * nz, kNoSolidDistance);
    const Bounds lattice{origin, origin + to_double({n.x - 1, n.y - 1, n.z - 1}) * cell};
    const double radius = 0.5 * length(lattice.size());
    for (const Prepared& p : solids_) {
        if (p.reach.squared_distance(lattice) > band * band) continue;
        const Pose back = inverse_pose(p, s);
        // NOTE: 3/4 because a sampled distance beyond its narrow band may be too large by a quarter.
        const double centre = signed_distance(p, back.apply(lattice.centre()), s);
        const double least = 0.75 * std::abs(centre) - radius;
        if (least > band) {
            const double beyond = centre < 0 ? -least : least;
            for (std::size_t i = 0; i < nx * ny * nz; ++i) out[i] = std::min(out[i], beyond);
            continue;
        }
        fill_from(p, back, origin, cell, {nx, ny, nz}, s, out.data());
    }
}

void SolidField::fill_from(const Prepared& p, const Pose& back, const Vec3d& origin, double cell,
                           const std::array<std::size_t, 3>& n, double s, double* out) {
    constexpr std::size_t kChunk = 64;
    std::array<double, kChunk> row;
    const Vec3d step = back.rotation.column(0) * cell;
    const double sign = p.solid.liquid_inside ? -1 : 1;
    for (std::size_t k = 0; k < n[2]; ++k)
        for (std::size_t j = 0; j < n[1]; ++j)
            for (std::size_t i = 0; i < n[0]; i += kChunk) {
                const std::size_t count = std::min(kChunk, n[0] - i);
                const Vec3d first = back.apply(origin + Vec3d{double(i), double(j), double(k)} * cell);
                if (p.solid.deforming)
                    p.solid.deforming->distance_row(first, step, count, s, row.data());
                else
                    p.solid.shape->distance_row(first, step, count, row.data());
                double* to = out + i + n[0] * (j + n[1] * k);
                for (std::size_t l = 0; l < count; ++l) to[l] = std::min(to[l], sign * row[l]);
            }
}

bool SolidField::is_near(std::size_t solid, const Bounds& box, double band) const {
    if (solids_[solid].reach.squared_distance(box) > band * band) return false;
    const Vec3d centre = box.centre();
    const double rate = approach_bound(solid, centre, centre, 0, 1);
    return distance_to(solid, centre, 0) - rate - 0.5 * length(box.size()) <= band;
}

bool SolidField::near(const Bounds& box, double band) const {
    for (std::size_t i = 0; i < solids_.size(); ++i)
        if (is_near(i, box, band)) return true;
    return false;
}

void SolidField::near(const Bounds& box, double band, std::vector<std::size_t>& solids) const {
    solids.clear();
    for (std::size_t i = 0; i < solids_.size(); ++i)
        if (is_near(i, box, band)) solids.push_back(i);
}

double SolidField::approach_bound(std::size_t solid, const Vec3d& from, const Vec3d& to, double s0,
                                  double s1) const {
    const Prepared& p = solids_[solid];
    const double deformation = p.solid.deforming ? p.solid.deforming->largest_displacement() : 0;
    return p.solid.motion.relative_rate(from, to, s0, s1) + deformation;
}

Bounds SolidField::rest_bounds(std::size_t solid, const Bounds& domain) const {
    const Prepared& p = solids_[solid];
    const Bounds rest = p.solid.deforming ? p.solid.deforming->bounds() : p.solid.shape->bounds();
    return rest.is_finite() ? rest : transformed(domain, p.start_inverse);
}

double SolidField::max_speed_of(std::size_t solid, const Bounds& domain) const {
    const Prepared& p = solids_[solid];
    if ((p.still && !p.solid.deforming) || !(dt_ > 0)) return 0;
    const Bounds rest = rest_bounds(solid, domain);
    const double deformation = p.solid.deforming ? p.solid.deforming->largest_displacement() : 0;
    double most = 0;
    // The displacement is affine in the rest position, so its length is largest at a corner.
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d y = rest.corner(corner);
        const Vec3d shift = p.solid.motion.end().apply(y) - p.solid.motion.start().apply(y);
        most = std::max(most, length(shift) + deformation);
    }
    return most / dt_;
}

double SolidField::max_speed(const Bounds& domain) const {
    double most = 0;
    for (std::size_t i = 0; i < solids_.size(); ++i) most = std::max(most, max_speed_of(i, domain));
    return most;
}

}  // namespace rivulet::geometry
