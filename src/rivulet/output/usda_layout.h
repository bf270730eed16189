#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <rivulet/output/export_frame.h>

namespace rivulet::output {

/// Prims and attributes that the frames of a run have, in order of appearance: what the top layer declares.
class UsdaLayout {
 public:
    struct Prim {
        enum class Kind { points, mesh, curves } kind = Kind::points;
        std::string name;  // as USD takes it
        Vec3f colour;
        bool velocity = false, saturation = false, id = false;
        bool material = false;               // several liquids: which one, and colours of their own
        bool liquid = false;                 // a surface of liquid, with materials bound to it
        std::vector<std::string> numbers{};  // of curves: names of their primvars
        bool operator==(const Prim&) const = default;
    };

    /// Adds what this frame has and earlier ones had not.
    void include(const ExportFrame& frame);
    const std::vector<Prim>& prims() const { return prims_; }
    /// Names as USD takes them.
    const std::vector<ExportLiquid>& liquids() const { return liquids_; }
    bool operator==(const UsdaLayout&) const = default;

    /// As a table, to go on with later. Rows that make no sense are passed over.
    std::string csv() const;
    static UsdaLayout parse_csv(std::string_view text);

 private:
    Prim& prim(Prim::Kind kind, const std::string& name, const Vec3f& colour);
    std::vector<Prim> prims_;
    std::vector<ExportLiquid> liquids_;
};

/// A name that USD takes: other characters than letters and digits become underscores, no digit comes first.
std::string usda_name(const std::string& name);

}  // namespace rivulet::output
