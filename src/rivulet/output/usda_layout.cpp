#include <rivulet/output/usda_layout.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <rivulet/output/csv.h>

namespace rivulet::output {

namespace {

using Kind = UsdaLayout::Prim::Kind;

/// The kind of a row that is a liquid, behind those of prims.
constexpr int kLiquidRow = 3;

/// Those of a list with spaces that USD takes.
std::vector<std::string> names(const std::string& list) {
    std::vector<std::string> found;
    std::istringstream words(list);
    for (std::string word; words >> word;)
        if (usda_name(word) == word) found.push_back(word);
    return found;
}

}  // namespace

std::string usda_name(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (digit && out.empty()) out += '_';
        out += digit || letter ? c : '_';
    }
    return out.empty() ? "_" : out;
}

UsdaLayout::Prim& UsdaLayout::prim(Prim::Kind kind, const std::string& name, const Vec3f& colour) {
    const auto found =
        std::find_if(prims_.begin(), prims_.end(), [&](const Prim& p) { return p.name == usda_name(name); });
    if (found != prims_.end()) return *found;
    Prim& made = prims_.emplace_back();
    made.kind = kind;
    made.name = usda_name(name);
    made.colour = colour;
    return made;
}

void UsdaLayout::include(const ExportFrame& frame) {
    for (std::size_t l = liquids_.size(); l < frame.liquids.size(); ++l) {
        liquids_.push_back(frame.liquids[l]);
        liquids_.back().name = usda_name(liquids_.back().name);
    }
    const bool several = liquids_.size() > 1;
    for (const ExportPoints& points : frame.points) {
        Prim& p = prim(Kind::points, points.name, points.colour);
        p.velocity |= !points.velocity.empty();
        p.id |= !points.id.empty();
        p.material |= several && points.liquid && !points.material.empty();
    }
    for (const ExportMesh& m : frame.meshes) {
        Prim& p = prim(Kind::mesh, m.name, m.colour);
        p.velocity |= !m.velocity.empty();
        p.saturation |= !m.saturation.empty();
        p.material |= several && !m.material.empty();
        p.liquid |= m.liquid;
    }
    for (const ExportCurves& c : frame.curves) {
        Prim& p = prim(Kind::curves, c.name, c.colour);
        p.velocity |= !c.velocity.empty();
        for (const ExportNumbers& n : c.numbers)
            if (std::find(p.numbers.begin(), p.numbers.end(), n.name) == p.numbers.end())
                p.numbers.push_back(n.name);
        p.id |= !c.id.empty();
    }
}

std::string UsdaLayout::csv() const {
    std::string out = "kind,name,red,green,blue,velocity,saturation,id,material,liquid,numbers\n";
    for (const Prim& p : prims_)
        out += fmt::format("{},{},{},{},{},{:d},{:d},{:d},{:d},{:d},{}\n", int(p.kind), p.name, p.colour.x,
                           p.colour.y, p.colour.z, p.velocity, p.saturation, p.id, p.material, p.liquid,
                           fmt::join(p.numbers, " "));
    for (const ExportLiquid& l : liquids_)
        out += fmt::format("{},{},{},{},{},{:d},0,0,0,0,\n", kLiquidRow, l.name, l.colour.x, l.colour.y,
                           l.colour.z, l.opaque);
    return out;
}

UsdaLayout UsdaLayout::parse_csv(std::string_view text) {
    UsdaLayout layout;
    for (const auto& row : output::parse_csv(text).rows) {
        const auto number = [&](std::size_t i) { return std::strtof(row[i].c_str(), nullptr); };
        const auto flag = [&](std::size_t i) { return row[i] == "1"; };
        if (row.size() != 11 || row[0].size() != 1 || usda_name(row[1]) != row[1]) continue;
        const int kind = row[0][0] - '0';
        const Vec3f colour{number(2), number(3), number(4)};
        if (kind == kLiquidRow)
            layout.liquids_.push_back({row[1], colour, flag(5)});
        else if (kind >= 0 && kind < kLiquidRow)
            layout.prims_.push_back(
                {Kind(kind), row[1], colour, flag(5), flag(6), flag(7), flag(8), flag(9), names(row[10])});
    }
    return layout;
}

}  // namespace rivulet::output
