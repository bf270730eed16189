#include <rivulet/output/field_descriptions.h>

#include <nlohmann/json.hpp>

namespace rivulet::output {

namespace {

/// Longer texts are no units and no names.
constexpr std::size_t kLongestText = 64, kLongestJson = std::size_t{4} << 20;

std::string text_at(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string()) return {};
    const auto text = found->get<std::string>();
    return text.size() <= kLongestText ? text : std::string();
}

}  // namespace

FieldDescriptions parse_descriptions(std::string_view json) {
    FieldDescriptions out;
    if (json.size() > kLongestJson) return out;
    const auto root = nlohmann::json::parse(json.begin(), json.end(), nullptr, false);
    if (!root.is_object()) return out;
    for (const auto& [name, entry] : root.items()) {
        if (!entry.is_object()) continue;
        if (const auto shape = group_shape(text_at(entry, "shape")))
            out.groups[name] = {*shape, text_at(entry, "materials")};
        else
            out.arrays[name] = {text_at(entry, "unit"), text_at(entry, "centring")};
    }
    return out;
}

}  // namespace rivulet::output
