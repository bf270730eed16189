#include <rivulet/output/compare.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include <rivulet/base/error.h>
#include <rivulet/base/units.h>
#include <rivulet/io/archive.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/run_directory.h>

namespace rivulet::output {

namespace {

namespace fs = std::filesystem;

double number_at(io::Dtype dtype, const std::byte* p) {
    const auto as = [p]<class T>(T) {
        T v;
        std::memcpy(&v, p, sizeof v);
        return static_cast<double>(v);
    };
    switch (dtype) {
        case io::Dtype::float32:
            return as(float{});
        case io::Dtype::float64:
            return as(double{});
        case io::Dtype::int8:
            return as(std::int8_t{});
        case io::Dtype::int16:
            return as(std::int16_t{});
        case io::Dtype::int32:
            return as(std::int32_t{});
        case io::Dtype::int64:
            return as(std::int64_t{});
        case io::Dtype::uint8:
        case io::Dtype::boolean:
            return as(std::uint8_t{});
        case io::Dtype::uint16:
            return as(std::uint16_t{});
        case io::Dtype::uint32:
            return as(std::uint32_t{});
        case io::Dtype::uint64:
            return as(std::uint64_t{});
    }
    return 0;
}

class Comparer {
 public:
    explicit Comparer(std::optional<double> tolerance) : tolerance_(tolerance) {}
    Comparison result;

    void differ(std::string where, std::string what) {
        if (!result.first) result.first = Difference{std::move(where), std::move(what)};
    }

    void archives(const std::string& where, const fs::path& a_path, const fs::path& b_path) {
        const io::ArchiveReader a(a_path), b(b_path);
        for (const io::ArrayInfo& array : a.arrays()) {
            const std::string name = where + ", " + array.name;
            const io::ArrayInfo* other = b.find(array.name);
            if (!other) return differ(name, "only in the first run");
            if (array.dtype != other->dtype || array.shape != other->shape)
                return differ(name, fmt::format("{} {} against {} {}", io::to_text(array.dtype),
                                                io::to_text(array.shape), io::to_text(other->dtype),
                                                io::to_text(other->shape)));
            numbers(name, array, a.read_raw(array.name), b.read_raw(array.name));
            if (result.first) return;
        }
        for (const io::ArrayInfo& array : b.arrays())
            if (!a.has(array.name)) return differ(where + ", " + array.name, "only in the second run");
    }

    void metrics(const fs::path& a_path, const fs::path& b_path) {
        const Csv a = parse_csv(io::read_text(a_path, kMostBytes)),
                  b = parse_csv(io::read_text(b_path, kMostBytes));
        if (a.header != b.header) return differ("metrics.csv", "other columns");
        for (std::size_t r = 0; r < std::min(a.rows.size(), b.rows.size()); ++r)
            for (std::size_t c = 0; c < a.header.size(); ++c)
                if (a.rows[r][c] != b.rows[r][c])
                    return differ(fmt::format("metrics.csv, step {}, {}", a.rows[r][0], a.header[c]),
                                  a.rows[r][c] + " against " + b.rows[r][c]);
        if (a.rows.size() != b.rows.size())
            differ("metrics.csv", fmt::format("{} against {} steps", a.rows.size(), b.rows.size()));
    }

 private:
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

    void numbers(const std::string& name, const io::ArrayInfo& info, const std::vector<std::byte>& a,
                 const std::vector<std::byte>& b) {
        if (a == b) return;
        const std::size_t size = io::size_of(info.dtype);
        std::size_t row = 1;
        for (std::size_t axis = 1; axis < info.shape.size(); ++axis)
            row *= static_cast<std::size_t>(info.shape[axis]);
        const bool exact_type = info.dtype != io::Dtype::float32 && info.dtype != io::Dtype::float64;
        for (std::size_t i = 0; i * size < a.size(); ++i) {
            if (std::memcmp(&a[i * size], &b[i * size], size) == 0) continue;
            const double x = number_at(info.dtype, &a[i * size]), y = number_at(info.dtype, &b[i * size]);
            const double apart = std::abs(x - y);
            result.largest = std::max(result.largest, apart);
            if (tolerance_ && !exact_type && apart <= *tolerance_) continue;
            return differ(fmt::format("{}, index {}{}", name, i / row,
                                      row > 1 ? fmt::format(" component {}", i % row) : ""),
                          shortest(x) + " against " + shortest(y));
        }
    }

    std::optional<double> tolerance_;
};

}  // namespace

Comparison compare_runs(const fs::path& a, const fs::path& b, std::optional<double> tolerance) {
    const RunPaths pa{a}, pb{b};
    for (const RunPaths* p : {&pa, &pb})
        if (!fs::exists(p->record()))
            throw InputError(Problem{p->root.string(), 0, 0, "", "is not a run directory (no run.json)",
                                     "give two folders that 'rivulet run' wrote"});
    Comparer comparer(tolerance);
    comparer.archives("static.npz", pa.fixed(), pb.fixed());
    const auto frames_a = frame_numbers(pa), frames_b = frame_numbers(pb);
    for (std::size_t i = 0; i < std::min(frames_a.size(), frames_b.size()) && !comparer.result.first; ++i) {
        if (frames_a[i] != frames_b[i]) {
            comparer.differ(fmt::format("frame {}", std::min(frames_a[i], frames_b[i])),
                            "only in one of the runs");
            break;
        }
        comparer.archives(fmt::format("frame {}", frames_a[i]), pa.frame(frames_a[i]), pb.frame(frames_b[i]));
        ++comparer.result.frames;
    }
    if (frames_a.size() != frames_b.size())
        comparer.differ("frames", fmt::format("{} against {}", frames_a.size(), frames_b.size()));
    if (!tolerance && !comparer.result.first) comparer.metrics(pa.metrics(), pb.metrics());
    return comparer.result;
}

}  // namespace rivulet::output
