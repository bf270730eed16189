// small_scene SCENE: runs a shipped scene small and short, with one and with two threads. The ledger must
// close and the worlds must be the same in every bit of every field.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <optional>

#include "support/same_world.h"

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

namespace rivulet {
namespace {

/// Sizes that keep both runs together below 3 core-seconds.
constexpr std::size_t kMostEntities = 4000;  // particles and vertices at the start
constexpr std::size_t kMostWork = 100'000;   // particles and vertices times steps
constexpr std::int64_t kFrames = 3, kLeastSteps = 3;
/// What the ledger may be off by, of all the liquid there ever was.
constexpr double kLedger = 1e-12;

/// Particles and vertices of whatever the world has.
std::size_t entities(const world::World& world) {
    std::size_t count = 0;
    for_each_member(world, [&](const auto& state) {
        if constexpr (HasGroup<std::remove_cvref_t<decltype(state)>>) count += state.position.size();
    });
    return count;
}

struct Small {
    scene::Built built;
    double detail;
};

/// The finest version with few enough particles and vertices. Some scenes cannot be built very coarse.
Small small_version(const std::string& path) {
    std::optional<Small> best;
    std::string refused;
    for (const double detail : {0.1, 0.15, 0.2, 0.3, 0.4, 0.5}) {
        try {
            scene::Built built = scene::build(scene::read_scene(path, {fmt::format("detail={}", detail)}));
            if (best && entities(built.world) > kMostEntities) break;
            best.emplace(std::move(built), detail);
            if (entities(best->built.world) > kMostEntities) break;
        } catch (const InputError& e) {
            refused = e.what();
        }
    }
    if (!best) throw Error("no small version of it can be built: " + refused);
    return std::move(*best);
}

struct Run {
    world::World world;
    double ledger = 0;
    std::int64_t steps = 0;
};

Run run(const scene::Built& start, int threads) {
    return with_threads(threads, [&] {
        Run r{start.world};
        world::Stepper stepper(start.model);
        for (std::size_t work = 0; r.world.clock.frame < std::min(kFrames, start.model.last_frame()) &&
                                   (work < kMostWork || r.steps < kLeastSteps);
             ++r.steps) {
            const world::StepCounts counts = stepper.advance(r.world);
            work += entities(r.world);
            r.ledger =
                std::max(r.ledger, std::abs(world::measure(start.model, r.world, counts).volume_error));
        }
        return r;
    });
}

int check(const std::string& path) {
    const Small small = small_version(path);
    const Run one = run(small.built, 1), two = run(small.built, 2);
    fmt::print("{}: detail {}, {} particles and vertices, {} steps to {:.4g} s, ledger {:.2g}\n", path,
               small.detail, entities(one.world), one.steps, one.world.clock.time, one.ledger);
    int failures = 0;
    const auto complain = [&](const std::string& message) {
        fmt::print("FAILED: {}\n", message), ++failures;
    };
    if (one.steps == 0) complain("not a single step was taken");
    if (!(one.ledger <= kLedger)) complain(fmt::format("the ledger is off by {:.3g}", one.ledger));
    const std::string field = world::first_difference(one.world, two.world);
    if (!field.empty()) complain(fmt::format("{} differs between one and two threads", field));
    return failures;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    try {
        return rivulet::check(argv[1]) == 0 ? 0 : 1;
    } catch (const std::exception& e) {
        fmt::print("FAILED: {}\n", e.what());
        return 1;
    }
}
