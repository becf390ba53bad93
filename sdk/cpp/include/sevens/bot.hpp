// The base class of bots. An author writes a class with one method.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <sevens/decision.hpp>
#include <sevens/match.hpp>

namespace sevens {

template <typename Number>
concept Index = std::integral<Number> && !std::same_as<Number, bool> && !std::same_as<Number, char>;

/// A legal action: its text, or its index in `Decision::legal()`.
class Choice {
public:
    // Not explicit, so that `choose` can return any of these directly.
    Choice(std::string text) : value_(std::move(text)) {}
    Choice(std::string_view text) : value_(std::string(text)) {}
    Choice(const char* text) : value_(std::string(text)) {}
    Choice(Index auto index) : value_(static_cast<std::int64_t>(index)) {}

    const std::variant<std::string, std::int64_t>& value() const { return value_; }

private:
    std::variant<std::string, std::int64_t> value_;
};

/// Plays one match at one seat. Every match gets its own object.
class Bot {
public:
    virtual ~Bot() = default;
    Bot(const Bot&) = delete;
    Bot& operator=(const Bot&) = delete;

    /// Returns one of `decision.legal()`, or its index.
    virtual Choice choose(Decision& decision) = 0;
    /// Called before the match begins. Its clock does not run until this returns.
    virtual void on_start() {}
    /// Called when the match is over.
    virtual void on_end(const MatchEnd& end) { static_cast<void>(end); }

protected:
    Bot() = default;

    // Both exist from `on_start` on. In the constructor they throw std::logic_error.
    const Match& match() const;
    Random& random() const;

private:
    friend class Session;

    const Match* match_ = nullptr;
    Random* random_ = nullptr;
};

}  // namespace sevens
