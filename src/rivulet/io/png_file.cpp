#include <rivulet/io/png_file.h>

#include <png.h>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>

namespace rivulet::io {
namespace {

constexpr std::uint32_t kMostPixelsAcross = 16384;

png_uint_32 format_of(PngImage::Channels channels) {
    switch (channels) {
        case PngImage::Channels::gray:
            return PNG_FORMAT_GRAY;
        case PngImage::Channels::rgba:
            return PNG_FORMAT_RGBA;
        default:
            return PNG_FORMAT_RGB;
    }
}

/// libpng's control block, released on every way out.
struct Control {
    png_image image{};
    Control() { image.version = PNG_IMAGE_VERSION; }
    ~Control() { png_image_free(&image); }
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;
};

[[noreturn]] void refuse(const std::string& message) {
    throw InputError(Problem{"", 0, 0, "", "PNG: " + message, ""});
}

}  // namespace

std::vector<std::byte> encode_png(const PngImage& image) {
    const auto width = std::uint32_t(image.width), height = std::uint32_t(image.height);
    if (image.width < 1 || image.height < 1 || width > kMostPixelsAcross || height > kMostPixelsAcross)
        refuse("width and height must be between 1 and 16384");
    if (image.bytes.size() != std::size_t{width} * height * std::size_t(image.channels))
        refuse("the number of bytes does not fit width and height");
    Control control;
    control.image.width = width;
    control.image.height = height;
    control.image.format = format_of(image.channels);
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(control.image);
    std::vector<std::byte> file(size);
    if (!png_image_write_to_memory(&control.image, file.data(), &size, 0, image.bytes.data(), 0, nullptr))
        refuse(control.image.message);
    file.resize(size);
    return file;
}

void write_png(FileSystem& files, const std::filesystem::path& path, const PngImage& image) {
    write_atomically(files, path, std::span<const std::byte>(encode_png(image)));
}

}  // namespace rivulet::io
