#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <rivulet/viewer/http.h>
#include <rivulet/viewer/preview.h>

namespace rivulet::viewer {
namespace {

constexpr std::size_t kMostPoints = 512;

/// The number that follows `word` and a space.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + word.size());
    if (text.empty() || text.front() != ' ') return std::nullopt;
    text.remove_prefix(1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// Positions [begin, end) of an array; what is out of range is left out.
std::vector<Vec3f> some_of(const std::vector<Vec3f>& all, std::uint64_t begin, std::uint64_t end) {
    end = std::min<std::uint64_t>(end, all.size());
    if (begin >= end) return {};
    const std::uint64_t count = std::min<std::uint64_t>(end - begin, kMostPoints);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// Place of an id among `count`; where a frame has no ids they are the places.
std::optional<std::size_t> place_of(const output::FrameGroup& g, std::uint64_t id, std::size_t count) {
    if (g.id.empty()) return id < count ? std::optional<std::size_t>(id) : std::nullopt;
    const auto found = std::find(g.id.begin(), g.id.end(), static_cast<std::int64_t>(id));
    return found != g.id.end() ? std::optional<std::size_t>(found - g.id.begin()) : std::nullopt;
}

/// A strand, or one vertex of it, or both ends of one edge.
std::vector<Vec3f> points_of_strand(const output::FrameGroup& g, std::size_t strand, std::string_view what) {
    const auto begin = static_cast<std::uint64_t>(g.start[strand]),
               end = static_cast<std::uint64_t>(g.start[strand + 1]);
    const auto vertex = number_after(what, "vertex"), edge = number_after(what, "edge");
    if (!vertex && !edge) return some_of(g.position, begin, end);
    const std::uint64_t first = vertex ? *vertex : *edge, count = vertex ? 1 : 2;
    if (first >= end - begin) return {};
    return some_of(g.position, begin + first, std::min(begin + first + count, end));
}

/// `what` begins with the kind of thing: a vertex of a strand is no vertex of a mesh.
std::vector<Vec3f> points_in_group(const output::FrameGroup& g, std::string_view what) {
    const auto number_of = [&](std::string_view kind) {
        return what.starts_with(kind) ? number_after(what, kind) : std::nullopt;
    };
    switch (g.shape) {
        case GroupShape::points:
            if (const auto id = number_of("particle"))
                if (const auto i = place_of(g, *id, g.position.size()))
                    return some_of(g.position, *i, *i + 1);
            return {};
        case GroupShape::lines:
            if (const auto id = number_of("strand"))
                if (const auto i = place_of(g, *id, g.lines())) return points_of_strand(g, *i, what);
            return {};
        case GroupShape::mesh:
            if (const auto i = number_of("vertex"); i && *i < g.position.size())
                return some_of(g.position, *i, *i + 1);
            return {};
    }
    return {};
}

/// `what` as base/entity.h names it; the first group that has it, or the one of the field in front.
std::vector<Vec3f> find_points(const output::Frame& frame, std::string_view entity) {
    constexpr std::string_view of = " of ";
    const std::size_t at = entity.find(of);
    const bool has_field = at != std::string_view::npos;
    const std::string_view what = has_field ? entity.substr(at + of.size()) : entity;
    const std::string_view group = has_field ? entity.substr(0, entity.find('/')) : std::string_view();
    for (const output::FrameGroup& g : frame.groups) {
        if (has_field && g.name != group) continue;
        if (auto points = points_in_group(g, what); !points.empty()) return points;
    }
    return {};
}

}  // namespace

std::string locate_entity(const output::FrameFiles& files, std::string_view entity) {
    std::vector<std::string> messages;
    const output::Frame frame = output::read_frame({files.frame, files.fixed, {}}, messages);
    std::string json;
    for (const Vec3f& p : find_points(frame, entity))
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))
            json += fmt::format("{}[{:.9g}, {:.9g}, {:.9g}]", json.empty() ? "" : ", ", p.x, p.y, p.z);
    return fmt::format("{{\"points\": [{}]}}", json);
}

}  // namespace rivulet::viewer
