#include "session.hpp"

#include <sys/random.h>

#include <algorithm>
#include <system_error>

#include "answer.hpp"
#include "crash.hpp"
#include "match.hpp"

namespace sevens {
namespace {

constexpr std::size_t nonce_bytes = 32;
// The limit for a frame, until the arena has sent its own.
constexpr std::size_t default_frame_bytes = 1 << 20;
constexpr std::uint32_t acceptance = 0;

std::string nonce() {
    std::string bytes(nonce_bytes, '\0');
    // According to getrandom(2), so few bytes are always delivered in one piece.
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    return bytes;
}

// Earlier draws do not matter: a process that takes over in the middle of a match must give the
// same answers.
Random random_for(const std::string& seat_seed, std::uint32_t number) {
    std::vector<unsigned char> bytes(seat_seed.begin(), seat_seed.end());
    for (const int shift : {24, 16, 8, 0}) {
        bytes.push_back(static_cast<unsigned char>(number >> shift));
    }
    std::seed_seq seed(bytes.begin(), bytes.end());
    return Random(seed);
}

}  // namespace

Session::Session(BotMaker make_bot, protocol::Hello hello)
    : make_bot_(std::move(make_bot)), hello_(std::move(hello)), frame_bytes_(default_frame_bytes) {}

protocol::BotFrame Session::open() {
    welcomed_at_.reset();
    goodbye_ = false;
    leave_said_ = false;
    owed_.clear();
    accepts_.clear();
    answers_.clear();
    protocol::BotFrame frame;
    *frame.mutable_hello() = hello_;
    return frame;
}

void Session::receive(protocol::ArenaFrame frame, Instant arrived) {
    if (frame.has_refusal()) {
        throw Refused(frame.refusal().sentence());
    }
    if (frame.has_welcome()) {
        hear_welcome(frame.welcome());
    }
    goodbye_ = goodbye_ || frame.has_goodbye();
    for (const auto& start : frame.starts()) {
        hear_start(start);
    }
    for (auto& decision : *frame.mutable_decisions()) {
        hear_decision(std::move(decision), arrived);
    }
    for (const auto& end : frame.ends()) {
        hear_end(end);
    }
}

std::vector<protocol::BotFrame> Session::outgoing() {
    std::vector<protocol::BotFrame> frames;
    const bool leaves = leaving_ && !leave_said_;
    if (accepts_.empty() && answers_.empty() && !leaves) return frames;
    frames.emplace_back().mutable_accepts()->Add(std::make_move_iterator(accepts_.begin()),
                                                 std::make_move_iterator(accepts_.end()));
    if (leaves) {
        leave_said_ = true;
        frames.back().mutable_leave();
    }
    const std::size_t fit = std::max<std::size_t>(1, frame_bytes_ / answer_bytes);
    for (std::size_t n = 0; n < answers_.size(); ++n) {
        if (n > 0 && n % fit == 0) {
            frames.emplace_back();
        }
        *frames.back().add_answers() = std::move(answers_[n]);
    }
    accepts_.clear();
    answers_.clear();
    return frames;
}

// Frames of the arena --------------------------------------------------------------------------

void Session::hear_welcome(const protocol::Welcome& welcome) {
    if (welcome.protocol() > protocol_version) {
        throw Refused("The arena speaks protocol " + std::to_string(welcome.protocol()) +
                      ", and this SDK " + std::to_string(protocol_version) + ": use a newer SDK.");
    }
    welcomed_at_ = std::chrono::steady_clock::now();
    if (!welcome.notice().empty() && notices_.insert(welcome.notice()).second) {
        warn(welcome.notice());
    }
    frame_bytes_ =
        welcome.frame_limit_bytes() > 0 ? welcome.frame_limit_bytes() : default_frame_bytes;
    // A match that the arena never named on the previous stream is over.
    std::erase_if(seats_, [this](const auto& entry) {
        entry.second->over = entry.second->stream != stream_;
        return entry.second->over;
    });
    ++stream_;
}

void Session::hear_start(const protocol::MatchStart& start) {
    auto& seat = seats_[start.match_id()];
    const bool goes_on = start.resumed() && seat != nullptr;
    if (!goes_on) {
        if (seat != nullptr) {
            seat->over = true;
        }
        seat = std::make_shared<Seat>(Seat{.match = match_of(start)});
        calls_.push_back({seat, Start{}});
    }
    seat->stream = stream_;
    owed_.emplace(start.match_id(), acceptance);
    if (seat->ready) {
        accept(*seat);
    }
}

void Session::hear_decision(protocol::Decision message, Instant arrived) {
    const auto found = seats_.find(message.match_id());
    if (found == seats_.end()) {
        warn("The arena asked for a decision in " + message.match_id() +
             ", a match it never started.");
        return;
    }
    const auto& seat = found->second;
    owed_.emplace(message.match_id(), message.number());
    if (seat->number != message.number()) {
        seat->number = message.number();
        seat->answer.reset();
        calls_.push_back({seat, Ask{std::move(message), arrived}});
    } else if (seat->answer) {
        // Asked again, after the stream was lost. Without an answer, the call is still due.
        say(*seat, *seat->answer);
    }
}

void Session::hear_end(const protocol::MatchEnd& message) {
    const auto found = seats_.find(message.match_id());
    if (found == seats_.end()) return;
    const auto seat = found->second;
    seats_.erase(found);
    seat->over = true;
    owed_.erase({message.match_id(), acceptance});
    owed_.erase({message.match_id(), seat->number});
    calls_.push_back({seat, End{match_end_of(message)}});
}

// Calls of the bot's code, and answers -----------------------------------------------------------

void Session::think() {
    const Call call = std::move(calls_.front());
    calls_.pop_front();
    const LastWords account("This was the bot's " + call.text() + ".", __builtin_frame_address(0));
    try {
        std::visit([&](const auto& task) { perform(*call.seat, task); }, call.task);
    } catch (...) {
        throw Crash(current_exception() + "\n" + account.text());
    }
}

std::string Session::Call::text() const {
    const std::string where = " in " + to_string(seat->match);
    if (const auto* ask = std::get_if<Ask>(&task)) {
        return "choice" + where + ", decision " + std::to_string(ask->message.number());
    }
    return (std::holds_alternative<Start>(task) ? "start" : "end") + where;
}

void Session::perform(Seat& seat, const Start&) {
    if (seat.over) return;
    seat.random = random_for(seat.match.seed, acceptance);
    seat.bot = make_bot_();
    seat.bot->match_ = &seat.match;
    seat.bot->random_ = &seat.random;
    seat.bot->on_start();
    seat.ready = true;
    accept(seat);
}

void Session::perform(Seat& seat, const Ask& ask) {
    if (seat.over) return;
    seat.random = random_for(seat.match.seed, ask.message.number());
    Decision decision(ask.message, seat.match, seat.random, ask.arrived);
    const Choice choice = seat.bot->choose(decision);
    seat.answer = answer_to(decision, choice);
    say(seat, *seat.answer);
}

void Session::perform(Seat& seat, const End& end) {
    if (seat.bot != nullptr) {
        seat.bot->on_end(end.end);
    }
    seat.bot.reset();  // here, so that a crash in its destructor names the match
}

void Session::accept(const Seat& seat) {
    if (due(seat, acceptance)) {
        auto& accept = accepts_.emplace_back();
        accept.set_match_id(seat.match.id);
        accept.set_nonce(nonce());
    }
}

void Session::say(const Seat& seat, const protocol::Answer& answer) {
    if (due(seat, answer.number())) {
        answers_.push_back(answer);
    }
}

// Returns true if the arena is waiting for this on this stream, but only once.
bool Session::due(const Seat& seat, std::uint32_t number) {
    return !seat.over && owed_.erase({seat.match.id, number}) > 0;
}

}  // namespace sevens
