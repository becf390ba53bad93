#include "patience.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "answer.hpp"

namespace sevens {
namespace {

constexpr Patience::Seconds first_pause(0.1);
constexpr Patience::Seconds longest_pause(3.0);
// After a stream that held this long, the time is counted from zero again.
constexpr Patience::Seconds good_stream(5.0);

std::string whole(Patience::Seconds seconds) {
    return std::to_string(std::lround(seconds.count())) + " s";
}

}  // namespace

Patience::Patience(std::string address)
    : address_(std::move(address)),
      // If a socket on this machine does not answer, its arena has almost certainly ended.
      limit_(address_.starts_with("unix:") ? 2 : 30),
      pause_(first_pause) {}

Patience::Seconds Patience::after(std::optional<Instant> welcomed_at, Instant now,
                                  const std::string& reason) {
    const bool held = welcomed_at && now - *welcomed_at > good_stream;
    if (held || !broken_at_) {
        broken_at_ = now;
        pause_ = first_pause;
        if (!address_.starts_with("unix:")) {
            warn("The arena at " + address_ + " cannot be reached (" + reason + "). Trying for " +
                 whole(limit_) + ".");
        }
    }
    std::random_device chance;
    const Seconds pause = pause_ * std::uniform_real_distribution(0.7, 1.0)(chance);
    if (now + pause > *broken_at_ + limit_) {
        throw Unreachable("The arena at " + address_ + " has been out of reach for " +
                          whole(now - *broken_at_) + " (limit: " + whole(limit_) + "): " + reason +
                          ".");
    }
    pause_ = std::min(2 * pause_, longest_pause);
    return pause;
}

}  // namespace sevens
