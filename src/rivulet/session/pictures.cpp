#include <rivulet/session/pictures.h>

#include <fmt/format.h>

#include <algorithm>

#include <rivulet/base/error.h>
#include <rivulet/base/units.h>
#include <rivulet/output/made_list.h>
#include <rivulet/render/frame_scene.h>
#include <rivulet/render/render.h>
#include <rivulet/render/studio.h>
#include <rivulet/scene/scene.h>
#include <rivulet/session/surfaces.h>

namespace rivulet::session {

namespace {

/// An automatic camera looks at this many frames, evenly spread, to hold them all.
constexpr std::size_t kFramesLookedAt = 8;

Vec3f narrow(const Vec3d& v) {
    return {float(v.x), float(v.y), float(v.z)};
}

std::vector<std::int64_t> spread(const std::vector<std::int64_t>& frames) {
    if (frames.size() <= kFramesLookedAt) return frames;
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < kFramesLookedAt; ++i)
        some.push_back(frames[i * (frames.size() - 1) / (kFramesLookedAt - 1)]);
    return some;
}

double fps_of_run(const output::RunPaths& paths) {
    try {
        return output::read_run_record(paths.record().string()).fps;
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace

std::string PictureSettings::text() const {
    const auto point = [](const std::optional<Vec3d>& p) {
        return p ? fmt::format("{},{},{}", shortest(p->x), shortest(p->y), shortest(p->z)) : "-";
    };
    return fmt::format("size {}x{} samples {} voxels {} camera '{}' from {} to {} automatic {} blur {}",
                       width, height, samples, shortest(voxels_per_cell), camera, point(from), point(to),
                       automatic, motion_blur);
}

Photographer::Photographer(output::RunPaths paths, PictureSettings settings,
                           const std::vector<std::int64_t>& frames)
    : paths_(std::move(paths)), settings_(std::move(settings)), fps_(fps_of_run(paths_)) {
    const std::optional<render::Camera> chosen = chosen_camera();
    for (const std::int64_t k : spread(frames)) {
        const output::Frame frame = read(k, false);
        const float floor = render::floor_of_frame(frame);
        floor_ = box_.valid ? std::min(floor_, floor) : floor;
        box_.include(render::box_of_frame(frame));
    }
    const float aspect = float(settings_.width) / float(std::max(settings_.height, 1));
    camera_ = chosen ? *chosen : render::frame_box(box_, aspect);
}

std::optional<render::Camera> Photographer::chosen_camera() const {
    render::Camera camera;
    if (settings_.from) {
        if (!settings_.to || length(*settings_.to - *settings_.from) == 0)
            throw InputError(Problem{"", 0, 0, "--to", "a camera needs a target that is not its own place",
                                     "give both --from and --to, e.g. --from '1, 1, 2 m' --to '0, 0, 0 m'"});
        camera.position = narrow(*settings_.from);
        camera.target = narrow(*settings_.to);
        return camera;
    }
    if (settings_.automatic) return std::nullopt;
    std::vector<scene::Camera> cameras;
    try {
        cameras = scene::read_scene(paths_.scene().string()).cameras;
    } catch (const Error&) {
        if (!settings_.camera.empty()) throw;
        return std::nullopt;
    }
    const auto found = settings_.camera.empty()
                           ? cameras.begin()
                           : std::find_if(cameras.begin(), cameras.end(),
                                          [&](const scene::Camera& c) { return c.name == settings_.camera; });
    if (found == cameras.end()) {
        if (settings_.camera.empty()) return std::nullopt;
        std::string names;
        for (const scene::Camera& c : cameras) names += (names.empty() ? "" : ", ") + c.name;
        throw InputError(
            Problem{paths_.scene().string(), 0, 0, "--camera",
                    fmt::format("there is no camera '{}'", settings_.camera),
                    names.empty() ? "the scene has none: leave --camera out" : "one of: " + names});
    }
    camera.position = narrow(found->position);
    camera.target = narrow(found->target);
    camera.up = narrow(found->up);
    camera.vertical_fov = float(found->fov);
    return camera;
}

output::Frame Photographer::read(std::int64_t number, bool with_surface) {
    std::vector<std::string> messages;
    output::Frame frame = frame_of_run(paths_, number, with_surface, messages);
    say(number, messages);
    say(number, frame.left_out);
    return frame;
}

void Photographer::say(std::int64_t frame, const std::vector<std::string>& messages) {
    for (const std::string& m : messages) {
        const std::string text = fmt::format("frame {}: {}", frame, m);
        if (std::find(messages_.begin(), messages_.end(), text) == messages_.end()) messages_.push_back(text);
    }
}

io::PngImage Photographer::take(std::int64_t number, const Progress& progress) {
    // The surface takes about a quarter of the time.
    constexpr double kSurfaceShare = 0.25;
    const auto part = [&](double from, double share) {
        return [&progress, from, share](double done, double total) {
            if (progress) progress(from + share * (total > 0 ? done / total : 0), 1);
        };
    };
    output::Frame frame = read(number, true);
    if (frame.surface.triangle.empty()) {
        try {
            give_surface(frame, settings_.voxels_per_cell, part(0, kSurfaceShare));
        } catch (const InputError& e) {
            say(number, {e.what()});  // the liquid is shown as points
        }
    }
    const float aspect = float(settings_.width) / float(settings_.height);
    render::Scene scene = render::scene_of_frame(frame, aspect);
    scene.camera = camera_;
    render::light_studio(scene, box_, floor_);
    render::Options options;
    options.width = settings_.width;
    options.height = settings_.height;
    options.samples = settings_.samples;
    options.least_samples = std::min(options.least_samples, options.samples);
    if (settings_.motion_blur && fps_ > 0) options.shutter = float(0.5 / fps_);
    const render::Image image = render::render(scene, options, part(kSurfaceShare, 1 - kSurfaceShare));
    return {image.width, image.height, io::PngImage::Channels::rgb, render::to_srgb8(image)};
}

PictureResult make_pictures(io::FileSystem& files, const output::RunPaths& paths,
                            const std::vector<std::int64_t>& frames, const PictureSettings& settings,
                            bool again, const Progress& progress) {
    // An automatic camera depends on the frames it holds.
    output::MadeList made(files, paths.pictures(),
                          fmt::format("{} frames {}:{}", settings.text(), frames.front(), frames.back()));
    Photographer photographer(paths, settings, frames);
    files.create_directories(paths.pictures());
    PictureResult result;
    double done_frames = 0;
    const auto total = double(frames.size());
    for (const std::int64_t k : frames) {
        if (!again && made.has(k) && std::filesystem::exists(paths.picture(k))) {
            ++result.skipped;
        } else {
            const auto picture = photographer.take(k, [&](double done, double all) {
                if (progress) progress(done_frames + (all > 0 ? done / all : 0), total);
            });
            made.begin(k);
            io::write_png(files, paths.picture(k), picture);
            made.add(k, {paths.picture(k).filename().string()});
            ++result.made;
        }
        ++done_frames;
        if (progress) progress(done_frames, total);
    }
    result.messages = photographer.messages();
    return result;
}

}  // namespace rivulet::session
