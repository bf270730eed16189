#include <rivulet/io/usda_file.h>

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <utility>

#include <rivulet/io/basis_curves.h>
#include <rivulet/io/refuse.h>
#include <rivulet/io/usda_tokens.h>

namespace rivulet::io {
namespace {

constexpr int kDeepestPrim = 64;
using Kind = UsdaTokenKind;

class UsdaCurveParser {
 public:
    UsdaCurveParser(std::string_view text, const std::string& name, int samples)
        : tokens_(text, name), samples_(samples) {}

    CurveArrays parse() {
        if (tokens_.peek().is('(')) {
            tokens_.take();
            read_stage_metadata();
        }
        while (tokens_.peek().kind != Kind::end) read_member(nullptr, 0);
        if (out_.curve_count() == 0) tokens_.refuse(0, "no BasisCurves with points");
        if (!out_.radius.empty() && out_.radius.size() != out_.position.size())
            tokens_.refuse(0, "some BasisCurves have widths and some have none");
        if (z_up_)
            for (Vec3d& p : out_.position) p = {p.x, p.z, -p.y};
        return std::move(out_);
    }

 private:
    /// What a prim has said so far.
    struct Prim {
        BasisCurves curves;
        bool is_curves = false;
        bool is_cubic = true;  // the schema's defaults: cubic, bezier
        CurveBasis basis = CurveBasis::bezier;
        bool has_points = false, has_counts = false, moved = false;
    };

    void read_stage_metadata() {
        for (int depth = 1; depth > 0;) {
            const UsdaToken t = tokens_.take();
            if (t.kind == Kind::end) tokens_.refuse(t.line, "the stage metadata has no end");
            if (t.is('(') || t.is('[') || t.is('{')) ++depth;
            if (t.is(')') || t.is(']') || t.is('}')) --depth;
            if (depth != 1 || t.kind != Kind::word || !tokens_.peek().is('=')) continue;
            tokens_.take();
            if (t.is("metersPerUnit")) out_.metres_per_unit = number();
            if (t.is("upAxis")) z_up_ = tokens_.peek().text == "Z";
        }
        if (!(out_.metres_per_unit >= 0 && out_.metres_per_unit < 1e30))
            tokens_.refuse(0, "metersPerUnit must be positive");
    }

    /// A prim or a property inside `prim` (null at the top of the file).
    void read_member(Prim* prim, int depth) {
        const UsdaToken& t = tokens_.peek();
        if (t.is(';')) {
            tokens_.take();
        } else if (t.is("def") || t.is("over") || t.is("class")) {
            read_prim(depth);
        } else if (t.kind == Kind::word) {
            read_property(prim);
        } else {
            tokens_.refuse(t.line, fmt::format("unexpected '{}'", t.text.substr(0, 40)));
        }
    }

    void read_prim(int depth) {
        const UsdaToken specifier = tokens_.take();
        if (depth >= kDeepestPrim) tokens_.refuse(specifier.line, "prims are nested too deep");
        std::string_view type;
        if (tokens_.peek().kind == Kind::word) type = tokens_.take().text;
        if (tokens_.take().kind != Kind::text) tokens_.refuse(specifier.line, "a prim needs a quoted name");
        if (tokens_.peek().is('(')) {
            tokens_.take();
            tokens_.skip_group();
        }
        tokens_.expect('{');
        if (!specifier.is("def")) return tokens_.skip_group();
        Prim prim;
        prim.is_curves = type == "BasisCurves";
        const std::size_t before = out_.curve_count();
        while (!tokens_.peek().is('}')) {
            if (tokens_.peek().kind == Kind::end) tokens_.refuse(specifier.line, "a prim has no end");
            read_member(&prim, depth + 1);
        }
        tokens_.take();
        if (prim.is_curves) add_curves(prim, specifier.line);
        if (prim.moved && out_.curve_count() > before)
            tokens_.refuse(specifier.line, "curves under a prim that is moved by xformOps",
                           "write the points in world space");
    }

    void read_property(Prim* prim) {
        std::string_view name = tokens_.take().text;
        const int line = tokens_.peek().line;
        while (!tokens_.peek().is('=')) {
            const UsdaToken& t = tokens_.peek();
            if (t.kind == Kind::end || t.is('}') || t.is(';') || t.starts_line) return;
            if (t.is('(')) {
                tokens_.take();
                return tokens_.skip_group();
            }
            if (t.kind == Kind::word) name = t.text;
            const bool fits = t.kind == Kind::word || t.kind == Kind::text || t.is('[') || t.is(']');
            if (!fits) tokens_.refuse(t.line, fmt::format("unexpected '{}'", t.text.substr(0, 40)));
            tokens_.take();
        }
        tokens_.take();
        if (!prim || !read_known_value(*prim, name, line)) skip_value();
        if (!tokens_.peek().is('(')) return;
        tokens_.take();
        if (prim && (name == "widths" || name == "primvars:widths"))
            read_width_metadata(*prim);
        else
            tokens_.skip_group();
    }

