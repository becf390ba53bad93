#include "stream.hpp"

namespace sevens {
namespace {

using std::chrono::steady_clock;

// An answer does not wait longer than this for the others of its frame.
constexpr std::chrono::milliseconds prompt(10);
// How long to wait for the arena to end a stream that the bot has closed.
constexpr std::chrono::seconds farewell(5);
// How long a crash may be delayed so that what has been answered arrives.
constexpr std::chrono::seconds flushing(1);

std::string reason_of(const grpc::Status& status) {
    if (status.ok()) return "the arena ended the stream without a goodbye";
    return status.error_message() + " (status " + std::to_string(status.error_code()) + ")";
}

}  // namespace

Stream::Stream(Session& session, const std::shared_ptr<grpc::Channel>& channel)
    : session_(session),
      stub_(protocol::BotService::NewStub(channel)),
      rpc_(stub_->Play(&context_)) {
    write(session_.open());
    reader_ = std::thread(&Stream::read, this);
}

Stream::~Stream() {
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
    close(farewell);
    conclude();
    return reason_;
}

void Stream::converse() {
    while (!session_.finished()) {
        auto arrivals = gathered();
        if (arrivals.empty()) return;
        for (auto& [frame, at] : arrivals) {
            session_.receive(std::move(frame), at);
        }
        think_and_say();
    }
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

// Sees through what was heard when nothing can be said any more: that matches have ended. What is
// answered too late here is said on the next stream, if it is asked for there.
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

// Waits for a frame; returns all there are, or none if the stream is over.
std::vector<Stream::Arrival> Stream::gathered() {
    std::unique_lock lock(inbox_mutex_);
    changed_.wait(lock, [this] { return over_ || !inbox_.empty(); });
    return std::exchange(inbox_, {});
}

void Stream::say() {
    for (const auto& frame : session_.outgoing()) {
        write(frame);
    }
}

void Stream::write(const protocol::BotFrame& frame) {
    const std::lock_guard lock(writing_);
    // If that fails the stream is over, and read() hears of it.
    rpc_->Write(frame);
}

// Closes the bot's side of the stream, and waits, not too long, for the arena to end it.
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
