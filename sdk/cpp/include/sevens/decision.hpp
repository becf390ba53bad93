// A decision as a bot sees it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <sevens/match.hpp>
#include <sevens/observation.hpp>
#include <sevens/random.hpp>

namespace sevens::bot::v1 {
class Decision;
}

namespace sevens {

/// A decision that the bot owes. It lives until `choose` returns.
class Decision {
public:
    using Instant = std::chrono::steady_clock::time_point;

    Decision(const bot::v1::Decision& message, const Match& match, Random& random, Instant arrived);
    Decision(const Decision&) = delete;
    Decision& operator=(const Decision&) = delete;

    /// The texts of all legal actions. An action's index is its place here.
    const std::vector<std::string>& legal() const { return legal_; }
    /// The seat's count of its decisions, from 1, including those the arena made for it.
    int number() const;
    int seat() const;
    /// The time now left on the clock, in which the answer must reach the arena.
    std::chrono::milliseconds time_left() const;
    Observation observation() const;
    /// The cards of the seat's own zone "hand", which most games have.
    std::vector<std::string> hand() const;
    /// Everything the seat has learnt since its previous decision, oldest first.
    std::vector<Event> events() const;
    /// The number of events, the oldest ones, left out of `events` to keep the message small.
    int events_left_out() const;

    /// Adds a line to the note that goes with the answer. Only the bot's owner sees it, next to
    /// the decision. Anything beyond 1 KiB is cut off.
    void note(std::string_view text);
    /// The note so far.
    const std::string& notes() const { return notes_; }

    const Match& match() const { return match_; }
    /// Reseeded before each decision, so that it repeats itself if the arena asks again.
    Random& random() const { return random_; }
    /// The arena's message, for code that must be as fast as possible.
    const bot::v1::Decision& message() const { return message_; }

private:
    const bot::v1::Decision& message_;
    const Match& match_;
    Random& random_;
    Instant arrived_;
    std::vector<std::string> legal_;
    std::string notes_;
};

/// "decision 3 of match 7 (xeri), seat 1"
std::string to_string(const Decision& decision);

}  // namespace sevens
