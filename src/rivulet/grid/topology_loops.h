#pragma once

#include <rivulet/base/parallel.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

template <class F>
void for_blocks(const Topology& topology, F&& body) {
    parallel_for(topology.size(), [&](std::size_t b) { body(b); });
}

template <class F>
void for_coloured_blocks(const Topology& topology, F&& body) {
    for (std::size_t c = 0; c < topology.colours(); ++c) {
        const std::size_t first = topology.colour_start[c];
        parallel_for(topology.colour_start[c + 1] - first,
                     [&](std::size_t i) { body(std::size_t(topology.coloured[first + i])); });
    }
}

}  // namespace rivulet::grid
