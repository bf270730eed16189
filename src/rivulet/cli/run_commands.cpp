#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/printable.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/interrupt.h>
#include <rivulet/cli/render_command.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/cli/view.h>
#include <rivulet/scene/scene.h>
#include <rivulet/session/branch.h>
#include <rivulet/session/run.h>

namespace rivulet::cli {

namespace {

constexpr const char* kStopping = "\nfinishing this step, then a checkpoint (Ctrl-C again stops at once)\n";

struct RunArguments {
    std::string scene, out, end, run;
    std::vector<std::string> settings;
    std::int64_t frames = -1;
    bool preview = false, overwrite = false, picture = false, quiet = false, verbose = false, json = false,
         view = false;
    int threads = 0;
};

/// Returns the option --frames.
Option add_watch_options(Command& command, RunArguments& a) {
    const Option frames =
        command.option("--frames", a.frames, "stop after this frame; 'resume' goes on from there")
            .not_negative();
    command.option("--threads", a.threads, "threads (default: all cores); results do not depend on it");
    command.flag("--quiet", a.quiet, "print nothing but errors");
    command.flag("--verbose", a.verbose, "print every message of the solvers");
    command.flag("--json", a.json, "one JSON object per frame on standard output");
    return frames;
}

std::string status_text(const session::News& n) {
    return fmt::format("frame {}/{}  {:.3f} s  dt {:.3g} s  {} particles  {} elapsed  {} left", n.frame,
                       n.last_frame, n.time, n.dt, count_text(n.particles), duration_text(n.elapsed),
                       duration_text(n.remaining));
}

void print_json(const session::News& n) {
    const nlohmann::ordered_json line{
        {"frame", n.frame}, {"last_frame", n.last_frame}, {"step", n.step},       {"time", n.time},
        {"dt", n.dt},       {"particles", n.particles},   {"elapsed", n.elapsed}, {"remaining", n.remaining}};
    say_json(line);
}

session::Watcher watcher_for(const RunArguments& a, StatusLine& status) {
    session::Watcher w;
    w.step = [&a, &status](const session::News& n) {
        const std::string text = bar_text(n.last_frame > 0 ? double(n.frame) / double(n.last_frame) : 1, 16) +
                                 " " + status_text(n);
        if (n.frame_done && a.json) print_json(n);
        if (n.frame_done)
            status.line(status.terminal() ? text : status_text(n));
        else
            status.update(text);
    };
    w.message = [&a, &status](LogLevel level, const std::string& text) {
        if (a.quiet || (level != LogLevel::warning && !a.verbose)) return;
        status.finish();
        note("{}{}\n", level == LogLevel::warning ? "warning: " : "", text);
    };
    w.stop_wanted = [] { return interrupted(); };
    return w;
}

/// Says how the run ended and what to type next.
int report(const output::RunRecord& record, const std::string& out, bool quiet) {
    using output::RunStatus;
    if (record.status == RunStatus::failed) {
        note("failed in frame {}, stage {}, {}: {}\n", record.error->frame, record.error->stage,
             record.error->entity, record.error->message);
        note("frames up to {} and the last good checkpoint are in {}\n", record.frames, out);
        return kFailed;
    }
    if (record.status == RunStatus::interrupted) {
        note("interrupted at {:.4g} s; continue with: rivulet resume {}\n", record.simulated_seconds,
             shell_word(out));
        return kInterrupted;
    }
    if (!quiet)
        note("done: {} frames, {} steps, {} of wall time, {} at most; result in {}\nnext: rivulet info {}\n",
             record.frames, record.steps, duration_text(record.wall_seconds),
             bytes_text(double(record.peak_memory_bytes)), out, shell_word(out));
    return kDone;
}

/// Does work(setup) with a status line, until it ends or is interrupted, and says how it ended.
template <class Work>
int watch(const RunArguments& a, Work&& work) {
    catch_interrupts(kStopping);
    StatusLine status(a.quiet);
    session::RunSetup setup;
    setup.watcher = watcher_for(a, status);
    if (a.frames >= 0) setup.limits.frames = a.frames;
    const auto record = with_threads(a.threads, [&] { return work(setup); });
    status.finish();
    return report(record, a.out, a.quiet);
}

int run_scene(RunArguments& a) {
    if (a.out.empty()) a.out = "out/" + std::filesystem::path(a.scene).stem().string();
    if (a.preview)
        a.settings.push_back(fmt::format("detail={}", 0.5 * scene::read_scene(a.scene, a.settings).detail));
    const auto page = a.view ? serve_page(a.out) : nullptr;
    if (page) note("look at it: {}\n", page->address());
    const int exit_code = watch(a, [&](const session::RunSetup& setup) {
        return session::start(a.scene, a.settings, a.out, a.overwrite, setup);
    });
    if (a.picture && exit_code == kDone) {
        const std::string picture =
            with_threads(a.threads, [&] { return render_last_frame(a.out, a.quiet); });
        note("picture: {}\nlook at it: rivulet view {}\n", picture, shell_word(a.out));
    }
    if (page && !interrupted()) {
        note("the page stays until Ctrl-C\n");
        wait_for_interrupt();
    }
    return exit_code;
}

int resume_run(RunArguments& a) {
    return watch(a, [&](session::RunSetup& setup) {
        if (!a.end.empty()) setup.limits.end = session::parse_time(a.end);
        return session::resume(a.out, setup);
    });
}

int branch_run(RunArguments& a, session::BranchOrder order) {
    if (a.frames >= 0 && a.frames < order.frame)
        throw InputError(Problem{"", 0, 0, "--frames", "lies before the branch", "give a later frame"});
    if (!a.scene.empty()) order.scene = a.scene;
    order.settings = a.settings;
    order.out = a.out;
    order.overwrite = a.overwrite;
    return watch(a, [&](const session::RunSetup& setup) { return session::branch(order, setup); });
}

void add_branch_command(CommandLine& program) {
    auto a = std::make_shared<RunArguments>();
    auto order = std::make_shared<session::BranchOrder>();
    Command branch = program.add("branch",
                                 "go on from a frame of a run with changed keys, as a new run\nexample: "
                                 "rivulet branch out/first --at 40 --set world.gravity='0, -1.6, 0 m/s^2' -o "
                                 "out/moon");
    branch.option("run", a->run, "folder of the run to branch from").required();
    branch.option("--at", order->frame, "last frame that both runs share").not_negative().required();
    branch.option("--set", a->settings, "change a value: --set inflow.tap.rate='2 L/s'").one_word_each();
    branch.option("--scene", a->scene, "the changed scene, e.g. an edited copy of the run's scene.toml");
    branch.option("-o,--out", a->out, "output folder").required();
    branch.flag("--overwrite", a->overwrite, "replace an earlier run in the output folder");
    add_watch_options(branch, *a);
    branch.does([a, order] {
        order->from = a->run;
        return branch_run(*a, *order);
    });
}

}  // namespace

void add_run_commands(CommandLine& program) {
    auto a = std::make_shared<RunArguments>();
    Command run =
        program.add("run", "simulate a scene\nexample: rivulet run scenes/default.toml -o out/first");
    run.option("scene", a->scene, "scene file (TOML)").required();
    run.option("-o,--out", a->out, "output folder (default: out/NAME)");
    run.option("--set", a->settings, "change a value: --set liquid.pool.material=honey").one_word_each();
    run.flag("--preview", a->preview, "half the detail, for a quick look");
    run.flag("--picture", a->picture, "render the last frame of a finished run");
    run.flag("--overwrite", a->overwrite, "replace an earlier run in the output folder");
    run.flag("--view", a->view, "serve a page to look at while it runs (see 'view')");
    add_watch_options(run, *a);
    run.does([a] { return run_scene(*a); });

    auto r = std::make_shared<RunArguments>();
    Command resume = program.add(
        "resume",
        "continue a run from its newest good checkpoint\nexample: rivulet resume out/first --end '6 s'");
    resume.option("out", r->out, "folder of the run").required();
    const Option end = resume.option("--end", r->end, "go on to this time, e.g. '6 s'");
    add_watch_options(resume, *r).not_with(end);
    resume.does([r] { return resume_run(*r); });
    add_branch_command(program);
}

}  // namespace rivulet::cli
