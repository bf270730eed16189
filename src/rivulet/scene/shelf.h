#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rivulet::scene {

/// One key of a material on the shelf.
struct ShelfValue {
    std::string key;
    std::string text;          // as a scene writes it, without quotes: "998.2 kg/m^3"
    std::string brief;         // the same to four digits
    std::optional<double> si;  // of quantities and numbers
    bool usual = false;        // the value of a material that does not write the key
};

/// A material that every scene may name without defining it.
struct ShelfMaterial {
    std::string name, type;  // type: "liquid", "strand", ...
    std::vector<ShelfValue> values;
    std::vector<std::string> headline;  // keys by which materials of this type are told apart

    const ShelfValue* find(const std::string& key) const;
};

/// The whole catalogue, type after type.
const std::vector<ShelfMaterial>& shelf();

}  // namespace rivulet::scene
