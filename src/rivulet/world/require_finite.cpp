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

/// The entry of an array by its stable id, which the state knows whose group the array belongs to: strands
/// have ids, the films on them none.
std::string name_of_entry(const World& world, const FieldInfo& info, std::size_t index) {
    const std::string group(info.name.substr(0, info.name.find('/')));
    std::string name = entry_name(world.clock, info.centring, index);  // of no group
    for_each_member(world, [&](const auto& state) {
        using State = std::remove_cvref_t<decltype(state)>;
        if constexpr (HasGroup<State>)
            if (State::group.name == group) name = entry_name(state, info.centring, index);
    });
    return name;
}

template <class T>
void check(const World&, const FieldInfo& info, const T& value) {
    if (!finite(value)) throw StepFailed(std::string(info.name), "is not finite");
}

/// The lowest index is named, whichever thread finds its value first.
template <class T>
void check(const World& world, const FieldInfo& info, const std::vector<T>& values) {
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
        if (first == none) return;
        const std::size_t columns = info.rows.value_or(0) > 0 ? values.size() / *info.rows : 1;
        throw StepFailed(fmt::format("{} of {}", info.name, name_of_entry(world, info, first / columns)),
                         "is not finite");
    }
}

}  // namespace

void require_finite(const World& world) {
    visit_all_fields(world, [&](const FieldInfo& info, const auto& value) { check(world, info, value); });
}

}  // namespace rivulet::world
