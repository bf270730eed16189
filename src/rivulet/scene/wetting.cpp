#include <string>
#include <utility>
#include <vector>

#include <rivulet/scene/kind.h>

namespace rivulet::scene {

const Table& wetting_table() {
    using coupling::DragLaw;
    using world::CaptureLimit, world::WetModel;
    static const Table table =
        Fields<WetModel>("wetting",
                         "How strands and the liquid around them meet. Each key switches one part of it.")
            .boolean("drag", &WetModel::drag, "Liquid and strands pull each other along.")
            .choice(
                "drag_law", &WetModel::law,
                std::vector<std::pair<std::string, DragLaw>>{{"automatic", DragLaw::automatic},
                                                             {"cylinder", DragLaw::cylinder},
                                                             {"di_felice", DragLaw::di_felice},
                                                             {"darcy", DragLaw::darcy},
                                                             {"constant", DragLaw::constant}},
                "How hard: a cylinder at any Reynolds number (automatic for Newtonian liquids); Di Felice "
                "with Renaud's coefficient (automatic for all others); Darcy and Forchheimer's law of a "
                "bundle (Fei et al. 2017); or one coefficient (for comparison, Fei et al. 2019, fig. 9).")
            .number("drag_coefficient", &WetModel::drag_coefficient, "Of drag_law = \"constant\".")
            .at_least(0)
            .boolean("pressure", &WetModel::pressure,
                     "Strands feel the liquid's pressure, so that they float or sink.")
            .boolean(
                "volume_fraction", &WetModel::volume,
                "Strands take the place of liquid, which rises around them and runs faster between them.")
            .choice("capture", &WetModel::capture,
                    std::vector<std::pair<std::string, CaptureLimit>>{
                        {"none", CaptureLimit::none},
                        {"holding", CaptureLimit::holding},
                        {"landau_levich", CaptureLimit::landau_levich}},
                    "Liquid that strands take up as films where they leave it or it runs over them: nothing; "
                    "up to what they hold before a drop falls; or no more than a film that is drawn out of a "
                    "bath at that speed (1.34 r Ca^(2/3)).")
            .done();
    return table;
}

}  // namespace rivulet::scene
