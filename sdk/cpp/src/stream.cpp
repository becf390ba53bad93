#include "stream.hpp"

namespace sevens {
namespace {

using std::chrono::steady_clock;

// The longest time that an answer waits for the others of its frame.
constexpr std::chrono::milliseconds prompt(10);
// The time to wait for the arena to end a stream that the bot has closed.
constexpr std::chrono::seconds farewell(5);
// The time to wait for a goodbye: arenas older than `leave` do not answer it.
constexpr std::chrono::seconds goodbye_within(5);
// The time by which a crash may be delayed so that answers already given arrive.
constexpr std::chrono::seconds flushing(1);

std::string reason_of(const grpc::Status& status) {
    if (status.ok()) return "the arena ended the stream without a goodbye";
    return status.error_message() + " (status " + std::to_string(status.error_code()) + ")";
}

}  // namespace

Stream::Stream(Session& session, const std::shared_ptr<grpc::Channel>& channel, Leaving& leaving)
    : session_(session),
      leaving_(leaving),
      stub_(protocol::BotService::NewStub(channel)),
      rpc_(stub_->Play(&context_)) {
    write(session_.open());
    say();
    reader_ = std::thread(&Stream::read, this);
    leaving_.on_leave([this] {
        const std::lock_guard lock(inbox_mutex_);
        is_to_leave_ = true;
        changed_.notify_one();
    });
}

Stream::~Stream() {
    leaving_.on_leave(nullptr);
    close(std::chrono::seconds(0));
}

std::string Stream::play() {
    try {
        converse();
    } catch (const Crash&) {
        // It is a fault only in the matches in which an answer is missing.
        say();
        close(flushing);
        throw;
    }
    close(session_.has_left() && !session_.welcomed_at() ? std::chrono::seconds(0) : farewell);
    conclude();
    return reason_;
}

void Stream::converse() {
    while (!session_.finished()) {
        auto arrivals = gathered();
        if (begins_to_leave()) continue;
        if (arrivals.empty()) return;
        for (auto& [frame, at] : arrivals) {
            session_.receive(std::move(frame), at);
        }
        leaving_.know(session_.matches(), session_.goodbye());
        think_and_say();
    }
}

// Says that the bot leaves, if it was asked to since the last time.
bool Stream::begins_to_leave() {
    {
        const std::lock_guard lock(inbox_mutex_);
        if (!std::exchange(is_to_leave_, false)) return false;
    }
    session_.leave();
    say();
    return true;
}

void Stream::think_and_say() {
    auto said_at = steady_clock::now();
    while (session_.has_calls()) {
        session_.think();
        if (steady_clock::now() - said_at > prompt) {
            say();
            said_at = steady_clock::now();
        }
    }
    say();
}

// Handles the last frames, such as ends of matches, when nothing can be sent any more. Answers that
// are too late for this stream are sent on the next, if the arena asks for them there.
void Stream::conclude() {
    for (auto& [frame, at] : inbox_) {
        session_.receive(std::move(frame), at);
    }
    while (session_.has_calls()) {
        session_.think();
    }
}

void Stream::read() {
    protocol::ArenaFrame frame;
    while (rpc_->Read(&frame)) {
        const auto at = steady_clock::now();
        if (frame.has_ping()) {
            protocol::BotFrame answer;
            answer.mutable_pong()->set_number(frame.ping().number());
            write(answer);
        }
        const std::lock_guard lock(inbox_mutex_);
        inbox_.emplace_back(std::move(frame), at);
        changed_.notify_one();
    }
    const std::lock_guard lock(inbox_mutex_);
    over_ = true;
    changed_.notify_one();
}

// Waits for a frame. Returns all that have arrived, or none if the stream is over, the bot is to
// leave, or it has waited for a goodbye in vain.
std::vector<Stream::Arrival> Stream::gathered() {
    std::unique_lock lock(inbox_mutex_);
    const auto has_news = [this] { return over_ || is_to_leave_ || !inbox_.empty(); };
    if (session_.has_left()) {
        const bool is_dialling = !session_.welcomed_at();
        changed_.wait_for(lock, is_dialling ? std::chrono::seconds(0) : goodbye_within, has_news);
    } else {
        changed_.wait(lock, has_news);
    }
    if (is_to_leave_) return {};
    return std::exchange(inbox_, {});
}

void Stream::say() {
    for (const auto& frame : session_.outgoing()) {
        write(frame);
    }
}

void Stream::write(const protocol::BotFrame& frame) {
    const std::lock_guard lock(writing_);
    // If that fails the stream is over, and read() will find out.
    rpc_->Write(frame);
}

// Closes the bot's side of the stream, and waits up to a limit for the arena to end it.
void Stream::close(std::chrono::seconds wait) {
    if (!reader_.joinable()) return;
    {
        const std::lock_guard lock(writing_);
        rpc_->WritesDone();
    }
    {
        std::unique_lock lock(inbox_mutex_);
        if (!changed_.wait_for(lock, wait, [this] { return over_; })) {
            context_.TryCancel();
        }
    }
    reader_.join();
    reason_ = reason_of(rpc_->Finish());
}

}  // namespace sevens
