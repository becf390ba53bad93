#include "crash.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include <doctest/doctest.h>

using namespace sevens;

namespace {

struct Death {
    int signal;
    std::string said;
};

// Does something deadly in a child process.
template <typename Deed>
Death death_by(Deed deed) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        signal(SIGSEGV, SIG_DFL);  // doctest has a handler of its own
        announce_signals();
        const LastWords words("This was the test's deed.", __builtin_frame_address(0));
        deed();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    std::array<char, 4096> part{};
    for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;) {
        said.append(part.data(), static_cast<std::size_t>(size));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, said};
}

// Calls itself until the stack is used up.
int fall(int depth) {
    volatile int room = depth + 1;
    return room > 0 ? fall(room) + room : 0;
}

}  // namespace

TEST_CASE("a signal reports what was running, and still ends the process") {
    const Death death = death_by([] { std::raise(SIGSEGV); });
    CHECK(death.signal == SIGSEGV);
    CHECK(death.said.starts_with("  at "));
    CHECK(death.said.ends_with("\nSegmentation fault (signal 11)\nThis was the test's deed.\n"));
    CHECK(death.said.find("_start") == std::string::npos);
}

TEST_CASE("it does so when the stack is used up") {
    const Death death = death_by([] { fall(0); });
    CHECK(death.signal == SIGSEGV);
    CHECK(death.said.ends_with("\nThis was the test's deed.\n"));
}
