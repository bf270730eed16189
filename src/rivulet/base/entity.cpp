#include <rivulet/base/entity.h>

#include <fmt/format.h>

#include <algorithm>

namespace rivulet {

std::string particle_name(std::uint64_t id) {
    return fmt::format("particle {}", id);
}

std::string particle_name(std::span<const std::uint64_t> id, std::size_t place) {
    return place < id.size() ? particle_name(id[place]) : "a particle";
}

std::string strand_name(std::uint64_t id) {
    return fmt::format("strand {}", id);
}

std::string entry_name(GroupShape shape, Centring centring, std::size_t index,
                       std::span<const std::uint64_t> id, std::span<const std::int64_t> start) {
    const bool points = shape == GroupShape::points, lines = shape == GroupShape::lines;
    if (points && centring == Centring::particle && index < id.size()) return particle_name(id[index]);
    if (lines && centring == Centring::strand && index < id.size()) return strand_name(id[index]);
    const auto place = static_cast<std::int64_t>(index);
    const auto behind = std::upper_bound(start.begin(), start.end(), place);
    const bool on_line = behind != start.begin() && behind != start.end();
    const auto line = static_cast<std::size_t>(behind - start.begin()) - 1;
    if (lines && on_line && line < id.size() && (centring == Centring::vertex || centring == Centring::edge))
        return fmt::format("{}, {} {}", strand_name(id[line]), to_text(centring), place - start[line]);
    return fmt::format("{} {}", to_text(centring), index);
}

}  // namespace rivulet
