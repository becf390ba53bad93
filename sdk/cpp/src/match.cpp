#include "match.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

namespace sevens {
namespace {

// The arena sends an option's value as text.
Option option_of(const std::string& text) {
    if (text == "true" || text == "false") return text == "true";
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && rest == end) return number;
    return text;
}

// The name of a kind of fault: "kind-N" if it is newer than this SDK.
std::string word_for(int kind) {
    if (!protocol::FaultKind_IsValid(kind)) return "kind-" + std::to_string(kind);
    constexpr std::string_view prefix = "FAULT_KIND_";
    std::string word = protocol::FaultKind_Name(kind).substr(prefix.size());
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) {
        return letter == '_' ? '-' : static_cast<char>(std::tolower(letter));
    });
    return word;
}

}  // namespace

Match match_of(const protocol::MatchStart& start) {
    Match match;
    match.id = start.match_id();
    match.game = start.game();
    match.rules_version = static_cast<int>(start.rules_version());
    for (const auto& [name, text] : start.options()) {
        match.options.emplace(name, option_of(text));
    }
    match.seat = static_cast<int>(start.seat());
    match.teams.assign(start.teams().begin(), start.teams().end());
    match.clock.bank = std::chrono::milliseconds(start.clock().bank_ms());
    match.clock.increment = std::chrono::milliseconds(start.clock().increment_ms());
    match.seed = start.seed();
    match.commitment = start.commitment();
    match.resumed = start.resumed();
    return match;
}

MatchEnd match_end_of(const protocol::MatchEnd& message) {
    MatchEnd end;
    end.scores.assign(message.scores().begin(), message.scores().end());
    end.ranks.assign(message.ranks().begin(), message.ranks().end());
    end.reason = message.reason();
    for (const auto& fault : message.faults()) {
        end.faults.push_back({.seat = static_cast<int>(fault.seat()),
                              .kind = word_for(fault.kind()),
                              .decision = static_cast<int>(fault.decision()),
                              .sentence = fault.sentence()});
    }
    return end;
}

std::string to_string(const Match& match) {
    return "match " + match.id + " (" + match.game + "), seat " + std::to_string(match.seat);
}

}  // namespace sevens
