#include <rivulet/verify/film_rig.h>

#include <fmt/format.h>

#include <algorithm>

namespace rivulet::verify {

FilmRig::FilmRig(const std::string& text) {
    scene::Built built = scene::build(scene::read_scene_text(text, "film.toml", "."));
    model = std::move(built.model);
    world = std::move(built.world);
    const strand::StrandState& s = world.strands;
    along_.assign(s.vertex_count(), 0.0);
    for (std::size_t k = 0; k < s.strand_count(); ++k)
        for (std::size_t v = s.begin(k); v + 1 < s.end(k); ++v) along_[v + 1] = along_[v] + s.rest_length[v];
}

void FilmRig::coat(const std::function<double(double)>& area) {
    for (std::size_t v = 0; v < world.film.size(); ++v) {
        world.film.area[v] = area(along_[v]);
        world.film.share[v * world.film.liquids()] = world.film.area[v] > 0 ? 1 : 0;
    }
    world.ledger.open(world::present_liquid(world));
}

world::StepCounts FilmRig::step() {
    if (!stepper_) stepper_ = std::make_unique<world::Stepper>(model);
    counts_ = stepper_->advance(world);
    return counts_;
}

void FilmRig::run(double until, const std::function<void()>& after_step) {
    while (world.clock.time < until - 1e-9) {
        step();
        if (after_step) after_step();
    }
}

double FilmRig::film_mass(std::size_t v) const {
    return world.film.area[v] * world.film.length[v] * model.film.liquids[0].density;
}

EnergyWatch::EnergyWatch(const FilmRig& rig) : rig_(rig), kinetic_(rig.metrics().energy_kinetic) {}

void EnergyWatch::look() {
    const world::Metrics m = rig_.metrics();
    now_ = 0.5 * (kinetic_ + m.energy_kinetic) + m.energy_elastic + m.energy_gravity + m.energy_surface;
    kinetic_ = m.energy_kinetic;
    if (!begun_) start_ = most_ = now_, begun_ = true;
    most_ = std::max(most_, now_);
}

std::string LineScene::text() const {
    return fmt::format(R"(format = 1
time = {{ fps = 10, end = "1000 s" }}
step = {{ max = "{} s" }}
world = {{ gravity = "{}" }}
contact = {{ law = "none" }}
[film]
{}
[material.liquid]
type = "liquid"
{}
[material.rod]
type = "strand"
density = "{} kg/m^3"
youngs_modulus = "{} Pa"
poisson_ratio = 0.4
[strands.rod]
material = "rod"
radius = {{ root = "{} m" }}
segment = "{} m"
root = {{ type = "{}" }}
film = {{ liquid = "liquid", thickness = "1 um" }}
groom = {{ type = "rows", origin = "0, 0, 0 m", columns = 1, column_step = "0.1, 0, 0 m", direction = [{}], length = "{} m" }}
{}
)",
                       step, gravity, film, liquid, density, modulus, radius, segment, root, direction,
                       length, more);
}

}  // namespace rivulet::verify
