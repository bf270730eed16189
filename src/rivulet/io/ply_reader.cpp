#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <rivulet/io/ply_format.h>
#include <rivulet/io/text_scanner.h>
#include <rivulet/io/triangle_mesh_file.h>

namespace rivulet::io {
namespace {

/// Numbers of the body as words of text.
class AsciiBody {
 public:
    AsciiBody(std::string_view text, const std::string& file, int line) : scan_(text, file, line) {}

    double number(Dtype) {
        const std::string_view token = scan_.token();
        if (token.empty()) scan_.refuse("the file ends too early");
        const auto value = parse_number<double>(token);
        if (!value) scan_.refuse("not a number");
        return *value;
    }
    /// At least one digit and a blank, which the last number may lack.
    static std::size_t size_of_number(Dtype) { return 2; }
    std::uint64_t bytes_left() const { return scan_.rest().size() + 1; }
    [[noreturn]] void refuse(const std::string& message) const { scan_.refuse(message); }

 private:
    TextScanner scan_;
};

/// Numbers of the body as they lie in memory, or with their bytes swapped.
template <bool Swap>
class BinaryBody {
 public:
    BinaryBody(std::string_view bytes, const std::string& file, int) : rest_(bytes), file_(file) {}

    double number(Dtype type) {
        switch (type) {
            case Dtype::int8:
                return take<std::int8_t>();
            case Dtype::uint8:
                return take<std::uint8_t>();
            case Dtype::int16:
                return take<std::int16_t>();
            case Dtype::uint16:
                return take<std::uint16_t>();
            case Dtype::int32:
                return take<std::int32_t>();
            case Dtype::uint32:
                return take<std::uint32_t>();
            case Dtype::float32:
                return static_cast<double>(take<float>());
            default:
                return take<double>();
        }
    }
    static std::size_t size_of_number(Dtype type) { return size_of(type); }
    std::uint64_t bytes_left() const { return rest_.size(); }
    [[noreturn]] void refuse(const std::string& message) const {
        throw InputError(Problem{.file = file_, .key = {}, .message = message, .hint = {}});
    }

 private:
    template <class T>
    T take() {
        if (rest_.size() < sizeof(T)) refuse("the file ends too early");
        char bytes[sizeof(T)];
        for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = rest_[Swap ? sizeof(T) - 1 - i : i];
        rest_.remove_prefix(sizeof(T));
        T value;
        std::memcpy(&value, bytes, sizeof(T));
        return value;
    }
    std::string_view rest_;
    const std::string& file_;
};

template <class Body>
class MeshReader {
 public:
    MeshReader(const PlyHeader& header, Body body) : header_(header), body_(std::move(body)) {
        for (const PlyElement& element : header.elements)
            if (element.name == "vertex") vertices_ = element.count;
    }

    TriangleMesh read() {
        if (vertices_ > std::numeric_limits<std::int32_t>::max()) body_.refuse("has too many vertices");
        for (const PlyElement& element : header_.elements) {
            check_room(element);
            if (element.count == 0) continue;
            if (element.name == "vertex")
                read_vertices(element);
            else if (element.name == "face")
                read_faces(element);
            else
                skip_rows(element);
        }
        if (mesh_.position.empty()) body_.refuse("has no vertices");
        return std::move(mesh_);
    }

 private:
    /// Rows have a least size: a count that the rest of the file cannot hold is refused before any memory.
    void check_room(const PlyElement& element) const {
        std::uint64_t row = 0;
        for (const PlyProperty& p : element.properties)
            row += body_.size_of_number(p.count_type.value_or(p.type));
        if (row != 0 && element.count > body_.bytes_left() / row)
            body_.refuse(fmt::format("claims {} entries of '{}', more than the file holds", element.count,
                                     element.name));
    }

