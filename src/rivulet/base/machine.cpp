#include <rivulet/base/machine.h>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>

namespace rivulet {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::int64_t process_id() {
    return getpid();
}

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::int64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

std::int64_t restart_peak_memory() {
    std::ofstream clear("/proc/self/clear_refs");
    clear << "5" << std::flush;
    std::ifstream held("/proc/self/statm");
    std::int64_t pages = 0, resident = 0;
    if (!clear || !(held >> pages >> resident)) return peak_memory_bytes();
    return resident * sysconf(_SC_PAGE_SIZE);
}

void return_freed_memory() {
    mallopt(M_MMAP_THRESHOLD, 1 << 17);
}

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::int64_t machine_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0 ? std::int64_t{pages} * size : 0;
}

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string cpu_complaint() {
#if defined(__x86_64__) && !defined(RIVULET_OLD_CPU)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        return "this build needs a processor with AVX2 (x86-64-v3); configure with -DRIVULET_OLD_CPU=ON for "
               "older ones";
#endif
    return "";
}

}  // namespace rivulet
