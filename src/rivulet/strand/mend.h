#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/strand/curves.h>
#include <rivulet/strand/groom.h>

namespace rivulet::strand {

/// What can be wrong with a strand, in the order in which it is looked for.
enum class Fault { not_finite, repeated_point, too_few_vertices, bad_radius, root_inside };
inline constexpr std::size_t kFaultKinds = 5;
const char* to_text(Fault fault);

/// refuse: an InputError names the strands. drop: faulty strands are left out. mend: faulty points are left
/// out, radii cut to the shorter neighbouring segment, roots moved with their strand to the surface; what
/// cannot be mended is dropped.
enum class Repair { refuse, drop, mend };

struct MendReport {
    std::array<std::size_t, kFaultKinds> faults{};  // strands with each fault
    std::size_t dropped = 0, mended = 0;            // strands
    std::vector<std::uint32_t> kept;                // number in the input of each strand kept

    bool clean() const { return dropped == 0 && mended == 0; }
    /// "3 strands dropped, 2 mended (not_finite 1, repeated_point 4)"; empty when clean.
    std::string text() const;
};

/// How a root lies to the obstacle that it is least allowed to be in.
struct RootClearance {
    double distance = 0;    // < 0 inside [m]
    Vec3d normal{0, 1, 0};  // outwards
    double allowed = 0;     // it may be this deep inside [m]
    std::string_view name;  // of the obstacle
    bool is_bad() const { return distance < -allowed; }
};
using RootClearanceAt = std::function<RootClearance(const Vec3d&)>;

struct MendOptions {
    Repair repair = Repair::refuse;
    std::string file{}, key{};    // for error messages
    RootClearanceAt obstacles{};  // what roots must not be inside of; may be empty
    bool radii = true;            // radii are looked at
};

/// Checks every strand: finite and within 1000 km, at least two vertices, no segment of length 0, radius
/// above 0 and not above the neighbouring segments, root not inside an obstacle.
MendReport mend(Curves& curves, const MendOptions& options);

}  // namespace rivulet::strand
