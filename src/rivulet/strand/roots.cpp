#include <rivulet/strand/roots.h>

#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod_frame.h>

namespace rivulet::strand {

void bind_roots(const StrandState& state, std::size_t first, std::size_t last, EndKind kind,
                std::int32_t carrier, const geometry::Pose& pose, RootBindings& bindings) {
    const geometry::Pose back = carrier < 0 ? geometry::Pose{} : inverse(pose);
    for (std::size_t s = first; s < last; ++s) {
        const std::size_t v = state.begin(s);
        const Vec3d tangent = normalized(state.position[v + 1] - state.position[v]);
        const Vec3d director = elastic::turned(state.reference_director[v], tangent, state.twist[v]);
        bindings.carrier.push_back(carrier);
        bindings.kind.push_back(static_cast<std::uint8_t>(kind));
        bindings.position.push_back(back.apply(state.position[v]));
        bindings.tangent.push_back(back.apply_direction(tangent));
        bindings.director.push_back(back.apply_direction(director));
    }
}

void place_roots(const RootBindings& bindings, std::span<const CarrierPlace> carriers, EndTargets& targets) {
    targets.resize(bindings.size());
    parallel_chunks(bindings.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t s = begin; s < end; ++s) {
            const std::int32_t c = bindings.carrier[s];
            const CarrierPlace place = c < 0 ? CarrierPlace{} : carriers[static_cast<std::size_t>(c)];
            targets.kind[s] = place.released ? static_cast<std::uint8_t>(EndKind::free) : bindings.kind[s];
            targets.position[s] = place.pose.apply(bindings.position[s]);
            // Squared up, so that round-off in a long chain of poses never reaches the frame.
            const Vec3d tangent = normalized(place.pose.apply_direction(bindings.tangent[s]));
            const Vec3d director =
                elastic::squared_up(place.pose.apply_direction(bindings.director[s]), tangent);
            targets.tangent[s] = tangent;
            targets.director[s] = elastic::turned(director, tangent, place.twist);
        }
    });
}

}  // namespace rivulet::strand
