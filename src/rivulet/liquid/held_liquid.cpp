#include <rivulet/liquid/state.h>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {

void held_liquid(const LiquidState& state, LiquidTally& tally) {
    tally.add(ordered_reduce(
        state.size(), 4096, LiquidTally{},
        [&](std::size_t begin, std::size_t end) {
            LiquidTally some;
            for (std::size_t i = begin; i < end; ++i) some.add(state.material[i], state.volume[i]);
            return some;
        },
        [](LiquidTally a, const LiquidTally& b) {
            a.add(b);
            return a;
        }));
}

}  // namespace rivulet::liquid
