#pragma once

#include <string>
#include <vector>

#include <rivulet/output/export_frame.h>
#include <rivulet/output/usda_layout.h>
#include <rivulet/output/usda_text.h>

namespace rivulet::output::usda {

struct AttributeName {
    std::string type, name;
    std::string interpolation;  // of primvars and widths; else empty
};

/// The attributes of a prim that vary, in a fixed order.
std::vector<AttributeName> attributes_of(const UsdaLayout::Prim& prim,
                                         const std::vector<ExportLiquid>& liquids);

/// Writes the value of any attribute of one prim in one frame.
class Values {
 public:
    Values(const UsdaLayout::Prim& prim, const ExportFrame& frame);
    void put_attribute(Text& out, const std::string& name) const;
    /// Where velocities take the points in so many seconds; false where there are none.
    bool put_moved_points(Text& out, double seconds) const;
    /// Faces of one liquid.
    void put_faces(Text& out, std::size_t liquid) const;

 private:
    void put_of_points(Text& out, const std::string& name) const;
    void put_of_mesh(Text& out, const std::string& name) const;
    void put_of_curves(Text& out, const std::string& name) const;

    const ExportFrame& frame_;
    const ExportPoints* points_ = nullptr;
    const ExportMesh* mesh_ = nullptr;
    const ExportCurves* curves_ = nullptr;
};

}  // namespace rivulet::output::usda
