#pragma once

namespace rivulet::scene {

/// One of several kinds of entities: which of the kinds its key allows, and its index among them.
struct NamedEntity {
    int kind = 0;
    int index = -1;
    bool operator==(const NamedEntity&) const = default;
};

/// A number that belongs to an entity.
struct ValueOf {
    int index = -1;
    double value = 0;
};

}  // namespace rivulet::scene
