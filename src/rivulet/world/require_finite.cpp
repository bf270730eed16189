#include <fmt/format.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include <rivulet/base/entity.h>
#include <rivulet/base/error.h>
#include <rivulet/base/mat3.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/vec2.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {

namespace {

bool finite(double x) {
    return std::isfinite(x);
}
bool finite(float x) {
    return std::isfinite(x);
}
bool finite(const Vec2d& v) {
    return std::isfinite(v.x) && std::isfinite(v.y);
}
bool finite(const Vec3d& v) {
    return bool(int(std::isfinite(v.x)) & int(std::isfinite(v.y)) & int(std::isfinite(v.z)));
}
bool finite(const Mat3d& m) {
    return bool(int(finite(m.row(0))) & int(finite(m.row(1))) & int(finite(m.row(2))));
}
template <class T>
requires std::is_integral_v<T>
bool finite(T) {
    return true;
}

template <class State, class T>
void check(const State&, const FieldInfo& info, const T& value) {
    if (!finite(value)) throw StepFailed(std::string(info.name), "is not finite");
}

/// The lowest index is named, by its stable id, whichever thread finds its value first.
template <class State, class T>
void check(const State& state, const FieldInfo& info, const std::vector<T>& values) {
    if constexpr (!std::is_integral_v<T>) {
        const std::size_t none = values.size();
        const std::size_t first = ordered_reduce(
            values.size(), 8192, none,
            [&](std::size_t begin, std::size_t end) {
                bool good = true;  // no early end: looked at many at once
                for (std::size_t i = begin; i < end; ++i) good &= finite(values[i]);
                for (std::size_t i = begin; !good && i < end; ++i)
                    if (!finite(values[i])) return i;
                return none;
            },
            [](std::size_t a, std::size_t b) { return std::min(a, b); });
        if (first != none)
            throw StepFailed(fmt::format("{} of {}", info.name, entry_name(state, info.centring, first)),
                             "is not finite");
    }
}

}  // namespace

void require_finite(const World& world) {
    for_each_member(world, [](const auto& state) {
        visit_leaf_fields(state,
                          [&](const FieldInfo& info, const auto& value) { check(state, info, value); });
    });
}

}  // namespace rivulet::world
