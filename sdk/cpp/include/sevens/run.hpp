// Runs a bot in the process started by an arena or by the bot's author.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sevens/bot.hpp>

namespace sevens {

struct Settings {
    /// The slugs of the games that the bot plays; every game if empty.
    std::vector<std::string> games{};
    /// The number of matches the bot takes at a time; ARENA_MATCHES_AT_ONCE takes precedence.
    int matches_at_once = 1;
};

/// Creates the object that plays a match.
using BotMaker = std::function<std::unique_ptr<Bot>()>;

/// Plays until the arena says goodbye. At the first Ctrl-C or SIGTERM the bot asks for that, and
/// plays its matches to their end; the second one ends the process at once. A program that handles
/// a signal itself before the call goes on doing so. Returns the exit code for the process; if it
/// is not 0, stderr says why.
[[nodiscard]] int run(const BotMaker& make_bot, const Settings& settings = {});

/// The same with a `MyBot` for each match: `int main() { return sevens::run<MyBot>(); }`.
template <typename MyBot>
[[nodiscard]] int run(const Settings& settings = {}) {
    return run([] { return std::make_unique<MyBot>(); }, settings);
}

}  // namespace sevens
