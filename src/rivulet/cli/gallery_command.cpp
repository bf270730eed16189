#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/interrupt.h>
#include <rivulet/cli/shipped_scenes.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/png_file.h>
#include <rivulet/scene/scene.h>
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
    bool keep = false, quiet = false;
};

/// What to show of a scene.
struct Shot {
    std::int64_t frame;
    double detail = 0.5;  // share of the scene's own
};
struct TellingShot {
    std::string_view scene;
    Shot shot;
};

/// Where something else than the last frame of a short run at half the detail shows best what a scene is
/// about: at half the detail a sheet one cell thick is thinner than its particles.
constexpr TellingShot kTelling[] = {
    {"contact/braid", {36, 1}},
    {"contact/bullet_net", {18, 1}},
    {"contact/capstan", {36, 1}},
    {"contact/coalescence_tree", {36, 1}},
    {"contact/comb", {32, 1}},
    {"contact/cream_apart", {54, 1}},
    {"contact/cream_apart_penalty", {54, 1}},
    {"contact/knot", {50, 1}},
    {"contact/noodles_in_bowl", {45, 1}},
    {"contact/off_wall", {40, 1}},
    {"contact/plectoneme", {58, 1}},
    {"contact/pulled_apart", {54, 1}},
    {"contact/pulled_apart_dry", {54, 1}},
    {"contact/whipped", {15, 1}},
    {"liquid/dam_break", {18}},
    {"liquid/drop_into_pool", {12}},
    {"liquid/honey_on_plate", {80, 1}},
    {"liquid/milk_and_honey", {48, 1}},
    {"liquid/pouring_over_sphere", {36, 1}},
    {"shell/drops", {4}},
    {"shell/tap", {24}},
    {"shell/union", {6}},
    {"strand/cantilever", {12}},
    {"strand/helix", {15}},
    {"strand/swinging_curl", {24}},
    {"thick/bulk_modulus", {30, 1}},
    {"thick/chocolate_over_sphere", {45, 1}},
    {"thick/cream_on_plate", {45, 1}},
    {"thick/mud_on_plate", {36, 1}},
    {"thick/slump", {33, 1}},
    {"thick/stirred_paint", {36, 1}},
    {"thick-strands/buoyancy", {18, 1}},
    {"thick-strands/drops", {30, 1}},
    {"thick-strands/heavy_drop", {7, 1}},
    {"thick-strands/seven_cream", {12, 1}},
    {"thick-strands/seven_mud", {12, 1}},
    {"thick-strands/spinning_drops", {80, 1}},
    {"wet-hair/across", {36, 1}},
    {"wet-hair/beads_on_thread", {50, 1}},
    {"wet-hair/capture_stream", {26, 1}},
    {"wet-hair/drag_pool", {16, 1}},
    {"wet-hair/dripping_curtain", {24, 1}},
    {"wet-hair/flow_coiled", {20, 1}},
    {"wet-hair/flow_straight", {24, 1}},
    {"wet-hair/pulled_from_water", {26, 1}},
    {"wet-hair/sideways_drop", {9, 1}},
    {"wet-hair/slanted_drop", {24, 1}},
    {"wet-hair/spinning", {24, 1}},
    {"wet-hair/wet_dog_tail", {26, 1}},
};

Shot shot_of(const ShippedScene& scene, std::int64_t usual) {
    for (const TellingShot& t : kTelling)
        if (t.scene == scene.name) return t.shot;
    return {usual};
}

std::string picture_name(const ShippedScene& scene) {
    std::string name = scene.name;
    std::replace(name.begin(), name.end(), '/', '_');
    return name + ".png";
}

/// A scene's run, mostly at half its detail, up to the frame that is shown.
struct SmallRun {
    output::RunPaths paths;
    std::int64_t frame = 0;
};

