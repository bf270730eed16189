#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <new>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/base/version.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/library_versions.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/scene/reader.h>

namespace rivulet::cli {
namespace {

std::string version_text() {
    return fmt::format("rivulet {}\n{}\n{}", version(), build_description(), library_versions());
}

void add_version_command(CommandLine& program) {
    constexpr const char* kWhat = "version, compiler, options, library versions";
    program.add("version", kWhat).does([] {
        say("{}\n", version_text());
        return kDone;
    });
    program.version_flag("--version", version_text, kWhat);
}

/// The parser's own message does not name the word.
void require_known_command(const CommandLine& program, const std::string& word) {
    const std::vector<std::string> names = program.names();
    if (word.rfind('-', 0) == 0 || std::find(names.begin(), names.end(), word) != names.end()) return;
    const std::string near = scene::nearest(word, names);
    throw InputError(Problem{"", 0, 0, "", "no command is called '" + word + "'",
                             near.empty() ? "see rivulet --help" : "did you mean '" + near + "'?"});
}

int run_program(int argc, char** argv) {
    return_freed_memory();
    // A file that may not grow further (ulimit -f) is a failed write with a message, not a death.
    std::signal(SIGXFSZ, SIG_IGN);
    CommandLine program(
        "Rivulet: liquid meeting thin structures.\n\nStart with:  rivulet new -o my.toml && rivulet run "
        "my.toml");
    add_run_commands(program);
    add_scene_commands(program);
    add_materials_command(program);
    add_compare_command(program);
    add_verify_commands(program);
    add_view_command(program);
    add_surface_command(program);
    add_render_command(program);
    add_export_command(program);
    add_gallery_command(program);
    add_version_command(program);
    if (argc > 1) require_known_command(program, argv[1]);
    return program.run(argc, argv);
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
