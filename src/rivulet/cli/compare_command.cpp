#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/output/compare.h>

namespace rivulet::cli {

namespace {

struct CompareArguments {
    std::string a, b;
    double tolerance = -1;
    bool json = false;
};

int compare(const CompareArguments& args) {
    const auto tolerance = args.tolerance >= 0 ? std::optional(args.tolerance) : std::nullopt;
    const output::Comparison result = output::compare_runs(args.a, args.b, tolerance);
    if (args.json) {
        nlohmann::ordered_json line{
            {"same", result.same()}, {"frames", result.frames}, {"largest", result.largest}};
        if (result.first) line["where"] = result.first->where, line["what"] = result.first->what;
        say_json(line);
    } else if (result.same()) {
        say("the same: {} frames, {}\n", result.frames,
            tolerance ? fmt::format("largest difference {:.3g}", result.largest) : "bit for bit");
    } else {
        say("different: {}: {}\n", result.first->where, result.first->what);
    }
    return result.same() ? kDone : kFailed;
}

}  // namespace

void add_compare_command(CommandLine& program) {
    auto args = std::make_shared<CompareArguments>();
    Command command = program.add(
        "compare", "are two runs the same?\nexample: rivulet compare out/a out/b --tolerance 1e-6");
    command.option("a", args->a, "run directory").required();
    command.option("b", args->b, "run directory").required();
    command
        .option("--tolerance", args->tolerance, "largest difference that counts as the same (default: none)")
        .not_negative();
    command.flag("--json", args->json, "one JSON object on standard output");
    command.does([args] { return compare(*args); });
}

}  // namespace rivulet::cli
