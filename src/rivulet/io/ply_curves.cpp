#include <rivulet/io/ply_curves.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include <rivulet/io/edge_chains.h>
#include <rivulet/io/refuse.h>

namespace rivulet::io {
namespace {

enum class Number { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class Format { ascii, little, big };

constexpr std::size_t kNumberSize[] = {1, 1, 2, 2, 4, 4, 4, 8};

struct Property {
    std::string name;
    Number type = Number::float32;
    bool is_list = false;
    Number count_type = Number::uint8;
};
struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

template <class T>
double read_raw(const char* at, bool swap) {
    char raw[sizeof(T)];
    std::memcpy(raw, at, sizeof(T));
    if (swap) std::reverse(raw, raw + sizeof(T));
    return static_cast<double>(std::bit_cast<T>(raw));
}
double read_number(Number type, const char* at, bool swap) {
    switch (type) {
        case Number::int8:
            return read_raw<std::int8_t>(at, swap);
        case Number::uint8:
            return read_raw<std::uint8_t>(at, swap);
        case Number::int16:
            return read_raw<std::int16_t>(at, swap);
        case Number::uint16:
            return read_raw<std::uint16_t>(at, swap);
        case Number::int32:
            return read_raw<std::int32_t>(at, swap);
        case Number::uint32:
            return read_raw<std::uint32_t>(at, swap);
        case Number::float32:
            return read_raw<float>(at, swap);
        case Number::float64:
            return read_raw<double>(at, swap);
    }
    return 0;
}

class PlyCurveParser {
 public:
    PlyCurveParser(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

    CurveArrays parse() {
        read_header();
        for (const Element& e : elements_) read_element(e);
        if (edges_.empty()) refuse("no edges", "strands are made of `edge` elements");
        const EdgeChains chains = chain_edges(edges_, static_cast<std::uint32_t>(vertices_.size()), name_);
        CurveArrays curves;
        curves.start = chains.start;
        for (const std::uint32_t v : chains.vertex) curves.position.push_back(vertices_[v]);
        if (!radii_.empty())
            for (const std::uint32_t v : chains.vertex) curves.radius.push_back(radii_[v]);
        return curves;
    }

 private:
    [[noreturn]] void refuse(std::string message, std::string hint = {}) const {
        refuse_file(name_, line_, std::move(message), std::move(hint));
    }

    std::string_view header_line() {
        const std::size_t end = rest_.find('\n');
        // A header without an end has it at npos, which is further still.
        if (end > 4096) refuse("the PLY header has no end");
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        ++line_;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

    static std::string_view take_word(std::string_view& text) {
        const std::size_t from = std::min(text.find_first_not_of(" \t\r\n"), text.size());
        text.remove_prefix(from);
        const std::size_t to = std::min(text.find_first_of(" \t\r\n"), text.size());
        const std::string_view word = text.substr(0, to);
        text.remove_prefix(to);
        return word;
    }

    Number number_type(std::string_view word) const {
        constexpr std::string_view kOld[] = {"char", "uchar", "short", "ushort",
                                             "int",  "uint",  "float", "double"};
        constexpr std::string_view kNew[] = {"int8",  "uint8",  "int16",   "uint16",
                                             "int32", "uint32", "float32", "float64"};
        for (int i = 0; i < 8; ++i)
            if (word == kOld[i] || word == kNew[i]) return static_cast<Number>(i);
        refuse(fmt::format("unknown number type '{}'", word.substr(0, 40)));
    }

    void read_header() {
        if (header_line() != "ply") refuse("not a PLY file");
        for (;;) {
            std::string_view line = header_line();
            const std::string_view kind = take_word(line);
            if (kind == "end_header") break;
            if (kind == "format")
                format_ = read_format(take_word(line));
            else if (kind == "element")
                read_element_line(line);
            else if (kind == "property")
                read_property_line(line);
            else if (kind != "comment" && kind != "obj_info")
                refuse(fmt::format("unknown header word '{}'", kind.substr(0, 40)));
        }
    }
    Format read_format(std::string_view word) const {
        if (word == "ascii") return Format::ascii;
        if (word == "binary_little_endian") return Format::little;
        if (word == "binary_big_endian") return Format::big;
        refuse(fmt::format("unknown PLY format '{}'", word.substr(0, 40)));
    }
    void read_element_line(std::string_view line) {
        Element e;
        e.name = take_word(line);
        const std::string_view count = take_word(line);
        const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), e.count);
        if (count.empty() || error != std::errc{} || end != count.data() + count.size())
            refuse("an element needs a count");
        // Every row takes at least one byte, so a count beyond the file is a lie.
        if (e.count > rest_.size()) refuse(fmt::format("{} elements do not fit the file", e.count));
        elements_.push_back(std::move(e));
    }
    void read_property_line(std::string_view line) {
        if (elements_.empty()) refuse("a property before the first element");
        Property p;
        std::string_view word = take_word(line);
        p.is_list = word == "list";
        if (p.is_list) {
            p.count_type = number_type(take_word(line));
            word = take_word(line);
        }
        p.type = number_type(word);
        p.name = take_word(line);
        elements_.back().properties.push_back(std::move(p));
    }

