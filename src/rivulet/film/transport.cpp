#include <rivulet/film/transport.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <rivulet/film/face_area.h>

namespace rivulet::film {
namespace {

/// NOTE: a face's area is at most twice the donor's, so that at this Courant number nine tenths of a vertex's
/// liquid leave it at most: what stays is positive, and what mixes with it stays a mean.
constexpr double kCourant = 0.45;

/// Of the liquids that a vertex holds together [kg/m^3].
double density_of(std::span<const double> share, std::span<const double> density, std::size_t vertex) {
    const std::size_t n = density.size();
    if (n == 1) return density[0];
    double sum = 0;
    for (std::size_t l = 0; l < n; ++l) sum += share[vertex * n + l] * density[l];
    return sum;
}

/// Part of the film at both vertices of an edge that slides along it.
struct Sliding {
    double first, last;
    double of(std::span<const double> mass, std::size_t edge) const {
        return first * mass[edge] + last * mass[edge + 1];
    }
};
Sliding sliding(std::size_t edge, std::size_t vertices, double speed) {
    return {edge == 0 && !slides_from_end(speed) ? 0.0 : 0.5,
            edge + 2 == vertices && !slides_from_end(-speed) ? 0.0 : 0.5};
}

/// Mean of two values by their masses; `first` where there is no mass at all.
double mixed(double mass, double first, double more, double second) {
    const double all = mass + more;
    return all > 0 ? (mass * first + more * second) / all : first;
}

}  // namespace

double film_gyration(double area, double radius) {
    return 0.5 * (2 * radius * radius + area / std::numbers::pi);
}

int Transport::sub_steps(const CarriedLine& line, double dt) {
    const std::size_t n = line.area.size();
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double forward = i + 1 < n ? std::max(line.speed[i], 0.0) : 0.0;
        const double backward = i > 0 ? std::max(-line.speed[i - 1], 0.0) : 0.0;
        most = std::max(most, (forward + backward) / line.length[i]);
    }
    return std::max(1, static_cast<int>(std::ceil(most * dt / kCourant)));
}

int Transport::move(const CarriedLine& line, std::span<const double> density, double dt, Carry carry) {
    assert(line.area.size() >= 2 && density.size() * line.area.size() == line.share.size());
    const std::size_t n = line.area.size();
    if (std::all_of(line.speed.begin(), line.speed.begin() + std::ptrdiff_t(n - 1),
                    [](double w) { return w == 0; }))
        return 0;
    const int steps = sub_steps(line, dt);
    for (int s = 0; s < steps; ++s) sub_step(line, density, dt / steps, carry);
    return steps;
}

void Transport::sub_step(const CarriedLine& line, std::span<const double> density, double dt, Carry carry) {
    find_fluxes(line, density, dt);
    old_velocity_.assign(line.velocity.begin(), line.velocity.end());
    carry_liquids(line, density);
    carry_speeds(line);
    carry_velocities(line, carry);
    carry_spins(line);
}

void Transport::find_fluxes(const CarriedLine& line, std::span<const double> density, double dt) {
    const std::size_t n = line.area.size();
    mass_.resize(n), volume_flux_.resize(n - 1), mass_flux_.resize(n - 1), vertex_flux_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        mass_[i] = line.area[i] * line.length[i] * density_of(line.share, density, i);
    for (std::size_t e = 0; e + 1 < n; ++e) {
        const bool forward = line.speed[e] > 0;
        const std::size_t from = forward ? e : e + 1;
        const double way = line.speed[e] * dt, courant = std::abs(way) / line.length[from];
        volume_flux_[e] = face_area(line.area, e, forward, courant) * way;
        mass_flux_[e] = volume_flux_[e] * density_of(line.share, density, from);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double before = i > 0 ? mass_flux_[i - 1] : 0.0, after = i + 1 < n ? mass_flux_[i] : 0.0;
        vertex_flux_[i] = 0.5 * (before + after);
        // All that reaches an end stops there.
        if ((i == 0 && after < 0) || (i + 1 == n && before > 0)) vertex_flux_[i] *= 2;
    }
}

void Transport::carry_liquids(const CarriedLine& line, std::span<const double> density) {
    const std::size_t n = line.area.size(), liquids = density.size();
    const bool remembers = !line.strain.empty();
    liquid_.resize(n * liquids), strain_.resize(n), new_mass_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double volume = line.area[i] * line.length[i];
        for (std::size_t l = 0; l < liquids; ++l)
            liquid_[i * liquids + l] = volume * line.share[i * liquids + l];
        if (remembers) strain_[i] = volume * line.strain[i];
    }
    for (std::size_t e = 0; e + 1 < n; ++e) {
        const double flux = volume_flux_[e];
        const std::size_t from = flux > 0 ? e : e + 1;
        for (std::size_t l = 0; l < liquids; ++l) {
            const double part = flux * line.share[from * liquids + l];
            liquid_[e * liquids + l] -= part;
            liquid_[(e + 1) * liquids + l] += part;
        }
        if (!remembers) continue;
        strain_[e] -= flux * line.strain[from];
        strain_[e + 1] += flux * line.strain[from];
    }
    for (std::size_t i = 0; i < n; ++i) {
        double volume = 0;
        new_mass_[i] = 0;
        for (std::size_t l = 0; l < liquids; ++l) {
            volume += liquid_[i * liquids + l];
            new_mass_[i] += liquid_[i * liquids + l] * density[l];
        }
        line.area[i] = volume / line.length[i];
        if (!(volume > 0)) continue;
        for (std::size_t l = 0; l < liquids; ++l)
            line.share[i * liquids + l] = liquids == 1 ? 1.0 : liquid_[i * liquids + l] / volume;
        if (remembers) line.strain[i] = strain_[i] / volume;
    }
}

