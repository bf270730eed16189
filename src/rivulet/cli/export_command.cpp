#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <rivulet/base/parallel.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/session/exports.h>
#include <rivulet/session/frame_range.h>

namespace rivulet::cli {

namespace {

struct ExportArguments {
    std::string out, format, frames, up = "y";
    session::ExportJob job;
    bool quiet = false, json = false;
    int threads = 0;
};

int export_frames(ExportArguments& a) {
    using session::ExportFormat;
    const output::RunPaths paths{a.out};
    session::ExportJob& job = a.job;
    for (const ExportFormat f : {ExportFormat::usda, ExportFormat::vdb, ExportFormat::ply, ExportFormat::vtk})
        if (session::to_text(f) == a.format) job.format = f;
    job.frames = session::pick_frames(paths, a.frames);
    job.space.z_up = a.up == "z";
    job.space.fps = output::read_run_record(paths.record().string()).fps;
    session::ExportResult result;
    {
        ProgressBar bar("export " + a.format, a.quiet);
        result = with_threads(a.threads, [&] {
            return session::export_run(io::real_file_system(), paths, job, std::ref(bar));
        });
    }
    for (const std::string& f : result.failed) note("warning: {}\n", f);
    for (const std::string& l : result.left_out) note("warning: {}\n", l);
    if (a.json) {
        const nlohmann::ordered_json line{{"made", result.made},
                                          {"skipped", result.skipped},
                                          {"failed", result.failed.size()},
                                          {"left_out", result.left_out},
                                          {"open", result.open_this}};
        say_json(line);
    } else if (!a.quiet) {
        note("{} frames exported, {} were there; open:\n", result.made, result.skipped);
        for (const std::string& file : result.open_this) note("  {}\n", file);
    }
    return result.failed.empty() ? kDone : kFailed;
}

}  // namespace

void add_export_command(CommandLine& program) {
    auto a = std::make_shared<ExportArguments>();
    Command command = program.add(
        "export",
        "files for other programs, into OUT/export/FORMAT\nexample: rivulet export out/first --to usda "
        "--first-frame 1001 --scale 100");
    command.option("out", a->out, "folder of the run").required();
    command.option("--to", a->format, "usda (film), vdb (film), ply (anything), vtk (ParaView)")
        .required()
        .one_of({"usda", "vdb", "ply", "vtk"});
    command.option("--frames", a->frames, "N, A:B, A: or :B (default: all)");
    command.option("--first-frame", a->job.space.first_frame, "number of the run's frame 0")
        .shows_default()
        .between(0, 1000000);
    command.option("--scale", a->job.space.scale, "units per metre: 100 for centimetres")
        .shows_default()
        .between(1e-6, 1e6);
    command.option("--up", a->up, "which axis is up").shows_default().one_of({"y", "z"});
    command.option("--voxels", a->job.voxels_per_cell, "per cell edge; 8 is full quality")
        .shows_default()
        .between(1.0, 32.0);
    command.flag("--again", a->job.again, "export frames that are there already once more");
    command.option("--threads", a->threads, "threads (default: all cores)");
    command.flag("--quiet", a->quiet, "print nothing but errors");
    command.flag("--json", a->json, "one JSON object on standard output");
    command.does([a] { return export_frames(*a); });
}

}  // namespace rivulet::cli
