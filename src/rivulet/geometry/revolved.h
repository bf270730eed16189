#pragma once

#include <rivulet/geometry/distance_field.h>
#include <rivulet/geometry/profile.h>

namespace rivulet::geometry {

/// A profile turned about an axis. The distance is exact, as that of the profile is: the nearest point of a
/// circle lies in the half plane of the point.
class Revolved final : public DistanceField {
 public:
    /// `axis` is a unit vector; `centre` lies on it at height 0.
    Revolved(Profile profile, const Vec3d& centre, const Vec3d& axis)
        : profile_(std::move(profile)), centre_(centre), axis_(axis) {}

    double distance(const Vec3d& p) const override;
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override;
    TriangleMesh surface(const Fineness& fineness) const override;
    double thinnest() const override;

 private:
    Profile profile_;
    Vec3d centre_, axis_;
};

}  // namespace rivulet::geometry
