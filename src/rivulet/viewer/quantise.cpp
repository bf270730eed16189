#include <rivulet/viewer/quantise.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <utility>

namespace rivulet::viewer {
namespace {

/// Finaliser of SplitMix64 (Steele et al. 2014): a bijection, so that different ids never tie.
std::uint64_t scrambled(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
    key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
    return key ^ (key >> 31);
}

std::uint16_t code16(double value, double low, double extent) {
    if (!(extent > 0)) return 0;
    return static_cast<std::uint16_t>(std::lround(std::clamp((value - low) / extent, 0.0, 1.0) * 65535));
}

}  // namespace

Box box_around(const std::vector<Vec3f>& points) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    Box box{{inf, inf, inf}, {-inf, -inf, -inf}};
    for (const Vec3f& p : points) {
        const Vec3d q{double(p.x), double(p.y), double(p.z)};
        if (!is_finite(q)) continue;
        box.low = component_min(box.low, q);
        box.high = component_max(box.high, q);
    }
    return box.low.x <= box.high.x ? box : Box{};
}

std::vector<std::array<std::uint16_t, 3>> quantise(const std::vector<Vec3f>& points, const Box& box) {
    const Vec3d extent = box.high - box.low;
    std::vector<std::array<std::uint16_t, 3>> codes(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        codes[i] = {code16(double(points[i].x), box.low.x, extent.x),
                    code16(double(points[i].y), box.low.y, extent.y),
                    code16(double(points[i].z), box.low.z, extent.z)};
    return codes;
}

Channel quantise(std::string name, std::string unit, const std::vector<float>& values) {
    Channel channel{std::move(name), std::move(unit), 0, 0, std::vector<std::uint8_t>(values.size())};
    std::vector<float> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
                 [](float v) { return std::isfinite(v); });
    if (finite.empty()) return channel;
    channel.low = double(*std::min_element(finite.begin(), finite.end()));
    const auto top = finite.begin() + static_cast<std::ptrdiff_t>(double(finite.size() - 1) * 0.998 + 0.5);
    std::nth_element(finite.begin(), top, finite.end());
    channel.high = double(*top);
    if (!(channel.high > channel.low)) channel.high = double(*std::max_element(finite.begin(), finite.end()));
    const double extent = channel.high - channel.low;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double part = extent > 0 ? (double(values[i]) - channel.low) / extent : 0;
        if (std::isfinite(values[i]) && part > 0)
            channel.codes[i] = static_cast<std::uint8_t>(std::lround(std::min(part, 1.0) * 255));
    }
    return channel;
}

std::vector<std::size_t> stable_subset(const std::vector<std::uint64_t>& keys, std::size_t most) {
    struct Keyed {
        std::uint64_t rank;
        std::size_t index;
        auto operator<=>(const Keyed&) const = default;
    };
    std::vector<Keyed> all(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) all[i] = {scrambled(keys[i]), i};
    if (all.size() > most) {
        std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
        all.resize(most);
    }
    std::sort(all.begin(), all.end());
    std::vector<std::size_t> chosen;
    chosen.reserve(all.size());
    for (const Keyed& k : all) chosen.push_back(k.index);
    return chosen;
}

}  // namespace rivulet::viewer
