#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rivulet/contact/detector.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/metrics.h>

namespace rivulet::verify {

/// Watches the steps of strands: how often axes crossed each other on the straight way between two states.
class CrossingAudit {
 public:
    /// `before`: the positions of the vertices at the start of the step that led to `now`.
    void look(const strand::StrandState& now, std::span<const Vec3d> before);

    std::int64_t crossings() const { return crossings_; }

 private:
    std::int64_t crossings_ = 0;
    strand::StrandState start_;
    std::vector<Vec3d> velocity_;
    contact::StrandEdges edges_;
    contact::Detector detector_;
    std::vector<contact::Contact> found_;
};

/// What the contact stages of a run report, all steps together.
struct StepTally {
    std::int64_t steps = 0, zones = 0, halved = 0,
                 rounds_out = 0;            // sums; rounds_out: all rounds were needed
    std::int64_t rounds = 0, contacts = 0;  // the most of a step
    double residual = 0;                    // the largest

    void add(const world::StepCounts& counts, int most_rounds = 8) {
        ++steps, zones += counts.contact_zones, halved += counts.retries;
        rounds_out += counts.contact_rounds >= most_rounds;
        rounds = std::max(rounds, counts.contact_rounds), contacts = std::max(contacts, counts.contacts);
        residual = std::max(residual, counts.contact_residual);
    }
    std::string text() const;
};

/// Gauss's linking integral of two polylines closed by straight lines far away is a whole number when they
/// are closed; of open ones it is the sum over their edges, in turns. Exact for every pair of edges.
double linking(std::span<const Vec3d> a, std::span<const Vec3d> b);

}  // namespace rivulet::verify
