#include "leaving.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "answer.hpp"

namespace sevens {
namespace {

constexpr int exit_signalled = 128;

// All that the handler uses, because it may interrupt anything.
volatile std::sig_atomic_t insists = 0;
volatile std::sig_atomic_t pipe_to_listener = -1;

void leave_or_end(int number) {
    if (insists != 0) _exit(exit_signalled + number);
    insists = 1;
    const int error = errno;
    const char byte = 0;
    [[maybe_unused]] const auto written = write(pipe_to_listener, &byte, 1);
    errno = error;
}

}  // namespace

void Leaving::listen() {
    insists = asked() ? 1 : 0;
    if (pipe_to_listener >= 0) return;  // a program may run one bot after another
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    pipe_to_listener = ends[1];
    std::thread([this, from = ends[0]] {
        char byte = 0;
        while (read(from, &byte, 1) < 0 && errno == EINTR) {
        }
        ask();
    }).detach();
    for (const int number : {SIGINT, SIGTERM}) {
        struct sigaction action {};
        sigaction(number, nullptr, &action);
        if (action.sa_handler != SIG_DFL) continue;
        action.sa_handler = leave_or_end;
        action.sa_flags = SA_RESTART;
        sigaction(number, &action, nullptr);
    }
}

bool Leaving::asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
}

void Leaving::ask() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    if (matches_ > 0) {
        const auto matches = matches_ == 1 ? "1 match" : std::to_string(matches_) + " matches";
        warn("Leaving after " + matches + "; press Ctrl-C again to stop at once.");
    }
    changed_.notify_all();
    if (wake_) wake_();
}

void Leaving::on_leave(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
    if (asked_ && wake_) wake_();
}

void Leaving::know(std::size_t matches, bool goodbye) {
    if (goodbye) insists = 1;
    const std::lock_guard lock(mutex_);
    matches_ = matches;
}

void Leaving::sleep(std::chrono::duration<double> pause) {
    std::unique_lock lock(mutex_);
    if (asked_) {
        lock.unlock();
        std::this_thread::sleep_for(pause);
        return;
    }
    changed_.wait_for(lock, pause, [this] { return asked_; });
}

}  // namespace sevens
