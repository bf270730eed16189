#include <rivulet/scene/toml_text.h>

#include <stdexcept>

namespace rivulet::scene {
namespace {

struct BrokenAssumption : std::runtime_error {
    using std::runtime_error::runtime_error;
};

constexpr void expect(bool holds) {
    if (!holds) throw BrokenAssumption("not valid TOML");
}

}  // namespace
}  // namespace rivulet::scene

// NOTE: toml++ 3.3 only asserts some things that a damaged text breaks. Here they are checked in every build,
// and a broken one is a syntax error like any other.
#undef NDEBUG
#define TOML_ASSERT(expr) ::rivulet::scene::expect(static_cast<bool>(expr))
#define TOML_ENABLE_FORMATTERS 1
// NOTE: line breaks inside { ... }, as TOML 1.1 allows them; long grooms need them.
#define TOML_ENABLE_UNRELEASED_FEATURES 1
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include <rivulet/base/error.h>

namespace rivulet::scene {
namespace {

class Converter {
 public:
    Converter(const std::string& file_name, int file) : file_name_(file_name), file_(file) {}

    Value value(const toml::node& node, int depth) const {
        if (depth > kDeepestNesting)
            throw InputError(
                Problem{file_name_, int(node.source().begin.line), int(node.source().begin.column), "",
                        "nested deeper than " + std::to_string(kDeepestNesting) + " levels", ""});
        Value out;
        switch (node.type()) {
            case toml::node_type::table:
                out = table(*node.as_table(), depth);
                break;
            case toml::node_type::array:
                out = array(*node.as_array(), depth);
                break;
            case toml::node_type::string:
                out = Value::of(node.as_string()->get());
                break;
            case toml::node_type::integer:
                out = Value::of(node.as_integer()->get());
                break;
            case toml::node_type::floating_point:
                out = Value::of(node.as_floating_point()->get());
                break;
            case toml::node_type::boolean:
                out = Value::of(node.as_boolean()->get());
                break;
            default:
                out.type = Value::Type::other;
                out.text = "a date or time";
        }
        out.at = source(node.source());
        return out;
    }

 private:
    Source source(const toml::source_region& region) const {
        return {file_, int(region.begin.line), int(region.begin.column)};
    }

    Value table(const toml::table& from, int depth) const {
        Value out;
        for (const auto& [key, node] : from) {
            Member member{std::string(key.str()), source(key.source()), value(node, depth + 1)};
            if (member.value.at.line == 0) member.value.at = member.at;
            out.members.push_back(std::move(member));
        }
        std::stable_sort(out.members.begin(), out.members.end(), [](const Member& a, const Member& b) {
            return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
        });
        return out;
    }

    Value array(const toml::array& from, int depth) const {
        Value out = Value::array();
        for (const toml::node& node : from) out.items.push_back(value(node, depth + 1));
        return out;
    }

    const std::string& file_name_;
    int file_;
};

}  // namespace

Value parse_toml(std::string_view text, const std::string& file_name, int file) {
    scan_before_parsing(text, file_name);
    try {
        const toml::table root = toml::parse(text);
        return Converter(file_name, file).value(root, 0);
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        throw InputError(
            Problem{file_name, int(at.line), int(at.column), "", std::string(error.description()), ""});
    } catch (const BrokenAssumption& error) {
        throw InputError(Problem{file_name, 0, 0, "", error.what(), "look for a missing quote or bracket"});
    }
}

}  // namespace rivulet::scene
