#include <rivulet/io/png_file.h>

#include <gtest/gtest.h>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>

namespace rivulet::io {
namespace {

PngImage pattern(PngImage::Channels channels) {
    PngImage image{13, 7, channels, {}};
    const Random random(3, 1);
    image.bytes.resize(13 * 7 * std::size_t(channels));
    for (std::size_t i = 0; i < image.bytes.size(); ++i)
        image.bytes[i] = std::uint8_t(random.words(i)[0] & 0xFF);
    return image;
}

TEST(PngFile, RoundTripsEveryLayout) {
    for (const auto channels :
         {PngImage::Channels::gray, PngImage::Channels::rgb, PngImage::Channels::rgba}) {
        const PngImage image = pattern(channels);
        const auto file = encode_png(image);
        const PngImage again = decode_png(file, channels, "test.png");
        EXPECT_EQ(again.width, 13);
        EXPECT_EQ(again.height, 7);
        EXPECT_EQ(again.bytes, image.bytes);
        EXPECT_EQ(encode_png(image), file);
    }
}

TEST(PngFile, RefusesSizesThatDoNotFit) {
    PngImage image = pattern(PngImage::Channels::rgb);
    image.bytes.pop_back();
    EXPECT_THROW(encode_png(image), InputError);
    image.width = 0;
    EXPECT_THROW(encode_png(image), InputError);
}

TEST(PngFile, DamageIsAnErrorAndNeverACrash) {
    const auto good = encode_png(pattern(PngImage::Channels::rgb));
    const Random random(11, 2);
    int refused = 0;
    for (std::uint64_t trial = 0; trial < 400; ++trial) {
        auto bad = good;
        const auto w = random.words(trial);
        if (trial % 2)
            bad.resize(w[0] % bad.size());
        else
            bad[w[0] % bad.size()] ^= std::byte(1 + w[1] % 255);
        try {
            decode_png(bad, PngImage::Channels::rgb, "bad.png");
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace rivulet::io
