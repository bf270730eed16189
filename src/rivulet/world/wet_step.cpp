#include <rivulet/world/wet_step.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/topology_loops.h>
#include <rivulet/linear/vectors.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/strand/mass.h>
#include <rivulet/world/liquid_stages.h>

namespace rivulet::world {
namespace {

/// Mass of liquid at a face, over that of a full one, from which on it counts as full: that of particles just
/// below the surface (dissertation §9.1, √2π/6).
constexpr double kFullFace = 0.7405;
/// Part of the liquid's velocities around strands that a pass may miss, and the speed below which that does
/// not matter, in cells per step.
constexpr double kMissed = 0.01, kLeastSpeed = 1e-5;
/// Least part of a cell that stays for liquid.
constexpr double kLeastFreeSpace = 1 - coupling::FaceMixture::kFullest;

coupling::DragLiquid drag_liquid(const liquid::LiquidMaterial& material) {
    const liquid::FlowCurve curve = liquid::flow_curve(material);
    return {material.density, curve.consistency, curve.yield_stress, curve.flow_index};
}

/// Liquid of which most of the particles around a point are, by volume: those of its cell, or 0.
std::uint8_t liquid_at(const liquid::LiquidState& liquid, const grid::ParticleOrder& order, std::size_t cell,
                       std::size_t liquids) {
    double volume[256];  // a material is a byte
    if (liquids == 1) return 0;
    std::fill_n(volume, liquids, 0.0);
    for (std::size_t p = order.cell_begin(cell); p < order.cell_end(cell); ++p)
        volume[liquid.material[p]] += liquid.volume[p];
    return static_cast<std::uint8_t>(std::max_element(volume, volume + liquids) - volume);
}

}  // namespace

void WetStep::place(const strand::StrandState& strands, LiquidScratch& s) {
    active_ = false;
    loads_ = {};
    s.filled.clear();
    if (!model_.wet.any() || strands.strand_count() == 0 || s.topology.cells() == 0) return;
    points_.place(strands, model_.cell);
    wet_.sort(s.topology, points_.elements());
    if (wet_.count() == 0) return;
    active_ = true;
    for (grid::Field& f : pressed_) f.clear();
    volume_ = points_.elements().volume;
    if (!model_.wet.volume)
        std::fill(points_.elements().volume.begin(), points_.elements().volume.end(), 0.0);
    grid::rasterise_volume(s.topology, wet_, points_.elements(), fields_);
    find_fraction(s);
}

/// s.filled ← what strands fill of each cell: the mean of its faces.
void WetStep::find_fraction(LiquidScratch& s) const {
    const grid::Topology& topology = s.topology;
    const double scale = 1 / (6 * model_.cell * model_.cell * model_.cell);
    s.filled.resize(topology.cells());
    grid::for_blocks(topology, [&](std::size_t b) {
        const int e = grid::kBlockEdge;
        for (int k = 0; k < e; ++k)
            for (int j = 0; j < e; ++j)
                for (int i = 0; i < e; ++i) {
                    const std::size_t c = b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k));
                    double sum = 0;
                    for (std::size_t a = 0; a < 3; ++a) {
                        const std::int64_t up = topology.index(b, i + (a == 0), j + (a == 1), k + (a == 2));
                        sum += fields_.volume[a][c];
                        if (up >= 0) sum += fields_.volume[a][std::size_t(up)];
                    }
                    s.filled[c] = std::min(scale * sum, 1 - kLeastFreeSpace);
                }
    });
}

void WetStep::resist(const strand::StrandState& strands, const liquid::LiquidState& liquid,
                     const StepView& view, LiquidScratch& s) {
    if (!active_) return;
    find_drag(liquid, s);
    grid::rasterise_drag(s.topology, wet_, points_.elements(), fields_);
    mixture_.start(fields_, s.mass, s.boundary.faces, s.velocity, model_.cell, view.dt);
    find_loads(strands, s);
}

