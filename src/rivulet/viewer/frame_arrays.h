#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/io/archive_reader.h>

namespace rivulet::viewer {

/// Arrays of a frame and of static.npz, of whatever number type. What is missing reads as empty; what is
/// damaged or of another shape reads as empty and leaves a message.
class FrameArrays {
 public:
    /// A frame that cannot be opened is an error; without a readable static.npz a message is left.
    FrameArrays(const std::filesystem::path& frame, const std::filesystem::path& fixed);

    const io::ArchiveReader& frame() const { return frame_; }
    const io::ArchiveReader* fixed() const { return fixed_.get(); }
    const io::ArrayInfo* find(const std::string& name) const;

    std::vector<Vec3f> vectors(const std::string& name);
    std::vector<float> numbers(const std::string& name);
    std::vector<std::uint64_t> integers(const std::string& name);
    template <std::size_t N>
    std::vector<std::array<std::uint32_t, N>> tuples(const std::string& name, std::size_t vertices);

    /// From fields.json; empty when it is not given there.
    std::string unit(const std::string& name) const;

    void say(const std::string& message) { messages_.push_back(message); }
    const std::vector<std::string>& messages() const { return messages_; }

 private:
    template <class T, class Read>
    std::vector<T> attempt(const std::string& name, Read&& read);

    io::ArchiveReader frame_;
    std::unique_ptr<io::ArchiveReader> fixed_;
    std::vector<std::string> messages_;
    std::string descriptions_;
};

/// Row-major 4x4 matrix of either precision; false when the array is something else or not finite.
bool read_transform(const io::ArchiveReader& archive, const std::string& name,
                    std::array<double, 16>& matrix);

/// NAME of every "obstacles/NAME/..." array, in order.
std::vector<std::string> obstacle_names(const io::ArchiveReader* archive);

}  // namespace rivulet::viewer
