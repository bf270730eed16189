#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include <rivulet/obstacle/description.h>
#include <rivulet/scene/named.h>
#include <rivulet/scene/place.h>
#include <rivulet/scene/table.h>

namespace rivulet::scene {

/// A word of the scene language and the value of an enum it stands for.
using Words = std::vector<std::pair<std::string, std::int64_t>>;
/// Access to the items of a std::vector whose type is forgotten.
struct Items {
    std::function<void(void* object, std::size_t count)> make;  // so many fresh ones
    std::function<std::size_t(const void* object)> count;
    std::function<const void*(const void* object, std::size_t)> at;
};

/// Adds keys to a table; what reads, checks and writes each of them lives in fields.cpp. The struct's type is
/// forgotten here: Fields<T> remembers it.
class TableMaker {
 public:
    TableMaker(std::string_view name, std::string_view doc);
    void quantity(std::string_view key, Place<double> place, std::string_view unit, std::string_view doc);
    void vector(std::string_view key, Place<Vec3d> place, std::string_view unit, std::string_view doc);
    void number(std::string_view key, Place<double> place, std::string_view doc);
    void integer(std::string_view key, WholePlace place, Range allowed, std::string_view doc);
    void boolean(std::string_view key, Place<bool> place, std::string_view doc);
    void text(std::string_view key, Place<std::string> place, std::string_view doc);
    void choice(std::string_view key, WholePlace place, Words words, std::string_view doc);
    void conversion(std::string_view key,
                    std::vector<std::pair<std::string, std::function<void(void*)>>> words,
                    std::string_view doc);
    void triple(std::string_view key, FieldKind kind, Place<Vec3d> place, std::string_view doc);
    void profile(std::string_view key, Place<std::vector<geometry::ProfilePoint>> place,
                 std::string_view doc);
    void interval(std::string_view key, Place<double> from, Place<double> to, std::string_view unit,
                  std::string_view doc);
    void keys(std::string_view key, Place<obstacle::Keys<double>> place, std::string_view unit,
              std::string_view doc);
    void keys(std::string_view key, Place<obstacle::Keys<Vec3d>> place, std::string_view unit,
              std::string_view doc);
    void table(std::string_view key, std::function<void*(void*)> place, const Table& (*sub)(),
               std::string_view doc);
    void list(std::string_view key, Items items, const Table& (*sub)(), std::string_view doc);
    void reference(std::string_view key, Place<int> place, std::string_view kind, std::string_view doc);
    void names(std::string_view key, Place<std::array<NamedEntity, 2>> place, std::vector<std::string> kinds,
               std::string_view doc);
    void by_name(std::string_view key, Place<std::vector<ValueOf>> place, std::string_view kind,
                 std::string_view unit, std::string_view doc);
    void file(std::string_view key, Place<std::string> place, std::string_view doc, bool pattern);
    void file_unit(std::string_view key, Place<double> place, std::string_view doc);
    void variant(WholePlace place, std::int64_t value, Table table);

    Field& last() { return made.fields.back(); }
    Table made;

 private:
    Field& add(std::string_view key, FieldKind kind, std::string_view doc);
    Field& add(std::string_view key, FieldKind kind, std::string_view unit, std::string_view doc);
};

/// Declares the keys of a struct, one line each:
///
///     Fields<Camera>("camera", "Where a picture is taken from.")
///         .vector("position", &Camera::position, "m", "Where the eye is.").required()
///         .quantity("fov", &Camera::fov, "rad", "Vertical opening angle.").range(0.01, 3.1)
///         .done();
///
/// A member is a pointer to member, or any function from T& to a reference.
template <class T>
class Fields {
    using Text = std::string_view;

 public:
    Fields(Text name, Text doc) : maker_(name, doc) {
        maker_.made.make = [] { return std::static_pointer_cast<void>(std::make_shared<T>()); };
    }

