#include <rivulet/liquid/source.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/topology_loops.h>

namespace rivulet::liquid {

namespace {

/// Times its own length that an inflow may come in during a step.
constexpr double kMostPieces = 1000;

[[noreturn]] void refuse(const Inflow& inflow, std::string message, std::string hint) {
    throw InputError(Problem{"", 0, 0, inflow.key, std::move(message), std::move(hint)});
}

/// A direction within `spread` of `axis`, even over the cap of the sphere.
Vec3d spread_direction(const Vec3d& axis, double spread, const Vec3d& u) {
    const double cosine = 1 - u.x * (1 - std::cos(spread)),
                 sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    const double turn = 2 * std::numbers::pi * u.y;
    const Vec3d side = any_perpendicular(axis), up = cross(axis, side);
    return axis * cosine + (side * std::cos(turn) + up * std::sin(turn)) * sine;
}

/// Axes of a cubic lattice (columns) in which `direction` is (1, 2^(1/3), 2^(2/3)), scaled: no sites but far
/// ones follow each other along it, nor do they lie side by side across it.
Mat3d turned_axes(const Vec3d& direction) {
    const double norm = 1 / std::sqrt(1 + std::cbrt(4.0) + 2 * std::cbrt(2.0));
    const Vec3d in_lattice{norm, norm * std::cbrt(2.0), norm * std::cbrt(4.0)};
    const auto frame = [](const Vec3d& along) {
        const Vec3d side = any_perpendicular(along);
        return Mat3d::from_columns(along, side, cross(along, side));
    };
    return frame(direction) * transpose(frame(in_lattice));
}

}  // namespace

InflowSource::InflowSource(const Inflow& inflow, std::size_t index, double cell, std::uint64_t seed,
                           std::uint64_t most)
    : inflow_(inflow),
      index_(index),
      seed_(seed),
      most_(most),
      spacing_(particle_spacing(cell, inflow.particles_per_cell)) {
    const geometry::Bounds& box = inflow_.shape->bounds();
    if (box.is_empty() || !box.is_finite())
        refuse(inflow_, "the shape has no bounds",
               "let liquid in through a box, sphere, cylinder or closed mesh");
    const double speed = length(inflow_.velocity);
    if (!(speed > 0 && std::isfinite(speed)))
        refuse(inflow_, "the velocity must not be zero", "give a velocity");
    const Vec3d sites = box.size() * (1 / spacing_) + Vec3d{1, 1, 1};
    if (!(sites.x * sites.y * sites.z <= double(most)))
        refuse(inflow_, fmt::format("the shape holds more than {} particles", most),
               "use a larger grid.cell or a smaller shape");
    direction_ = inflow_.velocity / speed;
    axes_ = turned_axes(direction_);
    cross_section_ = measure_cross_section();
    if (!(cross_section_ > 0)) refuse(inflow_, "the shape has no cross-section", "make it thicker");
    speed_ = inflow_.rate > 0 ? inflow_.rate / cross_section_ : speed;
    velocity_ = direction_ * speed_;
}

/// Lines along the velocity that meet the shape, on a plane across it, a quarter of the spacing apart.
double InflowSource::measure_cross_section() const {
    const geometry::Bounds& box = inflow_.shape->bounds();
    const Vec3d side = any_perpendicular(direction_), up = cross(direction_, side), centre = box.centre();
    const double reach = 0.5 * length(box.size());
    // NOTE: at most 512 lines across, enough for 1 % of any shape; a large shape costs no more than that.
    const double step = std::max(spacing_ / 4, 2 * reach / 512);
    const auto lines = static_cast<std::int64_t>(std::ceil(reach / step));
    const double least = step / 16;
    const double hits = accurate_sum(static_cast<std::size_t>(2 * lines), [&](std::size_t row) {
        double count = 0;
        for (std::int64_t j = -lines; j < lines; ++j) {
            const double a = (double(row) - double(lines) + 0.5) * step, b = (double(j) + 0.5) * step;
            const Vec3d foot = centre + side * a + up * b;
            // Sphere tracing: the distance bounds how far the line stays free.
            for (double s = -reach; s < reach;) {
                const double d = inflow_.shape->distance(foot + direction_ * s);
                if (d < 0) {
                    ++count;
                    break;
                }
                s += std::max(d, least);
            }
        }
        return count;
    });
    return hits * step * step;
}

/// Sites whose path during a step can meet the shape, in numbers of the lattice.
InflowSource::Sites InflowSource::sites_between(const Vec3d& shift_from, const Vec3d& shift_to) const {
    const geometry::Bounds& box = inflow_.shape->bounds();
    const Vec3d margin = Vec3d{1, 1, 1} * (0.01 * spacing_);
    Sites sites;
    sites.low = box.min - component_max(shift_from, shift_to) - margin;
    sites.high = box.max - component_min(shift_from, shift_to) + margin;
    const Vec3d half = (sites.high - sites.low) * 0.5, centre = (sites.low + sites.high) * 0.5;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3d along = axes_.column(axis);
        const double middle = dot(along, centre),
                     reach =
                         std::abs(along.x) * half.x + std::abs(along.y) * half.y + std::abs(along.z) * half.z;
        sites.first[axis] = static_cast<std::int64_t>(std::floor((middle - reach) / spacing_));
        sites.last[axis] = static_cast<std::int64_t>(std::floor((middle + reach) / spacing_));
    }
    return sites;
}

