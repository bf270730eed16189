#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rivulet {

/// What one entry of an array belongs to.
enum class Centring {
    scalar,
    particle,
    vertex,
    edge,
    strand,
    triangle,
    tetrahedron,
    cell,
    obstacle,
    emitter,
    other
};

std::string_view to_text(Centring centring);

/// Where a field goes besides memory.
enum FieldUse : unsigned {
    kCheckpoint = 1,  // part of the exact state
    kFrame = 2,       // written with every frame
    kStatic = 4,      // written once to static.npz
};

struct FieldInfo {
    std::string_view name;  // archive path, e.g. "liquid/position"
    std::string_view unit;  // SI, e.g. "m/s"; "" for none
    Centring centring = Centring::other;
    unsigned use = kCheckpoint;
    /// Of a table that is kept flat, row after row: how many rows it has now. None: no table. In files it has
    /// two axes.
    std::optional<std::size_t> rows = std::nullopt;
};

/// How the points of a group of arrays hang together, for all who show them.
enum class GroupShape {
    points,  // GROUP/position
    lines,   // also GROUP/start: the first point of each line, and the end of the last
    mesh,    // also GROUP/triangle (corners), or GROUP/segment (ends), or both
};

std::string_view to_text(GroupShape shape);
std::optional<GroupShape> group_shape(std::string_view text);

/// A state whose points are written to frames says once what they are, beside its fields:
///
///     static constexpr GroupInfo group{"strands", GroupShape::lines, "strand"};
///
/// Surfaces, pictures, the viewer, exports and the names in errors go by it.
struct GroupInfo {
    std::string_view name;  // what the names of its arrays begin with: "strands" of "strands/position"
    GroupShape shape = GroupShape::points;
    std::string_view materials;  // GROUP/material points into the arrays materials/THIS/...; "" for none
};

template <class State>
concept HasGroup = requires {
    std::string_view(State::group.name);
};

/// Every state struct is an aggregate that lists its members once:
///
///     struct LiquidState {
///         std::vector<Vec3d> position;
///         template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
///             visit(FieldInfo{"liquid/position", "m", Centring::particle, kCheckpoint | kFrame},
///             self.position);
///         }
///     };
///
/// Members are std::vector<T> or single T of arithmetic types, Vec3d or Mat3d, or another such struct.
template <class T>
concept HasFields = requires(T& t) {
    T::fields(t, [](const FieldInfo&, auto&) {});
};

template <HasFields State, class Visit>
void visit_fields(State& state, Visit&& visit) {
    std::remove_const_t<State>::fields(state, std::forward<Visit>(visit));
}

template <HasFields State>
std::size_t listed_field_count() {
    State state{};
    std::size_t n = 0;
    visit_fields(state, [&](const FieldInfo&, auto&) { ++n; });
    return n;
}

namespace detail {
struct AnyMember {
    template <class T>
    operator T() const;
};
template <class T, class Indices>
struct BraceInitialisable;
template <class T, std::size_t... I>
struct BraceInitialisable<T, std::index_sequence<I...>> {
    template <std::size_t>
    using Any = AnyMember;
    static constexpr bool value = requires { T{Any<I>{}...}; };
};
}  // namespace detail

/// Number of members of an aggregate: the most initialisers its braces take. A test compares it with
/// `listed_field_count`, so that a forgotten member fails the build's tests and not a user's resume.
template <class T, std::size_t Most = 64>
constexpr std::size_t member_count() {
    if constexpr (Most == 0 || detail::BraceInitialisable<T, std::make_index_sequence<Most>>::value)
        return Most;
    else
        return member_count<T, Most - 1>();
}

}  // namespace rivulet
