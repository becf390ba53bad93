// The bot's side of the protocol, without input and output.
//
// Takes the arena's frames, calls the bot's code, and returns frames for the arena.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <sevens/run.hpp>

#include "protocol.hpp"

namespace sevens {

/// The newest version of the protocol that this SDK speaks.
inline constexpr std::uint32_t protocol_version = 1;

/// The arena has refused this bot; the text says why.
class Refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The bot's code has thrown; the text describes the exception and names the match.
class Crash : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The conversation of this process with the arena, on one stream after another.
class Session {
public:
    using Instant = std::chrono::steady_clock::time_point;

    Session(BotMaker make_bot, protocol::Hello hello);

    /// Returns the first frame for a new stream, and forgets what was due on the previous one.
    /// The matches stay: the arena will say which of them go on.
    protocol::BotFrame open();

    /// Takes in a frame. Throws Refused. Ignores pings: they are answered while the bot thinks.
    void receive(protocol::ArenaFrame frame, Instant arrived);

    /// True if calls of the bot's code are due.
    bool has_calls() const { return !calls_.empty(); }
    /// Makes the next of these calls. Throws Crash.
    void think();

    /// Takes what is due to be sent: one frame, several if one would be too large, or none.
    std::vector<protocol::BotFrame> outgoing();

    /// Asks the arena for no further match, in the next outgoing frame.
    void leave() { leaving_ = true; }
    /// The number of matches that the bot has.
    std::size_t matches() const { return seats_.size(); }
    /// True if the bot is leaving and has no match.
    bool has_left() const { return leaving_ && seats_.empty(); }

    bool goodbye() const { return goodbye_; }
    /// True once the arena has said goodbye and the bot has answered all that it owed.
    bool finished() const { return goodbye_ && owed_.empty(); }
    /// The time when the arena welcomed the bot on this stream, if it has.
    std::optional<Instant> welcomed_at() const { return welcomed_at_; }

private:
    // A seat of a match that this bot plays.
    struct Seat {
        Match match;
        Random random{};
        std::unique_ptr<Bot> bot{};
        // True once `on_start` is done.
        bool ready = false;
        // True once nobody is waiting for anything in this match any more.
        bool over = false;
        // The latest stream on which the arena named the match.
        int stream = 0;
        // The latest decision asked for, and the answer to it once there is one.
        std::uint32_t number = 0;
        std::optional<protocol::Answer> answer{};
    };

    // The tasks for which the bot's code is called.
    struct Start {};
    struct Ask {
        protocol::Decision message;
        Instant arrived;
    };
    struct End {
        MatchEnd end;
    };
    struct Call {
        std::shared_ptr<Seat> seat;
        std::variant<Start, Ask, End> task;

        std::string text() const;
    };

    // A match, and the number of a decision, or 0 for the acceptance of the match.
    using Debt = std::pair<std::string, std::uint32_t>;

    void hear_welcome(const protocol::Welcome& welcome);
    void hear_start(const protocol::MatchStart& start);
    void hear_decision(protocol::Decision message, Instant arrived);
    void hear_end(const protocol::MatchEnd& message);

    void perform(Seat& seat, const Start& start);
    void perform(Seat& seat, const Ask& ask);
    static void perform(Seat& seat, const End& end);

    void accept(const Seat& seat);
    void say(const Seat& seat, const protocol::Answer& answer);
    bool due(const Seat& seat, std::uint32_t number);

    BotMaker make_bot_;
    protocol::Hello hello_;
    std::map<std::string, std::shared_ptr<Seat>> seats_;
    std::deque<Call> calls_;
    int stream_ = 0;
    std::size_t frame_bytes_;
    std::optional<Instant> welcomed_at_;
    bool goodbye_ = false;
    bool leaving_ = false;
    bool leave_said_ = false;
    std::set<std::string> notices_;
    // The answers that the arena is waiting for on this stream, and those that are due to be sent.
    std::set<Debt> owed_;
    std::vector<protocol::MatchAccept> accepts_;
    std::vector<protocol::Answer> answers_;
};

}  // namespace sevens