    double next(Number type) {
        if (format_ == Format::ascii) {
            std::string_view word = take_word(rest_);
            if (!word.empty() && word.front() == '+') word.remove_prefix(1);
            double value = 0;
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
            if (word.empty() || error != std::errc{} || end != word.data() + word.size())
                refuse(word.empty() ? std::string("the PLY file is cut short")
                                    : fmt::format("'{}' is not a number", word.substr(0, 40)));
            return value;
        }
        const std::size_t size = kNumberSize[static_cast<int>(type)];
        if (rest_.size() < size) refuse("the PLY file is cut short");
        const bool swap = (format_ == Format::big) != (std::endian::native == std::endian::big);
        const double value = read_number(type, rest_.data(), swap);
        rest_.remove_prefix(size);
        return value;
    }

    void read_element(const Element& e) {
        const bool is_vertex = e.name == "vertex", is_edge = e.name == "edge";
        const auto find = [&](std::string_view name) {
            for (std::size_t i = 0; i < e.properties.size(); ++i)
                if (e.properties[i].name == name && !e.properties[i].is_list) return static_cast<int>(i);
            return -1;
        };
        const std::array<int, 4> point{find("x"), find("y"), find("z"), find("radius")};
        const std::array<int, 2> ends{find("vertex1"), find("vertex2")};
        if (is_vertex && (point[0] < 0 || point[1] < 0 || point[2] < 0)) refuse("vertices need x, y and z");
        if (is_edge && (ends[0] < 0 || ends[1] < 0)) refuse("edges need vertex1 and vertex2");
        if (e.properties.empty()) return;
        std::vector<double> row(e.properties.size());
        for (std::uint64_t r = 0; r < e.count; ++r) {
            read_row(e, row);
            const auto value = [&](int i) { return row[static_cast<std::size_t>(i)]; };
            if (is_vertex) {
                vertices_.push_back({value(point[0]), value(point[1]), value(point[2])});
                if (point[3] >= 0) radii_.push_back(value(point[3]));
            } else if (is_edge) {
                edges_.push_back({vertex_index(value(ends[0])), vertex_index(value(ends[1]))});
            }
        }
    }

    void read_row(const Element& e, std::vector<double>& row) {
        for (std::size_t i = 0; i < e.properties.size(); ++i) {
            const Property& p = e.properties[i];
            if (!p.is_list) {
                row[i] = next(p.type);
                continue;
            }
            const double count = next(p.count_type);
            if (!(count >= 0 && count <= 4294967295.0)) refuse("a list has a bad length");
            for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count); ++k) next(p.type);
        }
    }

    std::uint32_t vertex_index(double value) const {
        if (!(value >= 0 && value < 4294967295.0)) refuse("an edge has a bad vertex number");
        return static_cast<std::uint32_t>(value);
    }

    std::string_view rest_;
    const std::string& name_;
    int line_ = 0;
    Format format_ = Format::ascii;
    std::vector<Element> elements_;
    std::vector<Vec3d> vertices_;
    std::vector<double> radii_;
    std::vector<std::array<std::uint32_t, 2>> edges_;
};

}  // namespace

CurveArrays parse_ply_curves(std::string_view bytes, const std::string& name) {
    return PlyCurveParser(bytes, name).parse();
}

}  // namespace rivulet::io
