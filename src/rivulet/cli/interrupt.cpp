#include <rivulet/cli/interrupt.h>

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace rivulet::cli {

namespace {

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t interrupt_count = 0;
const char* volatile interrupt_note = "";

void begin_to_end() {
    if (interrupt_count >= 1) return;
    interrupt_count = 1;
    [[maybe_unused]] const auto written = write(STDERR_FILENO, interrupt_note, std::strlen(interrupt_note));
}

void on_interrupt(int) {
    if (interrupt_count >= 1) _exit(130);
    begin_to_end();
}

/// The terminal or the reader of our output is gone. That is said more than once (by the kernel, by a shell,
/// at every further write), and nobody is there who could be in a hurry.
void on_lost_terminal(int) {
    begin_to_end();
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
    struct sigaction present {};
    return sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

}  // namespace

void catch_interrupts(const char* note) {
    interrupt_note = note;
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    // nohup has it ignored: then it stays so.
    if (!is_ignored(SIGHUP)) handle(SIGHUP, on_lost_terminal);
    handle(SIGPIPE, on_lost_terminal);
}

bool interrupted() {
    return interrupt_count > 0;
}

}  // namespace rivulet::cli
