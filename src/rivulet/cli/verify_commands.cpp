#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/version.h>
#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/verify/bench_case.h>
#include <rivulet/verify/report.h>

namespace rivulet::cli {

namespace {

struct Selection {
    std::vector<std::string> names;
    bool list = false, quick = false, json = false;
    int threads = 0;
    std::string report;
};

void add_common_options(Command& command, Selection& s) {
    command.option("cases", s.names, "ROOM or ROOM.CASE; all when none is named");
    command.flag("--list", s.list, "list the cases, run nothing");
    command.flag("--quick", s.quick, "coarse version: at most 60 s for a room on 2 cores");
    command.flag("--json", s.json, "one JSON object per line on standard output");
    command.option("--threads", s.threads, "threads (default: all cores)");
}

/// The named cases in the order of the list. A name that fits nothing is bad input.
template <class Case>
std::vector<Case> selected(std::vector<Case> all, const std::vector<std::string>& names) {
    if (names.empty()) return all;
    std::vector<Case> chosen;
    for (const std::string& name : names)
        if (std::none_of(all.begin(), all.end(),
                         [&](const Case& c) { return c.room == name || c.full_name() == name; }))
            throw InputError(Problem{"", 0, 0, "", fmt::format("no case or room is called '{}'", name),
                                     "see --list for their names"});
    for (Case& c : all)
        if (std::any_of(names.begin(), names.end(),
                        [&](const std::string& n) { return c.room == n || c.full_name() == n; }))
            chosen.push_back(std::move(c));
    return chosen;
}

verify::Finished run_case(const verify::Case& c, const verify::Options& options) {
    verify::Finished done{c.full_name(), c.source, {}, 0, ""};
    const auto begin = std::chrono::steady_clock::now();
    try {
        done.outcome = c.run(options);
    } catch (const std::exception& e) {
        done.error = e.what();
    }
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return done;
}

void print_case(const verify::Finished& done) {
    if (!done.error.empty()) say("  stopped: {}\n", done.error);
    for (const auto& q : done.outcome.quantities) {
        const char* relation = q.kind == verify::Quantity::Kind::at_most    ? "at most"
                               : q.kind == verify::Quantity::Kind::at_least ? "at least"
                                                                            : "reference";
        say("  {:6} {:34} {:<13.7g} {} {:.7g}{}{}\n", q.passed() ? "ok" : "FAILED", q.name, q.value, relation,
            q.reference, q.tolerance > 0 ? fmt::format(" (tolerance {:.3g})", q.tolerance) : "",
            q.order ? fmt::format(", order {:.2f}", *q.order) : "");
    }
    std::fflush(stdout);
}

int verify_cases(const Selection& s) {
    const auto cases = selected(verify::all_cases(), s.names);
    if (s.list) {
        for (const auto& c : cases) say("{:32} {}\n", c.full_name(), c.source);
        return kDone;
    }
    std::vector<verify::Finished> finished;
    for (const auto& c : cases) {
        if (!s.json) say("{}\n", c.full_name());
        std::fflush(stdout);
        finished.push_back(with_threads(s.threads, [&] { return run_case(c, {s.quick}); }));
        if (s.json) {
            say("{}", verify::json_lines(finished.back()));
            std::fflush(stdout);
        } else {
            print_case(finished.back());
        }
    }
    if (!s.report.empty()) {
        verify::write_report(io::real_file_system(), s.report, finished, version());
        note("report: {}/index.html\n", s.report);
    }
    const auto failed =
        std::count_if(finished.begin(), finished.end(), [](const auto& f) { return !f.passed(); });
    if (!s.json) say("{} passed, {} failed\n", static_cast<long>(finished.size()) - failed, failed);
    return failed == 0 ? kDone : kFailed;
}

void print_counters(const std::string& name, const verify::Counters& counters, double seconds, int threads,
                    bool json) {
    if (json) {
        nlohmann::ordered_json line{{"case", name}};
        for (const auto& [key, value] : counters.values) line[key] = value;
        if (!line.contains("threads")) line["threads"] = threads;
        if (!line.contains("seconds")) line["seconds"] = seconds;
        if (!counters.remark.empty()) line["remark"] = counters.remark;
        say_json(line);
    } else {
        say("{}  ({:.1f} s)\n", name, seconds);
        for (const auto& [key, value] : counters.values) say("  {:36} {:.6g}\n", key, value);
        if (!counters.remark.empty()) say("  {}\n", counters.remark);
    }
    std::fflush(stdout);
}

int run_benchmarks(const Selection& s) {
    const auto cases = selected(verify::all_benchmarks(), s.names);
    if (s.list) {
        for (const auto& c : cases) say("{:32} {}\n", c.full_name(), c.what);
        return kDone;
    }
    with_threads(s.threads, [&] {
        verify::BenchOptions options{s.quick, verify::copy_bandwidth()};
        const unsigned cores = std::thread::hardware_concurrency();
        if (s.json)
            say_json(nlohmann::ordered_json{{"case", "machine"},
                                            {"copy_bytes_per_second", options.copy_bytes_per_second},
                                            {"cores", cores},
                                            {"cpu", cpu_name()},
                                            {"threads", thread_count()}});
        else
            say("machine: {}, {} cores, copy {}/s with {} threads\n", cpu_name(), cores,
                bytes_text(options.copy_bytes_per_second), thread_count());
        for (const auto& c : cases) {
            const auto begin = std::chrono::steady_clock::now();
            const verify::Counters counters = c.run(options);
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            print_counters(c.full_name(), counters, spent.count(), thread_count(), s.json);
        }
    });
    return kDone;
}

}  // namespace

void add_verify_commands(CommandLine& program) {
    auto selection = std::make_shared<Selection>();
    Command verify = program.add("verify",
                                 "run validation cases against their references\n"
                                 "example: rivulet verify strand --quick --report report");
    add_common_options(verify, *selection);
    verify.option("--report", selection->report, "write an HTML page with plots to this folder");
    verify.does([selection] { return verify_cases(*selection); });

    auto bench_selection = std::make_shared<Selection>();
    Command bench = program.add("bench", "speed and memory counters\nexample: rivulet bench output --json");
    add_common_options(bench, *bench_selection);
    bench.does([bench_selection] { return run_benchmarks(*bench_selection); });
}

}  // namespace rivulet::cli
