#pragma once

#include <array>

#include <rivulet/contact/approach.h>
#include <rivulet/contact/line_minima.h>
#include <rivulet/geometry/solid_field.h>

/// Continuous detection between a moving edge or vertex and one moving solid.
namespace rivulet::contact {

/// One solid of a field over the step.
struct Wall {
    const geometry::SolidField* field = nullptr;
    std::size_t solid = 0;
};

/// How near an edge comes to a wall.
struct WallMoment {
    bool near = false;    // it comes within touch + margin
    bool hit = false;     // it touches, or no proof was found within the bounded work that it does not
    double time = 0;      // s of impact; without impact of the nearest moment seen
    double distance = 0;  // then [m]
};

/// One place of an edge that bears on a wall.
struct WallTouch {
    double place = 0;     // on the edge, 0 to 1
    double time = 0;      // s at which the rest is meant
    double distance = 0;  // of the axis from the wall [m]
    Vec3d normal;         // unit, out of the wall
    Vec3d velocity;       // of the wall's material there [m/s]
};

struct WallTouches {
    static constexpr int kMost = 2 * LineMinima::kMost;
    int count = 0;
    std::array<WallTouch, kMost> at;
};

/// Minima of the distance along an edge at fraction s. Walls whose free side is convex (floor, box tank) have
/// them at the edge's ends; the distance from a convex primitive is convex; all others are searched by the
/// bound that a distance changes no faster than the way.
LineMinima minima_along(const Wall& wall, const std::array<Vec3d, 2>& edge, double s, double ceiling,
                        double resolution);

/// The first moment at which the edge touches the wall (conservative advancement). Dips of the distance
/// shallower than a quarter of `touch` may be missed on shapes that are not convex, and such a wall counts as
/// touched half of `touch` before; others to reach.tolerance. An edge whose ends coincide is a vertex.
WallMoment approach_of_wall(const Wall& wall, const MovingEdge& edge, const Reach& reach);

/// Distance, normal and velocity of a wall at a place of the edge and a fraction of the step.
WallTouch touch_at(const Wall& wall, const MovingEdge& edge, double place, double s);

/// Where between its ends the edge bears on the wall: minima within reach that are lower than what the ends
/// bear already, by more than a hundredth of `touch`. Those of the moment, and those of the end of the step
/// at other places.
WallTouches touches_between_ends(const Wall& wall, const MovingEdge& edge, const WallMoment& moment,
                                 const Reach& reach);

}  // namespace rivulet::contact
