#include <rivulet/liquid/fill.h>

#include <fmt/format.h>

#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/liquid/particles.h>

namespace rivulet::liquid {

namespace {

struct Lattice {
    Vec3d origin, spacing;
    std::array<std::uint64_t, 3> count{};

    double site_volume() const { return spacing.x * spacing.y * spacing.z; }
    Vec3d site(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
        return origin + Vec3d{(double(i) + 0.5) * spacing.x, (double(j) + 0.5) * spacing.y,
                              (double(k) + 0.5) * spacing.z};
    }
};

[[noreturn]] void refuse(const Fill& fill, std::string message, std::string hint) {
    throw InputError(Problem{"", 0, 0, fill.key, std::move(message), std::move(hint)});
}

Lattice lattice_of(const Fill& fill, double cell, std::uint64_t most) {
    const geometry::Bounds& box = fill.shape->bounds();
    if (box.is_empty() || !box.is_finite())
        refuse(fill, "the shape has no bounds", "fill a box, sphere or closed mesh");
    const double spacing = particle_spacing(cell, fill.particles_per_cell);
    Lattice lattice;
    lattice.origin = box.min;
    double sites = 1;
    for (int a = 0; a < 3; ++a) {
        const double extent = box.size()[a], n = std::max(1.0, std::round(extent / spacing));
        sites *= n;
        // NOTE: a shape may fill a small part of its box; the factor only bounds the work of looking.
        if (!(sites <= 64.0 * double(most)))
            refuse(fill, fmt::format("the fill needs about {:.2g} particles, more than {}", sites, most),
                   "use a larger grid.cell or a smaller shape");
        lattice.count[std::size_t(a)] = static_cast<std::uint64_t>(n);
        lattice.spacing[a] = extent / n;
    }
    if (!(lattice.site_volume() > 0))
        refuse(fill, "the shape has no volume", "give it an extent on every axis");
    return lattice;
}

enum class Site : std::uint8_t { outside, in_solid, in_earlier, free };

/// Everything that decides about a point.
struct Room {
    const Fill& fill;
    std::span<const geometry::Shape* const> earlier;
    const SolidDistance& solids;

    Site at(const Vec3d& x) const {
        if (!(fill.shape->distance(x) < 0)) return Site::outside;
        for (const geometry::Shape* other : earlier)
            if (other->distance(x) < 0) return Site::in_earlier;
        if (solids && !(solids(x) > 0)) return Site::in_solid;
        return Site::free;
    }
};

struct SlabCounts {
    std::uint64_t free = 0, in_solid = 0, in_earlier = 0;
};

}  // namespace

FillReport fill_shape(LiquidState& state, const Fill& fill, std::span<const geometry::Shape* const> earlier,
                      const SolidDistance& solids, double cell, std::uint64_t seed, std::uint64_t most) {
    const Lattice lattice = lattice_of(fill, cell, most);
    const Room room{fill, earlier, solids};
    const std::uint64_t nx = lattice.count[0], ny = lattice.count[1], nz = lattice.count[2];
    const Random random(seed, 0x66696c6cull + fill.material + (std::uint64_t{state.next_id} << 8));

    std::vector<std::vector<NewParticle>> slab(nz);
    std::vector<SlabCounts> counts(nz);
    parallel_for(nz, [&](std::size_t k) {
        for (std::uint64_t j = 0; j < ny; ++j)
            for (std::uint64_t i = 0; i < nx; ++i) {
                const Vec3d site = lattice.site(i, j, k);
                const Site kind = room.at(site);
                counts[k].free += kind == Site::free;
                counts[k].in_solid += kind == Site::in_solid;
                counts[k].in_earlier += kind == Site::in_earlier;
                if (kind != Site::free || slab[k].size() > most) continue;
                const Vec3d u = random.uniform3(i + nx * (j + ny * k)) - Vec3d{0.5, 0.5, 0.5};
                const Vec3d moved =
                    site + Vec3d{u.x * lattice.spacing.x, u.y * lattice.spacing.y, u.z * lattice.spacing.z} *
                               fill.jitter;
                const Vec3d place = room.at(moved) == Site::free ? moved : site;
                slab[k].push_back({place, fill.velocity, lattice.site_volume(), fill.material, Mat3d{}});
            }
    });
    SlabCounts total;
    for (const SlabCounts& c : counts)
        total.free += c.free, total.in_solid += c.in_solid, total.in_earlier += c.in_earlier;
    if (total.free > most)
        refuse(fill, fmt::format("the fill needs {} particles, more than {}", total.free, most),
               "use a larger grid.cell or a smaller shape");
    if (total.free == 0)
        refuse(fill, "there is no room for liquid in this shape",
               total.in_solid > 0     ? "it lies inside obstacles; move it or the obstacle"
               : total.in_earlier > 0 ? "it lies inside earlier fills; move it or remove one"
                                      : "it is thinner than a particle; make it larger");
    const std::size_t size = state.size() + total.free;
    for_held_arrays(state, [&](auto& array) { array.reserve(size + size / 8); });
    for (auto& particles : slab) {
        add_particles(state, particles);
        std::vector<NewParticle>().swap(particles);
    }
    const double v = lattice.site_volume();
    return {total.free, double(total.free) * v, double(total.in_solid) * v, double(total.in_earlier) * v};
}

}  // namespace rivulet::liquid
