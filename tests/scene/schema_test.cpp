#include <gtest/gtest.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

#include <filesystem>

#include <rivulet/scene/document.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

using Json = nlohmann::json;

Json to_json(const Value& value) {
    switch (value.type) {
        case Value::Type::boolean:
            return value.boolean;
        case Value::Type::integer:
            return value.integer;
        case Value::Type::number:
            return value.number;
        case Value::Type::text:
        case Value::Type::other:
            return value.text;
        case Value::Type::array: {
            Json out = Json::array();
            for (const Value& item : value.items) out.push_back(to_json(item));
            return out;
        }
        case Value::Type::table:
            break;
    }
    Json out = Json::object();
    for (const Member& member : value.members) out[member.key] = to_json(member.value);
    return out;
}

class SchemaTest : public testing::Test {
 protected:
    SchemaTest() : json_(Json::parse(json_schema())) {
        valijson::SchemaParser parser;
        const valijson::adapters::NlohmannJsonAdapter adapter(json_);
        parser.populateSchema(adapter, schema_);
    }
    bool accepts(const Value& root) const {
        const Json document = to_json(root);
        valijson::Validator validator;
        const valijson::adapters::NlohmannJsonAdapter adapter(document);
        return validator.validate(schema_, adapter, nullptr);
    }
    bool accepts(const std::string& text) const {
        return accepts(load_document_text(text, "s.toml", "/", {}).root);
    }

 private:
    Json json_;
    valijson::Schema schema_;
};

TEST_F(SchemaTest, AcceptsEveryShippedSceneAndItsResolvedText) {
    int scenes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(RIVULET_SOURCE_DIR) / "scenes")) {
        if (entry.path().extension() != ".toml") continue;
        const std::string path = entry.path().string();
        EXPECT_TRUE(accepts(load_document(path, {}).root)) << path;
        EXPECT_TRUE(accepts(resolved_text(read_scene(path)))) << path;
        ++scenes;
    }
    EXPECT_GE(scenes, 4);
}

TEST_F(SchemaTest, AcceptsEveryTemplate) {
    for (const Template& t : templates()) EXPECT_TRUE(accepts(template_scene(t.name))) << t.name;
}

TEST_F(SchemaTest, RejectsMistakes) {
    const std::string top = "format = 1\ntime = { end = \"1 s\" }\n";
    EXPECT_TRUE(accepts(top));
    EXPECT_FALSE(accepts("time = { end = \"1 s\" }\n"));
    EXPECT_FALSE(accepts(top + "tiem = 3\n"));
    EXPECT_FALSE(accepts(top + "grid = { cell = 3 }\n"));
    EXPECT_FALSE(accepts(top + "grid = { cell = \"3\" }\n"));
    EXPECT_TRUE(accepts(top + "grid = { cell = \"3 mm\" }\n"));
    EXPECT_FALSE(accepts(top + "step = { courant = -1 }\n"));
    EXPECT_FALSE(accepts(top + "[sink.a]\nshape = { type = \"sphere\", center = 0 }\n"));
    EXPECT_TRUE(accepts(top + "[sink.a]\nshape = { type = \"sphere\", center = 0, radius = \"1 cm\" }\n"));
    EXPECT_FALSE(accepts(top + "[sink.a]\nshape = { type = \"ball\", center = 0, radius = \"1 cm\" }\n"));
    EXPECT_FALSE(accepts(top + "[sink.A]\nshape = { type = \"sphere\", center = 0, radius = \"1 cm\" }\n"));
    EXPECT_FALSE(accepts(top + "[material.a]\ncolor = [0, 1]\n"));
    EXPECT_FALSE(accepts(top + "[material.a]\ntype = \"gas\"\n"));
}

}  // namespace
}  // namespace rivulet::scene
