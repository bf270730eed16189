#pragma once

namespace rivulet {

/// Two components of any scalar: texture coordinates, curvatures along two material axes.
template <class T>
struct Vec2 {
    T x{}, y{};

    constexpr T& operator[](int i) { return i == 0 ? x : y; }
    constexpr const T& operator[](int i) const { return i == 0 ? x : y; }
    constexpr bool operator==(const Vec2&) const = default;
};

using Vec2d = Vec2<double>;

}  // namespace rivulet
