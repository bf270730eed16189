#include <rivulet/cli/interrupt.h>

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace rivulet::cli {

namespace {

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t interrupt_count = 0;
const char* volatile interrupt_note = "";

void on_interrupt(int) {
    if (interrupt_count >= 1) _exit(130);
    interrupt_count = 1;
    [[maybe_unused]] const auto written = write(STDERR_FILENO, interrupt_note, std::strlen(interrupt_note));
}

}  // namespace

void catch_interrupts(const char* note) {
    interrupt_note = note;
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
