#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/io/ply_writer.h>

namespace rivulet::io {
namespace {

template <class T>
double load_as(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return static_cast<double>(value);
}

/// NOTE: through double, which holds every number that PLY can hold.
double load(Dtype type, const std::byte* at) {
    switch (type) {
        case Dtype::float32:
            return load_as<float>(at);
        case Dtype::float64:
            return load_as<double>(at);
        case Dtype::int8:
            return load_as<std::int8_t>(at);
        case Dtype::int16:
            return load_as<std::int16_t>(at);
        case Dtype::int32:
            return load_as<std::int32_t>(at);
        case Dtype::int64:
            return load_as<std::int64_t>(at);
        case Dtype::uint16:
            return load_as<std::uint16_t>(at);
        case Dtype::uint32:
            return load_as<std::uint32_t>(at);
        case Dtype::uint64:
            return load_as<std::uint64_t>(at);
        case Dtype::uint8:
        case Dtype::boolean:
            break;
    }
    return load_as<std::uint8_t>(at);
}

template <class T>
void store_as(std::string& out, T value, bool swap) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (swap) std::reverse(bytes, bytes + sizeof(T));
    out.append(bytes, sizeof(T));
}

template <class T>
T to_integer(double value) {
    constexpr double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    if (!(value >= low && value <= high))
        throw Error(fmt::format("{} does not fit the integer type of its PLY column", value));
    return static_cast<T>(value);
}

/// Calls store(number) with the value as the C++ type that a column is written as.
template <class F>
void with_stored_number(Dtype type, double value, F&& store) {
    switch (type) {
        case Dtype::float32:
            return store(static_cast<float>(value));
        case Dtype::int8:
            return store(to_integer<std::int8_t>(value));
        case Dtype::uint8:
            return store(to_integer<std::uint8_t>(value));
        case Dtype::int16:
            return store(to_integer<std::int16_t>(value));
        case Dtype::uint16:
            return store(to_integer<std::uint16_t>(value));
        case Dtype::int32:
            return store(to_integer<std::int32_t>(value));
        case Dtype::uint32:
            return store(to_integer<std::uint32_t>(value));
        default:
            return store(value);
    }
}

}  // namespace

void PlyWriter::comment(std::string_view text) {
    comments_.emplace_back(text);
    std::replace_if(
        comments_.back().begin(), comments_.back().end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

void PlyWriter::element(std::string_view name, std::size_t count) {
    elements_.push_back({std::string(name), count, {}});
}

void PlyWriter::add_column(std::string_view name, Dtype type, std::size_t rows, const std::byte* first,
                           std::size_t stride, std::optional<Dtype> as, std::size_t list_length) {
    if (elements_.empty() || elements_.back().count != rows)
        throw Error(fmt::format("PLY column '{}': {} rows do not fit its element", name, rows));
    const Dtype to = as.value_or(type == Dtype::boolean ? Dtype::uint8 : type);
    if (ply_type_name(to).empty())
        throw Error(fmt::format("PLY column '{}': PLY has no numbers of type {}", name, to_text(to)));
    elements_.back().columns.push_back({std::string(name), type, to, first, stride, list_length});
}

std::string PlyWriter::header(PlyEncoding encoding) const {
    std::string text = "ply\nformat ";
    text += encoding == PlyEncoding::ascii        ? "ascii"
            : encoding == PlyEncoding::big_endian ? "binary_big_endian"
                                                  : "binary_little_endian";
    text += " 1.0\n";
    for (const std::string& c : comments_) text += "comment " + c + "\n";
    for (const Element& element : elements_) {
        text += fmt::format("element {} {}\n", element.name, element.count);
        for (const Column& c : element.columns)
            text += fmt::format("property {}{} {}\n", c.list_length > 0 ? "list uchar " : "",
                                ply_type_name(c.to), c.name);
    }
    return text + "end_header\n";
}

void PlyWriter::write(ByteSink& sink, PlyEncoding encoding) const {
    std::string held = header(encoding);
    const bool text = encoding == PlyEncoding::ascii, swap = encoding == PlyEncoding::big_endian;
    const auto store = [&](Dtype type, double value) {
        with_stored_number(type, value, [&](auto number) {
            if (text)
                // The unary plus prints a byte as a number.
                fmt::format_to(std::back_inserter(held), "{} ", +number);
            else
                store_as(held, number, swap);
        });
    };
    for (const Element& element : elements_)
        for (std::size_t row = 0; row < element.count; ++row) {
            for (const Column& c : element.columns) {
                const std::byte* at = c.first + row * c.stride;
                if (c.list_length > 0) store(Dtype::uint8, static_cast<double>(c.list_length));
                for (std::size_t k = 0; k < std::max<std::size_t>(c.list_length, 1); ++k)
                    store(c.to, load(c.from, at + k * size_of(c.from)));
            }
            if (text) held.back() = '\n';
            if (held.size() > (std::size_t{1} << 20)) {
                sink.append(std::as_bytes(std::span(held)));
                held.clear();
            }
        }
    sink.append(std::as_bytes(std::span(held)));
}

void PlyWriter::write(FileSystem& files, const std::filesystem::path& path, PlyEncoding encoding) const {
    write_atomically(files, path, [&](ByteSink& sink) { write(sink, encoding); });
}

void write_ply(FileSystem& files, const std::filesystem::path& path, const TriangleMesh& mesh,
               PlyEncoding encoding) {
    PlyWriter writer;
    writer.element("vertex", mesh.position.size());
    writer.columns({"x", "y", "z"}, std::span(mesh.position));
    writer.element("face", mesh.triangle.size());
    writer.list("vertex_indices", std::span(mesh.triangle));
    writer.write(files, path, encoding);
}

}  // namespace rivulet::io
