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

/// The number that follows `word` in the text.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + word.size());
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
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

const output::FrameGroup* group_of(const output::Frame& frame, std::string_view name) {
    const auto found = std::find_if(frame.groups.begin(), frame.groups.end(),
                                    [&](const output::FrameGroup& g) { return g.name == name; });
    return found != frame.groups.end() ? &*found : nullptr;
}

std::vector<Vec3f> find_points(const output::Frame& frame, std::string_view entity) {
    if (const auto id = number_after(entity, "particle")) {
        const output::FrameGroup* g = group_of(frame, "liquid");
        if (!g) return {};
        const auto found = std::find(g->id.begin(), g->id.end(), static_cast<std::int64_t>(*id));
        const auto index = static_cast<std::uint64_t>(found - g->id.begin());
        return found == g->id.end() ? std::vector<Vec3f>{} : some_of(g->position, index, index + 1);
    }
    for (const std::string group : {"strands", "fabric", "bodies"})
        if (entity.starts_with(group + "/"))
            for (const char* place : {"vertex", "edge"})
                if (const auto vertex = number_after(entity, place))
                    if (const output::FrameGroup* g = group_of(frame, group))
                        return some_of(g->position, *vertex, *vertex + 1);
    if (const auto strand = number_after(entity, "strand ")) {
        const output::FrameGroup* g = group_of(frame, "strands");
        if (g && *strand < g->lines())
            return some_of(g->position, std::uint64_t(g->start[*strand]),
                           std::uint64_t(g->start[*strand + 1]));
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
