#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <rivulet/base/error.h>
#include <rivulet/base/units.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/new_file.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/scene/catalogue.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/reader.h>
#include <rivulet/scene/shelf.h>
#include <rivulet/verify/report.h>

namespace rivulet::cli {

namespace {

struct Arguments {
    std::string name, plot;
    bool json = false, overwrite = false;
};

/// Every number in SI.
nlohmann::ordered_json json_of(const scene::ShelfMaterial& m) {
    nlohmann::ordered_json out{{"name", m.name}, {"type", m.type}};
    for (const scene::ShelfValue& value : m.values)
        if (value.si)
            out[value.key] = *value.si;
        else
            out[value.key] = value.text;
    return out;
}

/// What sets it apart, on one line: no zeros and no usual plain numbers.
std::string line_of(const scene::ShelfMaterial& m) {
    std::string out;
    for (const std::string& key : m.headline) {
        const scene::ShelfValue* value = m.find(key);
        const bool tells =
            value && value->si.value_or(1) != 0 && !(value->usual && value->text == shortest(*value->si));
        if (tells) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key, value->brief);
    }
    return out;
}

/// Stress against rate, both in decades.
std::string flow_curve_plot(const liquid::LiquidMaterial& m) {
    const liquid::FlowCurve law = liquid::flow_curve(m);
    if (!(law.consistency > 0))
        throw InputError(Problem{"", 0, 0, "", fmt::format("'{}' has no viscosity to draw", m.name), ""});
    verify::Plot plot{m.name, "shear rate [1/s]", "shear stress [Pa]", {}, true, true};
    verify::Curve flow{"flow curve", {}, {}}, yield{"yield stress", {}, {}};
    for (int i = 0; i <= 120; ++i) {
        const double rate = std::pow(10, -3 + i / 20.0);
        flow.x.push_back(rate);
        flow.y.push_back(law.stress(rate));
        yield.x.push_back(rate);
        yield.y.push_back(law.yield_stress);
    }
    plot.curves.push_back(std::move(flow));
    if (law.yield_stress > 0) plot.curves.push_back(std::move(yield));
    return verify::svg_plot(plot);
}

void draw(const Arguments& a) {
    if (a.name.empty())
        throw InputError(Problem{"", 0, 0, "--plot", "draws one material",
                                 "for example: rivulet materials ketchup --plot ketchup.svg"});
    if (!a.plot.ends_with(".svg"))
        throw InputError(Problem{"", 0, 0, "--plot", fmt::format("'{}' does not end in .svg", a.plot),
                                 "plots are drawn as SVG, which browsers show"});
    const liquid::LiquidMaterial* liquid = scene::find_liquid(a.name);
    if (!liquid)
        throw InputError(Problem{"", 0, 0, "--plot", fmt::format("'{}' does not flow", a.name),
                                 "liquids have a flow curve"});
    write_new_file(flow_curve_plot(*liquid), a.plot, a.overwrite);
}

void show_materials(const Arguments& a) {
    const auto names = scene::material_names();
    if (!a.name.empty() && std::find(names.begin(), names.end(), a.name) == names.end())
        throw InputError(Problem{"", 0, 0, "", fmt::format("no material is called '{}'", a.name),
                                 scene::suggestion(a.name, names)});
    if (!a.plot.empty()) return draw(a);
    for (const scene::ShelfMaterial& m : scene::shelf()) {
        if (!a.name.empty() && m.name != a.name) continue;
        if (a.json)
            say_json(json_of(m));
        else if (!a.name.empty())
            say("{}", scene::material_text(m.name));
        else
            say("{:20} {:8} {}\n", m.name, m.type, line_of(m));
    }
}

}  // namespace

void add_materials_command(CommandLine& program) {
    auto a = std::make_shared<Arguments>();
    Command c = program.add("materials", "the materials a scene may name\nexample: rivulet materials water");
    c.option("name", a->name, "one material in full, as a scene would write it");
    c.option("--plot", a->plot, "draw its flow curve, stress against rate, into this SVG file");
    c.flag("--overwrite", a->overwrite, "replace an existing file");
    c.flag("--json", a->json, "JSON, one object per line, on standard output");
    c.does([a] {
        show_materials(*a);
        return kDone;
    });
}

}  // namespace rivulet::cli
