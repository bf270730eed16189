#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <rivulet/scene/fields.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// A struct that entities of a kind are read into, and the vector of the scene that holds them.
struct EntityType {
    std::string word;    // of the key `type`; "" where a kind has only one struct
    std::string called;  // by references and messages: "obstacle", "liquid material"
    const Table& (*table)() = nullptr;
    std::function<std::size_t(const Scene&)> count;
    std::function<void*(Scene&, const std::string& name)> add;
    std::function<void*(Scene&, std::size_t)> at;
    std::function<std::string(const Scene&, std::size_t)> name_of;
    std::function<void(void* to, const void* from)> copy_all_but_name;
    std::size_t most = 10'000;
    std::string fixed;  // why a run that has begun cannot go on with others, or with changed ones; "": it can
    std::string closed;                                 // why none may join it; "": they may
    std::vector<std::string> (*catalogue)() = nullptr;  // entities that need not be written
    void (*from_catalogue)(const std::string&, void*) = nullptr;
    std::vector<std::string> headline;  // keys by which those of the catalogue are told apart
};

/// [kind.name]. With `derivable`, the key `base` names an entity of the same kind to start from.
struct Kind {
    std::string name, doc;
    std::vector<EntityType> types;  // the first one is the default
    bool derivable = false;
    std::vector<std::string> types_to_come;  // words of `type` that this version has no physics for
    const EntityType* type(const std::string& word) const;
};

template <class T>
EntityType entity_type(std::string called, std::vector<T> Scene::*list, const Table& (*table)()) {
    EntityType out;
    out.called = std::move(called);
    out.table = table;
    out.count = [list](const Scene& s) { return (s.*list).size(); };
    out.add = [list](Scene& s, const std::string& name) -> void* {
        (s.*list).emplace_back().name = name;
        return &(s.*list).back();
    };
    out.at = [list](Scene& s, std::size_t i) -> void* { return &(s.*list)[i]; };
    out.name_of = [list](const Scene& s, std::size_t i) { return (s.*list)[i].name; };
    out.copy_all_but_name = [](void* to, const void* from) {
        const std::string name = static_cast<T*>(to)->name;
        *static_cast<T*>(to) = *static_cast<const T*>(from);
        static_cast<T*>(to)->name = name;
    };
    return out;
}
template <class T>
Kind entity_kind(std::string name, std::string doc, std::vector<T> Scene::*list, const Table& (*table)()) {
    return {name, std::move(doc), {entity_type(name, list, table)}, false, {}};
}

/// Every kind of entity, in the order of the resolved scene. Each has its own file; kinds.cpp lists them.
const std::vector<Kind>& kinds();
const Kind* find_kind(const std::string& name);
/// What writes references to the things of this scene by their names.
Writer names_of_entities(const Scene& scene);
/// Kinds of the language that this version has no physics for.
const std::vector<std::string>& kinds_to_come();

/// Keys at the top: format, title, detail and the single tables.
const Table& scene_table();
const Table& shape_table();
const Table& motion_table();
const Table& contact_table();
const Table& film_behaviour_table();
const Table& wetting_table();

/// Conditions between entities, after all of them are read.
void check_obstacle_parents(const Scene& scene, Reader& reader, const Value& root);

}  // namespace rivulet::scene
