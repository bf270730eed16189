#pragma once

#include <string>
#include <vector>

#include <rivulet/scene/kind.h>

namespace rivulet::scene {

/// What to write for a field: "length, for example \"1 m\"", "one of \"slip\", ...".
std::string describe_value(const Field& field);
/// "required", or the default as TOML; "" when there is none.
std::string describe_default(const Table& table, const Field& field);
std::string describe_range(const Field& field);
/// What a variant is, and its other names.
std::string described(const Table& variant);

/// A key of the language with the way that leads to it. Entity names appear as NAME, list entries as N.
struct KeyEntry {
    std::vector<std::string> path;
    std::string type;  // word of `type` it belongs to; "" for all
    const Table* owner = nullptr;
    const Field* field = nullptr;
};

/// Every key there is, tables before their contents. Shapes inside shapes are listed once.
std::vector<KeyEntry> all_keys();
std::string joined(const std::vector<std::string>& path);

}  // namespace rivulet::scene
