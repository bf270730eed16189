#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// Record layouts of zip files (PKWARE APPNOTE 4.3), shared by writer and reader.
namespace rivulet::io::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50,
                               kEndOfDirectory = 0x06054b50, kEndOfDirectory64 = 0x06064b50,
                               kLocator64 = 0x07064b50;
inline constexpr std::size_t kLocalHeaderSize = 30, kCentralHeaderSize = 46, kEndOfDirectorySize = 22,
                             kEndOfDirectory64Size = 56, kLocator64Size = 20;
inline constexpr std::uint32_t kFull32 = 0xffffffff;
inline constexpr std::uint16_t kFull16 = 0xffff;
inline constexpr std::uint16_t kStored = 0, kDeflated = 8;
inline constexpr std::uint16_t kFlagEncrypted = 1 << 0, kFlagDescriptor = 1 << 3, kFlagUtf8 = 1 << 11;
inline constexpr std::uint16_t kExtra64 = 0x0001, kExtraAlignment = 0xd935;
inline constexpr std::uint16_t kTime = 0, kDate = (1 << 5) | 1;  // 1980-01-01 00:00, always

template <std::unsigned_integral T>
void put(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
}

/// Little-endian value at `offset`; the caller has checked the length.
template <std::unsigned_integral T>
T get(std::span<const std::byte> bytes, std::size_t offset) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
    return static_cast<T>(value);
}

}  // namespace rivulet::io::zip
