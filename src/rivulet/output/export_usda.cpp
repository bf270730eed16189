#include <rivulet/output/export_usda.h>

#include <rivulet/base/units.h>
#include <rivulet/output/usda_values.h>

namespace rivulet::output {

namespace {

using namespace usda;
using Prim = UsdaLayout::Prim;
using Kind = Prim::Kind;

const char* type_of(Kind kind) {
    return kind == Kind::points ? "Points" : kind == Kind::mesh ? "Mesh" : "BasisCurves";
}

/// A mesh whose triangles are of several liquids has one subset of faces for each.
bool has_subsets(const Prim& p) {
    return p.kind == Kind::mesh && p.material;
}

/// Whole rows of the header of a layer.
void put_header(Text& out, const ExportSpace& space, const std::string& more = {}) {
    put(out, "#usda 1.0\n(\n    defaultPrim = \"Rivulet\"\n{}", more);
    put(out, "    framesPerSecond = {}\n    metersPerUnit = {}\n    timeCodesPerSecond = {}\n",
        shortest(space.fps), shortest(1 / space.scale), shortest(space.fps));
    put(out, "    upAxis = \"{}\"\n)\n\n", space.z_up ? "Z" : "Y");
}

void put_declarations(Text& out, const Prim& p, const UsdaLayout& layout) {
    for (const AttributeName& a : attributes_of(p, layout.liquids())) {
        put(out, "        {} {}", a.type, a.name);
        if (!a.interpolation.empty()) put(out, " (interpolation = \"{}\")", a.interpolation);
        put(out, "\n");
    }
}

/// UsdPreviewSurface knows neither absorption nor what lies behind: a clear liquid is a tinted pane there.
void put_materials(Text& out, const UsdaLayout& layout) {
    constexpr float kClear = 0.35f;
    if (layout.liquids().empty()) return;
    put(out, "    def Scope \"Materials\"\n    {{\n");
    for (const ExportLiquid& l : layout.liquids()) {
        put(out, "        def Material \"{}\"\n        {{\n", l.name);
        put(out,
            "            token outputs:surface.connect = "
            "</Rivulet/Materials/{}/look.outputs:surface>\n",
            l.name);
        put(out, "            def Shader \"look\"\n            {{\n");
        put(out, "                uniform token info:id = \"UsdPreviewSurface\"\n");
        put(out, "                color3f inputs:diffuseColor = ({}, {}, {})\n", l.colour.x, l.colour.y,
            l.colour.z);
        put(out, "                float inputs:ior = {}\n", l.opaque ? 1.45f : 1.33f);
        put(out, "                float inputs:opacity = {}\n", l.opaque ? 1.0f : kClear);
        put(out, "                float inputs:roughness = {}\n", l.opaque ? 0.3f : 0.05f);
        put(out, "                token outputs:surface\n            }}\n        }}\n");
    }
    put(out, "    }}\n");
}

void put_subsets(Text& out, const UsdaLayout& layout) {
    put(out, "        uniform token subsetFamily:materialBind:familyType = \"partition\"\n");
    for (const ExportLiquid& l : layout.liquids()) {
        put(out, "        def GeomSubset \"{}\" (\n", l.name);
        put(out, "            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n        {{\n");
        put(out, "            uniform token elementType = \"face\"\n");
        put(out, "            uniform token familyName = \"materialBind\"\n");
        put(out, "            int[] indices\n");
        put(out, "            rel material:binding = </Rivulet/Materials/{}>\n        }}\n", l.name);
    }
}

void put_definition(Text& out, const Prim& p, const UsdaLayout& layout) {
    const bool bound = p.liquid && !has_subsets(p) && !layout.liquids().empty();
    put(out, "    def {} \"{}\"", type_of(p.kind), p.name);
    if (bound) put(out, " (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )");
    put(out, "\n    {{\n");
    if (!p.material)
        put(out, "        color3f[] primvars:displayColor = [({}, {}, {})]\n", p.colour.x, p.colour.y,
            p.colour.z);
    if (p.kind == Kind::mesh)
        put(out,
            "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = {}\n",
            p.saturation ? "true" : "false");
    if (p.kind == Kind::curves)
        put(out, "        uniform token type = \"linear\"\n        uniform token wrap = \"nonperiodic\"\n");
    if (bound) put(out, "        rel material:binding = </Rivulet/Materials/{}>\n", layout.liquids()[0].name);
    put_declarations(out, p, layout);
    if (has_subsets(p)) put_subsets(out, layout);
    put(out, "    }}\n");
}

void put_samples(Text& out, const Prim& p, const UsdaLayout& layout, const ExportFrame& frame,
                 const ExportSpace& space) {
    const Values values(p, frame);
    const std::string time = shortest(space.time_code(frame.frame));
    for (const AttributeName& a : attributes_of(p, layout.liquids())) {
        put(out, "        {} {}.timeSamples = {{\n            {}: ", a.type, a.name, time);
        values.put_attribute(out, a.name);
        put(out, ",\n");
        Text moved;
        if (a.name == "points" && space.fps > 0 && values.put_moved_points(moved, 1 / space.fps))
            put(out, "            {}: {},\n", shortest(space.time_code(frame.frame) + 1), text_of(moved));
        put(out, "        }}\n");
    }
    for (std::size_t l = 0; has_subsets(p) && l < layout.liquids().size(); ++l) {
        put(out, "        over \"{}\"\n        {{\n            int[] indices.timeSamples = {{\n",
            layout.liquids()[l].name);
        put(out, "                {}: ", time);
        values.put_faces(out, l);
        put(out, ",\n            }}\n        }}\n");
    }
}

}  // namespace

std::string usda_clip(const ExportFrame& frame, const ExportSpace& space) {
    Text out;
    UsdaLayout layout;
    layout.include(frame);
    const std::string time = shortest(space.time_code(frame.frame));
    put_header(out, space, fmt::format("    endTimeCode = {}\n    startTimeCode = {}\n", time, time));
    put(out, "over \"Rivulet\"\n{{\n");
    for (const Prim& p : layout.prims()) {
        put(out, "    over \"{}\"\n    {{\n", p.name);
        put_samples(out, p, layout, frame, space);
        put(out, "    }}\n");
    }
    put(out, "}}\n");
    return text_of(out);
}

std::string usda_manifest(const UsdaLayout& layout, const ExportSpace& space) {
    Text out;
    put_header(out, space);
    put(out, "over \"Rivulet\"\n{{\n");
    for (const Prim& p : layout.prims()) {
        put(out, "    over \"{}\"\n    {{\n", p.name);
        put_declarations(out, p, layout);
        for (std::size_t l = 0; has_subsets(p) && l < layout.liquids().size(); ++l)
            put(out, "        over \"{}\"\n        {{\n            int[] indices\n        }}\n",
                layout.liquids()[l].name);
        put(out, "    }}\n");
    }
    put(out, "}}\n");
    return text_of(out);
}

std::string usda_top_layer(const UsdaLayout& layout, const ExportSpace& space, const std::string& manifest,
                           const std::vector<std::int64_t>& frames,
                           const std::vector<std::string>& clip_files) {
    Text out;
    const auto code = [&](std::size_t i) { return shortest(space.time_code(frames[i])); };
    put_header(out, space,
               frames.empty() ? ""
                              : fmt::format("    endTimeCode = {}\n    startTimeCode = {}\n",
                                            code(frames.size() - 1), code(0)));
    put(out, "def Xform \"Rivulet\" (\n    clips = {{\n        dictionary default = {{\n");
    put(out, "            double2[] active = [");
    for (std::size_t i = 0; i < frames.size(); ++i) put(out, "{}({}, {})", i > 0 ? ", " : "", code(i), i);
    put(out, "]\n            asset[] assetPaths = [");
    for (std::size_t i = 0; i < frames.size(); ++i) put(out, "{}@{}@", i > 0 ? ", " : "", clip_files[i]);
    put(out, "]\n            asset manifestAssetPath = @{}@\n", manifest);
    put(out, "            string primPath = \"/Rivulet\"\n            double2[] times = [");
    for (std::size_t i = 0; i < frames.size(); ++i) put(out, "({}, {}), ", code(i), code(i));
    if (!frames.empty()) {
        // The last clip goes on moving while a shutter that opens on it stays open.
        const std::string end = shortest(space.time_code(frames.back()) + 1);
        put(out, "({}, {})", end, end);
    }
    put(out, "]\n        }}\n    }}\n)\n{{\n");
    put_materials(out, layout);
    for (const Prim& p : layout.prims()) put_definition(out, p, layout);
    put(out, "}}\n");
    return text_of(out);
}

}  // namespace rivulet::output
