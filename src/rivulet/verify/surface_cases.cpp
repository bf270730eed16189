#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/surface/mesh_measure.h>
#include <rivulet/surface/reconstruct.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/liquid_rig.h>

namespace rivulet::verify {
namespace {

/// Posts that stand in the tank with film on them: thick drops that join the bulk, thin coats, dry stretches.
surface::Films wet_posts(double cell) {
    constexpr int kPosts = 24, kVertices = 33;
    surface::Films f;
    f.start = {0};
    for (int s = 0; s < kPosts; ++s) {
        const int row = s / 8;
        for (int v = 0; v < kVertices; ++v) {
            const double t = double(v) / (kVertices - 1);
            const double thick = std::max(std::sin(9 * t + s), 0.0) * 0.45 * cell;
            f.position.push_back({0.1 + 0.8 * (s % 8) / 7.0, 0.5 * t, 0.05 + 0.1 * row});
            f.radius.push_back(0.02 * cell);
            f.film_area.push_back(std::numbers::pi * thick * thick);
        }
        f.start.push_back(std::int64_t(f.position.size()));
    }
    return f;
}

surface::Particles bulk(const LiquidRig& rig) {
    return {rig.world.liquid.position, rig.world.liquid.velocity, rig.world.liquid.volume, {}};
}

/// A dam breaks between wet posts; every frame's surface against what the ledger counts.
Outcome volume_over_frames(const Options& options) {
    const double cell = options.quick ? 1.0 / 24 : 1.0 / 40, fps = 30;
    const int frames = options.quick ? 12 : 30;
    LiquidRig rig(cell);
    rig.model.fps = fps;
    rig.add_tank({0, 0, 0}, {1, 0.6, 0.3});
    rig.add_box_of_liquid({0, 0, 0}, {0.3, 0.4, 0.3}, 0.5);
    rig.start();
    const surface::Films films = wet_posts(cell);
    surface::Options o;
    o.cell = cell;

    double worst = 0, jump = 0, miscounted = 0, before = 0, shift = 0, level_before = 0;
    std::size_t open = 0;
    Curve curve{"surface / ledger", {}, {}, false};
    for (int k = 0; k <= frames; ++k) {
        rig.run_until(k / fps);
        const surface::SurfaceMesh mesh = surface::reconstruct(bulk(rig), films, o);
        const double film = surface::reconstruct({}, films, o).liquid_volume;
        const double ledger = rig.metrics().volume_bulk + film;
        miscounted = std::max(miscounted, std::abs(mesh.liquid_volume / ledger - 1));
        const double share = (mesh.volume - mesh.solid_volume) / ledger;
        worst = std::max(worst, std::abs(share - 1));
        if (k > 0) {
            jump = std::max(jump, std::abs(share - before));
            shift = std::max(shift, std::abs(mesh.level - level_before) / mesh.voxel);
        }
        before = share;
        level_before = mesh.level;
        open += surface::open_edges(mesh.triangle);
        curve.x.push_back(rig.time());
        curve.y.push_back(share);
    }
    Outcome outcome;
    outcome.quantities = {at_most("|surface volume / ledger volume - 1|, worst frame", worst, 0.03),
                          at_most("change of that between frames, worst", jump, 0.01),
                          at_most("level between frames [voxels], worst", shift, 0.25),
                          at_most("volume counted against the ledger", miscounted, 1e-9),
                          at_most("open edges, all frames", double(open), 0)};
    outcome.plots = {{"Surface volume over the ledger's", "time [s]", "", {curve}}};
    outcome.remark =
        std::to_string(rig.world.liquid.size()) + " particles, " + std::to_string(frames + 1) + " frames";
    return outcome;
}

}  // namespace

std::vector<Case> surface_cases() {
    return {{"surface", "volume_over_frames", "the ledger", volume_over_frames}};
}

}  // namespace rivulet::verify
