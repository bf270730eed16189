#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/base/progress.h>
#include <rivulet/base/vec3.h>
#include <rivulet/io/file_system.h>
#include <rivulet/io/png_file.h>
#include <rivulet/output/frame.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/render/camera.h>

namespace rivulet::session {

struct PictureSettings {
    int width = 640, height = 480;
    int samples = 48;
    double voxels_per_cell = 4;     // of surfaces made in memory
    std::string camera;             // name of a camera of the scene; "": its first, or an automatic one
    std::optional<Vec3d> from, to;  // m; a camera of one's own
    bool automatic = false;         // no camera of the scene
    bool motion_blur = false;       // over half a frame

    /// Everything a picture depends on besides run and frame.
    std::string text() const;
};

/// Takes pictures of the frames of one run from one camera, under the same light.
class Photographer {
 public:
    /// `frames` are those an automatic camera must hold. Throws InputError for a camera the scene does not
    /// have.
    Photographer(output::RunPaths paths, PictureSettings settings, const std::vector<std::int64_t>& frames);
    /// With the surface on disk if there is one, else one made in memory.
    io::PngImage take(std::int64_t number, const Progress& progress = {});
    /// What could not be shown, so far.
    const std::vector<std::string>& messages() const { return messages_; }

 private:
    output::Frame read(std::int64_t number, bool with_surface);
    std::optional<render::Camera> chosen_camera() const;
    void say(std::int64_t frame, const std::vector<std::string>& messages);

    output::RunPaths paths_;
    PictureSettings settings_;
    std::vector<std::string> messages_;
    render::Camera camera_;
    render::Box box_;
    float floor_ = 0;  // height, m
    double fps_ = 0;
};

struct PictureResult {
    std::int64_t made = 0, skipped = 0;
    std::vector<std::string> messages;
};

/// pictures/NNNNNN.png; those that were made from the same settings are skipped unless `again`.
PictureResult make_pictures(io::FileSystem& files, const output::RunPaths& paths,
                            const std::vector<std::int64_t>& frames, const PictureSettings& settings,
                            bool again, const Progress& progress = {});

}  // namespace rivulet::session
