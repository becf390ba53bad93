// One stream with an arena.
//
// The bot thinks in the thread that calls `play`. Meanwhile, another thread reads and answers
// pings; the bot then handles together all frames that have arrived.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <sevens/bot/v1/bot_service.grpc.pb.h>

#include "leaving.hpp"
#include "session.hpp"

namespace sevens {

class Stream {
public:
    Stream(Session& session, const std::shared_ptr<grpc::Channel>& channel, Leaving& leaving);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// Plays until the arena has said goodbye or the stream has broken. Returns the reason why it
    /// ended. Throws Refused and Crash.
    std::string play();

private:
    using Arrival = std::pair<protocol::ArenaFrame, Session::Instant>;

    void converse();
    void think_and_say();
    void conclude();
    void read();
    std::vector<Arrival> gathered();
    bool begins_to_leave();
    void say();
    void write(const protocol::BotFrame& frame);
    void close(std::chrono::seconds wait);

    Session& session_;
    Leaving& leaving_;
    grpc::ClientContext context_;
    std::unique_ptr<protocol::BotService::Stub> stub_;
    std::unique_ptr<grpc::ClientReaderWriter<protocol::BotFrame, protocol::ArenaFrame>> rpc_;
    std::string reason_;

    std::mutex writing_;
    std::mutex inbox_mutex_;  // guards the next three
    std::vector<Arrival> inbox_;
    bool over_ = false;
    bool is_to_leave_ = false;
    std::condition_variable changed_;
    std::thread reader_;
};

}  // namespace sevens
