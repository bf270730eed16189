#pragma once

#include <string>
#include <vector>

namespace rivulet::scene {

/// JSON Schema (draft 7) of the scene language, for editors.
std::string json_schema();

/// docs/scene-reference.md.
std::string reference_page();

/// What a key means, its unit, default and range: "grid.cell", "liquid.pool.material", "motion", "radius".
/// Throws InputError with the nearest key when there is none.
std::string explain(const std::string& key);

/// Names of the catalogue, and one of its materials as a scene would write it: `[material.water]` and all
/// keys.
std::vector<std::string> material_names();
/// Throws InputError when there is none of this name.
std::string material_text(const std::string& name);

/// Commented scenes to start from.
struct Template {
    std::string name, doc;
};
std::vector<Template> templates();
/// Throws InputError when there is no template of this name.
std::string template_scene(const std::string& name);

}  // namespace rivulet::scene
