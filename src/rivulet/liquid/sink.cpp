#include <rivulet/liquid/sink.h>

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particles.h>

namespace rivulet::liquid {

std::size_t Remover::remove(LiquidState& state, const std::function<bool(const Vec3d&)>& gone,
                            LiquidTally& taken) {
    const Chunks chunks(state.size(), 4096);
    if (chunk_.size() < chunks.count) chunk_.resize(chunks.count);
    parallel_for(chunks.count, [&](std::size_t c) {
        chunk_[c].clear();
        for (std::size_t i = chunks.begin(c); i < chunks.end(c); ++i)
            if (gone(state.position[i])) chunk_[c].push_back(static_cast<std::uint32_t>(i));
    });
    gone_.clear();
    for (std::size_t c = 0; c < chunks.count; ++c)
        gone_.insert(gone_.end(), chunk_[c].begin(), chunk_[c].end());
    for (const std::uint32_t i : gone_) taken.add(state.material[i], state.volume[i]);
    remove_particles(state, gone_);
    return gone_.size();
}

std::size_t drain(LiquidState& state, Remover& remover, const Sink& sink, double time, LiquidTally& taken) {
    if (!(time >= sink.start && time < sink.stop)) return 0;
    const geometry::Bounds& box = sink.shape->bounds();
    return remover.remove(
        state, [&](const Vec3d& x) { return box.contains(x) && sink.shape->distance(x) < 0; }, taken);
}

std::size_t drop_outside(LiquidState& state, Remover& remover, const geometry::Bounds& keep,
                         LiquidTally& taken) {
    return remover.remove(
        state, [&](const Vec3d& x) { return !(is_finite(x) && keep.contains(x)); }, taken);
}

}  // namespace rivulet::liquid
