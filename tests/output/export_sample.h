#pragma once

#include <rivulet/output/export_frame.h>

namespace rivulet::output {

/// A frame with something of every kind.
inline ExportFrame export_sample() {
    ExportFrame f;
    f.frame = 3;
    f.time = 0.125;
    f.points.push_back({"liquid",
                        {{0, 0, 0}, {1, 2, 3}, {-0.5f, 1e-7f, 1e6f}},
                        {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                        {0.1f, 0.2f, 0.3f},
                        {5, std::int64_t{1} << 40, 7},
                        {0, 1, 1},
                        true,
                        {0.35f, 0.6f, 0.9f}});
    f.meshes.push_back({"surface",
                        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}},
                        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                        {},
                        {0.1f, 0.4f, 0.8f}});
    f.meshes.back().liquid = true;
    f.meshes.back().material = {0, 1, 1, 0};
    f.meshes.back().weight = {1, 0, 0.25f, 0.75f, 0, 1, 0.5f, 0.5f};
    f.liquids = {{"honey", {0.8f, 0.4f, 0.1f}, false}, {"milk", {1, 1, 0.8f}, true}};
    f.meshes.push_back(
        {"cloth 1", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}, {{0, 1, 2}}, {0, 0.5f, 1}, {1, 0, 0}});
    ExportCurves strands;
    strands.name = "strands";
    strands.position = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0}};
    strands.velocity = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 0, 4}, {0, 0, 5}};
    strands.radius = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f};
    strands.numbers = {{"film_area", {0, 1e-6f, 2e-6f, 0, 0}},
                       {"film_velocity", {0.5f, -0.5f, 0.25f, 0, 0}},
                       {"film_share_milk", {0, 0.25f, 1, 0, 0}}};
    strands.start = {0, 2, 5};
    strands.id = {11, 12};
    f.curves.push_back(strands);
    return f;
}

}  // namespace rivulet::output
