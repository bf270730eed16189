#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rivulet::world {

/// cone: Coulomb's law without tunnelling. penalty: springs over the distance, frictionless, which may be
/// passed through (Fei 2017 §3.1.2).
enum class ContactLaw : std::uint8_t { cone, penalty, none };
/// bridge: living bridges pull at every gap. hysteresis: they hold what separates and let approach (Fei 2019
/// §3.5.2).
enum class Cohesion : std::uint8_t { none, bridge, hysteresis };

/// Two things that may touch: a strand material and another, or an obstacle.
struct ContactPair {
    double friction_dry = 0, friction_wet = 0;  // Coulomb coefficients
    std::vector<double> angle, other_angle;     // contact angle of each liquid of the scene on either [rad]
};

/// What the penalty law needs besides the bridges.
struct PenaltyModel {
    double stiffness = 2000;  // k per length of strand [N/m²]
    double rest_gap = 1;      // between the surfaces where the force is 0, in mean radii: d₀ = 3r
};

/// How strands meet, as the scene has it.
struct ContactModel {
    ContactLaw law = ContactLaw::none;
    Cohesion cohesion = Cohesion::bridge;
    double margin = 0;        // kept between surfaces, on top of the radii [m]
    double tolerance = 1e-3;  // residual of the cones, relative
    int rounds = 8;           // of cones and strands in a step, at most
    PenaltyModel penalty;
    std::size_t strand_materials = 0, obstacles = 0;
    std::vector<ContactPair> pairs;  // strand materials × (strand materials, then obstacles)

    const ContactPair& between(std::size_t material, std::size_t other) const {
        return pairs[material * (strand_materials + obstacles) + other];
    }
    ContactPair& between(std::size_t material, std::size_t other) {
        return pairs[material * (strand_materials + obstacles) + other];
    }
    const ContactPair& with_obstacle(std::size_t material, std::size_t obstacle) const {
        return between(material, strand_materials + obstacle);
    }
    ContactPair& with_obstacle(std::size_t material, std::size_t obstacle) {
        return between(material, strand_materials + obstacle);
    }
};

}  // namespace rivulet::world
