#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace rivulet::viewer {

/// What the page receives in binary: "RVLT", length of the JSON text (uint32), the JSON text padded with
/// spaces to a multiple of four, then arrays, each starting at a multiple of four. All little-endian. The
/// JSON names arrays by their offset behind the text.
class PacketWriter {
 public:
    /// Returns the offset of the array.
    template <class T>
    std::size_t add(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t offset = data_.size();
        data_.resize(offset + values.size_bytes());
        if (!values.empty()) std::memcpy(data_.data() + offset, values.data(), values.size_bytes());
        data_.resize((data_.size() + 3) / 4 * 4);
        return offset;
    }

    std::string finish(std::string json) const {
        json.resize((json.size() + 3) / 4 * 4, ' ');
        const auto length = static_cast<std::uint32_t>(json.size());
        std::string packet = "RVLT";
        packet.append(reinterpret_cast<const char*>(&length), sizeof length);
        packet.reserve(packet.size() + json.size() + data_.size());
        return packet.append(json).append(data_);
    }

 private:
    std::string data_;
};

}  // namespace rivulet::viewer