    std::uint64_t list_length(const PlyProperty& list) {
        const double n = body_.number(*list.count_type);
        const std::size_t fit = body_.bytes_left() / body_.size_of_number(list.type);
        const auto most = static_cast<double>(fit);
        // NOTE: written so that NaN is refused too.
        if (!(n >= 0 && n <= most && n == std::floor(n)))
            body_.refuse(fmt::format("a list of '{}' has a length that the file cannot hold", list.name));
        return static_cast<std::uint64_t>(n);
    }

    void skip(const PlyProperty& property) {
        const std::uint64_t n = property.count_type ? list_length(property) : 1;
        for (std::uint64_t i = 0; i < n; ++i) body_.number(property.type);
    }

    void skip_rows(const PlyElement& element) {
        if (element.properties.empty()) return;
        for (std::uint64_t row = 0; row < element.count; ++row)
            for (const PlyProperty& property : element.properties) skip(property);
    }

    void read_vertices(const PlyElement& element) {
        std::vector<int> axis_of;  // per property: 0, 1, 2 or -1
        int found = 0;
        for (const PlyProperty& p : element.properties) {
            const int axis = p.count_type    ? -1
                             : p.name == "x" ? 0
                             : p.name == "y" ? 1
                             : p.name == "z" ? 2
                                             : -1;
            axis_of.push_back(axis);
            found += axis >= 0;
        }
        if (found != 3) body_.refuse("vertices lack x, y or z");
        mesh_.position.resize(static_cast<std::size_t>(element.count));
        for (std::size_t row = 0; row < mesh_.position.size(); ++row) {
            for (std::size_t k = 0; k < axis_of.size(); ++k)
                if (axis_of[k] < 0)
                    skip(element.properties[k]);
                else
                    mesh_.position[row][axis_of[k]] = body_.number(element.properties[k].type);
            if (!is_finite(mesh_.position[row])) body_.refuse(fmt::format("vertex {} is not finite", row));
        }
    }

    void read_faces(const PlyElement& element) {
        int corners = -1;
        for (std::size_t k = 0; k < element.properties.size(); ++k) {
            const PlyProperty& p = element.properties[k];
            if (p.count_type && (p.name == "vertex_indices" || p.name == "vertex_index")) corners = int(k);
        }
        if (corners < 0) body_.refuse("faces lack the list vertex_indices");
        for (std::uint64_t row = 0; row < element.count; ++row)
            for (std::size_t k = 0; k < element.properties.size(); ++k)
                if (int(k) == corners)
                    read_polygon(element.properties[k], row);
                else
                    skip(element.properties[k]);
    }

    void read_polygon(const PlyProperty& list, std::uint64_t face) {
        const std::uint64_t n = list_length(list);
        if (n < 3) body_.refuse(fmt::format("face {} has {} corners", face, n));
        corners_.clear();
        for (std::uint64_t i = 0; i < n; ++i) {
            const double index = body_.number(list.type);
            if (!(index >= 0 && index < static_cast<double>(vertices_) && index == std::floor(index)))
                body_.refuse(
                    fmt::format("face {} asks for vertex {}, but there are {}", face, index, vertices_));
            corners_.push_back(static_cast<std::int32_t>(index));
        }
        add_polygon(mesh_.triangle, corners_);
    }

    const PlyHeader& header_;
    Body body_;
    std::uint64_t vertices_ = 0;
    TriangleMesh mesh_;
    std::vector<std::int32_t> corners_;
};

template <class Body>
TriangleMesh read_body(const PlyHeader& header, std::string_view text, const std::string& file) {
    return MeshReader<Body>(header, Body(text.substr(header.length), file, header.lines + 1)).read();
}

}  // namespace

TriangleMesh read_ply(std::span<const std::byte> bytes, const std::string& file) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const PlyHeader header = read_ply_header(text, file);
    switch (header.encoding) {
        case PlyEncoding::ascii:
            return read_body<AsciiBody>(header, text, file);
        case PlyEncoding::big_endian:
            return read_body<BinaryBody<true>>(header, text, file);
        case PlyEncoding::little_endian:
            break;
    }
    return read_body<BinaryBody<false>>(header, text, file);
}

}  // namespace rivulet::io
