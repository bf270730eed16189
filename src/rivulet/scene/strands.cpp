#include <numbers>

#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

using strand::EndKind;
using strand::GroomStyle;
using strand::Repair;
using S = GroomStyle;

constexpr double kMostStrands = 1e7;

const Table& lean_table() {
    static const Table table =
        Fields<S>("lean", "How strands leave their surface.")
            .quantity("angle", &S::lean, "rad", "Between strand and surface normal.")
            .range(0, std::numbers::pi / 2)
            .direction("direction", &S::lean_direction, "Strands lean towards this.")
            .quantity("spread", &S::lean_spread, "rad", "Random tilt on top, standard deviation.")
            .range(0, std::numbers::pi / 2)
            .done();
    return table;
}

const Table& fall_table() {
    static const Table table =
        Fields<S>("fall", "Strands turn into a direction on their way.")
            .quantity("length", &S::fall_length, "m", "Length over which they turn; 0: they do not.")
            .at_least(0)
            .direction("direction", &S::fall_direction, "The direction they turn into.")
            .done();
    return table;
}

const Table& curl_table() {
    static const Table table =
        Fields<S>("curl", "Strands wind about their line.")
            .quantity("radius", &S::curl_radius, "m", "Radius of the helix; 0: no curl.")
            .at_least(0)
            .quantity("pitch", &S::curl_pitch, "m", "Way along the line of one turn.")
            .at_least(0)
            .boolean("in_phase", &S::curl_in_phase, "All helices start alike instead of at random angles.")
            .check([](const S& s, Check& check) {
                if (s.curl_radius > 0 && !(s.curl_pitch > 0))
                    check.fail("pitch", "a curl needs a pitch", "for example \"6 cm\"");
                else if (s.curl_radius > 20 * s.curl_pitch)
                    check.fail("pitch", "a curl may be 20 times as wide as its pitch at most");
            })
            .done();
    return table;
}

