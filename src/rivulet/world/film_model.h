#pragma once

#include <cstddef>
#include <vector>

#include <rivulet/film/line_forces.h>
#include <rivulet/film/liquid.h>
#include <rivulet/film/transport.h>

namespace rivulet::world {

/// Liquid that runs onto the roots of some strands, for each of them.
struct FilmFeed {
    std::size_t first = 0, last = 0;  // strands [first, last)
    std::size_t liquid = 0;
    double rate = 0;                // m^3/s
    double start = 0, stop = 1e30;  // s
};

/// Films on strands, as the scene has them.
struct FilmModel {
    bool weighs = false;  // films have mass; otherwise they only wet
    bool flows = true;    // along the strands; otherwise they ride on them
    bool inertia = true;  // films feel how strands move; otherwise only gravity
    bool drips = true;    // what strands cannot hold leaves as drops
    bool across = false;  // bridges lead liquid from strand to strand
    film::Carry carry = film::Carry::mixture;
    film::FlowOptions flow;
    std::vector<film::FilmLiquid> liquids;  // those of the scene
    std::vector<FilmFeed> feeds;
};

}  // namespace rivulet::world
