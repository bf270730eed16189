#pragma once

#include <cstddef>
#include <cstdint>
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
