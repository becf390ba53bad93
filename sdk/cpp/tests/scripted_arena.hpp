// A real gRPC server that sends what a test gives it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grpcpp/server.h>
#include <sevens/bot/v1/bot_service.grpc.pb.h>

#include "messages.hpp"

namespace sevens {

/// One stream with a bot, from the arena's side. Throws when the bot sends something unexpected.
class ArenaStream {
public:
    using Wire = grpc::ServerReaderWriter<protocol::ArenaFrame, protocol::BotFrame>;

    explicit ArenaStream(Wire& wire) : wire_(wire) {}

    void say(const protocol::ArenaFrame& frame) { wire_.Write(frame); }
    /// The bot's next frame; none if it has closed its side.
    std::optional<protocol::BotFrame> hear_or_close();
    protocol::BotFrame hear();
    /// Receives the hello, welcomes the bot, and starts matches.
    protocol::Hello greet(const std::vector<std::string>& matches, bool resumed = false);
    /// Says goodbye and waits until the bot has closed its side.
    void part();

private:
    Wire& wire_;
};

/// The arena's behaviour on its first stream, its second, and so on.
using Script = std::vector<std::function<void(ArenaStream&)>>;

class ScriptedArena : private protocol::BotService::Service {
public:
    explicit ScriptedArena(Script script);
    ~ScriptedArena() override;

    std::string address() const { return "unix:" + (folder_ / "arena.sock").string(); }
    /// The number of streams so far.
    int streams() const { return streams_; }

private:
    using Context = grpc::ServerContext;

    grpc::Status Play(Context* context, ArenaStream::Wire* wire) override;

    Script script_;
    std::atomic<int> streams_ = 0;
    std::filesystem::path folder_;
    std::unique_ptr<grpc::Server> server_;
};

}  // namespace sevens