    /// A quantity in the SI unit `unit`. Times may be written in frames.
    template <class M>
    Fields& quantity(Text key, M member, Text unit, Text doc) {
        return maker_.quantity(key, at<double>(member), unit, doc), *this;
    }
    template <class M>
    Fields& vector(Text key, M member, Text unit, Text doc) {
        return maker_.vector(key, at<Vec3d>(member), unit, doc), *this;
    }
    template <class M>
    Fields& number(Text key, M member, Text doc) {
        return maker_.number(key, at<double>(member), doc), *this;
    }
    template <class M>
    Fields& integer(Text key, M member, Text doc) {
        return maker_.integer(key, whole(member), whole_range<Kept<T, M>>(), doc), *this;
    }
    template <class M>
    Fields& boolean(Text key, M member, Text doc) {
        return maker_.boolean(key, at<bool>(member), doc), *this;
    }
    template <class M>
    Fields& text(Text key, M member, Text doc) {
        return maker_.text(key, at<std::string>(member), doc), *this;
    }
    /// One word out of a list, each standing for a value of an enum.
    template <class M, class E = Kept<T, M>>
    Fields& choice(Text key, M member, const std::vector<std::pair<std::string, E>>& words, Text doc) {
        Words plain;
        for (const auto& [word, value] : words) plain.emplace_back(word, static_cast<std::int64_t>(value));
        return maker_.choice(key, whole(member), std::move(plain), doc), *this;
    }
    /// A word that says how the members declared before it are meant; `apply` turns them into what is kept,
    /// which is what the first word means. Only that one is written back.
    Fields& conversion(Text key, std::vector<std::pair<std::string, std::function<void(T&)>>> words,
                       Text doc) {
        std::vector<std::pair<std::string, std::function<void(void*)>>> plain;
        for (const auto& word : words)
            plain.emplace_back(word.first, [apply = word.second](void* o) { apply(*static_cast<T*>(o)); });
        return maker_.conversion(key, std::move(plain), doc), *this;
    }
    /// [x, y, z], not zero; kept as written.
    template <class M>
    Fields& direction(Text key, M member, Text doc) {
        return maker_.triple(key, FieldKind::direction, at<Vec3d>(member), doc), *this;
    }
    /// [r, g, b], linear, 0 to 1 each.
    template <class M>
    Fields& color(Text key, M member, Text doc) {
        maker_.triple(key, FieldKind::color, at<Vec3d>(member), doc);
        return range(0, 1);
    }
    /// [x, y, z], plain numbers.
    template <class M>
    Fields& triple(Text key, M member, Text doc) {
        return maker_.triple(key, FieldKind::triple, at<Vec3d>(member), doc), *this;
    }
    /// ["radius, height unit", ...].
    template <class M>
    Fields& profile(Text key, M member, Text doc) {
        return maker_.profile(key, at<std::vector<geometry::ProfilePoint>>(member), doc), *this;
    }
    /// ["1 s", "3 s"] into two members.
    template <class M, class N>
    Fields& interval(Text key, M from, N to, Text unit, Text doc) {
        return maker_.interval(key, at<double>(from), at<double>(to), unit, doc), *this;
    }
    /// [["0 s", value], ...] into obstacle::Keys.
    template <class M>
    Fields& keys(Text key, M member, Text unit, Text doc) {
        return maker_.keys(key, at<Kept<T, M>>(member), unit, doc), *this;
    }
    template <class M>
    Fields& table(Text key, M member, const Table& (*sub)(), Text doc) {
        const auto place = at<Kept<T, M>>(member);
        return maker_.table(
                   key, [place](void* o) -> void* { return &place(o); }, sub, doc),
               *this;
    }
    /// [[...]] into a std::vector of structs.
    template <class M>
    Fields& list(Text key, M member, const Table& (*sub)(), Text doc) {
        const auto place = at<Kept<T, M>>(member);
        Items items;
        items.make = [place](void* o, std::size_t n) { place(o).clear(), place(o).resize(n); };
        items.count = [place](const void* o) { return place(o).size(); };
        items.at = [place](const void* o, std::size_t i) -> const void* { return &place(o)[i]; };
        return maker_.list(key, std::move(items), sub, doc), *this;
    }
    /// The name of an entity, kept as its index; a member of -1 means none.
    template <class M>
    Fields& reference(Text key, M member, Text kind, Text doc) {
        return maker_.reference(key, at<int>(member), kind, doc), *this;
    }
    /// ["hair", "comb"]: two names, each of an entity of one of the kinds. A name of the scene goes before
    /// one of a catalogue, an earlier kind before a later one; "obstacle.comb" says which kind is meant.
    template <class M>
    Fields& names(Text key, M member, std::vector<std::string> kinds, Text doc) {
        return maker_.names(key, at<std::array<NamedEntity, 2>>(member), std::move(kinds), doc), *this;
    }
    /// { water = "70 deg" }: a quantity for each of some entities of a kind.
    template <class M>
    Fields& by_name(Text key, M member, Text kind, Text unit, Text doc) {
        return maker_.by_name(key, at<std::vector<ValueOf>>(member), kind, unit, doc), *this;
    }
    /// A file that must exist, kept as an absolute path. `pattern`: the name stands for several files of one
    /// folder, which a check of the table must pass to Reader::depend_on.
    template <class M>
    Fields& file(Text key, M member, Text doc, bool pattern = false) {
        return maker_.file(key, at<std::string>(member), doc, pattern), *this;
    }
    /// "cm" or "2.5 cm": how many metres one unit of a file is.
    template <class M>
    Fields& file_unit(Text key, M member, Text doc) {
        return maker_.file_unit(key, at<double>(member), doc), *this;
    }
    /// One variant, chosen by the key `type`: the name of `fields` is the word.
    template <class M, class E>
    Fields& variant(M member, E value, Fields fields) {
        return maker_.variant(whole(member), static_cast<std::int64_t>(value), fields.done()), *this;
    }

