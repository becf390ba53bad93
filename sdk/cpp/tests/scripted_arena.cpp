#include "scripted_arena.hpp"

#include <stdlib.h>

#include <stdexcept>

#include <grpcpp/server_builder.h>

namespace sevens {

std::optional<protocol::BotFrame> ArenaStream::hear_or_close() {
    protocol::BotFrame frame;
    return wire_.Read(&frame) ? std::optional(frame) : std::nullopt;
}

protocol::BotFrame ArenaStream::hear() {
    auto frame = hear_or_close();
    if (!frame) {
        throw std::runtime_error("the bot has closed its side");
    }
    return *frame;
}

protocol::Hello ArenaStream::greet(const std::vector<std::string>& matches, bool resumed) {
    const auto hello = hear().hello();
    say(welcome());
    if (!matches.empty()) {
        say(starts(matches, resumed));
        for (std::size_t accepts = 0; accepts < matches.size();) {
            accepts += static_cast<std::size_t>(hear().accepts_size());
        }
    }
    return hello;
}

void ArenaStream::part() {
    say(goodbye());
    while (hear_or_close()) {
    }
}

ScriptedArena::ScriptedArena(Script script) : script_(std::move(script)) {
    std::string folder = (std::filesystem::temp_directory_path() / "arena-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        throw std::runtime_error("there is no folder for the socket");
    }
    folder_ = folder;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address(), grpc::InsecureServerCredentials());
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
}

ScriptedArena::~ScriptedArena() {
    server_->Shutdown(std::chrono::system_clock::now());
    std::filesystem::remove_all(folder_);
}

grpc::Status ScriptedArena::Play(Context*, ArenaStream::Wire* wire) {
    const auto number = static_cast<std::size_t>(streams_++);
    ArenaStream stream(*wire);
    try {
        script_.at(number)(stream);
        return grpc::Status::OK;
    } catch (const std::exception& error) {
        return {grpc::StatusCode::INTERNAL, error.what()};
    }
}

}  // namespace sevens
