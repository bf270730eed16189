#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

using obstacle::ObstacleDescription;
using obstacle::Side;
using obstacle::Wall;
using obstacle::WallCondition;
using O = ObstacleDescription;

const Table& wall_table() {
    using Words = std::vector<std::pair<std::string, WallCondition>>;
    static const Table table =
        Fields<Wall>("wall", "How liquid meets the surface of an obstacle.")
            .choice("condition", &Wall::condition,
                    Words{{"slip", WallCondition::slip},
                          {"no_slip", WallCondition::no_slip},
                          {"friction", WallCondition::friction}},
                    "Liquid slides freely, sticks, or rubs.")
            .number("friction", &Wall::friction, "Coulomb coefficient of condition \"friction\".")
            .range(0, 100)
            .boolean("separate", &Wall::separate, "Liquid may leave the wall.")
            .quantity("adhesion", &Wall::adhesion, "Pa", "Pressure that holds liquid on the wall.")
            .at_least(0)
            .check([](const Wall& w, Check& check) {
                if (w.friction > 0 && w.condition != WallCondition::friction)
                    check.fail("friction", "has no effect here", "add condition = \"friction\"");
            })
            .done();
    return table;
}

const Table& obstacle_table() {
    static const Table table =
        Fields<O>("obstacle", "A rigid or animated thing that moves as told.")
            .table("shape", &O::shape, shape_table, "Its shape.")
            .required()
            .fixed("frames already made show the old one")
            .choice("side", &O::side,
                    std::vector<std::pair<std::string, Side>>{{"outside", Side::outside},
                                                              {"inside", Side::inside}},
                    "Where liquid and strands are: \"inside\" makes it a container.")
            .table("wall", &O::wall, wall_table, "How liquid meets its surface.")
            .list("motion", &O::motion, motion_table, "Motions, applied in order.")
            .reference("parent", &O::parent, "obstacle", "The obstacle whose motion it rides on.")
            .color("color", &O::color, "Colour in pictures.")
            .boolean("visible", &O::visible, "Shown in pictures.")
            .done();
    return table;
}

}  // namespace

Kind obstacle_kind() {
    Kind kind = entity_kind("obstacle", "A rigid or animated thing that moves as told.", &Scene::obstacles,
                            obstacle_table);
    kind.types[0].closed = "frames already made would not know it";
    return kind;
}

void check_obstacle_parents(const Scene& scene, Reader& reader, const Value& root) {
    const auto& obstacles = scene.obstacles;
    // 0: not seen, 1: on the way up from the current one, 2: leads to a root.
    std::vector<char> state(obstacles.size(), 0);
    for (std::size_t start = 0; start < obstacles.size(); ++start) {
        std::vector<std::size_t> way;
        std::size_t i = start;
        while (state[i] == 0) {
            state[i] = 1;
            way.push_back(i);
            if (obstacles[i].parent < 0) break;
            i = std::size_t(obstacles[i].parent);
        }
        if (state[i] == 1 && obstacles[i].parent >= 0) {
            const Value* table = root.find("obstacle")->find(obstacles[i].name);
            const Value* parent = table->find("parent");
            reader.fail(parent ? parent->at : table->at, "obstacle." + obstacles[i].name + ".parent",
                        "parents go round in a circle");
        }
        for (const std::size_t j : way) state[j] = 2;
    }
}

}  // namespace rivulet::scene
