#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/io/archive_reader.h>
#include <rivulet/output/field_descriptions.h>

namespace rivulet::output {

/// Arrays of a frame and of static.npz, of whatever number type. What is missing reads as empty; what is
/// damaged or of another shape reads as empty and leaves a message.
class FrameSource {
 public:
    /// A frame that cannot be opened is an error, a static.npz that cannot a message. Either may be missing:
    /// its path is empty, of static.npz also that of no file.
    FrameSource(const std::filesystem::path& frame, const std::filesystem::path& fixed,
                std::vector<std::string>& messages);

    const io::ArchiveReader* frame() const { return frame_.get(); }
    const io::ArchiveReader* fixed() const { return fixed_.get(); }
    const io::ArrayInfo* find(const std::string& name) const;
    bool has(const std::string& name) const { return find(name) != nullptr; }

    std::vector<Vec3f> vectors(const std::string& name) const;
    std::vector<float> numbers(const std::string& name) const;
    std::vector<std::int64_t> integers(const std::string& name) const;
    /// Rows of N indices of points, each below `points`.
    template <std::size_t N>
    std::vector<std::array<int, N>> tuples(const std::string& name, std::size_t points) const;
    std::vector<Vec3i> triangles(const std::string& name, std::size_t points) const;
    /// The numbers of a table with one row per point, row by row.
    std::vector<float> rows(const std::string& name, std::size_t points) const;
    /// Lines of a text in static.npz.
    std::vector<std::string> lines(const std::string& member) const;
    std::optional<Vec3f> vector(const std::string& name) const;
    std::optional<double> number(const std::string& name) const;
    std::optional<bool> flag(const std::string& name) const;
    /// A 4x4 matrix of either precision, row-major and finite.
    std::optional<std::array<double, 16>> matrix(const std::string& name) const;

    /// From the fields.json of either.
    std::string unit(const std::string& name) const { return description(name).unit; }
    std::string centring(const std::string& name) const { return description(name).centring; }
    std::optional<FieldDescriptions::Group> group(const std::string& name) const;

    /// Empties an array whose length is not the expected one, and says so.
    template <class T>
    void fit(std::vector<T>& values, std::size_t count, const std::string& name) const {
        if (values.empty() || values.size() == count) return;
        leave_out_for_length(name, values.size(), count);
        values.clear();
    }
    void leave_out(const std::string& name, const std::string& why) const {
        messages_.push_back(name + " is left out: " + why);
    }
    void leave_out_for_length(const std::string& name, std::uint64_t has, std::uint64_t expected) const;
    void say(const std::string& message) const { messages_.push_back(message); }

 private:
    template <class Read>
    auto attempt(const std::string& name, Read&& read) const
        -> decltype(read(std::declval<const io::ArchiveReader&>(), std::declval<const io::ArrayInfo&>()));
    FieldDescriptions::Array description(const std::string& name) const;

    std::unique_ptr<io::ArchiveReader> frame_, fixed_;
    FieldDescriptions of_frame_, of_fixed_;
    std::vector<std::string>& messages_;
};

}  // namespace rivulet::output
