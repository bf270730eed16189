#include <rivulet/base/error.h>

#include <fmt/format.h>

#include <rivulet/base/printable.h>

namespace rivulet {

std::string Problem::text() const {
    std::string out = printable(file);
    if (line > 0) out += fmt::format(":{}:{}", line, column);
    if (!out.empty()) out += ": ";
    if (!key.empty()) out += printable(key) + ": ";
    out += printable(message);
    if (!hint.empty()) out += "; " + printable(hint);
    return out;
}

namespace {
std::string all_lines(const std::vector<Problem>& problems) {
    std::string out;
    for (const Problem& p : problems) out += (out.empty() ? "" : "\n") + p.text();
    return out;
}
}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : Error(all_lines(problems)), problems_(std::move(problems)) {}

}  // namespace rivulet
