// The facts of a match, as one seat receives them at its beginning and at its end.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace sevens {

/// A bank of time for the whole match, and the time that each decision adds to it.
struct Clock {
    std::chrono::milliseconds bank{};
    std::chrono::milliseconds increment{};
};

/// An option's value: `std::get<std::int64_t>(match.options.at("target"))`.
using Option = std::variant<std::int64_t, bool, std::string>;

/// A match, from the point of view of one seat.
struct Match {
    std::string id;
    std::string game;  // the slug: "xeri"
    int rules_version = 0;
    std::map<std::string, Option> options;
    int seat = 0;            // the bot's own, from 0
    std::vector<int> teams;  // by seat
    Clock clock;
    std::string seed;        // the seat's own: 32 random bytes
    std::string commitment;  // SHA-256 of the secret behind the deals; empty if known
    bool resumed = false;    // had begun in a process or on a connection that was lost

    int players() const { return static_cast<int>(teams.size()); }
};

/// The reason why the arena played for a seat from a certain decision on.
struct Fault {
    int seat = 0;
    std::string kind;      // "timeout", "illegal-action", ...
    int decision = 0;      // sent to the seat's own team only; 0 before the first
    std::string sentence;  // sent to the seat's own team only
};

/// The end of a match.
struct MatchEnd {
    std::vector<int> scores;  // by seat
    std::vector<int> ranks;   // by seat: 1 is best, equal ranks are ties
    std::string reason;       // the game's own word for what ended it, or "abandoned"
    std::vector<Fault> faults;
};

/// "match 7 (xeri), seat 1"
std::string to_string(const Match& match);

}  // namespace sevens