void WetStep::find_drag(const liquid::LiquidState& liquid, LiquidScratch& s) {
    grid::SubmergedElements& e = points_.elements();
    const std::size_t n = e.size();
    sample_.resize(n), other_sample_.resize(n), submersion_.assign(n, 0.0);
    grid::sample_at_elements(s.topology, wet_, e, s.mass, sample_);
    for (std::size_t a = 0; a < 3; ++a) {
        grid::Field& momentum = s.work[a];
        momentum.resize(s.topology.cells());
        linear::for_entries(momentum.size(),
                            [&](std::size_t f) { momentum[f] = s.mass[a][f] * s.velocity[a][f]; });
    }
    grid::sample_at_elements(s.topology, wet_, e, s.work, other_sample_);
    solid_sample_.resize(n);
    grid::sample_at_elements(s.topology, wet_, e, fields_.volume, solid_sample_);
    std::vector<coupling::DragLiquid> liquids;
    for (const liquid::LiquidMaterial& m : model_.liquid.materials) liquids.push_back(drag_liquid(m));
    const double volume = model_.cell * model_.cell * model_.cell;
    const grid::ParticleOrder& order = wet_.order();
    grid::for_blocks(s.topology, [&](std::size_t b) {
        for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c)
            for (std::size_t i = order.cell_begin(c); i < order.cell_end(c); ++i) {
                const std::size_t p = order.source[i];
                const coupling::DragLiquid& l = liquids[liquid_at(liquid, s.order, c, liquids.size())];
                const Vec3d m = sample_[p];
                const double there = (m.x + m.y + m.z) / (3 * l.density * volume * kFullFace);
                if (!(there > 0)) continue;
                submersion_[p] = std::min(there, 1.0);
                if (!model_.wet.drag) continue;
                const Vec3d u{m.x > 0 ? other_sample_[p].x / m.x : e.velocity[p].x,
                              m.y > 0 ? other_sample_[p].y / m.y : e.velocity[p].y,
                              m.z > 0 ? other_sample_[p].z / m.z : e.velocity[p].z};
                const Vec3d solid = solid_sample_[p];
                const coupling::LineDrag drag =
                    coupling::line_drag(model_.wet.law, l,
                                        {e.radius[p], e.axis[p], u - e.velocity[p], model_.cell,
                                         (solid.x + solid.y + solid.z) / (3 * volume)},
                                        model_.wet.drag_coefficient);
                const double length = submersion_[p] * points_.length(p);
                e.drag[p] = {drag.along * length, drag.across * length};
            }
    });
}

/// What the strands' next solve feels: drag against the liquid as it is known, and the pressure found.
void WetStep::find_loads(const strand::StrandState& strands, const LiquidScratch& s) {
    const grid::SubmergedElements& e = points_.elements();
    const std::size_t n = strands.vertex_count();
    const bool pressed = !pressed_[0].empty() && model_.wet.pressure;
    grid::sample_at_elements(s.topology, wet_, e, mixture_.hold(), sample_);
    grid::sample_at_elements(s.topology, wet_, e, mixture_.held_velocity(), other_sample_);
    force_.resize(n), slope_.resize(n), impulse_.resize(n), dryness_.resize(n);
    if (pressed) {
        pressed_sample_.resize(e.size());
        grid::sample_at_elements(s.topology, wet_, e, pressed_, pressed_sample_);
    }
    linear::for_entries(n, [&](std::size_t v) {
        Vec3d force, resistance, impulse;
        double wet = 0, all = 0;
        points_.for_points_of(v, [&](std::size_t p, double share) {
            const Vec3d drag = share * e.drag[p].diagonal(e.axis[p]);
            for (int a = 0; a < 3; ++a) {
                resistance[a] += drag[a] * sample_[p][a];
                force[a] += drag[a] * other_sample_[p][a];
            }
            if (pressed) impulse -= (share * volume_[p]) * pressed_sample_[p];
            wet += share * points_.length(p) * submersion_[p];
            all += share * points_.length(p);
        });
        force_[v] = force;
        slope_[v] = Mat3d::diagonal(-1.0 * resistance);
        impulse_[v] = impulse;
        dryness_[v] = all > 0 ? 1 - wet / all : 1.0;
    });
    loads_ = {force_, slope_, impulse_, dryness_};
}

