#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <string_view>
#include <vector>

#include <rivulet/io/crc32.h>

namespace rivulet::io {
namespace {

/// The slow twin: zlib over everything at once.
std::uint32_t plain_crc(std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

TEST(Crc32, KnownValue) {
    EXPECT_EQ(crc32(std::as_bytes(std::span(std::string_view("123456789")))), 0xcbf43926u);
    EXPECT_EQ(crc32({}, 7), 7u);
}

TEST(Crc32, PiecesInParallelGiveTheCrcOfTheWhole) {
    std::vector<std::uint32_t> words(3'000'001);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i * 2654435761u);
    const auto bytes = std::as_bytes(std::span(words));
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 21, bytes.size() - 3})
        EXPECT_EQ(crc32(bytes.first(n)), plain_crc(bytes.first(n))) << n;
    EXPECT_EQ(crc32(bytes.subspan(1001), crc32(bytes.first(1001))), plain_crc(bytes));
}

TEST(Crc32, OfFloatsWithoutStoringThem) {
    std::vector<double> values(1'000'003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
    std::vector<float> narrow(values.size());
    to_float(values, narrow);
    EXPECT_EQ(crc32_as_float(values), plain_crc(std::as_bytes(std::span(narrow))));
}

}  // namespace
}  // namespace rivulet::io
