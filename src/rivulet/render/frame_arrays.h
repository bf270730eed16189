#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::render {

/// The arrays of one frame that a picture needs, as plain as in the run directory. A group that the frame
/// does not have, or that is damaged, is empty.
struct FrameArrays {
    struct Liquid {
        std::vector<Vec3f> position, velocity;
        std::vector<float> radius;
        std::vector<std::uint8_t> material;
        std::vector<std::int64_t> id;
    } liquid;
    struct Surface {
        std::vector<Vec3f> position, velocity;
        std::vector<Vec3i> triangle;
    } surface;
    struct Strands {
        std::vector<Vec3f> position, velocity;
        std::vector<float> radius, film_area;  // m, m^2
        std::vector<std::int64_t> start;
        std::vector<std::int64_t> material, id;  // per strand
    } strands;
    struct Fabric {
        std::vector<Vec3f> position, velocity;
        std::vector<float> saturation;
        std::vector<Vec3i> triangle;
        std::vector<std::array<int, 2>> segment;
    } fabric;
    struct Bodies {
        std::vector<Vec3f> position, velocity;
        std::vector<Vec3i> triangle;
    } bodies;
    struct Obstacle {
        std::string name;
        std::vector<Vec3f> position;  // now
        std::vector<Vec3i> triangle;
    };
    std::vector<Obstacle> obstacles;
    double time = 0;
};

struct FrameFiles {
    std::filesystem::path frame;    // frames/000000.npz
    std::filesystem::path statics;  // static.npz; may be empty
    std::filesystem::path surface;  // surface/000000.npz; may be empty
};

/// Reads what can be read. Whatever is missing or damaged is said in `messages`, the rest is returned; only a
/// frame file that cannot be opened at all is an error.
FrameArrays read_frame(const FrameFiles& files, std::vector<std::string>& messages);

}  // namespace rivulet::render
