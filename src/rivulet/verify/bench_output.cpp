#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/state_archive.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {

namespace {

namespace fs = std::filesystem;

/// A folder in the system's temporary place, removed at the end.
class Folder {
 public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "rivulet-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no temporary folder for the benchmark");
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    fs::path operator/(const char* name) const { return path_ / name; }

 private:
    fs::path path_;
};

world::World particles(std::size_t n) {
    world::World world;
    liquid::LiquidState& liquid = world.liquid;
    const Random random(1, 0);
    liquid.id.resize(n);
    liquid.position.resize(n);
    liquid.velocity.resize(n);
    liquid.affine.resize(n);
    liquid.volume.assign(n, 1e-6);
    liquid.volume_ratio.assign(n, 1);
    liquid.age.assign(n, 0);
    liquid.material.assign(n, 0);
    parallel_for(n, [&](std::size_t i) {
        liquid.id[i] = i;
        liquid.position[i] = random.uniform3(3 * i);
        liquid.velocity[i] = random.uniform3(3 * i + 1);
        liquid.affine[i] = Mat3d::diagonal(random.uniform3(3 * i + 2));
    });
    return world;
}

/// What a person would write without us: the system's own calls.
void write_plainly(const fs::path& path, std::span<const std::byte> bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) throw std::runtime_error("cannot open a file for the benchmark");
    while (!bytes.empty()) {
        const ssize_t n = ::write(file, bytes.data(), bytes.size());
        if (n <= 0) throw std::runtime_error("cannot write the benchmark's file");
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    ::fsync(file);
    ::close(file);
}

/// Our writer against plain write + fsync of the same bytes, in turns, best of five.
Counters against_plain(const BenchOptions& options, const std::function<void(const fs::path&)>& write) {
    const Folder folder;
    const fs::path ours = folder / "ours.npz", plain = folder / "plain.bin";
    write(ours);
    const std::vector<std::byte> bytes = io::read_bytes(ours, std::uint64_t{1} << 40);
    double our_seconds = 1e30, plain_seconds = 1e30;
    for (int i = 0; i < (options.quick ? 2 : 5); ++i) {
        fs::remove(ours);
        fs::remove(plain);
        our_seconds = std::min(our_seconds, best_seconds(1, [&] { write(ours); }));
        plain_seconds = std::min(plain_seconds, best_seconds(1, [&] { write_plainly(plain, bytes); }));
    }
    Counters counters;
    counters.add("bytes", static_cast<double>(bytes.size()));
    counters.add("seconds", our_seconds);
    counters.add("bytes_per_second", static_cast<double>(bytes.size()) / our_seconds);
    counters.add("plain_bytes_per_second", static_cast<double>(bytes.size()) / plain_seconds);
    counters.add("fraction_of_plain", plain_seconds / our_seconds);
    return counters;
}

Counters frame(const BenchOptions& options) {
    const world::World world = particles(options.quick ? 100'000 : 1'000'000);
    const world::Model model;
    return against_plain(options, [&](const fs::path& path) {
        output::write_frame(io::real_file_system(), path, model, world, {});
    });
}

Counters checkpoint(const BenchOptions& options) {
    const world::World world = particles(options.quick ? 100'000 : 1'000'000);
    return against_plain(options, [&](const fs::path& path) {
        output::write_checkpoint(io::real_file_system(), path, world);
    });
}

}  // namespace

std::vector<BenchCase> output_benchmarks() {
    return {{"output", "frame", "frame of 1 M particles against plain write + fsync; target 0.6 of its rate",
             frame},
            {"output", "checkpoint", "checkpoint of 1 M particles against the same; target 0.6", checkpoint}};
}

}  // namespace rivulet::verify
