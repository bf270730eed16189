#include <rivulet/session/run.h>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/printable.h>
#include <rivulet/base/units.h>
#include <rivulet/output/inputs.h>
#include <rivulet/scene/scene.h>
#include <rivulet/session/running.h>
#include <rivulet/session/stored_run.h>

namespace rivulet::session {

namespace {

using output::RunDirectory;
using output::RunRecord;

/// The newest checkpoint that can be read; damaged ones are named and passed over. Nothing when the run has
/// none yet. When there are some and none is good, going on would mean to throw frames away: that is refused.
std::optional<output::Checkpoint> newest_good_checkpoint(const output::RunPaths& paths,
                                                         std::vector<std::string>& warnings) {
    std::vector<Problem> problems;
    for (std::int64_t step : output::checkpoint_steps(paths)) {
        try {
            output::Checkpoint checkpoint = output::read_checkpoint(paths.checkpoint(step));
            for (const Problem& p : problems)
                warnings.push_back("passed over a checkpoint that cannot be used: " + p.text());
            return checkpoint;
        } catch (const InputError& e) {
            problems.insert(problems.end(), e.problems().begin(), e.problems().end());
        }
    }
    if (problems.empty()) return std::nullopt;
    problems.push_back({paths.root.string(), 0, 0, "", "no checkpoint of this run can be used",
                        fmt::format("nothing was changed; begin again with: rivulet run {} -o ELSEWHERE",
                                    shell_word(paths.scene().string()))});
    throw InputError(std::move(problems));
}

}  // namespace

double parse_time(const std::string& text) {
    const auto refuse = [&](const std::string& message) {
        return InputError(Problem{"", 0, 0, "--end", message, "write a time with its unit, e.g. '6 s'"});
    };
    try {
        const Quantity q = parse_quantity(text);
        if (!same(q.dimension, parse_unit("s"))) throw refuse(fmt::format("\"{}\" is not a time", text));
        return q.value;
    } catch (const UnitError& e) {
        throw refuse(e.what());
    }
}

RunRecord start(const std::filesystem::path& scene_path, const std::vector<std::string>& settings,
                const std::filesystem::path& out, bool overwrite, const RunSetup& setup) {
    scene::ReadReport report;
    const scene::Scene scene = scene::read_scene(scene_path.string(), settings, &report);
    scene::Built built = scene::build(scene);
    const std::string text = scene::resolved_text(scene, output::input_folders(report.files));
    RunRecord record;
    record.scene = scene_path.string();
    RunDirectory directory = create_run(out, overwrite, text, report.files, record, setup);
    Run run(std::move(directory), scene, std::move(built), std::move(record), setup);
    run.begin();
    return run.finish();
}

RunRecord resume(const std::filesystem::path& out, const RunSetup& setup) {
    RunDirectory directory = RunDirectory::reopen(*setup.files, out);
    const output::RunPaths paths = directory.paths();
    RunRecord record = output::read_run_record(paths.record().string());
    record.error.reset();
    output::require_unchanged_inputs(paths.inputs());
    require_unchanged_scene(paths, record);
    const scene::Scene scene = scene::read_scene(paths.scene().string());
    scene::Built built = scene::build(scene);
    std::optional<output::Checkpoint> stored = newest_good_checkpoint(paths, built.warnings);
    if (!stored && !record.branched_from.empty())
        throw InputError(Problem{out.string(), 0, 0, "",
                                 "has no checkpoint of where it branched from another run",
                                 "branch again, from " + record.branched_from});
    Run run(std::move(directory), scene, std::move(built), std::move(record), setup);
    if (stored)
        run.continue_from(std::move(*stored));
    else
        run.begin_again();
    return run.finish();
}

}  // namespace rivulet::session
