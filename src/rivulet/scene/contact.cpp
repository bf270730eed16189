#include <algorithm>
#include <numbers>

#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

using P = ContactPair;
using world::Cohesion;
using world::ContactLaw;

const Table& friction_table() {
    static const Table table =
        Fields<P>("pair friction", "Coulomb coefficients of a pair.")
            .number("dry", &P::friction_dry, "Where both are dry. Left out: by the rule for any two.")
            .range(0, 100)
            .only_if([](const P& p) { return p.friction_dry >= 0; })
            .number("wet", &P::friction_wet, "The same when wet.")
            .range(0, 100)
            .only_if([](const P& p) { return p.friction_wet >= 0; })
            .done();
    return table;
}

const Table& pair_table() {
    static const Table table =
        Fields<P>("pair",
                  "Two that touch otherwise than the rule has it. The rule: between two strand materials the "
                  "geometric mean of their friction, and each has its own contact angle; on an obstacle a "
                  "strand has its own friction, and its contact angle counts for both.")
            .names("materials", &P::materials, {"strand material", "obstacle"},
                   "Two strand materials (or one with itself), or a strand material and an obstacle; "
                   "\"obstacle.name\" where a strand material has the same name.")
            .required()
            .table(
                "friction", [](P& p) -> P& { return p; }, friction_table, "Coulomb coefficients of the pair.")
            .by_name("contact_angle", &P::contact_angle, "liquid material", "rad",
                     "Contact angle of a liquid on both of them; liquids left out: by the rule.")
            .at_least(0)
            .below(std::numbers::pi)
            .check([](const P& p, Check& check) {
                if (p.materials[0].kind == P::obstacle && p.materials[1].kind == P::obstacle)
                    check.fail("materials", "two obstacles: nothing between them is computed",
                               "one of the two must be a strand material");
            })
            .done();
    return table;
}

const Table& penalty_table() {
    using Penalty = world::PenaltyModel;
    static const Table table =
        Fields<Penalty>(
            "contact penalty",
            "The springs of law = \"penalty\". What presses strands together harder than stiffness "
            "times distance, or moves them by a diameter in a step, passes through.")
            .quantity("stiffness", &Penalty::stiffness, "Pa",
                      "Force per length of strand and per distance, below the sum of radii.")
            .positive()
            .number("rest_gap", &Penalty::rest_gap,
                    "Gap at which the force is 0, in radii. Bridges act from twice this gap on.")
            .range(0.01, 100)
            .done();
    return table;
}

/// The same for both orders.
std::array<NamedEntity, 2> sorted(std::array<NamedEntity, 2> pair) {
    const auto key = [](const NamedEntity& e) { return std::pair(e.kind, e.index); };
    if (key(pair[1]) < key(pair[0])) std::swap(pair[0], pair[1]);
    return pair;
}

void refuse_repeated(const Contact& contact, Check& check) {
    for (std::size_t i = 0; i < contact.pairs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (sorted(contact.pairs[i].materials) == sorted(contact.pairs[j].materials))
                return check.reader().fail(check.written("pair")->items[i].at,
                                           check.path_of("pair") + "." + std::to_string(i) + ".materials",
                                           "the same two as in pair " + std::to_string(j),
                                           "write one entry for them");
}

}  // namespace

const Table& contact_table() {
    static const Table table =
        Fields<Contact>("contact", "How strands meet each other and obstacles.")
            .choice(
                "law", &Contact::law,
                std::vector<std::pair<std::string, ContactLaw>>{
                    {"cone", ContactLaw::cone}, {"penalty", ContactLaw::penalty}, {"none", ContactLaw::none}},
                "Exact Coulomb cones without tunnelling; springs over the distance, without friction, "
                "which hard or fast strands pass through (for comparison, Fei et al. 2017); or nothing: "
                "they pass through.")
            .choice("cohesion", &Contact::cohesion,
                    std::vector<std::pair<std::string, Cohesion>>{{"bridge", Cohesion::bridge},
                                                                  {"hysteresis", Cohesion::hysteresis},
                                                                  {"none", Cohesion::none}},
                    "Liquid between wet strands pulls at every gap while its bridge lives; holds only what "
                    "separates; or does nothing.")
            .quantity("margin", &Contact::margin, "m", "Kept between surfaces, on top of the radii.")
            .at_least(0)
            .number("tolerance", &Contact::tolerance, "Relative residual of the cones.")
            .range(1e-10, 1)
            .integer("rounds", &Contact::rounds,
                     "How often cones and strands are solved in turn in a step, at most.")
            .range(1, 100)
            .table("penalty", &Contact::penalty, penalty_table, "The springs of law = \"penalty\".")
            .list("pair", &Contact::pairs, pair_table,
                  "Pairs that touch otherwise than the rule for any two has it.")
            .check(refuse_repeated)
            .done();
    return table;
}

}  // namespace rivulet::scene