void Transport::carry_speeds(const CarriedLine& line) {
    const std::size_t n = line.area.size();
    old_speed_.assign(line.speed.begin(), line.speed.begin() + std::ptrdiff_t(n - 1));
    pushed_.assign(n, Vec3d{});
    for (std::size_t i = 0; i < n; ++i) {
        const double flux = vertex_flux_[i];
        const bool first = i == 0, last = i + 1 == n;
        // What comes out of an end was at rest on the strand.
        const double from = flux > 0 ? (first ? 0.0 : old_speed_[i - 1]) : (last ? 0.0 : old_speed_[i]);
        const Vec3d before = first ? Vec3d{} : line.tangent[i - 1], after = last ? Vec3d{} : line.tangent[i];
        pushed_[i] = (flux * from) * (before - after);
    }
    for (std::size_t e = 0; e + 1 < n; ++e) {
        const double in_first = vertex_flux_[e], in_last = -vertex_flux_[e + 1];
        const Sliding slid = sliding(e, n, old_speed_[e]);
        double mass = slid.of(mass_, e), speed = old_speed_[e];
        mass += std::min(in_first, 0.0) + std::min(in_last, 0.0);
        if (in_first > 0) {
            speed = mixed(mass, speed, in_first, e > 0 ? old_speed_[e - 1] : 0.0);
            mass += in_first;
        }
        if (in_last > 0) speed = mixed(mass, speed, in_last, e + 2 < n ? old_speed_[e + 1] : 0.0);
        line.speed[e] = new_mass_[e] + new_mass_[e + 1] > 0 ? speed : 0.0;
        // An edge that has turned round frees what was dammed at an end, or dams it.
        const Sliding slides = sliding(e, n, line.speed[e]);
        pushed_[e] -= ((slides.first - slid.first) * new_mass_[e] * line.speed[e]) * line.tangent[e];
        pushed_[e + 1] -= ((slides.last - slid.last) * new_mass_[e + 1] * line.speed[e]) * line.tangent[e];
    }
}

void Transport::carry_velocities(const CarriedLine& line, Carry carry) {
    const std::size_t n = line.area.size();
    const auto held = [&](std::size_t i) { return i < line.held_first || i + line.held_last >= n; };
    for (std::size_t i = 0; i < n; ++i) {
        if (held(i)) continue;
        const double all = line.solid_mass[i] + new_mass_[i];
        if (carry == Carry::rescaled) {
            line.velocity[i] *= (line.solid_mass[i] + mass_[i]) / all;
            continue;
        }
        // What arrives brings its own velocity; what leaves takes none of the difference.
        Vec3d gain = pushed_[i];
        if (i > 0 && mass_flux_[i - 1] > 0)
            gain += mass_flux_[i - 1] * (old_velocity_[i - 1] - old_velocity_[i]);
        if (i + 1 < n && mass_flux_[i] < 0) gain -= mass_flux_[i] * (old_velocity_[i + 1] - old_velocity_[i]);
        line.velocity[i] += gain / all;
    }
}

void Transport::carry_spins(const CarriedLine& line) {
    const std::size_t n = line.area.size();
    old_spin_.assign(line.spin.begin(), line.spin.begin() + std::ptrdiff_t(n - 1));
    for (std::size_t e = 0; e + 1 < n; ++e) {
        const bool held = e + 1 < line.held_first || e + line.held_last >= n;
        if (held) continue;
        const double in_first = std::max(vertex_flux_[e], 0.0), in_last = std::max(-vertex_flux_[e + 1], 0.0);
        const double stays = std::max(0.5 * (new_mass_[e] + new_mass_[e + 1]) - in_first - in_last, 0.0);
        double film = old_spin_[e], mass = stays;
        if (in_first > 0 && e > 0) film = mixed(mass, film, in_first, old_spin_[e - 1]), mass += in_first;
        if (in_last > 0 && e + 2 < n) film = mixed(mass, film, in_last, old_spin_[e + 1]);
        const double area = 0.5 * (line.area[e] + line.area[e + 1]);
        const double radius = 0.5 * (line.radius[e] + line.radius[e + 1]);
        const double inertia = 0.5 * (new_mass_[e] + new_mass_[e + 1]) * film_gyration(area, radius);
        line.spin[e] = mixed(line.solid_spin[e], old_spin_[e], inertia, film);
    }
}

}  // namespace rivulet::film
