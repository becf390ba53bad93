// Runs a bot in the process that an arena, or its author, has started.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sevens/bot.hpp>

namespace sevens {

struct Settings {
    /// The slugs of the games that the bot plays; empty: every game.
    std::vector<std::string> games{};
    /// How many matches the bot takes at a time; ARENA_MATCHES_AT_ONCE goes before it.
    int matches_at_once = 1;
};

/// Makes the object that plays a match.
using BotMaker = std::function<std::unique_ptr<Bot>()>;

/// Plays until the arena says goodbye. Returns the exit code for the process; if it is not 0,
/// stderr tells why.
[[nodiscard]] int run(const BotMaker& make_bot, const Settings& settings = {});

/// The same with a `MyBot` for each match: `int main() { return sevens::run<MyBot>(); }`.
template <typename MyBot>
[[nodiscard]] int run(const Settings& settings = {}) {
    return run([] { return std::make_unique<MyBot>(); }, settings);
}

}  // namespace sevens
