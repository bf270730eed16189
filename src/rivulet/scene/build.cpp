#include <rivulet/scene/build.h>

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include <rivulet/base/error.h>
#include <rivulet/geometry/mesh_library.h>
#include <rivulet/grid/topology.h>
#include <rivulet/liquid/fill.h>
#include <rivulet/scene/build_checks.h>
#include <rivulet/scene/build_contact.h>
#include <rivulet/scene/build_film.h>
#include <rivulet/scene/build_strands.h>
#include <rivulet/scene/build_wet.h>
#include <rivulet/scene/resolution.h>
#include <rivulet/scene/sizes.h>
#include <rivulet/scene/strand_sizes.h>
#include <rivulet/world/metrics.h>

namespace rivulet::scene {

namespace {

/// The period must be a whole number of blocks of the grid.
int period_in_cells(double period, double cell, int axis) {
    if (period == 0) return 0;
    const double blocks = period / (cell * grid::kBlockEdge);
    if (blocks < 1 || std::abs(blocks - std::round(blocks)) > 1e-6)
        throw InputError(Problem{"", 0, 0, "world.period",
                                 fmt::format("{:.6g} m along {} is not a multiple of {} cells of {:.6g} m",
                                             period, "xyz"[axis], grid::kBlockEdge, cell),
                                 fmt::format("for example {:.6g} m",
                                             std::max(1.0, std::round(blocks)) * cell * grid::kBlockEdge)});
    return static_cast<int>(std::round(blocks)) * grid::kBlockEdge;
}

/// The densest of a material's fills and inflows counts for all of it.
liquid::ResampleRule resample_rule(const Scene& scene) {
    liquid::ResampleRule rule;
    std::vector<int>& per_cell = rule.per_cell;
    per_cell.assign(scene.materials.size(), 0);
    const auto raise = [&](int material, int n) {
        per_cell[std::size_t(material)] = std::max(per_cell[std::size_t(material)], n);
    };
    for (const Liquid& liquid : scene.liquids) raise(liquid.material, liquid.particles_per_cell);
    for (const Inflow& inflow : scene.inflows) raise(inflow.material, inflow.particles_per_cell);
    for (int& n : per_cell)
        if (n == 0) n = liquid::kUsualPerCell;
    return rule;
}

world::Model build_model(const Scene& scene, geometry::MeshLibrary& meshes) {
    world::Model model;
    model.fps = scene.time.fps;
    model.end_time = scene.time.end;
    model.gravity = scene.world.gravity;
    model.seed = scene.world.seed;
    model.cell = scene.cell_size();
    model.step.max = scene.step.max > 0 ? scene.step.max : 1 / scene.time.fps;
    model.step.min = scene.step.min;
    model.step.courant = scene.step.courant;
    model.step.retries = scene.step.retries;
    model.liquid.most_particles = static_cast<std::int64_t>(scene.output.max_particles);
    model.liquid.materials = scene.materials;
    model.liquid.resample = resample_rule(scene);
    model.liquid.surface_tension = scene.world.surface_tension;
    if (!(scene.world.keep.min == scene.world.keep.max))
        model.liquid.keep = geometry::Bounds{scene.world.keep.min, scene.world.keep.max};
    const Vec3d period = scene.world.period;
    for (int axis = 0; axis < 3; ++axis) model.period[axis] = period_in_cells(period[axis], model.cell, axis);
    model.obstacles = obstacle::ObstacleSet(scene.obstacles, meshes);
    return model;
}

/// Sources and sinks; the model owns their shapes.
void build_exchange(const Scene& scene, geometry::MeshLibrary& meshes, world::Model& model) {
    const auto shape = [&](const geometry::ShapeDescription& description, const std::string& key) {
        model.liquid.shapes.push_back(
            std::make_shared<geometry::Shape>(description, key, meshes.loader(key)));
        return model.liquid.shapes.back().get();
    };
    for (const Inflow& i : scene.inflows) {
        liquid::Inflow inflow;
        inflow.key = "inflow." + i.name;
        inflow.shape = shape(i.shape, inflow.key + ".shape");
        inflow.velocity = i.velocity;
        inflow.rate = i.rate;
        inflow.spread = i.spread;
        inflow.start = i.start;
        inflow.stop = i.stop;
        inflow.total = i.total;
        inflow.particles_per_cell = i.particles_per_cell;
        inflow.material = static_cast<std::uint8_t>(i.material);
        model.liquid.inflows.push_back(std::move(inflow));
    }
    for (const Sink& s : scene.sinks)
        model.liquid.sinks.push_back({shape(s.shape, "sink." + s.name + ".shape"), s.start, s.stop});
}

void fill_liquids(const Scene& scene, geometry::MeshLibrary& meshes, Built& built) {
    const world::Model& model = built.model;
    const geometry::SolidField solids = model.obstacles.field_over(0, 1 / model.fps);
    liquid::SolidDistance distance;
    if (!solids.empty()) distance = [&](const Vec3d& x) { return solids.distance(x, 0); };
    std::vector<std::unique_ptr<geometry::Shape>> shapes;
    std::vector<const geometry::Shape*> earlier;
    double particles = 0;
    for (const Liquid& liquid : scene.liquids) {
        const std::string key = "liquid." + liquid.name + ".fill";
        shapes.push_back(std::make_unique<geometry::Shape>(liquid.fill, key, meshes.loader(key)));
        particles += expected_particles(*shapes.back(), model.cell, liquid.particles_per_cell);
    }
    require_memory(scene, particles);
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) {
        const Liquid& liquid = scene.liquids[i];
        liquid::Fill fill;
        fill.key = "liquid." + liquid.name + ".fill";
        fill.shape = shapes[i].get();
        fill.velocity = liquid.velocity;
        fill.jitter = liquid.jitter;
        fill.particles_per_cell = liquid.particles_per_cell;
        fill.material = static_cast<std::uint8_t>(liquid.material);
        const auto report = liquid::fill_shape(built.world.liquid, fill, earlier, distance, model.cell,
                                               model.seed, scene.output.max_particles);
        earlier.push_back(fill.shape);
        const double removed = report.removed_by_solids + report.removed_by_earlier;
        if (removed > 0.001 * report.volume)
            built.notes.push_back(fmt::format(
                "{}: {:.4g} L cut away by obstacles, {:.4g} L by earlier fills, {:.4g} L left", fill.key,
                1e3 * report.removed_by_solids, 1e3 * report.removed_by_earlier, 1e3 * report.volume));
    }
}

}  // namespace

