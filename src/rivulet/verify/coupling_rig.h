#pragma once

#include <rivulet/verify/film_rig.h>

namespace rivulet::verify {

/// Text of a scene with one liquid and one entity of straight strands, without air and contact.
struct WetScene {
    double cell = 5e-3, step = 2e-3;  // m, s
    std::string gravity = "0, -9.81, 0 m/s^2", period = "0, 0, 0 m";
    std::string tank =
        "[obstacle.tank]\nside = \"inside\"\nshape = { type = \"box\", min = \"-4, 0, -4 cm\", "
        "max = \"4, 14, 4 cm\" }\n";
    std::string liquid = "density = \"1000 kg/m^3\"\nviscosity = \"1 mPa*s\"\n";
    std::string fill = "min = \"-4, 0, -4 cm\", max = \"4, 9, 4 cm\"";  // a box
    std::string flow = "0, 0, 0 m/s";                                   // of that liquid
    std::string wetting = "capture = \"none\"\n";
    double density = 1300, modulus = 1e7, radius = 1e-3, segment = 4e-3;  // of the strands
    std::string root = "clamp", tip = "free", groom;
    std::string more = {};
    int seed = 0;

    std::string text() const;
};

inline constexpr double kBox = 0.04;  // m, side of the periodic boxes

/// A periodic box full of liquid with strands held at both ends.
WetScene box_scene(int cells);

/// Mean height of all vertices [m].
double mean_height(const strand::StrandState& strands);
/// Mean velocity of the liquid along an axis [m/s].
double mean_flow(const FilmRig& rig, int axis);

std::vector<Case> coupling_flow_cases();
std::vector<Case> coupling_exchange_cases();

}  // namespace rivulet::verify