/// Throws when the run fails.
SmallRun run_small(const GalleryArguments& a, const ShippedScene& scene, ProgressBar& bar) {
    const output::RunPaths paths{fs::path(a.runs) / scene.name};
    const scene::Scene whole = scene::read_scene(scene.path.string());
    const Shot shot = shot_of(scene, a.frames);
    const std::int64_t shown = std::min(shot.frame, whole.last_frame());
    if (a.keep && fs::exists(paths.frame(shown))) return {paths, shown};
    session::RunSetup setup;
    setup.limits.frames = shown;
    setup.watcher.step = [&](const session::News& n) { bar(0.8 * double(n.frame), double(n.last_frame)); };
    setup.watcher.stop_wanted = [] { return interrupted(); };
    io::real_file_system().create_directories(paths.root.parent_path());
    const auto record = session::start(scene.path, {fmt::format("detail={}", shot.detail * whole.detail)},
                                       paths.root, true, setup);
    if (record.status == output::RunStatus::failed)
        throw Error(fmt::format("{}: {}", record.error->stage, record.error->message));
    return {paths, shown};
}

/// The largest of a few sizes whose file is small enough.
std::vector<std::byte> small_picture(const SmallRun& run) {
    const std::vector<std::int64_t> frames{run.frame};
    std::vector<std::byte> bytes;
    for (const int width : {480, 400, 320}) {
        session::PictureSettings settings;
        settings.width = width;
        settings.height = width * 3 / 4;
        bytes = io::encode_png(session::Photographer(run.paths, settings, frames).take(frames.back()));
        if (bytes.size() <= kMostPictureBytes) break;
    }
    return bytes;
}

/// Picture and text of a scene under its heading; of a variant without one of its own.
std::string entry(const fs::path& folder, const ShippedScene& scene) {
    const std::string picture = "gallery/" + picture_name(scene);
    if (!fs::exists(folder / picture)) return "";
    const bool whole = shot_of(scene, 0).detail == 1;
    const std::string heading =
        scene.parent.empty() ? "## " + scene.title + "\n\n" : "**" + scene.title + ".** ";
    return fmt::format("\n{}{}{}\n\n![{}]({})\n\n`rivulet run scenes/{}.toml`\n", heading, scene.about,
                       whole ? " At its full detail." : "", scene.title, picture, scene.name);
}

std::string page(const fs::path& folder, const std::vector<ShippedScene>& scenes) {
    std::string text =
        "# Gallery\n\nOne picture of each shipped scene, made by `rivulet gallery`; a variant follows the "
        "scene it is made from. To save\ntime each was run at half its detail, with cells twice as wide and "
        "half the strands, where nothing else is said, and only up\nto the frame that is shown.\n";
    for (const ShippedScene& scene : scenes) {
        if (!scene.parent.empty()) continue;
        text += entry(folder, scene);
        for (const ShippedScene& variant : scenes)
            if (variant.parent == scene.name) text += entry(folder, variant);
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
            const SmallRun run = run_small(a, scene, bar);
            if (interrupted()) return kInterrupted;
            io::write_atomically(files, folder / "gallery" / picture_name(scene),
                                 std::span<const std::byte>(small_picture(run)));
            bar(1, 1);
        } catch (const Error& e) {
            note("warning: {}: {}\n", scene.name, e.what());
            ++failed;
        }
    }
    io::write_atomically(files, folder / "gallery.md", page(folder, scenes));
    if (!a.quiet) note("{}\n", (folder / "gallery.md").string());
    return failed == 0 ? kDone : kFailed;
}

}  // namespace

void add_gallery_command(CommandLine& program) {
    auto a = std::make_shared<GalleryArguments>();
    Command command = program.add(
        "gallery",
        "run the shipped scenes small, one picture each\nexample: rivulet gallery default strand/helix");
    command.option("names", a->names, "scenes, as 'rivulet scenes' names them (default: all)");
    command.option("-o,--out", a->folder, "folder for gallery.md and gallery/").shows_default();
    command.option("--runs", a->runs, "folder for the runs; earlier ones there are replaced").shows_default();
    command.flag("--keep", a->keep, "new pictures of the runs that are there already");
    command.option("--frames", a->frames, "frame to show where no other is known to be better, or the last")
        .shows_default()
        .not_negative();
    command.option("--threads", a->threads, "threads (default: all cores)");
    command.flag("--quiet", a->quiet, "print nothing but errors");
    command.does([a] { return with_threads(a->threads, [&] { return make_gallery(*a); }); });
}

}  // namespace rivulet::cli
