#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rivulet/base/fields.h>

namespace rivulet {

/// References to all members of an aggregate, in order of declaration: adding a member is all it takes for it
/// to be among them.
template <class Aggregate>
auto tie_members(Aggregate& value) {
    constexpr std::size_t n = member_count<std::remove_const_t<Aggregate>>();
    static_assert(n >= 1 && n <= 12, "extend tie_members");
    if constexpr (n == 1) {
        auto& [a] = value;
        return std::tie(a);
    } else if constexpr (n == 2) {
        auto& [a, b] = value;
        return std::tie(a, b);
    } else if constexpr (n == 3) {
        auto& [a, b, c] = value;
        return std::tie(a, b, c);
    } else if constexpr (n == 4) {
        auto& [a, b, c, d] = value;
        return std::tie(a, b, c, d);
    } else if constexpr (n == 5) {
        auto& [a, b, c, d, e] = value;
        return std::tie(a, b, c, d, e);
    } else if constexpr (n == 6) {
        auto& [a, b, c, d, e, f] = value;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (n == 7) {
        auto& [a, b, c, d, e, f, g] = value;
        return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (n == 8) {
        auto& [a, b, c, d, e, f, g, h] = value;
        return std::tie(a, b, c, d, e, f, g, h);
    } else if constexpr (n == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = value;
        return std::tie(a, b, c, d, e, f, g, h, i);
    } else if constexpr (n == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (n == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    }
}

/// visit(member) for every member of an aggregate.
template <class Aggregate, class Visit>
void for_each_member(Aggregate& value, Visit&& visit) {
    std::apply([&](auto&... members) { (visit(members), ...); }, tie_members(value));
}

/// visit(member of a, member of b) for every member of two aggregates of one type.
template <class A, class B, class Visit>
void for_member_pairs(A& a, B& b, Visit&& visit) {
    static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>>);
    const auto of_a = tie_members(a);
    const auto of_b = tie_members(b);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (visit(std::get<I>(of_a), std::get<I>(of_b)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(of_a)>>{});
}

/// Calls visit(field info, array or value) for every leaf of a state's field list; members that have a field
/// list of their own are entered, their names joined with '/'.
template <HasFields State, class Visit>
void visit_leaf_fields(State& state, Visit&& visit, const std::string& prefix = "") {
    visit_fields(state, [&](const FieldInfo& info, auto& value) {
        const std::string name = prefix + std::string(info.name);
        if constexpr (HasFields<std::remove_const_t<std::remove_reference_t<decltype(value)>>>) {
            visit_leaf_fields(value, visit, name + "/");
        } else {
            visit(FieldInfo{name, info.unit, info.centring, info.use, info.rows}, value);
        }
    });
}

/// The same for every member of an aggregate of states.
template <class Aggregate, class Visit>
void visit_all_fields(Aggregate& states, Visit&& visit) {
    for_each_member(states, [&](auto& state) { visit_leaf_fields(state, visit); });
}

}  // namespace rivulet
