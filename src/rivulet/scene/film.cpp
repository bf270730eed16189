#include <string>
#include <utility>
#include <vector>

#include <rivulet/scene/kind.h>

namespace rivulet::scene {

const Table& film_behaviour_table() {
    using film::Carry, film::FrictionLaw;
    static const Table table =
        Fields<Film>("film", "How films on strands behave. Each key switches one part of it.")
            .boolean("flow", &Film::flow,
                     "Films run along their strands; otherwise they only weigh on them and wet them.")
            .boolean("dripping", &Film::dripping,
                     "What a strand cannot hold, and what runs off its tip, leaves as drops.")
            .boolean("inertia", &Film::inertia,
                     "Films feel how their strands move, and strands how films do; otherwise gravity alone "
                     "moves films, and strands feel them as dead weight.")
            .choice("momentum", &Film::momentum,
                    std::vector<std::pair<std::string, Carry>>{{"transported", Carry::mixture},
                                                               {"rescaled", Carry::rescaled}},
                    "Liquid takes the strand's velocity along as it runs; or momentum stays where it was, "
                    "which bends strands that nothing pushes (for comparison, Fei et al. 2017, figs. 9, 10).")
            .boolean("surface_tension", &Film::surface_tension,
                     "Surface tension along the strands, which draws films into beads. Needs segments no "
                     "longer than the coated strand's radius.")
            .boolean("across", &Film::across,
                     "Bridges between strands lead liquid from the thicker film to the thinner one.")
            .choice(
                "friction", [](Film& f) -> FrictionLaw& { return f.friction.law; },
                std::vector<std::pair<std::string, FrictionLaw>>{{"exact", FrictionLaw::annular},
                                                                 {"papers", FrictionLaw::fei_2019}},
                "Exact flow of the film around a round strand; or the planar law of Fei et al. 2019 "
                "(eq. 4 to 6).")
            .quantity(
                "slip_length", [](Film& f) -> double& { return f.friction.slip_length; }, "m",
                "Of friction = \"papers\".")
            .at_least(0)
            .done();
    return table;
}

}  // namespace rivulet::scene
