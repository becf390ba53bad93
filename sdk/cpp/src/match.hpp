// Reads the messages that begin and end a match.
#pragma once

#include <sevens/match.hpp>

#include "protocol.hpp"

namespace sevens {

Match match_of(const protocol::MatchStart& start);
MatchEnd match_end_of(const protocol::MatchEnd& message);

}  // namespace sevens
