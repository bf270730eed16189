#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/interrupt.h>
#include <rivulet/cli/shipped_scenes.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/png_file.h>
#include <rivulet/scene/scene.h>
#include <rivulet/session/frame_range.h>
#include <rivulet/session/pictures.h>
#include <rivulet/session/run.h>

namespace rivulet::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPictureBytes = 200'000;

struct GalleryArguments {
    std::string folder = "docs", runs = "out/gallery";
    std::vector<std::string> names;
    std::int64_t frames = 36;
    int threads = 0;
    bool quiet = false;
};

std::string picture_name(const ShippedScene& scene) {
    std::string name = scene.name;
    std::replace(name.begin(), name.end(), '/', '_');
    return name + ".png";
}

/// Half the detail and at most `frames` frames; returns the run's folder. Throws when the run fails.
output::RunPaths run_small(const GalleryArguments& a, const ShippedScene& scene, ProgressBar& bar) {
    const output::RunPaths paths{fs::path(a.runs) / scene.name};
    const scene::Scene whole = scene::read_scene(scene.path.string());
    session::RunSetup setup;
    setup.limits.frames = std::min(a.frames, whole.last_frame());
    setup.watcher.step = [&](const session::News& n) { bar(0.8 * double(n.frame), double(n.last_frame)); };
    setup.watcher.stop_wanted = [] { return interrupted(); };
    io::real_file_system().create_directories(paths.root.parent_path());
    const auto record =
        session::start(scene.path, {fmt::format("detail={}", 0.5 * whole.detail)}, paths.root, true, setup);
    if (record.status == output::RunStatus::failed)
        throw Error(fmt::format("{}: {}", record.error->stage, record.error->message));
    return paths;
}

/// The largest of a few sizes whose file is small enough.
std::vector<std::byte> small_picture(const output::RunPaths& paths) {
    const auto frames = session::pick_frames(paths, "last");
    std::vector<std::byte> bytes;
    for (const int width : {480, 400, 320}) {
        session::PictureSettings settings;
        settings.width = width;
        settings.height = width * 3 / 4;
        bytes = io::encode_png(session::Photographer(paths, settings, frames).take(frames.back()));
        if (bytes.size() <= kMostPictureBytes) break;
    }
    return bytes;
}

std::string page(const fs::path& folder, const std::vector<ShippedScene>& scenes) {
    std::string text =
        "# Gallery\n\nOne picture of each shipped scene, at half its detail, made by `rivulet gallery`.\n";
    for (const ShippedScene& scene : scenes) {
        const std::string picture = "gallery/" + picture_name(scene);
        if (!fs::exists(folder / picture)) continue;
        text += fmt::format("\n## {}\n\n{}: `rivulet run scenes/{}.toml`\n\n![{}]({})\n", scene.title,
                            scene.name, scene.name, scene.title, picture);
    }
    return text;
}

int make_gallery(const GalleryArguments& a) {
    const std::vector<ShippedScene> scenes = shipped_scenes();
    for (const std::string& name : a.names)
        if (std::none_of(scenes.begin(), scenes.end(), [&](const auto& s) { return s.name == name; }))
            throw InputError(Problem{"", 0, 0, "", fmt::format("no shipped scene is called '{}'", name),
                                     "'rivulet scenes' lists them"});
    io::FileSystem& files = io::real_file_system();
    const fs::path folder(a.folder);
    files.create_directories(folder / "gallery");
    catch_interrupts("\nstopping after this step\n");
    int failed = 0;
    for (const ShippedScene& scene : scenes) {
        const bool wanted =
            a.names.empty() || std::find(a.names.begin(), a.names.end(), scene.name) != a.names.end();
        if (!wanted) continue;
        try {
            ProgressBar bar(scene.name, a.quiet);
            const output::RunPaths paths = run_small(a, scene, bar);
            if (interrupted()) return kInterrupted;
            io::write_atomically(files, folder / "gallery" / picture_name(scene),
                                 std::span<const std::byte>(small_picture(paths)));
            bar(1, 1);
        } catch (const Error& e) {
            fmt::print(stderr, "warning: {}: {}\n", scene.name, e.what());
            ++failed;
        }
    }
    io::write_atomically(files, folder / "gallery.md", page(folder, scenes));
    if (!a.quiet) fmt::print(stderr, "{}\n", (folder / "gallery.md").string());
    return failed == 0 ? kDone : kFailed;
}

}  // namespace

void add_gallery_command(CLI::App& app, int& exit_code) {
    auto a = std::make_shared<GalleryArguments>();
    CLI::App* command = app.add_subcommand(
        "gallery",
        "run the shipped scenes small, one picture each\nexample: rivulet gallery default strand/helix");
    command->add_option("names", a->names, "scenes, as 'rivulet scenes' names them (default: all)");
    command->add_option("-o,--out", a->folder, "folder for gallery.md and gallery/")->capture_default_str();
    command->add_option("--runs", a->runs, "folder for the runs; earlier ones there are replaced")
        ->capture_default_str();
    command->add_option("--frames", a->frames, "most frames of a run")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command->add_option("--threads", a->threads, "threads (default: all cores)");
    command->add_flag("--quiet", a->quiet, "print nothing but errors");
    command->callback(
        [a, &exit_code] { exit_code = with_threads(a->threads, [&] { return make_gallery(*a); }); });
}

}  // namespace rivulet::cli
