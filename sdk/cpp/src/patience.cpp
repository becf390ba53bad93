#include "patience.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "answer.hpp"

namespace sevens {
namespace {

constexpr Patience::Seconds first_pause(0.1);
// At first, when a match may be waiting for the bot, and after `quick_for`.
constexpr Patience::Seconds longest_pause(3.0);
constexpr Patience::Seconds quick_for(30.0);
constexpr Patience::Seconds longest_later(30.0);
// If a socket on this machine does not answer, its arena has almost certainly ended.
constexpr Patience::Seconds limit_here(2.0);
// After a stream that held this long, the time is counted from zero again.
constexpr Patience::Seconds good_stream(5.0);

std::string whole(Patience::Seconds seconds) {
    return std::to_string(std::lround(seconds.count())) + " s";
}

}  // namespace

Patience::Patience(std::string address)
    : address_(std::move(address)),
      limit_(address_.starts_with("unix:") ? std::optional(limit_here) : std::nullopt),
      pause_(first_pause) {}

Patience::Seconds Patience::after(std::optional<Instant> welcomed_at, Instant now,
                                  const std::string& reason) {
    const bool held = welcomed_at && now - *welcomed_at > good_stream;
    if (held || !broken_at_) {
        broken_at_ = now;
        pause_ = first_pause;
        if (!limit_) {
            warn("The arena at " + address_ + " cannot be reached (" + reason +
                 "). Trying until it answers.");
        }
    }
    std::random_device chance;
    const Seconds pause = pause_ * std::uniform_real_distribution(0.7, 1.0)(chance);
    if (limit_ && now + pause > *broken_at_ + *limit_) {
        throw Unreachable("The arena at " + address_ + " has been out of reach for " +
                          whole(now - *broken_at_) + " (limit: " + whole(*limit_) + "): " + reason +
                          ".");
    }
    const bool quick = now - *broken_at_ < quick_for;
    pause_ = std::min(2 * pause_, quick ? longest_pause : longest_later);
    return pause;
}

}  // namespace sevens
