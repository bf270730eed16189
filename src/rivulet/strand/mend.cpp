#include <rivulet/strand/mend.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>

namespace rivulet::strand {
namespace {

constexpr double kFarthest = 1e6;  // m: squares stay far from overflow, round-off stays visible
constexpr std::size_t kNamed = 5;  // strands named per fault in an error

bool is_usable(const Vec3d& p) {
    return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest && std::abs(p.z) <= kFarthest;
}

struct Strand {
    std::vector<Vec3d> point;
    std::vector<double> radius;
    std::array<bool, kFaultKinds> has{};
    std::string inside;  // name of the obstacle that its root was in

    bool faulty() const {
        return std::any_of(has.begin(), has.end(), [](bool b) { return b; });
    }
    void note(Fault fault) { has[static_cast<std::size_t>(fault)] = true; }
};

/// Copies the usable points and notes what is left out.
void take_points(std::span<const Vec3d> points, std::span<const double> radii, Strand& out) {
    out.point.clear();
    out.radius.clear();
    out.has = {};
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_usable(points[i])) {
            out.note(Fault::not_finite);
        } else if (!out.point.empty() && !(squared_length(points[i] - out.point.back()) > 0)) {
            out.note(Fault::repeated_point);
        } else {
            out.point.push_back(points[i]);
            out.radius.push_back(radii[i]);
        }
    }
    if (out.point.size() < 2) out.note(Fault::too_few_vertices);
}

/// Shorter of the two segments at a point.
double shortest_segment(const std::vector<Vec3d>& p, std::size_t i) {
    const double before = i > 0 ? length(p[i] - p[i - 1]) : HUGE_VAL;
    const double after = i + 1 < p.size() ? length(p[i + 1] - p[i]) : HUGE_VAL;
    return std::min(before, after);
}

/// Cuts radii to what the segments allow. False when a radius is no radius at all.
bool fit_radii(Strand& s) {
    for (std::size_t i = 0; i < s.point.size(); ++i) {
        const double most = shortest_segment(s.point, i);
        if (s.radius[i] > 0 && s.radius[i] <= most) continue;
        s.note(Fault::bad_radius);
        if (!(s.radius[i] > 0) || !std::isfinite(s.radius[i])) return false;
        s.radius[i] = most;
    }
    return true;
}

void move_root_out(const MendOptions& options, Strand& s) {
    if (!options.obstacles) return;
    for (int pass = 0; pass < 8; ++pass) {
        const RootClearance c = options.obstacles(s.point.front());
        if (!c.is_bad()) return;
        if (pass == 0) s.inside = c.name;
        s.note(Fault::root_inside);
        for (Vec3d& p : s.point) p += c.normal * (-c.distance);
    }
}

/// A strand with a fault, and the obstacle that its root is in.
struct Found {
    std::uint32_t strand;
    std::string inside;
};

std::string list_of(const std::vector<Found>& strands) {
    std::string text;
    for (std::size_t i = 0; i < std::min(strands.size(), kNamed); ++i) {
        text += fmt::format("{}{}", i ? ", " : "", strands[i].strand);
        if (!strands[i].inside.empty()) text += fmt::format(" in '{}'", strands[i].inside);
    }
    return strands.size() > kNamed ? text + ", ..." : text;
}

[[noreturn]] void refuse(const std::array<std::vector<Found>, kFaultKinds>& found,
                         const MendOptions& options) {
    constexpr const char* kMessages[] = {"points that are not finite or farther than 1000 km",
                                         "segments of length 0", "fewer than two vertices",
                                         "radii that are not positive or larger than a neighbouring segment",
                                         "roots inside an obstacle"};
    std::vector<Problem> problems;
    for (std::size_t f = 0; f < kFaultKinds; ++f)
        if (!found[f].empty())
            problems.push_back({options.file, 0, 0, options.key,
                                fmt::format("{} strands have {}: strand {}", found[f].size(), kMessages[f],
                                            list_of(found[f])),
                                f == std::size_t(Fault::root_inside)
                                    ? "move them out, let their roots follow that obstacle (root.to), or set "
                                      "faults = \"drop\" or \"mend\""
                                    : "mend the groom, or set faults = \"drop\" or \"mend\""});
    throw InputError(std::move(problems));
}

}  // namespace

const char* to_text(Fault fault) {
    constexpr const char* kNames[] = {"not_finite", "repeated_point", "too_few_vertices", "bad_radius",
                                      "root_inside"};
    return kNames[static_cast<std::size_t>(fault)];
}

std::string MendReport::text() const {
    if (clean()) return {};
    std::string causes;
    for (std::size_t f = 0; f < kFaultKinds; ++f)
        if (faults[f] > 0)
            causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", to_text(Fault(f)), faults[f]);
    return fmt::format("{} strands dropped, {} mended ({})", dropped, mended, causes);
}

MendReport mend(Curves& curves, const MendOptions& options) {
    MendReport report;
    std::array<std::vector<Found>, kFaultKinds> found;
    Curves good;
    good.position.reserve(curves.position.size());
    good.radius.reserve(curves.radius.size());
    Strand s;
    for (std::uint32_t i = 0; i < curves.strand_count(); ++i) {
        take_points(curves.positions(i), curves.radii(i), s);
        bool keep = s.point.size() >= 2;
        if (keep) {
            keep = !options.radii || fit_radii(s);
            move_root_out(options, s);
        }
        for (std::size_t f = 0; f < kFaultKinds; ++f)
            if (s.has[f]) {
                ++report.faults[f];
                found[f].push_back({i, f == std::size_t(Fault::root_inside) ? s.inside : ""});
            }
        if (s.faulty() && (options.repair != Repair::mend || !keep)) {
            ++report.dropped;
            continue;
        }
        report.mended += s.faulty() ? 1 : 0;
        good.add_strand(s.point, s.radius);
        if (!curves.root_uv.empty()) good.root_uv.push_back(curves.root_uv[i]);
        if (!curves.root_normal.empty()) good.root_normal.push_back(curves.root_normal[i]);
        report.kept.push_back(i);
    }
    if (options.repair == Repair::refuse && !report.clean()) refuse(found, options);
    curves = std::move(good);
    return report;
}

}  // namespace rivulet::strand
