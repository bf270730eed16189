#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <new>
#include <sstream>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/base/version.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/library_versions.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/scene/reader.h>

namespace rivulet::cli {
namespace {

std::string version_text() {
    return fmt::format("rivulet {}\n{}\n{}", version(), build_description(), library_versions());
}

void add_version_command(CLI::App& app) {
    constexpr const char* kWhat = "version, compiler, options, library versions";
    app.add_subcommand("version", kWhat)->callback([] { say("{}\n", version_text()); });
    app.set_version_flag("--version", version_text, kWhat);
}

/// The parser's own message does not name the word.
void require_known_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(c->get_name());
    if (word.rfind('-', 0) == 0 || std::find(names.begin(), names.end(), word) != names.end()) return;
    const std::string near = scene::nearest(word, names);
    throw InputError(Problem{"", 0, 0, "", "no command is called '" + word + "'",
                             near.empty() ? "see rivulet --help" : "did you mean '" + near + "'?"});
}

int run_program(int argc, char** argv) {
    return_freed_memory();
    // A file that may not grow further (ulimit -f) is a failed write with a message, not a death.
    std::signal(SIGXFSZ, SIG_IGN);
    CLI::App app{
        "Rivulet: liquid meeting thin structures.\n\nStart with:  rivulet new -o my.toml && rivulet run "
        "my.toml"};
    app.require_subcommand(1);
    app.set_help_all_flag("--help-all", "help of every command");
    int exit_code = kDone;
    add_run_commands(app, exit_code);
    add_scene_commands(app, exit_code);
    add_compare_command(app, exit_code);
    add_verify_commands(app, exit_code);
    add_view_command(app, exit_code);
    add_surface_command(app, exit_code);
    add_render_command(app, exit_code);
    add_export_command(app, exit_code);
    add_gallery_command(app, exit_code);
    add_version_command(app);
    if (argc > 1) require_known_command(app, argv[1]);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream asked, complaint;
        const int code = app.exit(e, asked, complaint);
        say("{}", asked.str());
        note("{}", complaint.str());
        return code == 0 ? kDone : kBadInput;
    }
    return exit_code;
}

}  // namespace
}  // namespace rivulet::cli

int main(int argc, char** argv) {
    using namespace rivulet;
    try {
        if (const std::string complaint = cpu_complaint(); !complaint.empty()) {
            cli::note("rivulet: {}\n", complaint);
            return cli::kFailed;
        }
        return cli::run_program(argc, argv);
    } catch (const InputError& e) {
        cli::note("{}\n", e.what());
        if (e.problems().size() > 1) cli::note("{} problems\n", e.problems().size());
        return cli::kBadInput;
    } catch (const std::bad_alloc&) {
        cli::note("rivulet: out of memory\n");
        return cli::kFailed;
    } catch (const std::exception& e) {
        cli::note("rivulet: {}\n", e.what());
        return cli::kFailed;
    }
}
