#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::scene {

/// Where a value was written. Lines and columns count from 1; 0: nowhere (a default).
struct Source {
    int file = 0;  // index into Document::files
    int line = 0, column = 0;
};

struct Member;

/// A parsed TOML value that knows where it stands. Members of a table keep the order of the file.
struct Value {
    enum class Type { boolean, integer, number, text, array, table, other };
    Type type = Type::table;
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0;
    std::string text;             // text; other: how it was written
    std::string as_written;       // of a value given on the command line: "" otherwise
    std::vector<Value> items;     // array
    std::vector<Member> members;  // table
    Source at;

    bool is_table() const { return type == Type::table; }
    bool is_array() const { return type == Type::array; }
    const Value* find(std::string_view key) const;
    Value* find(std::string_view key);
    /// The member of this key, added at the end if there is none.
    Value& at_key(std::string_view key);

    static Value of(bool v);
    static Value of(std::int64_t v);
    static Value of(double v);
    static Value of(std::string v);
    static Value array();
};

struct Member {
    std::string key;
    Source at;
    Value value;
};

/// "a text", "an array of 3", for messages.
std::string describe(const Value& value);
/// One value as TOML on one line. Numbers are shortest decimals that read back as the same double.
std::string to_toml(const Value& value);

}  // namespace rivulet::scene
