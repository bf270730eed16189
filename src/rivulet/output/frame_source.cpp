#include <rivulet/output/frame_source.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include <rivulet/base/error.h>

namespace rivulet::output {

using io::ArchiveReader;
using io::ArrayInfo;
using io::Conversion;
using io::Dtype;

namespace {
constexpr std::uint64_t kMostColumns = 256;
constexpr std::size_t kLongestName = 64;
}  // namespace

FrameSource::FrameSource(const std::filesystem::path& frame, const std::filesystem::path& fixed,
                         std::vector<std::string>& messages)
    : messages_(messages) {
    if (!frame.empty()) frame_ = std::make_unique<ArchiveReader>(frame);
    const auto attempt_to = [&](auto&& work) {
        try {
            work();
        } catch (const Error& e) {
            say(e.what());
        }
    };
    attempt_to([&] {
        if (frame_) of_frame_ = parse_descriptions(frame_->text("fields.json"));
    });
    std::error_code unreadable;
    if (fixed.empty() || !std::filesystem::exists(fixed, unreadable)) return;
    attempt_to([&] {
        fixed_ = std::make_unique<ArchiveReader>(fixed);
        of_fixed_ = parse_descriptions(fixed_->text("fields.json"));
    });
}

const ArrayInfo* FrameSource::find(const std::string& name) const {
    const ArrayInfo* info = frame_ ? frame_->find(name) : nullptr;
    return info || !fixed_ ? info : fixed_->find(name);
}

template <class Read>
auto FrameSource::attempt(const std::string& name, Read&& read) const
    -> decltype(read(std::declval<const ArchiveReader&>(), std::declval<const ArrayInfo&>())) {
    const ArrayInfo* info = find(name);
    if (!info) return {};
    try {
        return read(frame_ && frame_->has(name) ? *frame_ : *fixed_, *info);
    } catch (const Error& e) {
        leave_out(name, e.what());
        return {};
    }
}

std::vector<Vec3f> FrameSource::vectors(const std::string& name) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
        if (info.dtype == Dtype::float32) return archive.read<Vec3f>(name);
        std::vector<Vec3f> out;
        for (const Vec3d& v : archive.read<Vec3d>(name, Conversion::widen))
            out.push_back({float(v.x), float(v.y), float(v.z)});
        return out;
    });
}

std::vector<float> FrameSource::numbers(const std::string& name) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
        if (info.dtype == Dtype::float32) return archive.read<float>(name);
        std::vector<float> out;
        const auto take = [&](const auto& wide) {
            out.reserve(wide.size());
            for (const auto v : wide) out.push_back(static_cast<float>(v));
        };
        if (info.dtype == Dtype::float64)
            take(archive.read<double>(name));
        else if (info.dtype == Dtype::uint64)
            take(archive.read<std::uint64_t>(name));
        else
            take(archive.read<std::int64_t>(name, Conversion::widen));
        return out;
    });
}

std::vector<std::int64_t> FrameSource::integers(const std::string& name) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
        if (info.dtype != Dtype::uint64) return archive.read<std::int64_t>(name, Conversion::widen);
        const auto wide = archive.read<std::uint64_t>(name);
        return std::vector<std::int64_t>(wide.begin(), wide.end());
    });
}

template <std::size_t N>
std::vector<std::array<int, N>> FrameSource::tuples(const std::string& name, std::size_t points) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo&) {
        std::vector<std::array<int, N>> out;
        for (const auto& wide : archive.read<std::array<std::int64_t, N>>(name, Conversion::widen)) {
            std::array<int, N> narrow{};
            for (std::size_t k = 0; k < N; ++k) {
                if (wide[k] < 0 || static_cast<std::uint64_t>(wide[k]) >= points)
                    throw Error("it points at a vertex that does not exist");
                narrow[k] = static_cast<int>(wide[k]);
            }
            out.push_back(narrow);
        }
        return out;
    });
}
template std::vector<std::array<int, 2>> FrameSource::tuples<2>(const std::string&, std::size_t) const;

