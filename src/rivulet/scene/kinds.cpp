#include <rivulet/scene/kind.h>

namespace rivulet::scene {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> list{
        material_kind(), obstacle_kind(), liquid_kind(), inflow_kind(),
        sink_kind(),     strands_kind(),  camera_kind(),
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

const EntityType* Kind::type(const std::string& word) const {
    for (const EntityType& candidate : types)
        if (candidate.word == word) return &candidate;
    return nullptr;
}

}  // namespace rivulet::scene
