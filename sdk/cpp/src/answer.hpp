// From what a bot chose to what is sent.
#pragma once

#include <string_view>

#include <sevens/bot.hpp>

#include "protocol.hpp"

namespace sevens {

/// What an answer takes at most: note, text, and the names of the match and of the fields.
constexpr std::size_t answer_bytes = 2048;

/// The answer, also if the choice is not legal: to judge is the arena's part.
protocol::Answer answer_to(const Decision& decision, const Choice& choice);

/// Tells whoever reads stderr.
void warn(std::string_view sentence);

}  // namespace sevens