void InflowSource::collect_slab(std::vector<NewParticle>& found, std::int64_t k, const Sites& sites,
                                const Vec3d& shift_from, const Vec3d& shift_to, const Vec3d& shift_end,
                                bool first) const {
    // Sites are looked at along their path in steps shorter than half the spacing, so that none slips through
    // a part of the shape that holds a site at all.
    const double drift = length(shift_to - shift_from);
    const int pieces = std::max(1, static_cast<int>(std::ceil(drift / (0.5 * spacing_))));
    const Random random(seed_, 0x696e666cull + (std::uint64_t{index_} << 32));
    for (std::int64_t j = sites.first[1]; j <= sites.last[1]; ++j)
        for (std::int64_t i = sites.first[0]; i <= sites.last[0]; ++i) {
            const Vec3d site = axes_ * Vec3d{double(i) + 0.5, double(j) + 0.5, double(k) + 0.5} * spacing_;
            if (component_min(site, sites.low) != sites.low || component_max(site, sites.high) != sites.high)
                continue;
            bool was_inside = !first && inflow_.shape->distance(site + shift_from) < 0;
            bool entered = false;
            for (int piece = first ? 0 : 1; piece <= pieces && !entered; ++piece) {
                const double s = double(piece) / pieces;
                const Vec3d shift = piece == pieces ? shift_to : shift_from + (shift_to - shift_from) * s;
                const bool inside = inflow_.shape->distance(site + shift) < 0;
                entered = inside && !was_inside;
                was_inside = inside;
            }
            if (!entered) continue;
            const std::uint64_t number = (static_cast<std::uint64_t>(i & 0x1fffff) << 42) |
                                         (static_cast<std::uint64_t>(j & 0x1fffff) << 21) |
                                         static_cast<std::uint64_t>(k & 0x1fffff);
            const Vec3d way = inflow_.spread > 0
                                  ? spread_direction(direction_, inflow_.spread, random.uniform3(number))
                                  : direction_;
            found.push_back(
                {site + shift_end, way * speed_, spacing_ * spacing_ * spacing_, inflow_.material, {}});
        }
}

void InflowSource::collect(double from, double to, double end, bool first) {
    const auto shift = [&](double time) { return velocity_ * (time - inflow_.start); };
    const Vec3d shift_from = shift(from), shift_to = shift(to), shift_end = shift(end);
    const Sites sites = sites_between(shift_from, shift_to);
    const auto slabs = static_cast<std::size_t>(sites.last[2] - sites.first[2] + 1);
    if (slab_.size() < slabs) slab_.resize(slabs);
    parallel_for(slabs, [&](std::size_t s) {
        slab_[s].clear();
        collect_slab(slab_[s], sites.first[2] + static_cast<std::int64_t>(s), sites, shift_from, shift_to,
                     shift_end, first);
    });
    batch_.clear();
    for (std::size_t s = 0; s < slabs; ++s) batch_.insert(batch_.end(), slab_[s].begin(), slab_[s].end());
}

bool InflowSource::runs(const LiquidState& state, double time) const {
    const double emitted = index_ < state.emitted_volume.size() ? state.emitted_volume[index_] : 0.0;
    return time >= inflow_.start && time < inflow_.stop && !(inflow_.total > 0 && emitted >= inflow_.total);
}

geometry::Bounds InflowSource::held(const LiquidState& state, double time) const {
    return inflow_.spread > 0 || !runs(state, time) ? geometry::Bounds{} : inflow_.shape->bounds();
}

