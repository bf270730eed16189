#include <rivulet/viewer/frame_arrays.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/viewer/http.h>

namespace rivulet::viewer {

using io::ArchiveReader;
using io::ArrayInfo;
using io::Conversion;
using io::Dtype;

FrameArrays::FrameArrays(const std::filesystem::path& frame, const std::filesystem::path& fixed)
    : frame_(frame) {
    try {
        if (std::filesystem::exists(fixed)) fixed_ = std::make_unique<ArchiveReader>(fixed);
        descriptions_ = frame_.text("fields.json");
    } catch (const Error& e) {
        say(e.what());
    }
}

const ArrayInfo* FrameArrays::find(const std::string& name) const {
    if (const ArrayInfo* info = frame_.find(name)) return info;
    return fixed_ ? fixed_->find(name) : nullptr;
}

template <class T, class Read>
std::vector<T> FrameArrays::attempt(const std::string& name, Read&& read) {
    const ArrayInfo* info = find(name);
    if (!info) return {};
    try {
        return read(frame_.has(name) ? frame_ : *fixed_, *info);
    } catch (const Error& e) {
        say(name + " is left out: " + e.what());
        return {};
    }
}

std::vector<Vec3f> FrameArrays::vectors(const std::string& name) {
    return attempt<Vec3f>(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
        if (info.dtype == Dtype::float32) return archive.read<Vec3f>(name);
        std::vector<Vec3f> out;
        for (const Vec3d& v : archive.read<Vec3d>(name, Conversion::widen))
            out.push_back({float(v.x), float(v.y), float(v.z)});
        return out;
    });
}

std::vector<float> FrameArrays::numbers(const std::string& name) {
    return attempt<float>(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
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

std::vector<std::uint64_t> FrameArrays::integers(const std::string& name) {
    return attempt<std::uint64_t>(name, [&](const ArchiveReader& archive, const ArrayInfo& info) {
        if (info.dtype == Dtype::uint64) return archive.read<std::uint64_t>(name);
        const auto wide = archive.read<std::int64_t>(name, Conversion::widen);
        return std::vector<std::uint64_t>(wide.begin(), wide.end());
    });
}

template <std::size_t N>
std::vector<std::array<std::uint32_t, N>> FrameArrays::tuples(const std::string& name, std::size_t vertices) {
    using Tuple = std::array<std::uint32_t, N>;
    return attempt<Tuple>(name, [&](const ArchiveReader& archive, const ArrayInfo&) {
        std::vector<Tuple> out;
        for (const auto& wide : archive.read<std::array<std::int64_t, N>>(name, Conversion::widen)) {
            Tuple narrow{};
            for (std::size_t k = 0; k < N; ++k) {
                if (wide[k] < 0 || static_cast<std::uint64_t>(wide[k]) >= vertices)
                    throw Error("it points at a vertex that does not exist");
                narrow[k] = static_cast<std::uint32_t>(wide[k]);
            }
            out.push_back(narrow);
        }
        return out;
    });
}
template std::vector<std::array<std::uint32_t, 2>> FrameArrays::tuples<2>(const std::string&, std::size_t);
template std::vector<std::array<std::uint32_t, 3>> FrameArrays::tuples<3>(const std::string&, std::size_t);

std::string FrameArrays::unit(const std::string& name) const {
    const std::string key = json_text(name) + ": {\"unit\": \"";
    const std::size_t at = descriptions_.find(key);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + key.size(), end = descriptions_.find('"', begin);
    return end == std::string::npos || end - begin > 32 ? std::string()
                                                        : descriptions_.substr(begin, end - begin);
}

bool read_transform(const ArchiveReader& archive, const std::string& name, std::array<double, 16>& matrix) {
    const ArrayInfo* info = archive.find(name);
    if (!info || info->shape != io::Shape{4, 4}) return false;
    const auto raw = archive.read_raw(name);
    std::array<float, 16> narrow{};
    if (info->dtype == Dtype::float64 && raw.size() == sizeof matrix) {
        std::memcpy(matrix.data(), raw.data(), sizeof matrix);
    } else if (info->dtype == Dtype::float32 && raw.size() == sizeof narrow) {
        std::memcpy(narrow.data(), raw.data(), sizeof narrow);
        std::copy(narrow.begin(), narrow.end(), matrix.begin());
    } else {
        return false;
    }
    return std::all_of(matrix.begin(), matrix.end(), [](double v) { return std::isfinite(v); });
}

std::vector<std::string> obstacle_names(const ArchiveReader* archive) {
    std::set<std::string> names;
    if (!archive) return {};
    constexpr std::string_view prefix = "obstacles/";
    for (const ArrayInfo& a : archive->arrays()) {
        const std::size_t slash = a.name.rfind('/');
        if (a.name.starts_with(prefix) && slash > prefix.size())
            names.insert(a.name.substr(prefix.size(), slash - prefix.size()));
    }
    return {names.begin(), names.end()};
}

}  // namespace rivulet::viewer
