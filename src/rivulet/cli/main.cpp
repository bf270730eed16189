#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <new>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/base/version.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/library_versions.h>

namespace rivulet::cli {
namespace {

void add_version_command(CLI::App& app) {
    app.add_subcommand("version", "version, compiler, options, library versions")->callback([] {
        fmt::print("rivulet {}\n{}\n{}\n", version(), build_description(), library_versions());
    });
}

int run_program(int argc, char** argv) {
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
    add_version_command(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? kDone : kBadInput;
    }
    return exit_code;
}

}  // namespace
}  // namespace rivulet::cli

int main(int argc, char** argv) {
    using namespace rivulet;
    try {
        if (const std::string complaint = cpu_complaint(); !complaint.empty()) {
            std::fprintf(stderr, "rivulet: %s\n", complaint.c_str());
            return cli::kFailed;
        }
        return cli::run_program(argc, argv);
    } catch (const InputError& e) {
        std::fprintf(stderr, "%s\n", e.what());
        if (e.problems().size() > 1) std::fprintf(stderr, "%zu problems\n", e.problems().size());
        return cli::kBadInput;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "rivulet: out of memory\n");
        return cli::kFailed;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "rivulet: %s\n", e.what());
        return cli::kFailed;
    }
}