    /// False when the value is still to be skipped.
    bool read_known_value(Prim& prim, std::string_view name, int line) {
        if (tokens_.peek().is("None")) return false;
        if (name == "xformOpOrder") {
            tokens_.expect('[');
            prim.moved = !tokens_.peek().is(']');
            tokens_.skip_group();
            return true;
        }
        if (!prim.is_curves) return false;
        if (name == "points") {
            prim.curves.point = points();
            prim.has_points = true;
        } else if (name == "curveVertexCounts") {
            prim.curves.vertex_count = counts();
            prim.has_counts = true;
        } else if (name == "widths" || name == "primvars:widths") {
            prim.curves.width = numbers();
        } else if (name == "type") {
            prim.is_cubic = choice(line, {"linear", "cubic"}) == 1;
        } else if (name == "basis") {
            constexpr CurveBasis kBases[] = {CurveBasis::bezier, CurveBasis::bspline,
                                             CurveBasis::catmull_rom};
            prim.basis = kBases[choice(line, {"bezier", "bspline", "catmullRom"})];
        } else if (name == "wrap") {
            prim.curves.wrap =
                choice(line, {"nonperiodic", "pinned"}) == 1 ? CurveWrap::pinned : CurveWrap::nonperiodic;
        } else {
            return false;
        }
        return true;
    }

    std::size_t choice(int line, std::initializer_list<std::string_view> allowed) {
        const UsdaToken t = tokens_.take();
        std::size_t i = 0;
        for (const std::string_view a : allowed) {
            if (t.kind == Kind::text && t.text == a) return i;
            ++i;
        }
        tokens_.refuse(line, fmt::format("'{}' is not supported for strands", t.text.substr(0, 40)));
    }

    void skip_value() {
        UsdaToken t = tokens_.take();
        if (t.is('(') || t.is('[') || t.is('{')) tokens_.skip_group();
        while (tokens_.peek().kind == Kind::path && !tokens_.peek().starts_line) tokens_.take();
    }

    void read_width_metadata(Prim& prim) {
        for (int depth = 1; depth > 0;) {
            const UsdaToken t = tokens_.take();
            if (t.kind == Kind::end) tokens_.refuse(t.line, "the file ends inside brackets");
            if (t.is('(') || t.is('[') || t.is('{')) ++depth;
            if (t.is(')') || t.is(']') || t.is('}')) --depth;
            if (depth != 1 || !t.is("interpolation")) continue;
            tokens_.expect('=');
            prim.curves.width_interpolation = tokens_.take().text;
        }
    }

    double number() {
        const UsdaToken t = tokens_.take();
        if (t.kind == Kind::number) return t.value;
        if (t.is("inf")) return HUGE_VAL;
        if (t.is("nan")) return std::nan("");
        tokens_.refuse(t.line, fmt::format("expected a number instead of '{}'", t.text.substr(0, 40)));
    }

    /// Calls item() for each entry of a bracketed list; a trailing comma is allowed.
    template <class F>
    void list(F&& item) {
        tokens_.expect('[');
        while (!tokens_.peek().is(']')) {
            item();
            if (!tokens_.peek().is(']')) tokens_.expect(',');
        }
        tokens_.take();
    }
    std::vector<Vec3d> points() {
        std::vector<Vec3d> values;
        list([&] {
            Vec3d p;
            tokens_.expect('(');
            for (int i = 0; i < 3; ++i) {
                p[i] = number();
                if (i < 2) tokens_.expect(',');
            }
            tokens_.expect(')');
            values.push_back(p);
        });
        return values;
    }
    std::vector<double> numbers() {
        std::vector<double> values;
        list([&] { values.push_back(number()); });
        return values;
    }
    std::vector<std::int64_t> counts() {
        std::vector<std::int64_t> values;
        list([&] {
            const int line = tokens_.peek().line;
            const double n = number();
            if (!(n >= 0 && n < 1e9) || n != std::floor(n))
                tokens_.refuse(line, "a vertex count must be a whole number");
            values.push_back(static_cast<std::int64_t>(n));
        });
        return values;
    }

    void add_curves(Prim& prim, int line) {
        if (!prim.has_points || !prim.has_counts)
            tokens_.refuse(line, "BasisCurves without points or curveVertexCounts",
                           "time samples alone are not read: write default values");
        prim.curves.basis = prim.is_cubic ? prim.basis : CurveBasis::linear;
        if (const std::string complaint = complaint_about(prim.curves); !complaint.empty())
            tokens_.refuse(line, complaint);
        append_polylines(prim.curves, samples_, out_);
    }

    UsdaTokens tokens_;
    int samples_;
    CurveArrays out_;
    bool z_up_ = false;
};

}  // namespace

CurveArrays parse_usda_curves(std::string_view text, const std::string& name, int samples_per_segment) {
    if (text.substr(0, 5) != "#usda")
        refuse_file(name, 0, "not a .usda text file",
                    "it must begin with #usda; convert .usd and .usdc files to text");
    return UsdaCurveParser(text, name, samples_per_segment).parse();
}

}  // namespace rivulet::io
