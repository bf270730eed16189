#include <rivulet/io/hair_file.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include <rivulet/io/refuse.h>

namespace rivulet::io {
namespace {

constexpr std::size_t kHeaderSize = 128;
enum HairArrays : std::uint32_t { kSegments = 1, kPoints = 2, kThickness = 4 };

struct HairHeader {
    std::uint32_t strands = 0, points = 0, arrays = 0, default_segments = 0;
    float default_thickness = 0;
};

[[noreturn]] void refuse(const std::string& name, std::string message, std::string hint = {}) {
    refuse_file(name, 0, std::move(message), std::move(hint));
}

template <class T>
T value_at(std::string_view bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

HairHeader parse_header(std::string_view bytes, const std::string& name) {
    if (bytes.size() < 4 || bytes.substr(0, 4) != "HAIR")
        refuse(name, "not a .hair file", "it must begin with the letters HAIR");
    if (bytes.size() < kHeaderSize) refuse(name, "the .hair header is cut short");
    HairHeader h;
    h.strands = value_at<std::uint32_t>(bytes, 4);
    h.points = value_at<std::uint32_t>(bytes, 8);
    h.arrays = value_at<std::uint32_t>(bytes, 12);
    h.default_segments = value_at<std::uint32_t>(bytes, 16);
    h.default_thickness = value_at<float>(bytes, 20);
    if (!(h.arrays & kPoints)) refuse(name, "the .hair file has no points array");
    return h;
}

/// Bytes of the arrays we read, from counts of at most 32 bits: cannot overflow 64 bits.
std::uint64_t needed_bytes(const HairHeader& h) {
    std::uint64_t need = kHeaderSize + std::uint64_t{12} * h.points;
    if (h.arrays & kSegments) need += std::uint64_t{2} * h.strands;
    if (h.arrays & kThickness) need += std::uint64_t{4} * h.points;
    return need;
}

std::vector<std::int64_t> parse_starts(std::string_view bytes, const HairHeader& h, const std::string& name) {
    const bool listed = h.arrays & kSegments;
    // Without a segments array the points bound the strands; a lying header must not drive the allocation.
    if (!listed && std::uint64_t{h.strands} * (std::uint64_t{h.default_segments} + 1) != h.points)
        refuse(name, fmt::format("{} strands of {} segments do not need {} points", h.strands,
                                 h.default_segments, h.points));
    std::vector<std::int64_t> start(std::size_t{h.strands} + 1, 0);
    for (std::size_t s = 0; s < h.strands; ++s) {
        const std::uint32_t segments =
            listed ? value_at<std::uint16_t>(bytes, kHeaderSize + 2 * s) : h.default_segments;
        start[s + 1] = start[s] + segments + 1;
    }
    if (start.back() != static_cast<std::int64_t>(h.points))
        refuse(name,
               fmt::format("the segments array needs {} points, the header says {}", start.back(), h.points));
    return start;
}

}  // namespace

CurveArrays parse_hair(std::string_view bytes, const std::string& name) {
    const HairHeader h = parse_header(bytes, name);
    if (const std::uint64_t need = needed_bytes(h); bytes.size() < need)
        refuse(name, fmt::format("the .hair file is cut short: {} bytes, its header promises {}",
                                 bytes.size(), need));
    CurveArrays curves;
    curves.start = parse_starts(bytes, h, name);
    std::size_t at = kHeaderSize + ((h.arrays & kSegments) ? std::size_t{2} * h.strands : 0);
    curves.position.resize(h.points);
    for (Vec3d& p : curves.position) {
        p = {value_at<float>(bytes, at), value_at<float>(bytes, at + 4), value_at<float>(bytes, at + 8)};
        at += 12;
    }
    if (h.arrays & kThickness) {
        curves.radius.resize(h.points);
        for (double& r : curves.radius) {
            r = 0.5 * static_cast<double>(value_at<float>(bytes, at));
            at += 4;
        }
    } else if (h.default_thickness > 0) {
        curves.radius.assign(h.points, 0.5 * static_cast<double>(h.default_thickness));
    }
    return curves;
}

}  // namespace rivulet::io
