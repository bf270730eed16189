#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/io/archive.h>
#include <rivulet/io/text_file.h>
#include <support/temporary_folder.h>

namespace rivulet::io {
namespace {

struct MemorySink final : ByteSink {
    std::vector<std::byte> bytes;
    void append(std::span<const std::byte> more) override {
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
};

struct Sample {
    std::vector<Vec3d> position{{1, 2, 3}, {4.5, -5, 1e-300}, {0, -0.0, 7}};
    std::vector<Mat3d> affine{Mat3d::identity(), Mat3d::diagonal({1, 2, 3})};
    std::vector<float> age{0.5f, 1.5f};
    std::vector<std::uint8_t> material{0, 255, 7};
    std::vector<std::uint64_t> id{0, ~std::uint64_t{0}};
    std::vector<std::int32_t> index{-1, 2, 3};
    std::vector<std::array<std::int64_t, 3>> triangle{{0, 1, 2}, {2, 1, 0}};
    std::vector<double> empty;

    ArchiveWriter writer(Precision precision = Precision::exact) const {
        ArchiveWriter w;
        w.add_field({"liquid/position", "m", Centring::particle}, position, precision);
        w.add_field({"liquid/affine", "1/s", Centring::particle}, affine, precision);
        w.add("liquid/age", age);
        w.add("material", material);
        w.add("id", id);
        w.add("index", index);
        w.add("triangle", triangle);
        w.add("empty", empty);
        w.add_field({"time", "s", Centring::scalar}, 0.25, precision);
        w.add_scalar("gravity", Vec3d{0, -9.81, 0});
        w.add_scalar("wet", true);
        return w;
    }
};

std::vector<std::byte> bytes_of(const ArchiveWriter& writer, const ArchiveOptions& options = {}) {
    MemorySink sink;
    writer.write(sink, options);
    return std::move(sink.bytes);
}

void expect_sample(const ArchiveReader& reader, const Sample& sample) {
    EXPECT_EQ(reader.read<Vec3d>("liquid/position"), sample.position);
    EXPECT_EQ(reader.read<Mat3d>("liquid/affine"), sample.affine);
    EXPECT_EQ(reader.read<float>("liquid/age"), sample.age);
    EXPECT_EQ(reader.read<std::uint8_t>("material"), sample.material);
    EXPECT_EQ(reader.read<std::uint64_t>("id"), sample.id);
    EXPECT_EQ(reader.read<std::int32_t>("index"), sample.index);
    EXPECT_EQ((reader.read<std::array<std::int64_t, 3>>("triangle")), sample.triangle);
    EXPECT_TRUE(reader.read<double>("empty").empty());
    EXPECT_EQ(reader.read_scalar<double>("time"), 0.25);
    EXPECT_EQ(reader.read_scalar<Vec3d>("gravity"), (Vec3d{0, -9.81, 0}));
    EXPECT_TRUE(reader.read_scalar<bool>("wet"));
}

TEST(Archive, RoundTripStoredDeflatedAndZip64) {
    const Sample sample;
    const ArchiveOptions variants[] = {
        {}, {.deflate = true}, {.zip64_from = 0}, {.deflate = true, .zip64_from = 300}};
    for (const ArchiveOptions& options : variants) {
        const auto bytes = bytes_of(sample.writer(), options);
        const ArchiveReader reader(bytes, "sample");
        ASSERT_EQ(reader.arrays().size(), 11u);
        EXPECT_EQ(reader.arrays()[0].name, "liquid/position");
        EXPECT_EQ(reader.arrays()[0].shape, (Shape{3, 3}));
        expect_sample(reader, sample);
        reader.verify();
    }
}

TEST(Archive, ThroughAFile) {
    const test::TemporaryFolder folder;
    const Sample sample;
    sample.writer().write(real_file_system(), folder / "a.npz");
    expect_sample(ArchiveReader(folder / "a.npz"), sample);
    EXPECT_EQ(read_bytes(folder / "a.npz", 1 << 20), bytes_of(sample.writer()));
}

TEST(Archive, FieldsJsonNamesUnitAndCentring) {
    const auto bytes = bytes_of(Sample().writer());
    EXPECT_EQ(ArchiveReader(bytes, "sample").text("fields.json"),
              "{\n  \"liquid/position\": {\"unit\": \"m\", \"centring\": \"particle\"},"
              "\n  \"liquid/affine\": {\"unit\": \"1/s\", \"centring\": \"particle\"},"
              "\n  \"time\": {\"unit\": \"s\", \"centring\": \"scalar\"}\n}\n");
}

TEST(Archive, FieldsJsonNamesShapesOfGroups) {
    ArchiveWriter writer;
    writer.add_scalar("time", 0.5);
    writer.describe(GroupInfo{"strands", GroupShape::lines, "strand"});
    const auto bytes = bytes_of(writer);
    EXPECT_EQ(ArchiveReader(bytes, "sample").text("fields.json"),
              "{\n  \"strands\": {\"shape\": \"lines\", \"materials\": \"strand\"}\n}\n");
}

TEST(Archive, StoredArraysAreAligned) {
    const auto bytes = bytes_of(Sample().writer());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::size_t found = 0;
    for (auto at = text.find("\x93NUMPY"); at != text.npos; at = text.find("\x93NUMPY", at + 1), ++found)
        EXPECT_EQ(at % 64, 0u);
    EXPECT_EQ(found, 11u);
}

TEST(Archive, Float32OnTheWayOutWidensOnTheWayIn) {
    Sample sample;
    sample.position.assign(700'000, Vec3d{});  // several pieces of the streaming conversion
    for (std::size_t i = 0; i < sample.position.size(); ++i)
        sample.position[i] = {std::sin(double(i)), 1e3 / double(i + 1), -double(i)};
    const auto bytes = bytes_of(sample.writer(Precision::float32));
    const ArchiveReader reader(bytes, "sample");
    EXPECT_EQ(reader.find("liquid/position")->dtype, Dtype::float32);
    EXPECT_THROW(reader.read<Vec3d>("liquid/position"), InputError);
    const auto wide = reader.read<Vec3d>("liquid/position", Conversion::widen);
    ASSERT_EQ(wide.size(), sample.position.size());
    for (std::size_t i = 0; i < wide.size(); i += 997)
        for (int k = 0; k < 3; ++k) ASSERT_EQ(wide[i][k], double(float(sample.position[i][k])));
    EXPECT_EQ(reader.read_scalar<double>("time", Conversion::widen), 0.25);
    EXPECT_EQ(reader.read<std::int64_t>("index", Conversion::widen), (std::vector<std::int64_t>{-1, 2, 3}));
    EXPECT_THROW(reader.read<std::uint64_t>("index", Conversion::widen), InputError);
    EXPECT_THROW(reader.read<float>("index", Conversion::widen), InputError);
}

TEST(Archive, EqualArraysGiveEqualBytes) {
    for (const bool deflate : {false, true})
        EXPECT_EQ(bytes_of(Sample().writer(), {.deflate = deflate}),
                  bytes_of(Sample().writer(), {.deflate = deflate}));
}

TEST(Archive, ManyMembersNeedZip64) {
    ArchiveWriter writer;
    for (int i = 0; i < 65'536; ++i) writer.add_scalar("n" + std::to_string(i), i);
    const auto bytes = bytes_of(writer);
    const ArchiveReader reader(bytes, "many");
    EXPECT_EQ(reader.arrays().size(), 65'536u);
    EXPECT_EQ(reader.read_scalar<int>("n65535"), 65'535);
}

TEST(Archive, WrongRequestsAreInputErrors) {
    const auto bytes = bytes_of(Sample().writer());
    const ArchiveReader reader(bytes, "sample.npz");
    EXPECT_THROW(reader.read<double>("liquid/position"), InputError);
    EXPECT_THROW(reader.read<Vec3d>("gravity"), InputError);
    EXPECT_THROW(reader.read_scalar<double>("material"), InputError);
    try {
        reader.read<double>("nothing");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems()[0].file, "sample.npz");
        EXPECT_EQ(error.problems()[0].key, "nothing");
    }
}

TEST(Archive, WriterRefusesContradictions) {
    ArchiveWriter writer;
    const std::vector<double> values(4);
    writer.add("a", values);
    EXPECT_THROW(writer.add("a", values), Error);
    EXPECT_THROW(writer.add("", values), Error);
    EXPECT_THROW(writer.add("b", Dtype::float64, {5}, std::as_bytes(std::span(values))), Error);
}

/// Reads everything that is there; true when it went through.
bool reads_through(std::span<const std::byte> bytes, const Sample* expected) {
    try {
        const ArchiveReader reader(bytes, "damaged");
        reader.verify();
        if (expected != nullptr) expect_sample(reader, *expected);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

TEST(Archive, EveryTruncationIsAnError) {
    for (const ArchiveOptions& options : {ArchiveOptions{}, {.deflate = true}, {.zip64_from = 0}}) {
        const auto bytes = bytes_of(Sample().writer(), options);
        for (std::size_t n = 0; n < bytes.size(); ++n)
            ASSERT_FALSE(reads_through(std::span(bytes).first(n), nullptr)) << n;
    }
}

TEST(Archive, EveryBitFlipIsAnErrorOrHarmless) {
    for (const ArchiveOptions& options : {ArchiveOptions{}, {.deflate = true}, {.zip64_from = 0}}) {
        auto bytes = bytes_of(Sample().writer(), options);
        const Sample sample;
        const std::vector<ArrayInfo> arrays = ArchiveReader(bytes, "whole").arrays();
        std::size_t caught = 0, harmless = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (int bit = 0; bit < 8; ++bit) {
                bytes[i] ^= std::byte(1 << bit);
                // A flip that goes unseen (a time stamp, padding, the case of a name) must not change an
                // array.
                bool renamed = false;
                try {
                    const ArchiveReader reader(bytes, "flipped");
                    for (const ArrayInfo& a : arrays) renamed |= !reader.has(a.name);
                } catch (const InputError&) {
                    renamed = true;
                }
                (reads_through(bytes, renamed ? nullptr : &sample) ? harmless : caught) += 1;
                bytes[i] ^= std::byte(1 << bit);
            }
        EXPECT_GT(caught, harmless);
    }
}

}  // namespace
}  // namespace rivulet::io
