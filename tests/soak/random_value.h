#pragma once

#include <map>
#include <string>
#include <vector>

#include "soak/dice.h"

#include <rivulet/scene/table.h>

namespace rivulet::soak {

/// What random values are drawn around.
struct Surroundings {
    double cell = 0.02;      // m
    double extent = 0.3;     // m: places are within this of the origin
    double duration = 0.05;  // s
    double contrast = 1e6;   // numbers are up to this many times larger or smaller than usual
    std::map<std::string, std::vector<std::string>> names;  // of entities, by what references call them
    std::vector<std::string> files;
};

/// A table of the scene language, as TOML, with the keys that are required and some of the others.
std::string random_table(Dice& dice, const scene::Table& table, const Surroundings& around, int depth = 0);
/// The keys of a table, one per line.
std::string random_lines(Dice& dice, const scene::Table& table, const Surroundings& around);

}  // namespace rivulet::soak
