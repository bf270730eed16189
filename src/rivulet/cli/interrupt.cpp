#include <rivulet/cli/interrupt.h>

#include <unistd.h>

#include <csignal>

namespace rivulet::cli {

namespace {

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t interrupt_count = 0;

void on_interrupt(int) {
    if (interrupt_count >= 1) _exit(130);
    interrupt_count = 1;
    constexpr char text[] = "\nfinishing this step, then a checkpoint (Ctrl-C again stops at once)\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return interrupt_count > 0;
}

}  // namespace rivulet::cli
