#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <rivulet/base/parallel.h>
#include <rivulet/cli/command_line.h>
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

void add_surface_command(CommandLine& program) {
    auto a = std::make_shared<SurfaceArguments>();
    Command command = program.add(
        "surface",
        "meshes of the liquid's surface, one per frame\nexample: rivulet surface out/first --frames 0:48");
    command.option("out", a->out, "folder of the run").required();
    command.option("--frames", a->frames, "N, A:B, A: or :B (default: all)");
    command.option("--voxels", a->voxels, "voxels per cell edge; 8 is full quality")
        .shows_default()
        .between(1.0, 32.0);
    command.flag("--again", a->again, "make surfaces that are there already once more");
    command.option("--threads", a->threads, "threads (default: all cores); results do not depend on it");
    command.flag("--quiet", a->quiet, "print nothing but errors");
    command.flag("--json", a->json, "one JSON object on standard output");
    command.does([a] { return make_surfaces(*a); });
}

}  // namespace rivulet::cli
