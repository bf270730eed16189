#include <fmt/format.h>

#include <array>
#include <utility>

#include <rivulet/io/ply_format.h>
#include <rivulet/io/text_scanner.h>

namespace rivulet::io {
namespace {

struct TypeRow {
    std::string_view name, sized_name;
    Dtype type;
};
constexpr std::array<TypeRow, 8> kTypes{{{"char", "int8", Dtype::int8},
                                         {"uchar", "uint8", Dtype::uint8},
                                         {"short", "int16", Dtype::int16},
                                         {"ushort", "uint16", Dtype::uint16},
                                         {"int", "int32", Dtype::int32},
                                         {"uint", "uint32", Dtype::uint32},
                                         {"float", "float32", Dtype::float32},
                                         {"double", "float64", Dtype::float64}}};

class HeaderReader {
 public:
    HeaderReader(std::string_view text, const std::string& file) : size_(text.size()), scan_(text, file) {}

    PlyHeader read() {
        if (scan_.token_in_line() != "ply") scan_.refuse("is not a PLY file");
        scan_.next_line();
        read_format();
        for (;;) {
            if (scan_.at_end()) scan_.refuse("the header has no end_header");
            const std::string_view keyword = scan_.token_in_line();
            if (keyword == "element")
                read_element();
            else if (keyword == "property")
                read_property();
            else if (keyword != "comment" && keyword != "obj_info" && keyword != "end_header" &&
                     !keyword.empty())
                scan_.refuse("unknown word in the header");
            scan_.next_line();
            if (keyword == "end_header") break;
        }
        header_.length = size_ - scan_.rest().size();
        header_.lines = scan_.line() - 1;
        return std::move(header_);
    }

 private:
    void read_format() {
        std::string_view keyword = scan_.token_in_line();
        while (keyword == "comment" || keyword == "obj_info") {
            scan_.next_line();
            keyword = scan_.token_in_line();
        }
        const std::string_view name = scan_.token_in_line(), version = scan_.token_in_line();
        if (keyword != "format" || version != "1.0") scan_.refuse("expected 'format ... 1.0'");
        if (name == "ascii")
            header_.encoding = PlyEncoding::ascii;
        else if (name == "binary_little_endian")
            header_.encoding = PlyEncoding::little_endian;
        else if (name == "binary_big_endian")
            header_.encoding = PlyEncoding::big_endian;
        else
            scan_.refuse("unknown format", "ascii, binary_little_endian or binary_big_endian");
        scan_.next_line();
    }

    void read_element() {
        PlyElement element;
        element.name = scan_.token_in_line();
        const auto count = parse_number<std::uint64_t>(scan_.token_in_line());
        if (element.name.empty() || !count) scan_.refuse("expected 'element NAME COUNT'");
        for (const PlyElement& other : header_.elements)
            if (other.name == element.name) scan_.refuse("the element is there twice");
        // NOTE: also bounds the quadratic search above.
        if (header_.elements.size() == kMost) scan_.refuse("has too many elements");
        element.count = *count;
        header_.elements.push_back(std::move(element));
    }

    void read_property() {
        if (header_.elements.empty()) scan_.refuse("a property before any element");
        std::vector<PlyProperty>& properties = header_.elements.back().properties;
        PlyProperty property;
        std::string_view type = scan_.token_in_line();
        if (type == "list") {
            property.count_type = type_of(scan_.token_in_line());
            if (*property.count_type == Dtype::float32 || *property.count_type == Dtype::float64)
                scan_.refuse("a list's length must be an integer");
            type = scan_.token_in_line();
        }
        property.type = type_of(type);
        property.name = scan_.token_in_line();
        if (property.name.empty()) scan_.refuse("a property without a name");
        if (properties.size() == kMost) scan_.refuse("has too many properties");
        for (const PlyProperty& other : properties)
            if (other.name == property.name) scan_.refuse("the property is there twice");
        properties.push_back(std::move(property));
    }

    Dtype type_of(std::string_view name) const {
        for (const TypeRow& row : kTypes)
            if (name == row.name || name == row.sized_name) return row.type;
        scan_.refuse("unknown property type", "char, uchar, short, ushort, int, uint, float, double");
    }

    static constexpr std::size_t kMost = 1000;
    std::size_t size_;
    TextScanner scan_;
    PlyHeader header_;
};

}  // namespace

PlyHeader read_ply_header(std::string_view text, const std::string& file) {
    return HeaderReader(text, file).read();
}

std::string_view ply_type_name(Dtype type) {
    for (const TypeRow& row : kTypes)
        if (row.type == type) return row.name;
    return {};
}

}  // namespace rivulet::io
