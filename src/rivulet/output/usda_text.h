#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::output::usda {

using Text = fmt::memory_buffer;

template <class... A>
void put(Text& out, fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<A>(arguments)...);
}
inline void put_value(Text& out, float v) {
    put(out, "{}", v);
}
inline void put_value(Text& out, std::int64_t v) {
    put(out, "{}", v);
}
inline void put_value(Text& out, const Vec3f& v) {
    put(out, "({}, {}, {})", v.x, v.y, v.z);
}

/// [f(0), f(1), ...]
template <class F>
void put_array(Text& out, std::size_t n, F&& value) {
    put(out, "[");
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) put(out, ", ");
        put_value(out, value(i));
    }
    put(out, "]");
}
template <class T>
void put_array(Text& out, const std::vector<T>& values) {
    put_array(out, values.size(), [&](std::size_t i) { return values[i]; });
}

inline std::string text_of(const Text& out) {
    return {out.data(), out.size()};
}

}  // namespace rivulet::output::usda
