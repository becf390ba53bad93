#include "patience.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "captured.hpp"

using namespace sevens;
using namespace std::chrono_literals;
using Seconds = Patience::Seconds;

namespace {

// Tries in vain. Returns the pauses before it gave up, and the error message.
std::pair<std::vector<Seconds>, std::string> pauses_of(Patience& patience, Patience::Instant& now) {
    std::vector<Seconds> pauses;
    try {
        while (true) {
            pauses.push_back(patience.after({}, now, "it is down"));
            now += std::chrono::duration_cast<std::chrono::nanoseconds>(pauses.back());
        }
    } catch (const Unreachable& enough) {
        return {pauses, enough.what()};
    }
}

Seconds sum(const std::vector<Seconds>& pauses) {
    return std::accumulate(pauses.begin(), pauses.end(), Seconds(0));
}

}  // namespace

TEST_CASE("a distant arena is tried ever more slowly, and never given up") {
    const Captured said;
    Patience patience("arena.example:7777");
    const Patience::Instant began{};
    Patience::Instant now = began;
    std::vector<Seconds> pauses;
    while (now < began + 600s) {
        pauses.push_back(patience.after({}, now, "it is down"));
        CHECK((now - began >= 30s || pauses.back() <= 3s));
        now += std::chrono::duration_cast<std::chrono::nanoseconds>(pauses.back());
    }
    CHECK(said.text() ==
          "The arena at arena.example:7777 cannot be reached (it is down). Trying until it"
          " answers.\n");
    CHECK(pauses.front() >= 0.07s);
    CHECK(pauses.front() <= 0.1s);
    CHECK(pauses.back() >= 21s);
    CHECK(pauses.back() <= 30s);
    // A stream that breaks at once is no success; one that lasts for some time is.
    CHECK(patience.after(now - 100ms, now, "it breaks") > 20s);
    CHECK(patience.after(now - 6s, now, "it broke") <= 0.1s);
}

TEST_CASE("a socket on this machine is given up soon") {
    Patience patience("unix:/run/arena.sock");
    Patience::Instant now{};
    const auto [pauses, sentence] = pauses_of(patience, now);
    CHECK(sum(pauses) <= 2s);
    CHECK(sentence.find("(limit: 2 s)") != std::string::npos);
}
