#pragma once

#include <map>
#include <string>
#include <string_view>

#include <rivulet/base/fields.h>

namespace rivulet::output {

/// fields.json of an archive, as far as it makes sense.
struct FieldDescriptions {
    struct Array {
        std::string unit, centring;
    };
    struct Group {
        GroupShape shape = GroupShape::points;
        std::string materials;
    };
    std::map<std::string, Array, std::less<>> arrays;
    std::map<std::string, Group, std::less<>> groups;
};

/// Whatever is not as it should be is passed over.
FieldDescriptions parse_descriptions(std::string_view json);

}  // namespace rivulet::output
