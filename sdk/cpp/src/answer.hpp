// Turns a bot's choice into the answer to send.
#pragma once

#include <string_view>

#include <sevens/bot.hpp>

#include "protocol.hpp"

namespace sevens {

/// The size of the longest answer: its note, its text, the match's ID and the field tags.
constexpr std::size_t answer_bytes = 2048;

/// The answer, even to an illegal choice: judging it is the arena's part.
protocol::Answer answer_to(const Decision& decision, const Choice& choice);

/// Prints a sentence to stderr.
void warn(std::string_view sentence);

}  // namespace sevens
