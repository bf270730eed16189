#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/scene/reader.h>

namespace rivulet::scene {

enum class FieldKind {
    quantity,   // "5 mm"
    vector,     // "0, 12, 0 cm"
    number,     // 0.4
    integer,    // 8
    boolean,    // true
    text,       // "Dam break"
    choice,     // one word of a list
    direction,  // [0, 1, 0], not zero
    color,      // [r, g, b] in 0..1
    triple,     // [1, 2, 1]
    profile,    // ["0, 0 cm", "5, 1 cm", ...]
    interval,   // ["1 s", "3 s"]
    keys,       // [["0 s", value], ...]
    table,      // { ... }
    list,       // [[...]]
    reference,  // name of an entity
    names,      // ["hair", "comb"], each of one of several kinds
    by_name,    // { water = "70 deg" }, one for each of some entities
    file,       // path relative to the scene
    unit,       // "cm": what one unit of a file measures
};

/// What is written of a scene depends on this: names of entities by what refers to them, and what files are
/// called: by their paths, or otherwise.
struct Writer {
    std::map<std::string, std::vector<std::string>> names;
    std::function<std::string(const std::string& path)> file_name = [](const std::string& path) {
        return path;
    };
};

struct Table;

/// One key of the scene language. Everything that reads, checks, writes or explains it comes from here; the
/// default is the member's own initialiser.
struct Field {
    std::string key, doc;
    FieldKind kind = FieldKind::number;
    Dimension dimension;
    Range range;
    bool required = false;
    std::string fixed;                 // why a run that has begun cannot go on with another value; "": it can
    std::vector<std::string> choices;  // choice
    std::function<const Table&()> table;                 // table, list
    std::string refers_to;                               // reference, by_name
    std::vector<std::string> refers_to_any;              // names
    std::function<Dimension(const void*)> dimension_of;  // where another member decides the dimension
    std::function<bool(const void*)> only_if;            // what is written back of it; none: always
    std::function<void(Reader&, const Field&, const Value&, const std::string& path, void*)> read;
    /// Nothing for an optional reference or file that is not there.
    std::function<std::optional<Value>(const Writer&, const Field&, const void*)> write;

    /// What a scene says of it; nothing where it is left out.
    std::optional<Value> written(const Writer& writer, const void* object) const {
        return only_if && !only_if(object) ? std::nullopt : write(writer, *this, object);
    }
    std::string unit() const { return si_unit(dimension); }
};

/// What a cross-check of several members reports through.
class Check {
 public:
    Check(Reader& reader, const Value& table, const std::string& path)
        : reader_(reader), table_(table), path_(path) {}
    /// Stands at the key if it is written, else at its table.
    void fail(const std::string& key, const std::string& message, const std::string& hint = "");
    Reader& reader() { return reader_; }
    Source where(const std::string& key) const;
    /// What is written under a key of this table, not what a base gave; nullptr without it.
    const Value* written(const std::string& key) const { return table_.find(key); }
    std::string path_of(const std::string& key) const { return path_ + "." + key; }

 private:
    Reader& reader_;
    const Value& table_;
    const std::string& path_;
};

/// The keys of one struct: those it always has, and those of the variant that `type` names. Made, copied and
/// destroyed in table.cpp: files that declare keys need not compile that again.
struct Table {
    Table();
    Table(const Table&);
    Table(Table&&) noexcept;
    Table& operator=(const Table&);
    Table& operator=(Table&&) noexcept;
    ~Table();

    std::string name, doc;
    std::vector<std::string> aliases;  // of a variant: other words for its name
    std::vector<Field> fields;
    std::vector<Table> variants;
    std::function<void(void*, std::size_t)> choose;
    std::function<std::size_t(const void*)> chosen;
    std::vector<std::function<void(const void*, Check&)>> checks;
    std::function<std::shared_ptr<void>()> make;  // a struct with every default

    const Table* variant(const std::string& type) const;
};

/// Fills `object` from a TOML table and reports everything wrong. `derived`: the object already holds the
/// values of another one, so nothing is required. `known` keys are somebody else's business.
void read_table(Reader& reader, const Table& table, const Value& value, const std::string& path, void* object,
                bool derived = false, const std::vector<std::string>& known = {});
/// Every key with its value in SI.
Value write_table(const Writer& writer, const Table& table, const void* object);
/// The default of a field as TOML; "" when it is required or has none.
std::string default_text(const Table& table, const Field& field);

}  // namespace rivulet::scene