void InflowSource::hold(const grid::Topology& topology, const LiquidState& state, double time,
                        std::uint8_t rule, grid::FaceBoundary& boundary) const {
    if (held(state, time).is_empty()) return;
    if (boundary.solid_velocity[0].empty()) grid::fill(boundary.solid_velocity, topology.cells(), 0.0);
    // NOTE: faces on the shape's own ends count as inside.
    const double cell = topology.cell, margin = 0.01 * cell;
    const geometry::Bounds& box = inflow_.shape->bounds();
    grid::for_blocks(topology, [&](std::size_t b) {
        const Vec3d origin = to_double(topology.corner[b]) * cell;
        const double width = grid::kBlockEdge * cell;
        for (int a = 0; a < 3; ++a)
            if (origin[a] > box.max[a] + margin || origin[a] + width < box.min[a] - margin) return;
        for (int c = 0; c < grid::kBlockCells; ++c) {
            const int e = grid::kBlockEdge, i = c % e, j = c / e % e, k = c / (e * e);
            const std::size_t f = b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k));
            for (int axis = 0; axis < 3; ++axis) {
                const std::size_t a = std::size_t(axis);
                if (boundary.open[a][f] == 0 ||
                    inflow_.shape->distance(topology.face_centre(b, i, j, k, axis)) > margin)
                    continue;
                boundary.open[a][f] = 0;
                boundary.solid_velocity[a][f] = velocity_[axis];
                boundary.wall[a][f] = rule;
            }
        }
    });
}

std::uint8_t add_hold_rule(grid::FaceBoundary& boundary) {
    const std::size_t place = std::min(boundary.rules.size(), std::size_t{grid::FaceBoundary::kNoWall} - 1);
    boundary.rules.resize(place + 1);
    boundary.rules[place] = {grid::WallKind::no_slip, 0, false, 0};
    return static_cast<std::uint8_t>(place);
}

bool InflowSource::keep(const SolidDistance& solids, double emitted, CompensatedSum& volume, Given& given) {
    for (NewParticle& p : batch_) {
        if (solids && !(solids(p.position) > 0)) {
            given.blocked += p.volume;
            continue;
        }
        if (inflow_.total > 0) {
            // The last particle takes what is left of the total, up to one and a half of its kind.
            const double left = inflow_.total - (emitted + volume.value());
            if (!(left > 0)) return false;
            if (left < 1.5 * p.volume) p.volume = left;
        }
        volume.add(p.volume);
        kept_.push_back(p);
    }
    return true;
}

Given InflowSource::emit(LiquidState& state, const SolidDistance& solids, double time, double dt) {
    if (state.emitted_volume.size() <= index_) state.emitted_volume.resize(index_ + 1, 0.0);
    double& emitted = state.emitted_volume[index_];
    const double from = std::max(time, inflow_.start), to = std::min(time + dt, inflow_.stop);
    Given given;
    if (!(from < to) || (inflow_.total > 0 && emitted >= inflow_.total)) return given;
    // Whoever asks for a rate gets that much from the start on: the shape is empty then and fills by itself.
    const bool first = time <= inflow_.start && !(inflow_.rate > 0);
    // NOTE: in pieces no longer than the shape. The box around a longer way holds sites by the cube of its
    // length; step.min may ask for such ways.
    const double way = speed_ * (to - from), longest = length(inflow_.shape->bounds().size()) + spacing_;
    const double pieces = std::max(1.0, std::ceil(way / longest));
    if (!(pieces <= kMostPieces))
        throw StepFailed(inflow_.key, fmt::format("{:.3g} m of it would come in during a step of {:.3g} s; a "
                                                  "smaller rate or a smaller step.min may help",
                                                  way, dt));
    CompensatedSum volume;
    kept_.clear();
    for (double k = 0; k < pieces && state.size() + kept_.size() <= most_; ++k) {
        const double begin = k == 0 ? from : from + (to - from) * (k / pieces),
                     end = k + 1 == pieces ? to : from + (to - from) * ((k + 1) / pieces);
        collect(begin, end, to, first && k == 0);
        if (!keep(solids, emitted, volume, given)) break;
    }
    add_particles(state, kept_);
    given.particles = kept_.size();
    given.volume = volume.value();
    emitted = inflow_.total > 0 && inflow_.total - (emitted + given.volume) < 1e-12 * inflow_.total
                  ? inflow_.total
                  : emitted + given.volume;
    return given;
}

}  // namespace rivulet::liquid
