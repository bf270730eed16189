#include <rivulet/scene/build.h>

#include <fmt/format.h>

#include <memory>

#include <rivulet/base/error.h>
#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/mesh_file.h>
#include <rivulet/liquid/fill.h>
#include <rivulet/scene/build_strands.h>
#include <rivulet/world/metrics.h>

namespace rivulet::scene {

namespace {

world::Model build_model(const Scene& scene) {
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
    model.most_particles = static_cast<std::int64_t>(scene.output.max_particles);
    model.liquids = scene.materials;
    model.obstacles = obstacle::ObstacleSet(scene.obstacles, 0.5 * model.cell);
    return model;
}

/// Shapes that liquid fills or passes through; meshes by exact distance.
geometry::Shape build_shape(const geometry::ShapeDescription& description, const std::string& key) {
    return geometry::Shape(description, key, [&](const geometry::ShapeDescription& mesh) {
        return std::make_shared<geometry::MeshDistance>(geometry::load_closed_mesh(mesh, key));
    });
}

void fill_liquids(const Scene& scene, Built& built) {
    const world::Model& model = built.model;
    const geometry::SolidField solids = model.obstacles.field_over(0, 1 / model.fps);
    liquid::SolidDistance distance;
    if (!solids.empty()) distance = [&](const Vec3d& x) { return solids.distance(x, 0); };
    std::vector<std::unique_ptr<geometry::Shape>> shapes;
    std::vector<const geometry::Shape*> earlier;
    for (const Liquid& liquid : scene.liquids) {
        liquid::Fill fill;
        fill.key = "liquid." + liquid.name + ".fill";
        shapes.push_back(std::make_unique<geometry::Shape>(build_shape(liquid.fill, fill.key)));
        fill.shape = shapes.back().get();
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

void add_strands(const Scene& scene, Built& built) {
    StrandSetup setup = build_strands(scene, built.model.obstacles);
    built.world.strands = std::move(setup.state);
    built.model.strands = std::move(setup.model);
    built.warnings.insert(built.warnings.end(), setup.warnings.begin(), setup.warnings.end());
}

}  // namespace

Built build(const Scene& scene) {
    Built built;
    built.model = build_model(scene);
    fill_liquids(scene, built);
    add_strands(scene, built);
    built.world.ledger.initial = world::bulk_volume(built.world);
    return built;
}

}  // namespace rivulet::scene
