#include <rivulet/film/state.h>

#include <algorithm>
#include <utility>

#include <rivulet/base/parallel.h>

namespace rivulet::film {

void held_liquid(const FilmState& state, LiquidTally& tally) {
    const std::size_t liquids = state.liquids();
    tally.add(ordered_reduce(
        state.size(), 4096, LiquidTally{},
        [&](std::size_t begin, std::size_t end) {
            LiquidTally some;
            for (std::size_t v = begin; v < end; ++v)
                for (std::size_t l = 0; l < liquids; ++l)
                    some.add(l, state.area[v] * state.length[v] * state.share[v * liquids + l]);
            return some;
        },
        [](LiquidTally a, const LiquidTally& b) {
            a.add(b);
            return a;
        }));
}

FilmState dry_film(std::vector<double> lengths, std::size_t liquids) {
    FilmState film;
    const std::size_t n = lengths.size();
    film.length = std::move(lengths);
    film.share.assign(n * liquids, 0.0);
    for (auto* values : {&film.area, &film.speed, &film.drive, &film.due}) values->assign(n, 0.0);
    return film;
}

void widen(FilmState& state, std::size_t liquids) {
    const std::size_t before = state.liquids();
    if (state.size() == 0 || liquids <= before) return;
    std::vector<double> share(state.size() * liquids, 0.0);
    for (std::size_t v = 0; v < state.size(); ++v)
        std::copy_n(state.share.begin() + std::ptrdiff_t(v * before), before,
                    share.begin() + std::ptrdiff_t(v * liquids));
    state.share = std::move(share);
}

}  // namespace rivulet::film
