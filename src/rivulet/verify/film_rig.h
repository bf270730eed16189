#pragma once

#include <functional>
#include <string>
#include <vector>

#include <rivulet/scene/build.h>
#include <rivulet/verify/case.h>
#include <rivulet/world/stepper.h>

namespace rivulet::verify {

/// Strands with film from a scene's text, stepped by the whole step.
class FilmRig {
 public:
    world::Model model;
    world::World world;

    explicit FilmRig(const std::string& scene);

    /// Cross-section of the first liquid on every vertex, from its distance along the strand [m, m^2].
    void coat(const std::function<double(double along)>& area);
    /// One step; its length is the scene's step.max unless something limits it.
    world::StepCounts step();
    void run(double until, const std::function<void()>& after_step = {});

    /// What the last step saw of the liquid.
    const world::LiquidScratch& liquid() const { return stepper_->liquid(); }
    world::Metrics metrics() const { return world::measure(model, world, counts_); }
    double time() const { return world.clock.time; }
    double dt() const { return counts_.dt; }
    film::FilmState& film() { return world.film; }
    strand::StrandState& strands() { return world.strands; }
    /// Distance of a vertex from its root along the strand at rest [m].
    double along(std::size_t vertex) const { return along_[vertex]; }
    double film_mass(std::size_t vertex) const;

 private:
    std::vector<double> along_;
    world::StepCounts counts_;
    std::unique_ptr<world::Stepper> stepper_;
};

/// All energy of a rig, step after step. Films are moved with the speeds that the step before left and get
/// new ones afterwards, so the kinetic energy that belongs to a place is the mean of what both have.
class EnergyWatch {
 public:
    explicit EnergyWatch(const FilmRig& rig);
    void look();  // after every step
    /// The most beyond what the first step left, and what is gone at the end [J].
    double gained() const { return most_ - start_; }
    double lost() const { return start_ - now_; }

 private:
    const FilmRig& rig_;
    bool begun_ = false;
    double kinetic_ = 0, start_ = 0, now_ = 0, most_ = 0;
};

/// Text of one straight strand without air, contact and dripping; `more` is appended to the scene.
struct LineScene {
    double radius = 50e-6, length = 0.1, segment = 1e-3;  // m
    double step = 1e-3;                                   // s
    double modulus = 3e9;                                 // Pa
    double density = 1300;                                // of the strand
    std::string direction = "0, -1, 0", root = "clamp", gravity = "0, -9.81, 0 m/s^2";
    std::string liquid =
        "density = \"1000 kg/m^3\"\nviscosity = \"1 mPa*s\"\nsurface_tension = \"72 mN/m\"\n";
    std::string film = "dripping = false\n";  // the table
    std::string more = {};

    std::string text() const;
};

std::vector<Case> film_flow_cases();
std::vector<Case> film_bead_cases();
std::vector<Case> film_strand_cases();
std::vector<Case> film_drip_cases();
std::vector<Case> film_figure_cases();

}  // namespace rivulet::verify
