#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include <rivulet/base/printable.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/info.h>
#include <rivulet/cli/new_file.h>
#include <rivulet/cli/shipped_scenes.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/scene/language.h>

namespace rivulet::cli {

namespace {

namespace fs = std::filesystem;

struct SceneArguments {
    std::string target, out;
    std::vector<std::string> settings;
    bool json = false, overwrite = false;
};

void deliver(const std::string& text, const SceneArguments& a) {
    if (a.out.empty())
        say("{}", text);
    else
        write_new_file(text, a.out, a.overwrite);
}

void new_scene(const SceneArguments& a) {
    std::string text = scene::template_scene(a.target.empty() ? scene::templates().front().name : a.target);
    deliver(text, a);
    if (a.out.empty()) return;
    // The schema lies beside the scene, where the first line of the template looks for it.
    const fs::path schema = fs::path(a.out).parent_path() / "rivulet.schema.json";
    io::write_atomically(io::real_file_system(), schema, scene::json_schema());
    note("next: rivulet run {} -o {}\n", shell_word(a.out),
         shell_word("out/" + fs::path(a.out).stem().string()));
}

void list_scenes(bool json) {
    for (const ShippedScene& s : shipped_scenes())
        if (json)
            say_json(nlohmann::ordered_json{{"name", s.name}, {"title", s.title}, {"path", s.path.string()}});
        else
            say("{:28} {}\n{:28} {}\n", s.name, printable(s.title), "", s.path.string());
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
}

}  // namespace rivulet::cli
