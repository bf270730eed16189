#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/units.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/render_command.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/session/frame_range.h>
#include <rivulet/session/movie.h>
#include <rivulet/session/pictures.h>

namespace rivulet::cli {

namespace {

namespace fs = std::filesystem;

struct RenderArguments {
    std::string out, frames = "last", from, to, size = "640x480", file;
    session::PictureSettings settings;
    bool again = false, quiet = false, json = false;
    int threads = 0;
};

InputError refuse(const std::string& option, const std::string& message, const std::string& hint) {
    return InputError(Problem{"", 0, 0, option, message, hint});
}

Vec3d parse_point(const std::string& option, const std::string& text) {
    const std::string hint = "write three numbers and a unit, e.g. '1, 0.5, 2 m'";
    try {
        const VectorQuantity q = parse_vector(text);
        if (!same(q.dimension, parse_unit("m")))
            throw refuse(option, fmt::format("\"{}\" is not a place", text), hint);
        return q.value;
    } catch (const UnitError& e) {
        throw refuse(option, e.what(), hint);
    }
}

void parse_size(const std::string& text, session::PictureSettings& settings) {
    int width = 0, height = 0, used = 0;
    const int found = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &used);
    if (found != 2 || std::size_t(used) != text.size() || width < 8 || height < 8 || width > 16384 ||
        height > 16384)
        throw refuse("--size", fmt::format("\"{}\" is no size of a picture", text),
                     "write WIDTHxHEIGHT between 8 and 16384, e.g. 1280x720");
    settings.width = width;
    settings.height = height;
}

void warn(const std::vector<std::string>& messages) {
    constexpr std::size_t kMost = 10;
    for (std::size_t i = 0; i < std::min(messages.size(), kMost); ++i) note("warning: {}\n", messages[i]);
    if (messages.size() > kMost) note("warning: {} more\n", messages.size() - kMost);
}

/// One frame into the named file.
void picture_to_file(const RenderArguments& a, const output::RunPaths& paths, std::int64_t frame) {
    ProgressBar bar("render", a.quiet);
    session::Photographer photographer(paths, a.settings, {frame});
    const auto picture = photographer.take(frame, std::ref(bar));
    const fs::path file(a.file);
    if (!file.parent_path().empty()) io::real_file_system().create_directories(file.parent_path());
    io::write_png(io::real_file_system(), file, picture);
    warn(photographer.messages());
}

session::PictureResult pictures(const RenderArguments& a, const output::RunPaths& paths,
                                const std::vector<std::int64_t>& frames) {
    ProgressBar bar("render", a.quiet);
    return session::make_pictures(io::real_file_system(), paths, frames, a.settings, a.again, std::ref(bar));
}

void movie_to_file(const RenderArguments& a, const output::RunPaths& paths,
                   const std::vector<std::int64_t>& frames) {
    const double fps = output::read_run_record(paths.record().string()).fps;
    std::vector<fs::path> files;
    for (const std::int64_t k : frames) files.push_back(paths.picture(k));
    ProgressBar bar("movie", a.quiet);
    session::write_movie(io::real_file_system(), a.file, files, fps, std::ref(bar));
}

int render(RenderArguments& a) {
    const output::RunPaths paths{a.out};
    const std::string extension = fs::path(a.file).extension().string();
    const bool movie = extension == ".mp4";
    if (!a.file.empty() && !movie && extension != ".png")
        throw refuse("-o", fmt::format("do not know how to make '{}'", a.file), "use .png or .mp4");
    parse_size(a.size, a.settings);
    if (!a.from.empty()) a.settings.from = parse_point("--from", a.from);
    if (!a.to.empty()) a.settings.to = parse_point("--to", a.to);
    if (a.frames.empty()) a.frames = movie ? ":" : "last";
    const auto frames = session::pick_frames(paths, a.frames);
    if (movie) session::require_ffmpeg();
    if (!a.file.empty() && !movie && frames.size() > 1)
        throw refuse("-o", fmt::format("{} frames do not fit into one picture", frames.size()),
                     "leave -o out (they go to OUT/pictures), or make a movie: -o movie.mp4");
    return with_threads(a.threads, [&] {
        if (!a.file.empty() && !movie) {
            picture_to_file(a, paths, frames.front());
        } else {
            const auto result = pictures(a, paths, frames);
            warn(result.messages);
            if (movie) movie_to_file(a, paths, frames);
        }
        const std::string result = !a.file.empty()      ? a.file
                                   : frames.size() == 1 ? paths.picture(frames.front()).string()
                                                        : paths.pictures().string();
        if (a.json)
            say_json(nlohmann::ordered_json{{"frames", frames.size()}, {"file", result}});
        else if (!a.quiet)
            note("{}\n", result);
        return kDone;
    });
}

}  // namespace

std::string render_last_frame(const std::string& out, bool quiet) {
    RenderArguments a;
    a.quiet = quiet;
    const output::RunPaths paths{out};
    const auto frames = session::pick_frames(paths, "last");
    warn(pictures(a, paths, frames).messages);
    return paths.picture(frames.front()).string();
}

void add_render_command(CommandLine& program) {
    auto a = std::make_shared<RenderArguments>();
    a->frames.clear();
    Command command = program.add("render",
                                  "pictures and movies\nexample: rivulet render out/first\nexample: "
                                  "rivulet render out/first --frame 0:96 -o first.mp4");
    command.option("out", a->out, "folder of the run").required();
    command.option("--frame,--frames", a->frames, "N or A:B (default: the last; all for a movie)");
    const Option camera = command.option("--camera", a->settings.camera, "a camera of the scene by its name");
    Option from = command.option("--from", a->from, "place of the camera, e.g. '1, 1, 2 m'").not_with(camera);
    from.needs(command.option("--to", a->to, "what it looks at").needs(from));
    command.flag("--automatic", a->settings.automatic, "an automatic camera, whatever the scene says");
    command.option("--size", a->size, "WIDTHxHEIGHT").shows_default();
    command.option("--samples", a->settings.samples, "most paths per pixel")
        .shows_default()
        .between(1, 65536);
    command.option("--voxels", a->settings.voxels_per_cell, "of surfaces that 'surface' has not made")
        .shows_default()
        .between(1.0, 32.0);
    command.flag("--blur", a->settings.motion_blur, "motion blur over half a frame");
    command.option("-o", a->file, "pic.png or movie.mp4 (default: OUT/pictures/NNNNNN.png)");
    command.flag("--again", a->again, "make pictures that are there already once more");
    command.option("--threads", a->threads, "threads (default: all cores); results do not depend on it");
    command.flag("--quiet", a->quiet, "print nothing but errors");
    command.flag("--json", a->json, "one JSON object on standard output");
    command.does([a] { return render(*a); });
}

}  // namespace rivulet::cli