std::vector<Vec3i> FrameSource::triangles(const std::string& name, std::size_t points) const {
    std::vector<Vec3i> out;
    for (const auto& t : tuples<3>(name, points)) out.push_back({t[0], t[1], t[2]});
    return out;
}

std::vector<float> FrameSource::rows(const std::string& name, std::size_t points) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
        if (info.shape.size() != 2 || info.shape[0] != points || info.shape[1] > kMostColumns)
            throw Error("it is not a table with one row per point");
        std::vector<float> out(std::size_t(info.shape[0] * info.shape[1]));
        const auto raw = archive.read_raw(name);
        if (info.dtype == Dtype::float32) {
            std::memcpy(out.data(), raw.data(), raw.size());
        } else if (info.dtype == Dtype::float64) {
            std::vector<double> wide(out.size());
            std::memcpy(wide.data(), raw.data(), raw.size());
            std::transform(wide.begin(), wide.end(), out.begin(), [](double v) { return float(v); });
        } else {
            throw Error("it does not hold real numbers");
        }
        return out;
    });
}

std::vector<std::string> FrameSource::lines(const std::string& member) const {
    std::vector<std::string> out;
    if (!fixed_) return out;
    try {
        std::istringstream text(fixed_->text(member));
        for (std::string line; std::getline(text, line);) out.push_back(line.substr(0, kLongestName));
    } catch (const Error& e) {
        leave_out(member, e.what());
    }
    return out;
}

std::optional<Vec3f> FrameSource::vector(const std::string& name) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo&) -> std::optional<Vec3f> {
        const auto v = archive.read_scalar<Vec3d>(name, Conversion::widen);
        return Vec3f{float(v.x), float(v.y), float(v.z)};
    });
}

std::optional<double> FrameSource::number(const std::string& name) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo&) -> std::optional<double> {
        return archive.read_scalar<double>(name, Conversion::widen);
    });
}

std::optional<bool> FrameSource::flag(const std::string& name) const {
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo&) -> std::optional<bool> {
        return archive.read_scalar<std::uint8_t>(name) != 0;
    });
}

std::optional<std::array<double, 16>> FrameSource::matrix(const std::string& name) const {
    using Matrix = std::array<double, 16>;
    return attempt(name, [&](const ArchiveReader& archive, const ArrayInfo& info) -> std::optional<Matrix> {
        Matrix matrix{};
        std::array<float, 16> narrow{};
        const auto raw = archive.read_raw(name);
        const bool square = info.shape == io::Shape{4, 4};
        if (square && info.dtype == Dtype::float64) {
            std::memcpy(matrix.data(), raw.data(), sizeof matrix);
        } else if (square && info.dtype == Dtype::float32) {
            std::memcpy(narrow.data(), raw.data(), sizeof narrow);
            std::copy(narrow.begin(), narrow.end(), matrix.begin());
        } else {
            throw Error("it is not a 4x4 matrix");
        }
        if (!std::all_of(matrix.begin(), matrix.end(), [](double v) { return std::isfinite(v); }))
            throw Error("it is not finite");
        return matrix;
    });
}

FieldDescriptions::Array FrameSource::description(const std::string& name) const {
    for (const FieldDescriptions* d : {&of_frame_, &of_fixed_})
        if (const auto found = d->arrays.find(name); found != d->arrays.end()) return found->second;
    return {};
}

std::optional<FieldDescriptions::Group> FrameSource::group(const std::string& name) const {
    for (const FieldDescriptions* d : {&of_frame_, &of_fixed_})
        if (const auto found = d->groups.find(name); found != d->groups.end()) return found->second;
    return std::nullopt;
}

void FrameSource::leave_out_for_length(const std::string& name, std::uint64_t has,
                                       std::uint64_t expected) const {
    leave_out(name, fmt::format("it has {} entries instead of {}", has, expected));
}

}  // namespace rivulet::output
