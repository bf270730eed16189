#pragma once

#include <vector>

#include <rivulet/contact/detector.h>
#include <rivulet/contact/strand_edges.h>

namespace rivulet::contact {

/// Looks at a motion before it is carried out: which strands come nearer to each other or to walls than
/// contacts left them room for. What it passes cannot have crossed.
class CrossingCheck {
 public:
    /// Part of the sum of radii that axes of two edges keep between them all through the step, and part of
    /// its radius that an edge's axis keeps from walls (less, because walls of any shape count as touched
    /// early).
    static constexpr double kBetweenEdges = 0.9, kToWalls = 0.5;

    /// `edges` have been moved. Fills `out` with the contacts, at full thickness, of what comes nearer; edges
    /// that begin in an overlap keep the same part of the distance they begin with.
    void find(const strand::StrandState& strands, StrandEdges& edges, const geometry::SolidField& solids,
              const DetectionSettings& settings, std::vector<Contact>& out);

 private:
    Detector detector_;
    std::vector<Contact> found_;
};

}  // namespace rivulet::contact
