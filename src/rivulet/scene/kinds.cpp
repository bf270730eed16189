#include <rivulet/scene/kind.h>

namespace rivulet::scene {

// What things are made of.
EntityType liquid_material_type();
EntityType strand_material_type();

Kind obstacle_kind();
Kind liquid_kind();
Kind inflow_kind();
Kind sink_kind();
Kind strands_kind();
Kind camera_kind();

const std::vector<Kind>& kinds() {
    static const Kind materials{
        "material", "What things are made of.", {liquid_material_type(), strand_material_type()}, true, {}};
    static const std::vector<Kind> list{
        materials, obstacle_kind(), liquid_kind(), inflow_kind(), sink_kind(), strands_kind(), camera_kind(),
    };
    return list;
}

const std::vector<std::string>& kinds_to_come() {
    static const std::vector<std::string> list{"fabric", "body"};
    return list;
}

const Kind* find_kind(const std::string& name) {
    for (const Kind& kind : kinds())
        if (kind.name == name) return &kind;
    return nullptr;
}

Writer names_of_entities(const Scene& scene) {
    Writer writer;
    for (const Kind& kind : kinds())
        for (const EntityType& type : kind.types) {
            std::vector<std::string>& names = writer.names[type.called];
            for (std::size_t i = 0; i < type.count(scene); ++i) names.push_back(type.name_of(scene, i));
        }
    return writer;
}

const EntityType* Kind::type(const std::string& word) const {
    for (const EntityType& candidate : types)
        if (candidate.word == word) return &candidate;
    return nullptr;
}

}  // namespace rivulet::scene
