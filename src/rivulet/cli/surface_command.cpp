#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

#include <rivulet/base/parallel.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/session/frame_range.h>
#include <rivulet/session/surfaces.h>

namespace rivulet::cli {

namespace {

struct SurfaceArguments {
    std::string out, frames;
    double voxels = 4;
    bool again = false, quiet = false, json = false;
    int threads = 0;
};

int make_surfaces(const SurfaceArguments& a) {
    const output::RunPaths paths{a.out};
    const session::SurfaceJob job{session::pick_frames(paths, a.frames), a.voxels, a.again};
    session::SurfaceResult result;
    {
        ProgressBar bar("surface", a.quiet);
        result = with_threads(a.threads, [&] {
            return session::make_surfaces(io::real_file_system(), paths, job, std::ref(bar));
        });
    }
    for (const std::string& f : result.failed) note("warning: {}\n", f);
    if (a.json) {
        const nlohmann::ordered_json line{{"made", result.made},
                                          {"skipped", result.skipped},
                                          {"failed", result.failed.size()},
                                          {"folder", paths.surfaces().string()}};
        say_json(line);
    } else if (!a.quiet) {
        note("{} surfaces made, {} were there; in {}\n", result.made, result.skipped,
             paths.surfaces().string());
    }
    return result.failed.empty() ? kDone : kFailed;
}

}  // namespace

void add_surface_command(CLI::App& app, int& exit_code) {
    auto a = std::make_shared<SurfaceArguments>();
    CLI::App* command = app.add_subcommand(
        "surface",
        "meshes of the liquid's surface, one per frame\nexample: rivulet surface out/first --frames 0:48");
    command->add_option("out", a->out, "folder of the run")->required();
    command->add_option("--frames", a->frames, "N, A:B, A: or :B (default: all)");
    command->add_option("--voxels", a->voxels, "voxels per cell edge; 8 is full quality")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 32.0));
    command->add_flag("--again", a->again, "make surfaces that are there already once more");
    command->add_option("--threads", a->threads, "threads (default: all cores); results do not depend on it");
    command->add_flag("--quiet", a->quiet, "print nothing but errors");
    command->add_flag("--json", a->json, "one JSON object on standard output");
    command->callback([a, &exit_code] { exit_code = make_surfaces(*a); });
}

}  // namespace rivulet::cli
