#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace rivulet::verify {

/// Named counters of one benchmark run, in the order they are printed, e.g.
/// {"particles_per_second_per_core", 9.1e6}.
struct Counters {
    std::vector<std::pair<std::string, double>> values;
    std::string remark;
    void add(std::string name, double value) { values.emplace_back(std::move(name), value); }
};

struct BenchOptions {
    bool quick = false;
    double copy_bytes_per_second = 0;  // measured in the same run, all threads
};

/// A benchmark: measures inside the current thread arena (rivulet::thread_count()).
struct BenchCase {
    std::string room, name;
    std::string what;  // one line: what is measured, target
    std::function<Counters(const BenchOptions&)> run;
    std::string full_name() const { return room + "." + name; }
};

/// Every benchmark, room after room: the one explicit list (verify/list.cpp).
std::vector<BenchCase> all_benchmarks();

/// Seconds of the best of a few runs of `work`.
double best_seconds(int repeats, const std::function<void()>& work);
/// The same in seconds of processor time, all threads together: other work on the machine does not count.
double best_processor_seconds(int repeats, const std::function<void()>& work);

/// Copy bandwidth of this machine with the current threads: bytes read plus bytes written per second.
double copy_bandwidth();

}  // namespace rivulet::verify
