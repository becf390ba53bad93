// The arena's messages, as tests need them.
#pragma once

#include <string>
#include <vector>

#include "protocol.hpp"

namespace sevens {

inline const std::vector<std::string> legal_actions = {"play 7S", "play 8S", "pass"};

inline protocol::MatchStart start(const std::string& match, bool resumed = false) {
    protocol::MatchStart start;
    start.set_match_id(match);
    start.set_game("xeri");
    start.set_rules_version(3);
    start.set_seat(1);
    for (const std::uint32_t team : {0, 1, 0, 1}) {
        start.add_teams(team);
    }
    start.mutable_clock()->set_bank_ms(60'000);
    start.mutable_clock()->set_increment_ms(200);
    start.set_seed("a seed of 32 bytes, more or less");
    start.set_resumed(resumed);
    return start;
}

inline protocol::Decision decision(const std::string& match, std::uint32_t number = 1,
                                   const std::vector<std::string>& legal = legal_actions) {
    protocol::Decision decision;
    decision.set_match_id(match);
    decision.set_number(number);
    decision.set_seat(1);
    decision.set_time_left_ms(60'200);
    decision.mutable_legal_actions()->Add(legal.begin(), legal.end());
    return decision;
}

// Frames ------------------------------------------------------------------------------------------

inline protocol::ArenaFrame welcome(std::uint32_t frame_limit_bytes = 1 << 20) {
    protocol::ArenaFrame frame;
    frame.mutable_welcome()->set_protocol(1);
    frame.mutable_welcome()->set_frame_limit_bytes(frame_limit_bytes);
    return frame;
}

inline protocol::ArenaFrame starts(const std::vector<std::string>& matches, bool resumed = false) {
    protocol::ArenaFrame frame;
    for (const auto& match : matches) {
        *frame.add_starts() = start(match, resumed);
    }
    return frame;
}

inline protocol::ArenaFrame asks(const std::vector<protocol::Decision>& decisions) {
    protocol::ArenaFrame frame;
    frame.mutable_decisions()->Add(decisions.begin(), decisions.end());
    return frame;
}

inline protocol::ArenaFrame ends(const std::vector<std::string>& matches) {
    protocol::ArenaFrame frame;
    for (const auto& match : matches) {
        auto& end = *frame.add_ends();
        end.set_match_id(match);
        end.set_reason("played-out");
    }
    return frame;
}

inline protocol::ArenaFrame goodbye() {
    protocol::ArenaFrame frame;
    frame.mutable_goodbye()->set_sentence("that is all");
    return frame;
}

}  // namespace sevens
