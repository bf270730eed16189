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
        bool velocity = false, film = false, saturation = false, id = false;
        bool operator==(const Prim&) const = default;
    };

    /// Adds what this frame has and earlier ones had not.
    void include(const ExportFrame& frame);
    const std::vector<Prim>& prims() const { return prims_; }
    bool operator==(const UsdaLayout&) const = default;

    /// As a table, to go on with later. Rows that make no sense are passed over.
    std::string csv() const;
    static UsdaLayout parse_csv(std::string_view text);

 private:
    Prim& prim(Prim::Kind kind, const std::string& name, const Vec3f& colour);
    std::vector<Prim> prims_;
};

/// A name that USD takes: other characters than letters and digits become underscores, no digit comes first.
std::string usda_name(const std::string& name);

/// One clip: every attribute of the frame as a time sample at the frame's time code.
std::string usda_clip(const ExportFrame& frame, const ExportSpace& space);

/// Declares the attributes that clips give values to; where a clip has none there is none, so that nothing of
/// a neighbouring frame shows through.
std::string usda_manifest(const UsdaLayout& layout, const ExportSpace& space);

/// The file to open: prims, colours, and value clips `clip_files` (relative to it), one per frame, ascending.
std::string usda_top_layer(const UsdaLayout& layout, const ExportSpace& space, const std::string& manifest,
                           const std::vector<std::int64_t>& frames,
                           const std::vector<std::string>& clip_files);

}  // namespace rivulet::output