Built build(const Scene& scene) {
    Built built;
    built.warnings = check_thick_liquids(scene);
    // Before anything is made of it.
    const double particles = known_particles(scene), vertices = known_vertices(scene);
    require_memory(scene, particles, vertices);
    geometry::MeshLibrary meshes(0.5 * scene.cell_size());
    built.model = build_model(scene, meshes);
    fill_liquids(scene, meshes, built);
    build_exchange(scene, meshes, built.model);
    require_open_inflows(built.model);
    StrandSetup strands = build_strands(scene, built.model.obstacles);
    built.world.film = build_film(scene, strands);
    built.model.film = build_film_model(scene, strands);
    built.model.wet = scene.wetting;
    built.world.strands = std::move(strands.state);
    built.model.strands = std::move(strands.model);
    make_room_for_strands(scene, built);
    built.model.contact = build_contact(scene);
    built.warnings.insert(built.warnings.end(), strands.warnings.begin(), strands.warnings.end());
    built.warnings.insert(built.warnings.end(), meshes.warnings().begin(), meshes.warnings().end());
    for (std::string& warning : resolution_warnings(scene, built.model))
        built.warnings.push_back(std::move(warning));
    built.world.ledger.open(world::present_liquid(built.world));
    return built;
}

}  // namespace rivulet::scene