void WetStep::find_answers(const strand::StrandState& strands, StrandStep& solve, const LiquidScratch& s) {
    if (!active_) return;
    const grid::SubmergedElements& e = points_.elements();
    const std::size_t n = strands.vertex_count();
    mass_.resize(e.size());
    point_response_.assign(e.size(), Vec3d{});
    vertex_impulse_.resize(n), vertex_response_.resize(n);
    parallel_chunks(strands.strand_count(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            const double density = model_.strands.materials[strands.material[k]].density;
            for (std::size_t v = strands.begin(k); v + 1 < strands.end(k); ++v)
                points_.for_points_of_edge(v, [&](std::size_t p) {
                    const auto section = strand::edge_section(strands, k, v);
                    mass_[p] = density * section.area() * points_.length(p);
                });
        }
    });
    // Each strand pushed as a whole: along an axis its pieces hang together, alone they would hardly yield.
    for (int a = 0; a < 3; ++a) {
        linear::for_entries(n, [&](std::size_t v) {
            Vec3d push;
            points_.for_points_of(v, [&](std::size_t p, double share) { push[a] += share * mass_[p]; });
            vertex_impulse_[v] = push;
        });
        solve.mobility().apply(vertex_impulse_, {}, vertex_response_, {});
        linear::for_entries(e.size(), [&](std::size_t p) {
            const double answer = points_.between(p, std::span<const Vec3d>(vertex_response_))[a];
            point_response_[p][a] = std::clamp(answer, 0.0, 1.0);
        });
    }
    grid::rasterise_products(s.topology, wet_, e, mass_, point_response_, weight_, response_);
    mixture_.find_answers(weight_, response_, s.mass);
}

/// Points with the strands' motion, and their sums on faces.
void WetStep::follow(const strand::Motion& motion, const LiquidScratch& s) {
    points_.move_with(motion.velocity);
    grid::rasterise(s.topology, wet_, points_.elements(), fields_);
}

void WetStep::mix(LiquidScratch& s) {
    if (active_) mixture_.add_to(s.flow, fields_, pressed_, s.velocity);
}

bool WetStep::correct(const strand::StrandState& next, const StepView& view, const StrandImpulses& impulses,
                      int pass, LiquidScratch& s, StrandStep& solve, StepCounts& counts) {
    if (!active_) return true;
    find_pressure_impulse(model_, view, s, pressed_);
    mixture_.take_impulses(s.flow, pressed_, s.velocity);
    if (!model_.wet.pressure)
        for (grid::Field& f : pressed_) std::fill(f.begin(), f.end(), 0.0);
    find_loads(next, s);
    solve.correct(next, view, impulses, loads_, counts);
    follow(solve.motion(), s);
    s.work = s.velocity;
    mixture_.give_back(fields_, s.velocity);
    const double left = divergence(view, s);
    counts.mixture_divergence = left;
    ++counts.mixture_passes;
    const bool holds = left <= model_.wet.tolerance && missed(view, s) <= kMissed;
    return holds || pass + 1 >= model_.wet.most_passes;
}

/// How far the liquid's velocities with the strands as they move (s.velocity) are from those that shear and
/// pressure were found for (s.work), over them: root mean squares where strands are. Without this, steady
/// flow past strands, which has no divergence, would not be what it should be.
double WetStep::missed(const StepView& view, const LiquidScratch& s) const {
    const double least = kLeastSpeed * model_.cell / view.dt;
    struct Sums {
        double missed = 0, all = 0;
    } sums;
    for (std::size_t a = 0; a < 3; ++a) {
        const Sums some = ordered_reduce(
            s.velocity[a].size(), 8192, Sums{},
            [&](std::size_t begin, std::size_t end) {
                Sums t;
                for (std::size_t f = begin; f < end; ++f) {
                    if (!(fields_.drag[a][f] > 0)) continue;
                    const double m = s.mass[a][f], u = s.velocity[a][f], miss = u - s.work[a][f];
                    t.missed += m * miss * miss, t.all += m * (u * u + least * least);
                }
                return t;
            },
            [](const Sums& x, const Sums& y) {
                return Sums{x.missed + y.missed, x.all + y.all};
            });
        sums.missed += some.missed, sums.all += some.all;
    }
    return sums.all > 0 ? std::sqrt(sums.missed / sums.all) : 0.0;
}

/// Largest divergence of the mixture in a cell with a pressure, over the step.
double WetStep::divergence(const StepView& view, LiquidScratch& s) {
    mixture_.true_others(s.flow, fields_, s.boundary.faces, s.velocity, others_);
    return view.dt * largest_divergence(model_, view, s, others_, left_);
}

void WetStep::give_back(const strand::Motion& motion, LiquidScratch& s) {
    if (!active_) return;
    follow(motion, s);
    mixture_.give_back(fields_, s.velocity);
}

}  // namespace rivulet::world