    /// Another word for the name of this variant; scenes are written back with the name.
    Fields& also_called(Text word) { return maker_.made.aliases.emplace_back(word), *this; }

    // Conditions on the key just declared.
    Fields& required() { return last().required = true, *this; }
    /// A run that has begun cannot go on with another value, for this reason.
    Fields& fixed(Text reason) { return last().fixed = reason, *this; }
    Fields& positive() { return last().range.low = 0, last().range.low_open = true, *this; }
    Fields& at_least(double low) { return last().range.low = low, *this; }
    Fields& at_most(double high) { return last().range.high = high, *this; }
    Fields& below(double high) { return last().range.high = high, last().range.high_open = true, *this; }
    Fields& range(double low, double high) { return at_least(low).at_most(high); }
    /// Another member, declared before, decides the dimension.
    template <class Rule>
    Fields& with_dimension(Rule rule) {
        last().dimension_of = [rule](const void* o) { return rule(*static_cast<const T*>(o)); };
        return *this;
    }

    /// Written back only where this holds: what is left out follows from a rule, not from a default.
    template <class Rule>
    Fields& only_if(Rule rule) {
        last().only_if = [rule](const void* o) { return rule(*static_cast<const T*>(o)); };
        return *this;
    }

    /// A condition on several members, run when each of them is well by itself.
    template <class Rule>
    Fields& check(Rule rule) {
        maker_.made.checks.push_back([rule](const void* o, Check& c) { rule(*static_cast<const T*>(o), c); });
        return *this;
    }

    Table done() { return std::move(maker_.made); }

 private:
    template <class V, class M>
    static Place<V> at(M member) {
        return Place<V>::template in<T>(member);
    }
    template <class M>
    static WholePlace whole(M member) {
        return WholePlace::in<T>(member);
    }
    /// Ranges are doubles, exact up to 2^53.
    template <std::integral I>
    static Range whole_range() {
        Range r;
        r.high = std::min(double(std::numeric_limits<I>::max()), 0x1p53);
        r.low = std::is_signed_v<I> ? -r.high : 0;
        return r;
    }
    Field& last() { return maker_.last(); }

    TableMaker maker_;
};

}  // namespace rivulet::scene
