#include <rivulet/io/png_file.h>

#include <gtest/gtest.h>
#include <png.h>

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

/// As libpng reads it.
PngImage decoded(const std::vector<std::byte>& file, PngImage::Channels channels) {
    png_image control{};
    control.version = PNG_IMAGE_VERSION;
    EXPECT_TRUE(png_image_begin_read_from_memory(&control, file.data(), file.size())) << control.message;
    control.format = channels == PngImage::Channels::gray  ? PNG_FORMAT_GRAY
                     : channels == PngImage::Channels::rgb ? PNG_FORMAT_RGB
                                                           : PNG_FORMAT_RGBA;
    PngImage image{int(control.width), int(control.height), channels, {}};
    image.bytes.resize(PNG_IMAGE_SIZE(control));
    EXPECT_TRUE(png_image_finish_read(&control, nullptr, image.bytes.data(), 0, nullptr)) << control.message;
    return image;
}

TEST(PngFile, LibpngReadsEveryLayout) {
    for (const auto channels :
         {PngImage::Channels::gray, PngImage::Channels::rgb, PngImage::Channels::rgba}) {
        const PngImage image = pattern(channels);
        const auto file = encode_png(image);
        const PngImage again = decoded(file, channels);
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

}  // namespace
}  // namespace rivulet::io
