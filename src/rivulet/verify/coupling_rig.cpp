#include <rivulet/verify/coupling_rig.h>

#include <fmt/format.h>

namespace rivulet::verify {

std::string WetScene::text() const {
    return fmt::format(R"(format = 1
time = {{ fps = 10, end = "1000 s" }}
step = {{ max = "{} s" }}
grid = {{ cell = "{} m" }}
world = {{ gravity = "{}", period = "{}", seed = {} }}
contact = {{ law = "none" }}
[wetting]
{}
{}
[material.liquid]
type = "liquid"
{}
[liquid.pool]
material = "liquid"
velocity = "{}"
fill = {{ type = "box", {} }}
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
tip = {{ type = "{}" }}
groom = {{ type = "rows", {} }}
{}
)",
                       step, cell, gravity, period, seed, wetting, tank, liquid, flow, fill, density, modulus,
                       radius, segment, root, tip, groom, more);
}

WetScene box_scene(int cells) {
    WetScene scene;
    scene.cell = kBox / cells;
    scene.tank = {};
    scene.period = fmt::format("{0}, {0}, {0} m", kBox);
    scene.fill = fmt::format("min = \"0, 0, 0 m\", max = \"{0}, {0}, {0} m\"", kBox);
    scene.tip = "clamp", scene.modulus = 1e11;
    return scene;
}

double mean_height(const strand::StrandState& s) {
    double sum = 0;
    for (const Vec3d& x : s.position) sum += x.y;
    return sum / double(s.vertex_count());
}

double mean_flow(const FilmRig& rig, int axis) {
    double sum = 0, volume = 0;
    const liquid::LiquidState& l = rig.world.liquid;
    for (std::size_t p = 0; p < l.size(); ++p)
        sum += l.volume[p] * l.velocity[p][axis], volume += l.volume[p];
    return sum / volume;
}

}  // namespace rivulet::verify
