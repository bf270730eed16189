#include <rivulet/verify/contact_audit.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace rivulet::verify {
namespace {

/// Axes that come within this part of the thickness count as crossed.
constexpr double kCrossed = 0.05;

double arcsine(const Vec3d& p, const Vec3d& q) {
    return std::asin(std::clamp(dot(p, q), -1.0, 1.0));
}

/// Solid angle under which two edges see each other, over 4π (Banchoff 1976; Klenin and Langowski 2000).
double linking_of_edges(const Vec3d& a, const Vec3d& a_end, const Vec3d& b, const Vec3d& b_end) {
    const Vec3d r13 = b - a, r14 = b_end - a, r23 = b - a_end, r24 = b_end - a_end;
    const auto unit = [](const Vec3d& v) { return normalized_or(v, {}); };
    const Vec3d n[4] = {unit(cross(r13, r14)), unit(cross(r14, r24)), unit(cross(r24, r23)),
                        unit(cross(r23, r13))};
    const double angle =
        arcsine(n[0], n[1]) + arcsine(n[1], n[2]) + arcsine(n[2], n[3]) + arcsine(n[3], n[0]);
    const double sign = dot(cross(b_end - b, a_end - a), r13);
    return std::copysign(angle, sign) / (4 * std::numbers::pi);
}

}  // namespace

void CrossingAudit::look(const strand::StrandState& now, std::span<const Vec3d> before) {
    start_ = now;
    start_.position.assign(before.begin(), before.end());
    velocity_.resize(before.size());
    for (std::size_t v = 0; v < before.size(); ++v) velocity_[v] = now.position[v] - before[v];
    edges_.prepare(start_, 0, {}, {});
    edges_.move(start_, velocity_, 1);
    detector_.detect(edges_.list(start_, kCrossed), {}, {}, found_);
    for (const contact::Contact& c : found_) crossings_ += c.hit;
}

std::string StepTally::text() const {
    return fmt::format(
        "{} steps, {} halved, {} zones, contacts at most {}, rounds at most {} ({} steps took all), residual "
        "{:.1e}",
        steps, halved, zones, contacts, rounds, rounds_out, residual);
}

double linking(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < a.size(); ++i)
        for (std::size_t j = 0; j + 1 < b.size(); ++j)
            sum += linking_of_edges(a[i], a[i + 1], b[j], b[j + 1]);
    return sum;
}

}  // namespace rivulet::verify
