#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::io {

/// A JSON object on one line, its members in the order they were added. Numbers that are not finite become
/// null, bytes that are no UTF-8 the replacement character.
class JsonLine {
 public:
    JsonLine();
    /// Takes over the members of a JSON object that this program wrote.
    explicit JsonLine(const std::string& object);
    JsonLine(JsonLine&&) noexcept;
    ~JsonLine();

    JsonLine& add(std::string_view key, bool value);
    JsonLine& add(std::string_view key, double value);
    JsonLine& add(std::string_view key, std::int64_t value);
    JsonLine& add(std::string_view key, std::uint64_t value);
    JsonLine& add(std::string_view key, std::string_view value);
    JsonLine& add(std::string_view key, const char* value) { return add(key, std::string_view(value)); }
    JsonLine& add(std::string_view key, const std::vector<std::string>& values);
    template <std::integral I>
    JsonLine& add(std::string_view key, I value) {
        if constexpr (std::signed_integral<I>)
            return add(key, std::int64_t{value});
        else
            return add(key, std::uint64_t{value});
    }
    bool has(std::string_view key) const;
    /// Without the end of the line.
    std::string text() const;

 private:
    struct Members;
    std::unique_ptr<Members> members_;
};

}  // namespace rivulet::io
