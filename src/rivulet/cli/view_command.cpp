#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include <rivulet/cli/command_line.h>
#include <rivulet/cli/commands.h>
#include <rivulet/cli/interrupt.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/cli/view.h>
#include <rivulet/viewer/run_content.h>

namespace rivulet::cli {
namespace {

struct ViewArguments {
    std::string out;
    std::uint16_t port = 0;
    bool open = false, json = false;
};

/// The desktop's browser, started without a shell. False when there is none.
bool open_browser(std::string address) {
    std::string program = "xdg-open";
    char* arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    return posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0;
}

int view(const ViewArguments& a) {
    viewer::require_run_directory(a.out);
    catch_interrupts("\n");
    const auto server = serve_page(a.out, a.port);
    if (a.json)
        say("{{\"address\": \"{}\"}}\n", server->address());
    else
        say("{}\n", server->address());
    std::fflush(stdout);
    note("open this address in a browser; Ctrl-C ends\n");
    if (a.open && !open_browser(server->address())) note("no browser could be started (xdg-open)\n");
    wait_for_interrupt();
    return kDone;
}

}  // namespace

std::unique_ptr<viewer::Server> serve_page(const std::string& out, std::uint16_t port) {
    return std::make_unique<viewer::Server>(std::make_unique<viewer::RunContent>(out),
                                            viewer::ServerOptions{.port = port});
}

void wait_for_interrupt() {
    while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

void add_view_command(CommandLine& program) {
    auto a = std::make_shared<ViewArguments>();
    Command command = program.add(
        "view", "look at a run in the browser, also while it is running\nexample: rivulet view out/first");
    command.option("out", a->out, "folder of the run").required();
    command.option("--port", a->port, "port on 127.0.0.1 (default: any free one)");
    command.flag("--open", a->open, "open the page in the desktop's browser");
    command.flag("--json", a->json, "the address as a JSON object on standard output");
    command.does([a] { return view(*a); });
}

}  // namespace rivulet::cli
