#pragma once

#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {

/// What is inside all `inside` and outside all `outside` shapes. Exact inside where those are exact on the
/// side that counts; outside a bound, the largest of the distances.
class Intersection final : public DistanceField {
 public:
    Intersection(std::vector<Shape> inside, std::vector<Shape> outside)
        : inside_(std::move(inside)), outside_(std::move(outside)) {}

    double distance(const Vec3d& p) const override;
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override;
    TriangleMesh surface(const Fineness& fineness) const override;
    double thinnest() const override;

 private:
    std::vector<Shape> inside_, outside_;
};

/// The wall of a shape: what lies inside it, no deeper than `thickness`. The outer surface is the shape's.
class Shell final : public DistanceField {
 public:
    Shell(Shape of, double thickness) : of_(std::move(of)), half_(0.5 * thickness) {}

    double distance(const Vec3d& p) const override { return std::abs(of_.distance(p) + half_) - half_; }
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override { return of_.bounds(); }
    TriangleMesh surface(const Fineness& fineness) const override;
    double thinnest() const override { return 2 * half_; }

 private:
    Shape of_;
    double half_;
};

/// A shape turned or stretched: world = pivot + map (rest - pivot). Turned, or stretched equally along every
/// axis, distances stay exact; else they are bounds, by the smallest stretch.
class Placed final : public DistanceField {
 public:
    /// `smallest_stretch` of any direction under `map`.
    Placed(Shape of, const Mat3d& map, double smallest_stretch, const Vec3d& pivot);

    double distance(const Vec3d& p) const override { return smallest_ * of_.distance(rest(p)); }
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override;
    TriangleMesh surface(const Fineness& fineness) const override;
    double thinnest() const override { return smallest_ * of_.thinnest(); }

 private:
    Vec3d rest(const Vec3d& p) const { return pivot_ + back_ * (p - pivot_); }
    Vec3d world(const Vec3d& p) const { return pivot_ + map_ * (p - pivot_); }

    Shape of_;
    Mat3d map_, back_;
    double smallest_;
    Vec3d pivot_;
};

}  // namespace rivulet::geometry
