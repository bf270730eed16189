#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <rivulet/base/members.h>

namespace rivulet {

/// What errors, run.json and the viewer call things: by ids that stay, never by places in arrays, which
/// sorting and removing change. `GROUP/FIELD of ` may stand before any of them.
std::string particle_name(std::uint64_t id);
std::string strand_name(std::uint64_t id);
/// The particle at a place of the arrays; "a particle" where ids are not known: a place is no name.
std::string particle_name(std::span<const std::uint64_t> id, std::size_t place);

/// Entry `index` of an array with this centring: "particle 1234", "strand 17", "strand 17, vertex 3" (counted
/// from its root), "vertex 12" of a mesh, whose vertices keep their places.
std::string entry_name(GroupShape shape, Centring centring, std::size_t index,
                       std::span<const std::uint64_t> id, std::span<const std::int64_t> start);

/// The same with the ids and starts that the state lists.
template <HasFields State>
std::string entry_name(const State& state, Centring centring, std::size_t index) {
    std::span<const std::uint64_t> id;
    std::span<const std::int64_t> start;
    if constexpr (HasGroup<State>) {
        const std::string group(State::group.name);
        visit_leaf_fields(state, [&](const FieldInfo& info, const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::vector<std::uint64_t>>)
                if (info.name == group + "/id") id = value;
            if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>)
                if (info.name == group + "/start") start = value;
        });
        return entry_name(State::group.shape, centring, index, id, start);
    } else {
        return entry_name(GroupShape::points, centring, index, id, start);
    }
}

}  // namespace rivulet