const Table& clump_table() {
    static const Table table =
        Fields<S>("clump", "Strands gather in tufts.")
            .integer("count", &S::clump_count, "Number of tufts; 0: none.")
            .range(0, 100'000)
            .number("strength", &S::clump_strength, "0: no pull, 1: the tips of a tuft meet.")
            .range(0, 1)
            .number("shape", &S::clump_shape, "Pull grows as (way from root / length)^shape.")
            .range(0.1, 10)
            .done();
    return table;
}

const Table& noise_table() {
    static const Table table =
        Fields<S>("noise", "Strands wander smoothly off their line.")
            .quantity("amplitude", &S::noise_amplitude, "m", "How far; 0: not at all.")
            .at_least(0)
            .quantity("length", &S::noise_length, "m", "Way along the strand of one swing.")
            .positive()
            .done();
    return table;
}

/// The keys that every generator shares.
Fields<Groom> with_style(Fields<Groom> fields) {
    const auto style = [](Groom& g) -> S& { return g.style; };
    return fields
        .quantity(
            "length", [](Groom& g) -> double& { return g.style.length; }, "m", "Length along the strand.")
        .required()
        .positive()
        .number(
            "length_spread", [](Groom& g) -> double& { return g.style.length_spread; },
            "Lengths lie evenly within length * (1 ± spread).")
        .range(0, 0.95)
        .table("lean", style, lean_table, "How strands leave their surface.")
        .table("fall", style, fall_table, "Strands turn into a direction on their way.")
        .table("curl", style, curl_table, "Strands wind about their line.")
        .table("clump", style, clump_table, "Strands gather in tufts.")
        .table("noise", style, noise_table, "Strands wander smoothly off their line.")
        .integer(
            "seed", [](Groom& g) -> std::uint64_t& { return g.style.seed; },
            "Seed of this groom's random numbers.");
}

Fields<Groom> with_count(Fields<Groom> fields) {
    return fields.integer("count", &Groom::count, "Number of strands; times detail.")
        .required()
        .range(1, kMostStrands);
}

Fields<Groom> patch_fields() {
    return with_style(
        Fields<Groom>("patch", "Strands spread evenly and without pattern over an obstacle.")
            .reference("on", &Groom::on, "obstacle", "The obstacle they grow on.")
            .required()
            .integer("count", &Groom::count, "Number of strands; times detail. 0: from the density.")
            .range(0, kMostStrands)
            .quantity("density", &Groom::density, "1/m^2", "Strands per surface; times detail.")
            .at_least(0)
            .direction("facing", &Groom::facing, "Strands grow where the surface faces this way, ...")
            .quantity("facing_angle", &Groom::facing_angle, "rad", "... up to this angle.")
            .range(0, std::numbers::pi)
            .check([](const Groom& g, Check& check) {
                if (g.count == 0 && g.density == 0)
                    check.fail("count", "missing; a patch needs a count or a density");
            }));
}

Fields<Groom> rows_fields() {
    return with_style(
        Fields<Groom>("rows", "Parallel strands on a grid.")
            .vector(
                "origin", [](Groom& g) -> Vec3d& { return g.rows.origin; }, "m", "The first root.")
            .integer(
                "columns", [](Groom& g) -> int& { return g.rows.columns; }, "Strands in a row.")
            .range(1, 1e6)
            .integer(
                "rows", [](Groom& g) -> int& { return g.rows.rows; }, "Rows.")
            .range(1, 1e6)
            .vector(
                "column_step", [](Groom& g) -> Vec3d& { return g.rows.column_step; }, "m",
                "From one root of a row to the next.")
            .vector(
                "row_step", [](Groom& g) -> Vec3d& { return g.rows.row_step; }, "m",
                "From one row to the next.")
            .direction(
                "direction", [](Groom& g) -> Vec3d& { return g.rows.direction; }, "The way strands grow.")
            .check([](const Groom& g, Check& check) {
                if (double(g.rows.columns) * double(g.rows.rows) > kMostStrands)
                    check.fail("rows", "too many strands");
            }));
}

Fields<Groom> brush_fields() {
    return with_style(
        with_count(Fields<Groom>("brush", "Bristles on a round or flat end."))
            .boolean(
                "round", [](Groom& g) -> bool& { return g.brush.round; },
                "A disc of diameter width; else a rectangle of width and depth.")
            .vector(
                "center", [](Groom& g) -> Vec3d& { return g.brush.center; }, "m",
                "Middle of the end that carries the bristles.")
            .direction(
                "direction", [](Groom& g) -> Vec3d& { return g.brush.direction; }, "The way bristles grow.")
            .direction(
                "side", [](Groom& g) -> Vec3d& { return g.brush.side; }, "The way the width runs.")
            .quantity(
                "width", [](Groom& g) -> double& { return g.brush.size.x; }, "m", "Diameter, or first side.")
            .positive()
            .quantity(
                "depth", [](Groom& g) -> double& { return g.brush.size.y; }, "m",
                "Second side of a flat brush.")
            .positive()
            .quantity(
                "splay", [](Groom& g) -> double& { return g.brush.splay; }, "rad",
                "Outward tilt of the outermost bristles.")
            .range(0, 1.5));
}

Fields<Groom> roller_fields() {
    return with_style(
        with_count(Fields<Groom>("roller", "Bristles around a cylinder."))
            .vector(
                "from", [](Groom& g) -> Vec3d& { return g.roller.from; }, "m", "One end of the axis.")
            .required()
            .vector(
                "to", [](Groom& g) -> Vec3d& { return g.roller.to; }, "m", "The other end of the axis.")
            .required()
            .quantity(
                "radius", [](Groom& g) -> double& { return g.roller.radius; }, "m", "Of the cylinder.")
            .required()
            .positive()
            .check([](const Groom& g, Check& check) {
                if (g.roller.from == g.roller.to) check.fail("to", "must differ from 'from'");
            }));
}

Fields<Groom> ball_fields() {
    return with_style(
        with_count(Fields<Groom>("ball", "Strands out of a sphere."))
            .vector(
                "center", [](Groom& g) -> Vec3d& { return g.ball.center; }, "m", "Middle of the sphere.")
            .quantity(
                "radius", [](Groom& g) -> double& { return g.ball.radius; }, "m", "Of the sphere.")
            .required()
            .positive());
}

Fields<Groom> file_fields() {
    return Fields<Groom>("file", "Strands from a file.")
        .file("file", &Groom::file, "A .hair, .obj (polylines), .ply (edges) or .usda (BasisCurves) file.")
        .required()
        .file_unit("file_unit", &Groom::file_scale, "What one unit of the file measures.")
        .vector("offset", &Groom::offset, "m", "Added to every point after scaling.")
        .boolean("radius_from_file", &Groom::radius_from_file,
                 "Take radii from the file instead of the scene.")
        .boolean("cut_anew", &Groom::cut_anew, "Cut into segments of the scene's length.");
}

const Table& groom_table() {
    static const Table table = Fields<Groom>("groom", "Where strands come from.")
                                   .variant(&Groom::type, GroomType::patch, patch_fields())
                                   .variant(&Groom::type, GroomType::rows, rows_fields())
                                   .variant(&Groom::type, GroomType::brush, brush_fields())
                                   .variant(&Groom::type, GroomType::roller, roller_fields())
                                   .variant(&Groom::type, GroomType::ball, ball_fields())
                                   .variant(&Groom::type, GroomType::file, file_fields())
                                   .done();
    return table;
}

const Table& radius_table() {
    static const Table table =
        Fields<Strands>("radius", "Half of a strand's thickness.")
            .quantity("root", &Strands::radius_root, "m", "At the root.")
            .required()
            .positive()
            .quantity("tip", &Strands::radius_tip, "m", "At the tip; 0: as at the root.")
            .at_least(0)
            .done();
    return table;
}

template <class E>
Table end_table(const char* name, const char* doc) {
    using Words = std::vector<std::pair<std::string, EndKind>>;
    return Fields<E>(name, doc)
        .choice("type", &E::kind,
                Words{{"clamp", EndKind::clamp}, {"pin", EndKind::pin}, {"free", EndKind::free}},
                "Held in place and direction, in place only, or not at all.")
        .reference("to", &E::to, "obstacle", "The obstacle they follow.")
        .quantity("release", &E::release, "s", "When they are let go.")
        .done();
}
const Table& root_table() {
    static const Table table = end_table<StrandRoot>("root", "How the roots are held.");
    return table;
}
const Table& tip_table() {
    static const Table table = end_table<StrandEnd>("tip", "How the tips are held.");
    return table;
}

const Table& twist_table() {
    using obstacle::Ease;
    using Words = std::vector<std::pair<std::string, Ease>>;
    static const Table table =
        Fields<TwistScript>("twist", "Turns clamped ends about their own direction, root to tip.")
            .keys("keys", &TwistScript::angle, "rad", "Angle at each time; held outside the keys.")
            .required()
            .choice(
                "ease", [](TwistScript& t) -> Ease& { return t.angle.ease; },
                Words{{"smooth", Ease::smooth}, {"linear", Ease::linear}, {"hold", Ease::hold}},
                "Between keys: smooth (monotone cubic), linear, or hold.")
            .done();
    return table;
}

const Table& film_table() {
    using F = StartFilm;
    static const Table table =
        Fields<F>("strands film", "Liquid on the strands at the start, and what runs onto them.")
            .reference("liquid", &F::liquid, "liquid material", "The liquid.")
            .required()
            .quantity("thickness", &F::thickness, "m", "How thick it coats them; or say its area.")
            .positive()
            .only_if([](const F& f) { return f.thickness > 0; })
            .quantity("area", &F::area, "m^2", "Cross-section of the liquid alone; or say its thickness.")
            .positive()
            .only_if([](const F& f) { return f.area > 0; })
            .number("from", &F::from, "Where it begins, as part of the length from the root.")
            .range(0, 1)
            .number("to", &F::to, "Where it ends.")
            .range(0, 1)
            .quantity("feed", &F::feed, "m^3/s", "Runs onto the root of each strand.")
            .at_least(0)
            .only_if([](const F& f) { return f.feed > 0; })
            .check([](const F& f, Check& check) {
                if (f.thickness > 0 && f.area > 0)
                    check.fail("area", "thickness and area are both given", "leave one of them out");
                if (!(f.thickness > 0) && !(f.area > 0) && !(f.feed > 0))
                    check.fail("thickness", "missing; a film needs a thickness or an area",
                               "for example \"20 um\"");
                if (!(f.from < f.to)) check.fail("to", "must be larger than 'from'");
            })
            .done();
    return table;
}

void check_motions(const Strands& s, Check& check) {
    const auto refuse_meshes = [&](const std::vector<obstacle::Motion>& motion, const char* key,
                                   const char* who) {
        for (const obstacle::Motion& m : motion)
            if (m.type == obstacle::MotionType::meshes)
                check.fail(key, std::string(who) + " cannot follow a sequence of meshes",
                           "let them follow an obstacle that does");
    };
    refuse_meshes(s.motion, "motion", "roots");
    refuse_meshes(s.tip_motion, "tip_motion", "tips");
}

/// Tips are free unless the scene says otherwise, so what a free one is told is most likely a slip.
void check_tip(const Strands& s, Check& check) {
    const char* held = "add tip = { type = \"clamp\" }";
    if (s.tip.kind == EndKind::free) {
        if (s.tip.to >= 0) check.fail("tip", "'to' has no effect on free tips", held);
        if (!s.tip_motion.empty()) check.fail("tip_motion", "has no effect on free tips", held);
    }
    if (s.tip.kind != EndKind::clamp && !s.tip_twist.empty())
        check.fail("tip_twist", "only clamped tips can be turned", held);
}

constexpr auto kMade = "strands are made at the start";

const Table& strands_table() {
    using Rests = std::vector<std::pair<std::string, RestShape>>;
    using Repairs = std::vector<std::pair<std::string, Repair>>;
    static const Table table =
        Fields<Strands>("strands", "Hair, fur, bristles or noodles: elastic rods.")
            .reference("material", &Strands::material, "strand material", "What they are made of.")
            .required()
            .fixed(kMade)
            .table(
                "radius", [](Strands& s) -> Strands& { return s; }, radius_table,
                "Half of a strand's thickness.")
            .required()
            .fixed(kMade)
            .quantity("segment", &Strands::segment, "m", "Length of a segment; divided by detail.")
            .required()
            .positive()
            .fixed(kMade)
            .number("aspect", &Strands::aspect,
                    "Thickness across over thickness: an elliptic cross-section. 1: round.")
            .range(0.01, 100)
            .fixed(kMade)
            .choice("rest", &Strands::rest,
                    Rests{{"as_groomed", RestShape::as_groomed},
                          {"straight", RestShape::straight},
                          {"sag_free", RestShape::sag_free}},
                    "Shape without load: the groom, a straight line, or the one that gravity bends into the "
                    "groom.")
            .fixed(kMade)
            .choice("faults", &Strands::faults,
                    Repairs{{"refuse", Repair::refuse}, {"drop", Repair::drop}, {"mend", Repair::mend}},
                    "What to do with strands that cannot be: stop, leave them out, or mend them.")
            .fixed(kMade)
            .table("root", &Strands::root, root_table, "How the roots are held.")
            .fixed(kMade)
            .table("tip", &Strands::tip, tip_table, "How the tips are held.")
            .fixed(kMade)
            .table("film", &Strands::film, film_table, "Liquid on them at the start.")
            .only_if([](const Strands& s) { return s.film.liquid >= 0; })
            .fixed(kMade)
            .table("groom", &Strands::groom, groom_table, "Where they come from.")
            .required()
            .fixed(kMade)
            .list("motion", &Strands::motion, motion_table, "Motions of the roots, applied in order.")
            .list("twist", &Strands::twist, twist_table, "Turns of the roots about their own direction.")
            .list("tip_motion", &Strands::tip_motion, motion_table,
                  "Motions of held tips, from where they are at the start, applied in order.")
            .list("tip_twist", &Strands::tip_twist, twist_table,
                  "Turns of clamped tips about their own direction.")
            .check(check_motions)
            .check(check_tip)
            .done();
    return table;
}

}  // namespace

Kind strands_kind() {
    Kind kind = entity_kind("strands", "Hair, fur, bristles or noodles: elastic rods.", &Scene::strands,
                            strands_table);
    kind.types[0].closed = kMade;
    return kind;
}

}  // namespace rivulet::scene
