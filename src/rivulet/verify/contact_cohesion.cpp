#include <cmath>
#include <numbers>

#include <rivulet/contact/bridge.h>
#include <rivulet/verify/contact_rig.h>

/// Liquid that joins strands.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;

/// Gap between two long wet hairs side by side once they have come to rest, over the radius, and by how much
/// it still swung in the last tenth of the time.
struct Rest {
    double gap = 0, swing = 0;
};
Rest rest_of_pair(double area, double start_gap) {
    const double radius = 45e-6;
    strand::StrandMaterial hair;
    ContactRig rig(hair, 0);
    rig.model.gravity = {};
    strand::MakeOptions options;
    options.root = strand::EndKind::free;
    for (const double side : {-1.0, 1.0}) {
        const Vec3d at{0, side * radius * (1 + 0.5 * start_gap), 0};
        rig.add_strand(line(at, at + Vec3d{0.02, 0, 0}, 8), radius, options);
    }
    rig.wet(0.5 * area * radius * radius, 72e-3, 70 * kPi / 180);
    Rest rest;
    double low = 1e300, high = -1e300;
    const int steps = 200;
    for (int k = 0; k < steps; ++k) {
        rig.step(1e-3);
        const strand::StrandState& s = rig.strands();
        rest.gap = (s.position[s.begin(1) + 4].y - s.position[s.begin(0) + 4].y) / radius - 2;
        if (k >= steps - steps / 10) low = std::min(low, rest.gap), high = std::max(high, rest.gap);
    }
    rest.swing = high - low;
    return rest;
}

Outcome run_bridge_rest(const Options&) {
    Outcome out;
    using Kind = Quantity::Kind;
    // ERRATA: at 70° pairs rest at these gaps instead of touching.
    const double rests[3][2] = {{0.5, 0.098}, {1, 0.24528}, {2, 0.497}};
    for (const auto& [area, gap] : rests)
        for (const double start : {0.0, 0.05}) {
            const Rest rest = rest_of_pair(area, start);
            const std::string name = "area " + std::to_string(area).substr(0, 3) + " r², from gap " +
                                     std::to_string(start).substr(0, 4) + " r: ";
            out.quantities.push_back({name + "gap over r", rest.gap, gap, 0.01});
            out.quantities.push_back({name + "swing over r", rest.swing, 1e-4, 0, Kind::at_most});
        }
    return out;
}

}  // namespace

std::vector<Case> contact_cohesion_cases() {
    return {{"contact", "bridge_rest", "exact bridge at 70°: force zero at gap 0.098, 0.24528, 0.497 r",
             run_bridge_rest}};
}

}  // namespace rivulet::verify
