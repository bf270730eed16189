#pragma once

#include <string>
#include <vector>

#include <rivulet/geometry/shape_description.h>

namespace rivulet::geometry {

/// A line of points beside the axis, its first and last joined when `closed`.
struct ProfileLine {
    std::vector<ProfilePoint> points;
    bool closed = false;
};

/// What is wrong with the points of a profile; empty when they are well.
std::string profile_problem(const std::vector<ProfilePoint>& points, bool smooth, double thickness);

/// Whether two pieces of a line that are not neighbours meet.
bool crosses_itself(const ProfileLine& line);

/// What a revolved solid is in the half plane beside its axis, with exact distances [m], negative inside.
/// Without thickness: what the line encloses, its open ends joined to the axis at their height. With one: all
/// within half of it from the line (there the distance inside is a bound).
class Profile {
 public:
    /// The points must have passed `profile_problem`. Equal first and last points close the line. `smooth`
    /// draws a curve through them, level where it meets the axis.
    Profile(std::vector<ProfilePoint> points, bool smooth, double thickness);

    double distance(const ProfilePoint& p) const;
    struct Sample {
        double distance;
        ProfilePoint normal;  // unit, the gradient
    };
    Sample sample(const ProfilePoint& p) const;

    double thickness() const { return thickness_; }
    ProfilePoint lowest() const { return low_; }    // least radius and height of the solid
    ProfilePoint highest() const { return high_; }  // largest ones

    /// The edge of the solid with the solid on its left (radius to the right, height up): lines from axis to
    /// axis, or closed ones. `steps` points to a full turn of a rounded edge.
    std::vector<ProfileLine> outlines(int steps) const;

 private:
    struct Piece {
        ProfilePoint start, along;
        double inverse_length2;
    };
    std::size_t nearest_piece(const ProfilePoint& p, double& distance2) const;
    bool encloses(const ProfilePoint& p) const;

    ProfileLine line_;
    double thickness_ = 0;
    std::vector<Piece> pieces_;
    ProfilePoint low_, high_;
};

}  // namespace rivulet::geometry
