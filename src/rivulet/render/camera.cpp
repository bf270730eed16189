#include <rivulet/render/camera.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <rivulet/render/optics.h>

namespace rivulet::render {
namespace {

constexpr std::size_t kMostPointsLookedAt = 200000;
constexpr float kAir = 1.10f;

bool finite(const Vec3f& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

}  // namespace

void Box::include(const Box& other) {
    if (!other.valid) return;
    if (!valid) {
        *this = other;
        return;
    }
    for (int a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], other.low[a]);
        high[a] = std::max(high[a], other.high[a]);
    }
}

Box box_of_most(const std::vector<Vec3f>& points, float outside) {
    const std::size_t stride = points.size() / kMostPointsLookedAt + 1;
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<float> values;
        values.reserve(points.size() / stride + 1);
        for (std::size_t i = 0; i < points.size(); i += stride)
            if (finite(points[i])) values.push_back(points[i][axis]);
        if (values.empty()) return {};
        const auto cut = std::size_t(outside * float(values.size()));
        const auto at = [&](std::size_t k) {
            std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(k), values.end());
            return values[k];
        };
        const float low = at(cut), high = at(values.size() - 1 - cut);
        const float least = *std::min_element(values.begin(), values.end());
        const float most = *std::max_element(values.begin(), values.end());
        const float widen = (high - low) * (outside / (1 - 2 * outside));
        box.low[axis] = std::max(least, low - 3 * widen);
        box.high[axis] = std::min(most, high + 3 * widen);
    }
    box.valid = true;
    return box;
}

Camera frame_box(const Box& box, float aspect) {
    Camera camera;
    camera.vertical_fov = 0.55f;
    const Vec3f centre = box.valid ? box.centre() : Vec3f{};
    const Vec3f half = box.valid ? box.size() * 0.5f : Vec3f{0.5f, 0.5f, 0.5f};
    const float reach = std::max(length(half), 1e-4f);
    const float turn = 0.60f, lift = 0.32f;
    const Vec3f back{std::sin(turn) * std::cos(lift), std::sin(lift), std::cos(turn) * std::cos(lift)};
    const Vec3f right = normalized(cross(Vec3f{0, 1, 0}, back)), up = cross(back, right);
    const float tan_v = std::tan(0.5f * camera.vertical_fov), tan_h = tan_v * aspect;
    // Every corner c must satisfy |c·right| <= (distance - c·back) tan_h, and the same upwards.
    float distance = 0.5f * reach;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3f c{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                      corner & 4 ? half.z : -half.z};
        const float sideways = std::abs(dot(c, right)) / tan_h, upwards = std::abs(dot(c, up)) / tan_v;
        distance = std::max(distance, dot(c, back) + kAir * std::max(sideways, upwards));
    }
    camera.target = centre;
    camera.position = centre + back * distance;
    return camera;
}

}  // namespace rivulet::render
