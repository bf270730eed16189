#include <rivulet/output/export_vtk.h>

#include <fmt/format.h>

#include <cstring>
#include <numeric>
#include <span>
#include <type_traits>

#include <rivulet/base/units.h>

namespace rivulet::output {

namespace {

template <class T>
constexpr const char* vtk_type() {
    if constexpr (std::is_same_v<T, float>) return "Float32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

void append(io::ByteSink& sink, std::string_view text) {
    sink.append(std::as_bytes(std::span(text)));
}

/// Collects the description of the arrays (XML) and the arrays themselves (appended, base64). Each appended
/// block is the byte count as UInt64 and the bytes, encoded together; offsets count encoded characters.
class PolyData {
 public:
    explicit PolyData(std::size_t points) : points_(points) {}

    void section(const std::string& name) { close_section(), open_ = name, xml_ += "      <" + name + ">\n"; }

    template <class T>
    void array(const std::string& name, const std::vector<T>& values) {
        add(name, vtk_type<T>(), 1, std::as_bytes(std::span(values)));
    }
    void array(const std::string& name, const std::vector<Vec3f>& values) {
        static_assert(sizeof(Vec3f) == 12);
        add(name, "Float32", 3, std::as_bytes(std::span(values)));
    }
    /// An attribute that may be missing.
    template <class T>
    void optional_array(const std::string& name, const std::vector<T>& values, std::size_t expected) {
        if (!values.empty() && values.size() == expected) array(name, values);
    }
    /// Corners of cells and, per cell, the end of its own.
    void cells(const std::string& kind, const std::vector<std::int64_t>& connectivity,
               const std::vector<std::int64_t>& offsets) {
        section(kind);
        array("connectivity", connectivity);
        array("offsets", offsets);
        counts_ += fmt::format(" NumberOf{}=\"{}\"", kind, offsets.size());
    }
    /// Texts are lists of character codes, each ended by a zero.
    void names(const std::vector<ExportLiquid>& liquids) {
        if (liquids.empty()) return;
        fields_ = fmt::format(
            "    <FieldData>\n      <Array type=\"String\" Name=\"material_names\" NumberOfTuples=\"{}\" "
            "format=\"ascii\">",
            liquids.size());
        for (const ExportLiquid& l : liquids) {
            for (const char c : l.name)
                fields_ += fmt::format("{} ", unsigned{static_cast<unsigned char>(c)});
            fields_ += "0 ";
        }
        fields_ += "</Array>\n    </FieldData>\n";
    }
    void write(io::ByteSink& sink) {
        close_section();
        append(sink,
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
               "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <PolyData>\n");
        append(sink, fields_);
        append(sink, fmt::format("    <Piece NumberOfPoints=\"{}\"{}>\n", points_, counts_));
        append(sink, xml_);
        append(sink, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"base64\">\n_");
        append(sink, appended_);
        append(sink, "\n  </AppendedData>\n</VTKFile>\n");
    }

 private:
    void close_section() {
        if (!open_.empty()) xml_ += "      </" + open_ + ">\n";
        open_.clear();
    }
    void add(const std::string& name, const char* type, int components, std::span<const std::byte> bytes) {
        xml_ += fmt::format(
            "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
            "offset=\"{}\"/>\n",
            type, name, components, appended_.size());
        const std::uint64_t count = bytes.size();
        std::vector<std::byte> block(sizeof count + bytes.size());
        std::memcpy(block.data(), &count, sizeof count);
        if (!bytes.empty()) std::memcpy(block.data() + sizeof count, bytes.data(), bytes.size());
        appended_ += base64(block);
    }

    std::size_t points_;
    std::string xml_, appended_, counts_, open_, fields_;
};

std::vector<std::int64_t> counting(std::size_t n, std::int64_t first) {
    std::vector<std::int64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

}  // namespace

std::string base64(const std::vector<std::byte>& bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        unsigned word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < n ? unsigned(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

void write_vtp(io::ByteSink& sink, const ExportPoints& p, const std::vector<ExportLiquid>& liquids) {
    const std::size_t n = p.position.size();
    PolyData data(n);
    data.section("PointData");
    data.optional_array("velocity", p.velocity, n);
    data.optional_array("radius", p.radius, n);
    data.optional_array("id", p.id, n);
    data.optional_array("material", p.material, n);
    if (p.liquid) data.names(liquids);
    data.section("Points");
    data.array("Points", p.position);
    data.cells("Verts", counting(n, 0), counting(n, 1));
    data.write(sink);
}

void write_vtp(io::ByteSink& sink, const ExportMesh& m, const std::vector<ExportLiquid>& liquids) {
    PolyData data(m.position.size());
    data.section("PointData");
    data.optional_array("velocity", m.velocity, m.position.size());
    data.optional_array("saturation", m.saturation, m.position.size());
    if (!m.material.empty()) {
        for (std::size_t l = 0; l < liquids.size(); ++l)
            data.optional_array("weight_" + liquids[l].name, m.weights_of(l, liquids.size()),
                                m.position.size());
        data.optional_array("color", vertex_colours(m, liquids), m.position.size());
        data.section("CellData");
        data.optional_array("material", m.material, m.triangle.size());
    }
    if (m.liquid || !m.material.empty()) data.names(liquids);
    data.section("Points");
    data.array("Points", m.position);
    std::vector<std::int64_t> corners, ends;
    for (const Vec3i& t : m.triangle) {
        for (int k = 0; k < 3; ++k) corners.push_back(t[k]);
        ends.push_back(std::int64_t(corners.size()));
    }
    data.cells("Polys", corners, ends);
    data.write(sink);
}

void write_vtp(io::ByteSink& sink, const ExportCurves& c, const std::vector<ExportLiquid>&) {
    PolyData data(c.position.size());
    data.section("PointData");
    data.optional_array("velocity", c.velocity, c.position.size());
    data.optional_array("radius", c.radius, c.position.size());
    for (const ExportNumbers& n : c.numbers) data.optional_array(n.name, n.values, c.position.size());
    data.section("CellData");
    data.optional_array("id", c.id, c.start.size() - 1);
    data.section("Points");
    data.array("Points", c.position);
    data.cells("Lines", counting(c.position.size(), 0), {c.start.begin() + 1, c.start.end()});
    data.write(sink);
}

std::string pvd_text(const std::vector<std::pair<double, std::string>>& files) {
    std::string out =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n  <Collection>\n";
    for (const auto& [time, file] : files)
        out += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", shortest(time), file);
    return out + "  </Collection>\n</VTKFile>\n";
}

}  // namespace rivulet::output
