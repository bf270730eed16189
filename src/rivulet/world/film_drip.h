#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/film/hold.h>
#include <rivulet/film/state.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/geometry/spatial_hash.h>
#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/strand/loads.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// What strands cannot hold leaves their films as drops. Holds scratch memory only.
///
/// A stretch of 2 r_max of strand holds (4/3)π r_max³ (film/hold.h); more than that, and everything that has
/// arrived at a free end towards which the film flows, is due within the time √(r_max/g). What is due leaves
/// as particles of the bulk once it is enough for the smallest that resampling keeps; less waits where it
/// is. Drops take their part of the film's momentum, u + w t, its strain and its liquids along: a mixed film
/// makes a particle of each.
class FilmDrip {
 public:
    explicit FilmDrip(const Model& model) : model_(model) {}

    /// How much is due at every vertex, for strands that are about to move as `motion` says.
    void find_due(film::FilmState& film, const strand::StrandState& strands, const strand::Motion& motion,
                  const StepView& view);
    /// Makes drops of it where it is enough, now that the strands have moved.
    void release(film::FilmState& film, const strand::StrandState& strands,
                 const geometry::SolidField& solids, liquid::LiquidState& bulk);

 private:
    struct Place {  // a vertex of a strand
        std::size_t strand, vertex;
    };
    struct Excess {
        double volume = 0;  // that a vertex cannot hold, m^3
        double time = 1;    // in which it leaves, s
        double reach = 0;   // r_max, m
    };
    struct Leaving {  // a vertex with enough for a drop
        Place place;
        Vec3d pull;  // on its liquid, m/s^2
    };
    /// Of the liquid on a vertex: gravity less the acceleration of the strand [m/s^2].
    Vec3d pull_at(const strand::StrandState& strands, const strand::Motion& motion, std::size_t vertex,
                  double dt) const;
    /// Whether no vertex of a strand can hold too much but for free ends: the thickest place under the
    /// strongest pull would be held.
    bool holds_all(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                   const strand::Motion& motion, double dt) const;
    void find_due(film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                  const strand::Motion& motion, double dt, bool only_ends,
                  std::vector<Leaving>& leaving) const;
    Excess excess_at(const film::FilmState& film, const strand::StrandState& strands, Place p,
                     const Vec3d& pull, double strands_near) const;
    /// How many strands pass within `reach` of a vertex; itself among them.
    double strands_near(const strand::StrandState& strands, std::size_t vertex, double reach) const;
    void sort_vertices(const strand::StrandState& strands);
    void release_at(film::FilmState& film, const strand::StrandState& strands, const Leaving& from,
                    const geometry::SolidField& solids);
    void add_drops(const film::FilmState& film, const strand::StrandState& strands, const Leaving& from,
                   std::size_t liquid, double volume, const geometry::SolidField& solids);
    double full_particle(std::size_t liquid) const;
    double least_drop(std::size_t liquid) const;

    const Model& model_;
    geometry::SpatialHash hash_;
    bool sorted_ = false;                        // the hash is that of this step
    double longest_edge_ = 0;                    // m
    std::vector<std::uint32_t> strand_of_;       // per vertex
    std::vector<std::uint8_t> holds_all_;        // per strand
    std::vector<std::vector<Leaving>> leaving_;  // by chunks of strands
    std::vector<liquid::NewParticle> drops_;
    std::vector<liquid::Strain> strains_;  // of the drops
};

}  // namespace rivulet::world
