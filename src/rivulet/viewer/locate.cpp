#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <rivulet/viewer/frame_arrays.h>
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

std::vector<Vec3f> find_points(FrameArrays& arrays, std::string_view entity) {
    if (const auto id = number_after(entity, "particle")) {
        const auto ids = arrays.integers("liquid/id");
        const auto found = std::find(ids.begin(), ids.end(), *id);
        const auto index = static_cast<std::uint64_t>(found - ids.begin());
        return found == ids.end() ? std::vector<Vec3f>{}
                                  : some_of(arrays.vectors("liquid/position"), index, index + 1);
    }
    for (const std::string group : {"strands", "fabric", "bodies"})
        if (entity.starts_with(group + "/"))
            for (const char* place : {"vertex", "edge"})
                if (const auto vertex = number_after(entity, place))
                    return some_of(arrays.vectors(group + "/position"), *vertex, *vertex + 1);
    if (const auto strand = number_after(entity, "strand ")) {
        const auto start = arrays.integers("strands/start");
        if (start.size() >= 2 && *strand < start.size() - 1)
            return some_of(arrays.vectors("strands/position"), start[*strand], start[*strand + 1]);
    }
    return {};
}

}  // namespace

std::string locate_entity(const PreviewFiles& files, std::string_view entity) {
    FrameArrays arrays(files.frame, files.fixed);
    std::string json;
    for (const Vec3f& p : find_points(arrays, entity))
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))
            json += fmt::format("{}[{:.9g}, {:.9g}, {:.9g}]", json.empty() ? "" : ", ", p.x, p.y, p.z);
    return fmt::format("{{\"points\": [{}]}}", json);
}

}  // namespace rivulet::viewer
