#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/state.h>

namespace rivulet::film {
namespace {

FilmState random_film(std::size_t vertices, std::size_t liquids) {
    FilmState film;
    const Random random(3, 7);
    for (std::size_t v = 0; v < vertices; ++v) {
        film.area.push_back(1e-9 * random.uniform(2 * v));
        film.length.push_back(1e-3 * random.uniform(2 * v + 1));
        for (std::size_t l = 0; l < liquids; ++l) film.share.push_back(1 / double(liquids));
    }
    return film;
}

TEST(Film, HoldsAreaTimesLengthTimesShareOfEachLiquid) {
    FilmState film;
    film.area = {1e-9, 2e-9, 0};
    film.length = {1e-3, 2e-3, 1e-3};
    film.share = {1, 0, 0.25, 0.75, 0, 0};
    EXPECT_EQ(film.liquids(), 2u);
    LiquidTally tally;
    held_liquid(film, tally);
    EXPECT_DOUBLE_EQ(tally.of(0).value(), 1e-12 + 1e-12);
    EXPECT_DOUBLE_EQ(tally.of(1).value(), 3e-12);
}

TEST(Film, NoFilmHoldsNothing) {
    LiquidTally tally;
    held_liquid(FilmState{}, tally);
    EXPECT_EQ(tally.size(), 0u);
    EXPECT_EQ(FilmState{}.liquids(), 0u);
}

TEST(Film, IsCountedAlikeByAnyNumberOfThreads) {
    const FilmState film = random_film(100'000, 2);
    const auto volume = [&] {
        LiquidTally tally;
        held_liquid(film, tally);
        return tally.total();
    };
    const double one = with_threads(1, volume), two = with_threads(2, volume);
    EXPECT_EQ(one, two);
    EXPECT_NEAR(one / (1e5 * 1e-12 / 4), 1, 0.02);
}

TEST(Film, LiquidsThatJoinAreNotInIt) {
    FilmState film = random_film(10, 2);
    LiquidTally before, after;
    held_liquid(film, before);
    widen(film, 4);
    EXPECT_EQ(film.liquids(), 4u);
    held_liquid(film, after);
    for (std::size_t l = 0; l < 2; ++l) EXPECT_EQ(after.of(l).value(), before.of(l).value());
    EXPECT_EQ(after.of(3).value(), 0);
    widen(film, 3);
    EXPECT_EQ(film.liquids(), 4u);
    FilmState none;
    widen(none, 3);
    EXPECT_EQ(none.share.size(), 0u);
}

TEST(Film, CoatsHaveTheAreaOfTheirThickness) {
    const double r = 50e-6, t = 20e-6;
    EXPECT_DOUBLE_EQ(coat_area(r, r, t), std::numbers::pi * ((r + t) * (r + t) - r * r));
    EXPECT_DOUBLE_EQ(coat_area(r, 2 * r, t), std::numbers::pi * ((r + t) * (2 * r + t) - 2 * r * r));
    for (const double thickness : {1e-12, 1e-9, 20e-6, 1e-3})
        EXPECT_NEAR(coat_thickness(r, 2 * r, coat_area(r, 2 * r, thickness)) / thickness, 1, 1e-14);
    EXPECT_EQ(coat_thickness(r, r, 0), 0);
}

}  // namespace
}  // namespace rivulet::film
