// soak --seconds N [--seed S] [--keep FOLDER]: random valid scenes, one after another, each in a process of
// its own. soak --one SEED FOLDER: one of them, to look at what was found. soak --scene FILE FOLDER: a scene
// that was found wanting once (tests/soak/found).
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "soak/one_scene.h"

#include <rivulet/io/text_file.h>

namespace rivulet::soak {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kHang = 240;            // s of processor time for one scene, or of doing nothing at all
constexpr int kFound = 3, kStopped = 4;  // exit codes of a child; everything else but 0 is a crash

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Work>
int report(Work&& work) {
    try {
        const Outcome outcome = work();
        fmt::print("{}\n", outcome.summary);
        if (!outcome.finding.empty()) fmt::print("FOUND: {}\n", outcome.finding);
        if (!outcome.finding.empty()) return kFound;
        return outcome.stopped ? kStopped : 0;
    } catch (const std::exception& e) {
        fmt::print("FOUND: {}\n", e.what());
        return kFound;
    }
}

int one(std::uint64_t seed, const fs::path& folder) {
    return report([&] { return run_one(seed, SOAK_FILES, folder); });
}

/// A scene that gives up by name is as good as one that ends.
int one_of_file(const fs::path& file, const fs::path& folder) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    const int code = report([&] { return run_scene(io::read_text(file), SOAK_FILES, folder); });
    return code == kStopped ? 0 : code;
}

double processor_seconds(pid_t process) {
    clockid_t clock;
    timespec t{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Exit code of the child; -1 when it hung, -2 when a signal ended it.
int run_child(const char* program, std::uint64_t seed, const fs::path& folder, const fs::path& log) {
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, 1), dup2(file, 2);
        execl(program, program, "--one", std::to_string(seed).c_str(), folder.c_str(), nullptr);
        _exit(127);
    }
    // Processor time, as a busy machine makes every scene last: one that waits for nothing is seen by its
    // rest.
    auto last_seen_working = Clock::now();
    double worked = 0;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (const double now = processor_seconds(child); now > worked)
            worked = now, last_seen_working = Clock::now();
        if (worked > kHang || seconds_since(last_seen_working) > kHang) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

void show(const fs::path& log) {
    if (std::FILE* f = std::fopen(log.c_str(), "r")) {
        char buffer[4096];
        while (const std::size_t n = std::fread(buffer, 1, sizeof(buffer), f))
            std::fwrite(buffer, 1, n, stdout);
        std::fclose(f);
    }
}

struct Counts {
    int run = 0, stopped = 0, found = 0;
};

int soak(const char* program, double seconds, std::uint64_t first_seed, const fs::path& keep) {
    const auto begin = Clock::now();
    Counts counts;
    fmt::print("soak: {:.0f} s from seed {}; what is found stays in {}\n", seconds, first_seed,
               keep.string());
    std::fflush(stdout);
    for (std::uint64_t seed = first_seed; seconds_since(begin) < seconds; ++seed) {
        const fs::path folder = keep / std::to_string(seed);
        fs::remove_all(folder);
        fs::create_directories(folder);
        const fs::path log = folder / "soak.txt";
        const int code = run_child(program, seed, folder, log);
        ++counts.run;
        if (code == kStopped) ++counts.stopped;
        if (code == 0 || code == kStopped) {
            fs::remove_all(folder);
            continue;
        }
        ++counts.found;
        fmt::print("seed {}: {}\n", seed,
                   code == -1       ? "hangs"
                   : code == kFound ? "is wrong"
                                    : fmt::format("crashes ({})", code));
        show(log);
        std::fflush(stdout);
    }
    fmt::print("{} scenes, {} gave up by name, {} findings\n", counts.run, counts.stopped, counts.found);
    return counts.found == 0 && counts.run > 0 ? 0 : 1;
}

}  // namespace
}  // namespace rivulet::soak

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    double seconds = 60;
    std::uint64_t seed = 1;
    std::filesystem::path keep = std::filesystem::temp_directory_path() / "rivulet_soak";
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        if (words[i] == "--one" && i + 2 < words.size())
            return rivulet::soak::one(std::stoull(words[i + 1]), words[i + 2]);
        if (words[i] == "--scene" && i + 2 < words.size())
            return rivulet::soak::one_of_file(words[i + 1], words[i + 2]);
        if (words[i] == "--seconds") seconds = std::stod(words[i + 1]);
        if (words[i] == "--seed") seed = std::stoull(words[i + 1]);
        if (words[i] == "--keep") keep = words[i + 1];
    }
    return rivulet::soak::soak(argv[0], seconds, seed, keep);
}
