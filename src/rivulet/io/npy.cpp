#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include <rivulet/io/npy.h>

namespace rivulet::io {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

namespace {

struct DtypeRow {
    std::string_view text;
    std::size_t size;
};
constexpr std::array<DtypeRow, 11> kDtypes{{{"<f4", 4},
                                            {"<f8", 8},
                                            {"|i1", 1},
                                            {"<i2", 2},
                                            {"<i4", 4},
                                            {"<i8", 8},
                                            {"|u1", 1},
                                            {"<u2", 2},
                                            {"<u4", 4},
                                            {"<u8", 8},
                                            {"|b1", 1}}};
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64, kLongestHeader = 65536, kMostAxes = 32;

std::uint32_t little_endian(std::span<const std::byte> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    return value;
}

/// The literal subset of Python that numpy writes: one dict of strings, booleans and a tuple of integers.
class HeaderParser {
 public:
    explicit HeaderParser(std::string_view text) : rest_(text) {}

    bool parse(NpyHeader& header, std::string& error) {
        if (!take('{')) return fail(error, "header is not a dict");
        unsigned seen = 0;
        while (!take('}')) {
            std::string_view key;
            if (!quoted(key) || !take(':')) return fail(error, "header has a malformed key");
            const unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
            if (bit == 0 || (seen & bit) != 0) return fail(error, "header has an unknown or repeated key");
            seen |= bit;
            if (bit == 1 && !descr(header.dtype, error)) return false;
            if (bit == 2 && !c_order(error)) return false;
            if (bit == 4 && !shape(header.shape)) return fail(error, "header has a malformed shape");
            if (!take(',') && !(skip(), rest_.starts_with('}'))) return fail(error, "header lacks a comma");
        }
        skip();
        if (!rest_.empty()) return fail(error, "header has text after the dict");
        return seen == 7 || fail(error, "header lacks descr, fortran_order or shape");
    }

