#pragma once

#include <string>

#include <rivulet/base/fields.h>

namespace rivulet {

/// Calls visit(member) for every member of an aggregate, in order of declaration: adding a member is all it
/// takes for it to be visited.
template <class Aggregate, class Visit>
void for_each_member(Aggregate& value, Visit&& visit) {
    constexpr std::size_t n = member_count<std::remove_const_t<Aggregate>>();
    static_assert(n >= 1 && n <= 12, "extend for_each_member");
    const auto each = [&](auto&... members) { (visit(members), ...); };
    if constexpr (n == 1) {
        auto& [a] = value;
        each(a);
    } else if constexpr (n == 2) {
        auto& [a, b] = value;
        each(a, b);
    } else if constexpr (n == 3) {
        auto& [a, b, c] = value;
        each(a, b, c);
    } else if constexpr (n == 4) {
        auto& [a, b, c, d] = value;
        each(a, b, c, d);
    } else if constexpr (n == 5) {
        auto& [a, b, c, d, e] = value;
        each(a, b, c, d, e);
    } else if constexpr (n == 6) {
        auto& [a, b, c, d, e, f] = value;
        each(a, b, c, d, e, f);
    } else if constexpr (n == 7) {
        auto& [a, b, c, d, e, f, g] = value;
        each(a, b, c, d, e, f, g);
    } else if constexpr (n == 8) {
        auto& [a, b, c, d, e, f, g, h] = value;
        each(a, b, c, d, e, f, g, h);
    } else if constexpr (n == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = value;
        each(a, b, c, d, e, f, g, h, i);
    } else if constexpr (n == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = value;
        each(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (n == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
        each(a, b, c, d, e, f, g, h, i, j, k);
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
        each(a, b, c, d, e, f, g, h, i, j, k, l);
    }
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
            visit(FieldInfo{name, info.unit, info.centring, info.use}, value);
        }
    });
}

/// The same for every member of an aggregate of states.
template <class Aggregate, class Visit>
void visit_all_fields(Aggregate& states, Visit&& visit) {
    for_each_member(states, [&](auto& state) { visit_leaf_fields(state, visit); });
}

}  // namespace rivulet
