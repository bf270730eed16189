#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include <rivulet/base/parallel.h>
#include <rivulet/io/crc32.h>

namespace rivulet::io {
namespace {

std::uint32_t extend(std::uint32_t crc, std::span<const std::byte> bytes) {
    // NOTE: a null pointer, which an empty array may have, would be taken as the wish to start anew.
    return bytes.empty() ? crc : libdeflate_crc32(crc, bytes.data(), bytes.size());
}

struct Part {
    std::uint32_t crc = 0;
    std::size_t bytes = 0;
};

Part join(const Part& a, const Part& b) {
    const uLong crc = ::crc32_combine(a.crc, b.crc, static_cast<z_off_t>(b.bytes));
    return {static_cast<std::uint32_t>(crc), a.bytes + b.bytes};
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
    constexpr std::size_t grain = std::size_t{1} << 20;
    if (bytes.size() < 2 * grain) return extend(before, bytes);
    const Part all = ordered_reduce(
        bytes.size(), grain, Part{},
        [&](std::size_t begin, std::size_t end) {
            return Part{extend(0, bytes.subspan(begin, end - begin)), end - begin};
        },
        join);
    return join({before, 0}, all).crc;
}

std::uint32_t crc32_as_float(std::span<const double> values, std::uint32_t before) {
    const Part all = ordered_reduce(
        values.size(), std::size_t{1} << 18, Part{},
        [&](std::size_t begin, std::size_t end) {
            std::array<float, 4096> piece;
            std::uint32_t crc = 0;
            for (std::size_t i = begin; i < end; i += piece.size()) {
                const auto part = std::span(piece).first(std::min(piece.size(), end - i));
                to_float(values.subspan(i, part.size()), part);
                crc = extend(crc, std::as_bytes(part));
            }
            return Part{crc, (end - begin) * sizeof(float)};
        },
        join);
    return join({before, 0}, all).crc;
}

void to_float(std::span<const double> values, std::span<float> target) {
    for (std::size_t i = 0; i < values.size(); ++i) target[i] = static_cast<float>(values[i]);
}

}  // namespace rivulet::io
