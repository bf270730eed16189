#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

namespace rivulet::scene {

/// What a member accessor of T (a pointer to member, or a function from T& to a reference) leads to.
template <class T, class M>
using Kept = std::remove_reference_t<std::invoke_result_t<M, T&>>;

/// Where a value of type V lies in a struct whose type is forgotten.
template <class V>
class Place {
 public:
    template <class T, class M>
    static Place in(M member) {
        static_assert(std::is_trivially_copyable_v<M> && sizeof(M) <= sizeof(std::ptrdiff_t));
        Place place;
        std::memcpy(&place.member_, &member, sizeof(M));
        place.find_ = [](std::ptrdiff_t stored, void* object) -> V& {
            M kept{};
            std::memcpy(&kept, &stored, sizeof(M));
            return std::invoke(kept, *static_cast<T*>(object));
        };
        return place;
    }
    V& operator()(void* object) const { return find_(member_, object); }
    /// Accessors may be written for T& alone; writing a scene only looks.
    const V& operator()(const void* object) const { return find_(member_, const_cast<void*>(object)); }

 private:
    std::ptrdiff_t member_ = 0;
    V& (*find_)(std::ptrdiff_t, void*) = nullptr;
};

/// The same for integers and enums of any type.
class WholePlace {
 public:
    template <class T, class M>
    static WholePlace in(M member) {
        using V = Kept<T, M>;
        static_assert(std::is_integral_v<V> || std::is_enum_v<V>);
        WholePlace place;
        const auto exact = Place<V>::template in<T>(member);
        place.get = [exact](const void* object) { return static_cast<std::int64_t>(exact(object)); };
        place.set = [exact](void* object, std::int64_t v) { exact(object) = static_cast<V>(v); };
        return place;
    }
    std::function<std::int64_t(const void*)> get;
    std::function<void(void*, std::int64_t)> set;
};

}  // namespace rivulet::scene
