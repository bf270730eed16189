#pragma once

#include <map>
#include <string>
#include <vector>

#include <rivulet/io/usda_tokens.h>

namespace rivulet::output {

/// A strict reader of the part of the .usda grammar that exports use: a layer with metadata, prims in prims,
/// attributes with values, metadata and time samples. Arrays must fit their type (numbers, tuples of the
/// right width, texts, assets). Throws InputError with the line for anything else.
class UsdaGrammar {
 public:
    struct Value {
        std::vector<double> numbers;  // tuples flattened
        std::vector<std::string> texts;
        std::size_t count = 0;  // entries
    };
    struct Attribute {
        std::string type;
        bool has_default = false;
        Value value;
        std::map<double, Value> samples;
        std::map<std::string, std::string> metadata;
    };
    struct Prim {
        std::string specifier, type;
        std::map<std::string, Attribute> attributes;
        std::map<std::string, Value> clips;         // entries of the dictionary clips/default
        std::vector<std::string> schemas;           // applied
        std::map<std::string, std::string> target;  // of relationships and connections
    };
    std::map<std::string, Value> layer;
    std::map<std::string, Prim> prims;  // by path

    UsdaGrammar(const std::string& text, const std::string& name) : name_(name), tokens_(text, name_) {
        if (!text.starts_with("#usda 1.0\n")) tokens_.refuse(1, "no '#usda 1.0'");
        if (tokens_.peek().is('(')) read_layer_metadata();
        while (tokens_.peek().kind != io::UsdaTokenKind::end) read_prim("");
    }

 private:
    using Kind = io::UsdaTokenKind;

    io::UsdaToken take(Kind kind, const char* what) {
        const io::UsdaToken t = tokens_.take();
        if (t.kind != kind) tokens_.refuse(t.line, std::string("expected ") + what);
        return t;
    }
    void read_layer_metadata() {
        tokens_.expect('(');
        while (!tokens_.peek().is(')')) {
            const std::string key(take(Kind::word, "a key").text);
            tokens_.expect('=');
            const bool text = key == "defaultPrim" || key == "upAxis";
            layer[key] = read_value(text ? "string" : "double");
        }
        tokens_.expect(')');
    }
    void read_prim(const std::string& parent) {
        Prim prim;
        prim.specifier = take(Kind::word, "def or over").text;
        if (prim.specifier != "def" && prim.specifier != "over") tokens_.refuse(0, "no specifier");
        if (tokens_.peek().kind == Kind::word) prim.type = tokens_.take().text;
        const std::string path = parent + "/" + std::string(take(Kind::text, "the prim's name").text);
        if (tokens_.peek().is('(')) read_prim_metadata(prim);
        tokens_.expect('{');
        while (!tokens_.peek().is('}')) {
            if (tokens_.peek().is("def") || tokens_.peek().is("over"))
                read_prim(path);
            else
                read_attribute(prim);
        }
        tokens_.expect('}');
        if (!prims.emplace(path, prim).second) tokens_.refuse(0, path + " twice");
    }
    void read_prim_metadata(Prim& prim) {
        tokens_.expect('(');
        if (tokens_.peek().is("prepend")) {
            tokens_.take();
            if (!tokens_.take().is("apiSchemas")) tokens_.refuse(0, "expected apiSchemas");
            tokens_.expect('=');
            prim.schemas = read_value("token[]").texts;
        } else {
            read_clips(prim);
        }
        tokens_.expect(')');
    }
    void read_clips(Prim& prim) {
        if (!tokens_.take().is("clips")) tokens_.refuse(0, "expected clips");
        tokens_.expect('=');
        tokens_.expect('{');
        if (!tokens_.take().is("dictionary") || !tokens_.take().is("default"))
            tokens_.refuse(0, "expected dictionary default");
        tokens_.expect('=');
        tokens_.expect('{');
        while (!tokens_.peek().is('}')) {
            const std::string type = read_type();
            const std::string key(take(Kind::word, "a key").text);
            tokens_.expect('=');
            prim.clips[key] = read_value(type);
        }
        tokens_.expect('}');
        tokens_.expect('}');
    }
    std::string read_type() {
        std::string type(take(Kind::word, "a type").text);
        if (type == "uniform") type = take(Kind::word, "a type").text;
        if (tokens_.peek().is('[')) {
            tokens_.expect('[');
            tokens_.expect(']');
            type += "[]";
        }
        return type;
    }
    void read_attribute(Prim& prim) {
        const std::string type = read_type();
        std::string name(take(Kind::word, "a name").text);
        constexpr std::string_view suffix = ".timeSamples";
        const bool sampled = name.ends_with(suffix);
        if (sampled) name.resize(name.size() - suffix.size());
        if (type == "rel" || name.ends_with(".connect")) {
            tokens_.expect('=');
            prim.target[name] = take(Kind::path, "a path").text;
            return;
        }
        Attribute& a = prim.attributes[name];
        a.type = type;
        if (tokens_.peek().is('=')) {
            tokens_.expect('=');
            if (sampled)
                read_samples(a);
            else
                a.has_default = true, a.value = read_value(type);
        }
        if (!tokens_.peek().is('(')) return;
        tokens_.expect('(');
        while (!tokens_.peek().is(')')) {
            const std::string key(take(Kind::word, "a key").text);
            tokens_.expect('=');
            a.metadata[key] = take(Kind::text, "a text").text;
        }
        tokens_.expect(')');
    }
    void read_samples(Attribute& a) {
        tokens_.expect('{');
        while (!tokens_.peek().is('}')) {
            const double time = take(Kind::number, "a time").value;
            tokens_.expect(':');
            a.samples[time] = read_value(a.type);
            if (!tokens_.peek().is('}')) tokens_.expect(',');
        }
        tokens_.expect('}');
    }
    static int tuple_width(const std::string& type) {
        for (const char* three : {"point3f", "vector3f", "float3", "color3f"})
            if (type == three) return 3;
        return type == "double2" ? 2 : 1;
    }
    Value read_value(const std::string& type) {
        Value value;
        if (!type.ends_with("[]")) {
            read_entry(type, value);
            return value;
        }
        const std::string entry = type.substr(0, type.size() - 2);
        tokens_.expect('[');
        while (!tokens_.peek().is(']')) {
            read_entry(entry, value);
            if (!tokens_.peek().is(']')) tokens_.expect(',');
        }
        tokens_.expect(']');
        return value;
    }
    void read_entry(const std::string& type, Value& value) {
        ++value.count;
        if (type == "string" || type == "token") {
            value.texts.emplace_back(take(Kind::text, "a text").text);
        } else if (type == "asset") {
            value.texts.emplace_back(take(Kind::asset, "an asset").text);
        } else if (type == "bool") {
            value.texts.emplace_back(take(Kind::word, "true or false").text);
        } else if (const int width = tuple_width(type); width == 1) {
            const io::UsdaToken t = take(Kind::number, "a number");
            const bool whole = type == "int" || type == "int64";
            if (whole && t.text.find_first_not_of("-0123456789") != std::string_view::npos)
                tokens_.refuse(t.line, "expected a whole number");
            value.numbers.push_back(t.value);
        } else {
            tokens_.expect('(');
            for (int k = 0; k < width; ++k) {
                if (k > 0) tokens_.expect(',');
                value.numbers.push_back(take(Kind::number, "a number").value);
            }
            tokens_.expect(')');
        }
    }

    std::string name_;
    io::UsdaTokens tokens_;
};

}  // namespace rivulet::output
