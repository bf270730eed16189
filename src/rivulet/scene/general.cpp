#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

constexpr auto kParticleSize = "particles and segments already have the old size";

const Table& time_table() {
    static const Table table =
        Fields<Time>("time", "Frames and the length of the run.")
            .number("fps", &Time::fps, "Frames per second; frame k is at time k / fps.")
            .range(0.001, 1e6)
            .fixed("frames already made would have other times")
            .quantity("end", &Time::end, "s", "When the run ends.")
            .required()
            .positive()
            .at_most(1e9)
            .done();
    return table;
}

const Table& step_table() {
    static const Table table =
        Fields<Step>("step", "Size of the time step.")
            .quantity("max", &Step::max, "s", "Largest step; 0: one frame.")
            .at_least(0)
            .quantity("min", &Step::min, "s", "Smallest step; the run stops rather than go below.")
            .positive()
            .number("courant", &Step::courant, "Cells that liquid may cross in one step.")
            .positive()
            .at_most(100)
            .integer("retries", &Step::retries, "How often a failed step is halved before the run stops.")
            .range(0, 30)
            .check([](const Step& s, Check& check) {
                if (s.max > 0 && s.min > s.max) check.fail("min", "must not be larger than step.max");
            })
            .done();
    return table;
}

const Table& air_table() {
    static const Table table =
        Fields<Air>("air", "What strands move through.")
            .quantity("density", &Air::density, "kg/m^3", "Mass per volume; 0: no drag. Air has 1.2 kg/m^3.")
            .at_least(0)
            .quantity("viscosity", &Air::viscosity, "Pa*s", "Dynamic viscosity.")
            .positive()
            .vector("wind", &Air::wind, "m/s", "Velocity, the same everywhere.")
            .number("gust", &Air::gust, "The wind swells and ebbs by this part of it, like a sine.")
            .range(0, 1)
            .quantity("gust_period", &Air::gust_period, "s", "Time from gust to gust.")
            .positive()
            .check([](const Air& a, Check& check) {
                if (a.wind != Vec3d{} && a.density == 0)
                    check.fail("density", "wind needs air", "for example \"1.2 kg/m^3\"");
            })
            .done();
    return table;
}

const Table& keep_table() {
    static const Table table =
        Fields<Keep>("keep", "Box outside of which liquid is taken away.")
            .vector("min", &Keep::min, "m", "Lowest corner.")
            .vector("max", &Keep::max, "m", "Highest corner; equal to min: everything is kept.")
            .check([](const Keep& k, Check& check) {
                const Vec3d d = k.max - k.min;
                if (!(k.max == k.min) && (d.x <= 0 || d.y <= 0 || d.z <= 0))
                    check.fail("max", "must lie above min along every axis");
            })
            .done();
    return table;
}

const Table& world_table() {
    static const Table table =
        Fields<World>("world", "What surrounds everything.")
            .vector("gravity", &World::gravity, "m/s^2", "Acceleration of gravity; y is up.")
            .table("air", &World::air, air_table, "Air that strands move through, and wind.")
            .boolean("surface_tension", &World::surface_tension,
                     "Surface tension of the bulk liquid; limits the step to sqrt(density cell^3 / (4 pi "
                     "tension)).")
            .vector(
                "period", &World::period, "m",
                "Length after which space repeats along each axis, a multiple of 4 cells; 0: not periodic.")
            .fixed("the liquid already fills the old one")
            .table("keep", &World::keep, keep_table, "Liquid that leaves this box is taken away.")
            .integer("seed", &World::seed, "Seed of every random number of the run.")
            .check([](const World& w, Check& check) {
                if (w.period.x < 0 || w.period.y < 0 || w.period.z < 0)
                    check.fail("period", "must not be negative");
            })
            .done();
    return table;
}

const Table& grid_table() {
    static const Table table =
        Fields<Grid>("grid", "The grid that the liquid's pressure is solved on.")
            .quantity("cell", &Grid::cell, "m", "Edge of a cell; divided by detail.")
            .range(1e-6, 1e3)
            .fixed(kParticleSize)
            .quantity(
                "memory_limit", &Grid::memory_limit, "B",
                "Memory the liquid may take; more is refused before the start. 0: what the machine has.")
            .at_least(0)
            .done();
    return table;
}

const Table& output_table() {
    static const Table table =
        Fields<Output>("output", "What is written to disk.")
            .choice<>("precision", &Output::precision,
                      std::vector<std::pair<std::string, Precision>>{{"single", Precision::single_},
                                                                     {"double", Precision::double_}},
                      "Precision of the numbers in frames; checkpoints are always exact.")
            .boolean("compress", &Output::compress, "Deflate frames: smaller and slower.")
            .boolean("contacts", &Output::contacts,
                     "Frames also hold the contacts and bridges of strands, as lines.")
            .integer("max_particles", &Output::max_particles, "The run stops rather than have more.")
            .at_least(1)
            .integer("max_vertices", &Output::max_vertices, "Strands of more vertices are refused.")
            .at_least(1)
            .quantity("min_free_disk", &Output::min_free_disk, "B", "The run stops rather than leave less.")
            .at_least(0)
            .done();
    return table;
}

const Table& checkpoint_table() {
    static const Table table =
        Fields<Checkpoint>("checkpoint", "How often the exact state is saved.")
            .quantity(
                "every", &Checkpoint::every, "s",
                "Wall-clock time between checkpoints; one is due at the end of a frame. 0: every frame.")
            .at_least(0)
            .integer("keep", &Checkpoint::keep, "How many of the newest are kept.")
            .range(1, 1000)
            .done();
    return table;
}

}  // namespace

const Table& scene_table() {
    static const Table table =
        Fields<Scene>("scene", "The top of a scene.")
            .integer("format", &Scene::format, "Version of the scene language: 1.")
            .required()
            .range(1, 1)
            .text("title", &Scene::title, "What the scene shows.")
            .number("detail", &Scene::detail,
                    "The one size dial: divides cells and segments, multiplies counts of strands.")
            .positive()
            .at_most(1000)
            .fixed(kParticleSize)
            .table("time", &Scene::time, time_table, "Frames and the length of the run.")
            .required()
            .table("step", &Scene::step, step_table, "Size of the time step.")
            .table("world", &Scene::world, world_table, "Gravity and seed.")
            .table("grid", &Scene::grid, grid_table, "Cells of the liquid.")
            .table("contact", &Scene::contact, contact_table, "How strands meet each other and obstacles.")
            .table("film", &Scene::film, film_behaviour_table, "How films on strands behave.")
            .table("wetting", &Scene::wetting, wetting_table, "How strands and the liquid around them meet.")
            .table("output", &Scene::output, output_table, "What is written to disk.")
            .table("checkpoint", &Scene::checkpoint, checkpoint_table, "How often the exact state is saved.")
            .done();
    return table;
}

}  // namespace rivulet::scene