 private:
    static bool fail(std::string& error, const char* what) {
        error = what;
        return false;
    }
    void skip() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool word(std::string_view w) {
        skip();
        if (!rest_.starts_with(w)) return false;
        rest_.remove_prefix(w.size());
        return true;
    }
    bool quoted(std::string_view& text) {
        const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
        const std::size_t end = quote == '\0' ? std::string_view::npos : rest_.find(quote);
        if (end == std::string_view::npos) return false;
        text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return true;
    }
    bool descr(Dtype& dtype, std::string& error) {
        std::string_view text;
        if (!quoted(text)) return fail(error, "element type is not a simple number");
        for (std::size_t i = 0; i < kDtypes.size(); ++i)
            if (kDtypes[i].text == text) return dtype = static_cast<Dtype>(i), true;
        if (text.starts_with('>')) return fail(error, "big-endian arrays are not read");
        return fail(error, "element type is not read (only numbers of 1, 2, 4 or 8 bytes and booleans)");
    }
    bool c_order(std::string& error) {
        if (word("False")) return true;
        return fail(error, word("True") ? "arrays in Fortran order are not read"
                                        : "fortran_order is neither True nor False");
    }
    bool shape(Shape& axes) {
        if (!take('(')) return false;
        while (!take(')')) {
            skip();
            std::uint64_t n = 0;
            const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
            if (code != std::errc() || axes.size() == kMostAxes) return false;
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            axes.push_back(n);
            const bool comma = take(',');
            if (!comma && (axes.size() == 1 || !(skip(), rest_.starts_with(')')))) return false;
        }
        return true;
    }
    std::string_view rest_;
};

template <class From, class To>
constexpr bool kWidens = std::is_same_v<From, bool> ? std::is_integral_v<To> && !std::is_same_v<To, bool>
                         : std::is_floating_point_v<From> || std::is_floating_point_v<To>
                             ? std::is_same_v<From, float> && std::is_same_v<To, double>
                             : !std::is_same_v<To, bool> && sizeof(To) > sizeof(From) &&
                                   (std::is_signed_v<To> || !std::is_signed_v<From>);

template <class From, class To>
bool widen_as(std::span<const std::byte> source, std::span<std::byte> target) {
    if constexpr (kWidens<From, To>) {
        const std::size_t n = source.size() / sizeof(From);
        if (target.size() != n * sizeof(To)) return false;
        for (std::size_t i = 0; i < n; ++i) {
            // A file may hold any byte where a boolean is meant.
            std::conditional_t<std::is_same_v<From, bool>, std::uint8_t, From> value;
            std::memcpy(&value, source.data() + i * sizeof(From), sizeof(From));
            const To wide = std::is_same_v<From, bool> ? static_cast<To>(value != 0) : static_cast<To>(value);
            std::memcpy(target.data() + i * sizeof(To), &wide, sizeof(To));
        }
        return true;
    } else {
        return false;
    }
}

template <class F>
bool with_number_type(Dtype dtype, F&& f) {
    switch (dtype) {
        case Dtype::float32:
            return f(float{});
        case Dtype::float64:
            return f(double{});
        case Dtype::int8:
            return f(std::int8_t{});
        case Dtype::int16:
            return f(std::int16_t{});
        case Dtype::int32:
            return f(std::int32_t{});
        case Dtype::int64:
            return f(std::int64_t{});
        case Dtype::uint8:
            return f(std::uint8_t{});
        case Dtype::uint16:
            return f(std::uint16_t{});
        case Dtype::uint32:
            return f(std::uint32_t{});
        case Dtype::uint64:
            return f(std::uint64_t{});
        case Dtype::boolean:
            return f(bool{});
    }
    return false;
}

}  // namespace

std::size_t size_of(Dtype dtype) {
    return kDtypes[static_cast<std::size_t>(dtype)].size;
}

std::string_view to_text(Dtype dtype) {
    return kDtypes[static_cast<std::size_t>(dtype)].text;
}

std::string to_text(const Shape& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string npy_header(Dtype dtype, const Shape& shape) {
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", to_text(dtype),
                                   to_text(shape));
    const std::size_t fixed = kMagic.size() + 4;
    const std::size_t total = (fixed + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    text.append(total - fixed - text.size() - 1, ' ');
    text += '\n';
    const char version_and_length[4] = {1, 0, static_cast<char>(text.size() & 0xff),
                                        static_cast<char>(text.size() >> 8)};
    return std::string(kMagic) + std::string(version_and_length, 4) + text;
}

std::optional<std::size_t> npy_header_length(std::span<const std::byte> start) {
    if (start.size() < 12 || std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) return {};
    const auto version = std::to_integer<int>(start[6]);
    if (version < 1 || version > 3 || start[7] != std::byte{0}) return {};
    const std::size_t width = version == 1 ? 2 : 4;
    const std::uint64_t length = little_endian(start.subspan(8, width)) + std::uint64_t{8} + width;
    if (length > kLongestHeader) return {};
    return static_cast<std::size_t>(length);
}

std::optional<NpyHeader> parse_npy_header(std::span<const std::byte> header, std::string& error) {
    const auto length = npy_header_length(header);
    if (!length || *length != header.size()) {
        error = "is not an .npy array";
        return {};
    }
    const std::size_t fixed = header[6] == std::byte{1} ? 10 : 12;
    const auto text = header.subspan(fixed);
    NpyHeader result{};
    HeaderParser parser({reinterpret_cast<const char*>(text.data()), text.size()});
    if (!parser.parse(result, error)) return {};
    std::uint64_t bytes = size_of(result.dtype);
    bool overflow = false, empty = false;
    for (const std::uint64_t n : result.shape) {
        empty |= n == 0;
        overflow |= n != 0 && __builtin_mul_overflow(bytes, n, &bytes);
    }
    if (overflow) {
        error = "shape is too large";
        return {};
    }
    result.bytes = empty ? 0 : bytes;
    return result;
}

bool widen(Dtype from, std::span<const std::byte> source, Dtype to, std::span<std::byte> target) {
    return with_number_type(from, [&](auto a) {
        return with_number_type(to,
                                [&](auto b) { return widen_as<decltype(a), decltype(b)>(source, target); });
    });
}

}  // namespace rivulet::io
