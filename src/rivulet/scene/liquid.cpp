#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

constexpr auto kParticlesPerCell =
    "Particles in a full cell; they are merged and split to stay about as many. The most that a fill or "
    "inflow of a material asks for holds for all of it.";

const Table& liquid_table() {
    static const Table table =
        Fields<Liquid>("liquid", "Liquid that is there at the start.")
            .reference("material", &Liquid::material, "liquid material", "What it is made of.")
            .required()
            .table("fill", &Liquid::fill, shape_table,
                   "The region it fills, less obstacles and the fills before it.")
            .required()
            .vector("velocity", &Liquid::velocity, "m/s", "Velocity at the start.")
            .number("jitter", &Liquid::jitter, "Random shift of particles, as a share of their spacing.")
            .range(0, 1)
            .integer("particles_per_cell", &Liquid::particles_per_cell, kParticlesPerCell)
            .range(1, 64)
            .done();
    return table;
}

const Table& inflow_table() {
    static const Table table =
        Fields<Inflow>("inflow", "Liquid that comes in through a shape.")
            .reference("material", &Inflow::material, "liquid material", "What it is made of.")
            .required()
            .table("shape", &Inflow::shape, shape_table, "Where it comes in.")
            .required()
            .vector("velocity", &Inflow::velocity, "m/s", "Velocity of the liquid that comes in.")
            .required()
            .quantity("rate", &Inflow::rate, "m^3/s",
                      "Volume per time; the velocity then only gives the direction. 0: the velocity counts.")
            .at_least(0)
            .quantity("spread", &Inflow::spread, "rad", "Half angle of the cone of directions.")
            .range(0, 1.5707963267948966)
            .interval("active", &Inflow::start, &Inflow::stop, "s", "When it runs.")
            .quantity("total", &Inflow::total, "m^3", "It stops after this volume; 0: no limit.")
            .at_least(0)
            .integer("particles_per_cell", &Inflow::particles_per_cell, kParticlesPerCell)
            .range(1, 64)
            .check([](const Inflow& inflow, Check& check) {
                if (inflow.velocity == Vec3d{}) check.fail("velocity", "must not be zero");
            })
            .done();
    return table;
}

const Table& sink_table() {
    static const Table table = Fields<Sink>("sink", "Takes away the liquid inside a shape.")
                                   .table("shape", &Sink::shape, shape_table, "Where liquid goes away.")
                                   .required()
                                   .interval("active", &Sink::start, &Sink::stop, "s", "When it takes.")
                                   .done();
    return table;
}

}  // namespace

Kind liquid_kind() {
    Kind kind = entity_kind("liquid", "Liquid that is there at the start.", &Scene::liquids, liquid_table);
    kind.types[0].fixed = "it says what is there at the start; an inflow brings liquid later";
    return kind;
}
Kind inflow_kind() {
    return entity_kind("inflow", "Liquid that comes in through a shape.", &Scene::inflows, inflow_table);
}
Kind sink_kind() {
    return entity_kind("sink", "Takes away the liquid inside a shape.", &Scene::sinks, sink_table);
}

}  // namespace rivulet::scene
