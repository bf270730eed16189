#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <rivulet/world/world.h>

namespace rivulet::world {

/// Every field of a world as bytes, by name, through the field lists: a new room is compared by itself.
inline std::vector<std::pair<std::string, std::string>> field_bytes(const World& world) {
    std::vector<std::pair<std::string, std::string>> all;
    visit_all_fields(world, [&](const FieldInfo& info, const auto& value) {
        std::string bytes;
        if constexpr (requires { value.data(); }) {
            if (!value.empty())
                bytes.assign(reinterpret_cast<const char*>(value.data()), value.size() * sizeof(value[0]));
        } else {
            static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(value)>>);
            bytes.assign(reinterpret_cast<const char*>(&value), sizeof(value));
        }
        all.emplace_back(info.name, std::move(bytes));
    });
    return all;
}

/// The first field in which two worlds differ, by a bit or in length; "" when they are the same.
inline std::string first_difference(const World& a, const World& b) {
    const auto left = field_bytes(a), right = field_bytes(b);
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i].second != right[i].second) return left[i].first;
    return "";
}

}  // namespace rivulet::world
