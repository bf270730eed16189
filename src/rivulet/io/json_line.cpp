#include <rivulet/io/json_line.h>

#include <nlohmann/json.hpp>

namespace rivulet::io {

struct JsonLine::Members {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();

    template <class T>
    void set(std::string_view key, T&& value) {
        object[std::string(key)] = std::forward<T>(value);
    }
};

JsonLine::JsonLine() : members_(std::make_unique<Members>()) {}
JsonLine::JsonLine(const std::string& object) : JsonLine() {
    members_->object = nlohmann::ordered_json::parse(object);
}
JsonLine::JsonLine(JsonLine&&) noexcept = default;
JsonLine::~JsonLine() = default;

JsonLine& JsonLine::add(std::string_view key, bool value) {
    return members_->set(key, value), *this;
}
JsonLine& JsonLine::add(std::string_view key, double value) {
    return members_->set(key, value), *this;
}
JsonLine& JsonLine::add(std::string_view key, std::int64_t value) {
    return members_->set(key, value), *this;
}
JsonLine& JsonLine::add(std::string_view key, std::uint64_t value) {
    return members_->set(key, value), *this;
}
JsonLine& JsonLine::add(std::string_view key, std::string_view value) {
    return members_->set(key, std::string(value)), *this;
}
JsonLine& JsonLine::add(std::string_view key, const std::vector<std::string>& values) {
    return members_->set(key, values), *this;
}

bool JsonLine::has(std::string_view key) const {
    return members_->object.contains(std::string(key));
}

std::string JsonLine::text() const {
    return members_->object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace rivulet::io
