#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/printable.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/info.h>
#include <rivulet/cli/shipped_scenes.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/scene/catalogue.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/reader.h>
#include <rivulet/verify/report.h>

namespace rivulet::cli {

namespace {

namespace fs = std::filesystem;

struct SceneArguments {
    std::string target, out, plot;
    std::vector<std::string> settings;
    bool json = false, overwrite = false;
};

/// Never over an existing file unless asked.
void write_file(const std::string& text, const std::string& file, bool overwrite) {
    if (fs::exists(file) && !overwrite)
        throw InputError(Problem{file, 0, 0, "", "exists already", "choose another name or add --overwrite"});
    io::write_atomically(io::real_file_system(), file, text);
    note("written: {}\n", file);
}

void deliver(const std::string& text, const SceneArguments& a) {
    if (a.out.empty())
        say("{}", text);
    else
        write_file(text, a.out, a.overwrite);
}

void new_scene(const SceneArguments& a) {
    std::string text = scene::template_scene(a.target.empty() ? scene::templates().front().name : a.target);
    deliver(text, a);
    if (a.out.empty()) return;
    // The schema lies beside the scene, where the first line of the template looks for it.
    const fs::path schema = fs::path(a.out).parent_path() / "rivulet.schema.json";
    io::write_atomically(io::real_file_system(), schema, scene::json_schema());
    note("next: rivulet run {} -o out/{}\n", a.out, fs::path(a.out).stem().string());
}

void list_scenes(bool json) {
    for (const ShippedScene& s : shipped_scenes())
        if (json)
            say_json(nlohmann::ordered_json{{"name", s.name}, {"title", s.title}, {"path", s.path.string()}});
        else
            say("{:28} {}\n{:28} {}\n", s.name, printable(s.title), "", s.path.string());
}

nlohmann::ordered_json material_json(const liquid::LiquidMaterial& m) {
    return {{"name", m.name},
            {"density", m.density},
            {"viscosity", m.viscosity},
            {"surface_tension", m.surface_tension},
            {"yield_stress", m.yield_stress},
            {"consistency", m.consistency},
            {"flow_index", m.flow_index},
            {"shear_modulus", m.shear_modulus},
            {"bulk_modulus", m.bulk_modulus},
            {"source", m.source}};
}

/// "0.001 Pa*s", or "32 Pa + 18.7 Pa*s^0.27" with a yield stress.
std::string flow_text(const liquid::LiquidMaterial& m) {
    if (m.yield_stress == 0 && m.flow_index == 1)
        return fmt::format("{:.4g} Pa*s", liquid::flow_curve(m).consistency);
    return fmt::format("{:.4g} Pa + {:.4g} Pa*s^{:.4g}", m.yield_stress, m.consistency, m.flow_index);
}

nlohmann::ordered_json material_json(const strand::StrandMaterial& m) {
    return {{"name", m.name},
            {"density", m.density},
            {"youngs_modulus", m.youngs_modulus},
            {"shear_modulus", m.shear()},
            {"poisson_ratio", m.poisson_ratio},
            {"internal_viscosity", m.internal_viscosity},
            {"friction_dry", m.friction_dry},
            {"friction_wet", m.friction_wet},
            {"contact_angle", m.contact_angle},
            {"source", m.source}};
}

void print_material(const strand::StrandMaterial& m) {
    say("{}  (strands)\n  density          {:.6g} kg/m^3\n  Young's modulus  {:.6g} Pa\n", m.name, m.density,
        m.youngs_modulus);
    say("  shear modulus    {:.6g} Pa\n  Poisson ratio    {:.6g}\n", m.shear(), m.poisson_ratio);
    say("  viscosity        {:.6g} Pa*s\n  friction         {:.4g} dry, {:.4g} wet\n", m.internal_viscosity,
        m.friction_dry, m.friction_wet);
    say("  contact angle    {:.4g} deg\n  source           {}\n", m.contact_angle * 180 / std::numbers::pi,
        m.source);
}

void print_line(const strand::StrandMaterial& m) {
    say("{:24} {:8.5g} kg/m^3  {:>32}  strands\n", m.name, m.density,
        fmt::format("{:.4g} Pa", m.youngs_modulus));
}

void print_line(const liquid::LiquidMaterial& m) {
    say("{:24} {:8.5g} kg/m^3  {:>32}  {:7.4g} N/m\n", m.name, m.density, flow_text(m), m.surface_tension);
}

void print_material(const liquid::LiquidMaterial& m) {
    say("{}\n  density          {:.6g} kg/m^3\n", m.name, m.density);
    if (m.yield_stress > 0 || m.shear_modulus > 0)
        say("  yield stress     {:.6g} Pa\n  consistency      {:.6g} Pa*s^{:.4g}\n", m.yield_stress,
            m.consistency, m.flow_index);
    else
        say("  viscosity        {:.6g} Pa*s\n", m.viscosity);
    if (m.shear_modulus > 0) say("  shear modulus    {:.6g} Pa\n", m.shear_modulus);
    if (m.bulk_modulus > 0) say("  bulk modulus     {:.6g} Pa\n", m.bulk_modulus);
    say("  surface tension  {:.6g} N/m\n", m.surface_tension);
    say("  source           {}\n", m.source);
}

/// The material of this name, or all of them when it is empty.
template <class Material>
void show_from(const std::vector<Material>& catalogue, const std::string& name, bool json) {
    for (const Material& m : catalogue) {
        if (!name.empty() && m.name != name) continue;
        if (json)
            say_json(material_json(m));
        else if (!name.empty())
            print_material(m);
        else
            print_line(m);
    }
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

void show_materials(const SceneArguments& a) {
    if (!a.target.empty() && !scene::find_liquid(a.target) && !scene::find_strand_material(a.target))
        throw InputError(Problem{"", 0, 0, "", fmt::format("no material is called '{}'", a.target),
                                 scene::suggestion(a.target, scene::material_names())});
    if (!a.plot.empty()) {
        if (a.target.empty())
            throw InputError(Problem{"", 0, 0, "--plot", "draws one material",
                                     "for example: rivulet materials ketchup --plot ketchup.svg"});
        if (!a.plot.ends_with(".svg"))
            throw InputError(Problem{"", 0, 0, "--plot", fmt::format("'{}' does not end in .svg", a.plot),
                                     "plots are drawn as SVG, which browsers show"});
        if (!scene::find_liquid(a.target))
            throw InputError(Problem{"", 0, 0, "--plot", fmt::format("'{}' does not flow", a.target),
                                     "liquids have a flow curve"});
        return write_file(flow_curve_plot(*scene::find_liquid(a.target)), a.plot, a.overwrite);
    }
    show_from(scene::liquid_catalogue(), a.target, a.json);
    show_from(scene::strand_catalogue(), a.target, a.json);
}

}  // namespace

void add_scene_commands(CommandLine& program) {
    const auto command = [&](const char* name, const char* what, auto&& options, auto&& work) {
        auto a = std::make_shared<SceneArguments>();
        Command c = program.add(name, what);
        options(c, *a);
        c.does([a, work] {
            work(*a);
            return kDone;
        });
    };
    const auto json_option = [](Command& c, SceneArguments& a) {
        c.flag("--json", a.json, "JSON, one object per line, on standard output");
    };
    const auto scene_options = [&](Command& c, SceneArguments& a) {
        c.option("scene", a.target, "scene file").required();
        c.option("--set", a.settings, "change a value first").one_word_each();
        json_option(c, a);
    };
    command("check",
            "list every problem of a scene, then its sizes; nothing is run\nexample: rivulet check my.toml",
            scene_options, [](const SceneArguments& a) { print_scene_info(a.target, a.settings, a.json); });
    command(
        "info", "sizes, materials and memory of a scene, or what a run did\nexample: rivulet info out/first",
        [&](Command& c, SceneArguments& a) {
            c.option("target", a.target, "scene file or run directory").required();
            c.option("--set", a.settings, "change a value first (scenes)").one_word_each();
            json_option(c, a);
        },
        [](const SceneArguments& a) {
            if (fs::is_directory(a.target))
                print_run_info(a.target, a.json);
            else
                print_scene_info(a.target, a.settings, a.json);
        });
    command(
        "new", "write a commented scene to start from\nexample: rivulet new -o my.toml",
        [](Command& c, SceneArguments& a) {
            std::string names;
            for (const auto& t : scene::templates()) names += (names.empty() ? "" : ", ") + t.name;
            c.option("template", a.target, "one of: " + names);
            c.option("-o,--out", a.out, "file to write (default: standard output)");
            c.flag("--overwrite", a.overwrite, "replace an existing file");
        },
        new_scene);
    command("scenes", "the shipped scenes\nexample: rivulet scenes", json_option,
            [](const SceneArguments& a) { list_scenes(a.json); });
    command(
        "explain", "what a key means, its unit, default and range\nexample: rivulet explain grid.cell",
        [](Command& c, SceneArguments& a) {
            c.option("key", a.target, "e.g. obstacle.wall.friction").required();
        },
        [](const SceneArguments& a) { say("{}", scene::explain(a.target)); });
    command(
        "schema",
        "JSON Schema of the scene language, for editors\nexample: rivulet schema -o rivulet.schema.json",
        [](Command& c, SceneArguments& a) {
            c.option("-o,--out", a.out, "file to write (default: standard output)");
            c.flag("--overwrite", a.overwrite, "replace an existing file");
        },
        [](const SceneArguments& a) { deliver(scene::json_schema(), a); });
    command(
        "materials", "the materials a scene may name\nexample: rivulet materials water",
        [&](Command& c, SceneArguments& a) {
            c.option("name", a.target, "one material in full");
            c.option("--plot", a.plot, "draw its flow curve, stress against rate, into this SVG file");
            c.flag("--overwrite", a.overwrite, "replace an existing file");
            json_option(c, a);
        },
        show_materials);
}

}  // namespace rivulet::cli
