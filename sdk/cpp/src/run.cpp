#include <sevens/run.hpp>

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include "answer.hpp"
#include "crash.hpp"
#include "environment.hpp"
#include "leaving.hpp"
#include "patience.hpp"
#include "session.hpp"
#include "stream.hpp"

namespace sevens {
namespace {

constexpr int exit_crash = 1;
constexpr int exit_usage = 2;
constexpr int exit_no_arena = 3;
constexpr const char* sdk_version = "cpp 0.1.0";

protocol::Hello hello_of(const Environment& environment, const Settings& settings) {
    protocol::Hello hello;
    hello.set_token(environment.token);
    hello.set_protocol(protocol_version);
    hello.set_sdk(sdk_version);
    hello.mutable_games()->Add(settings.games.begin(), settings.games.end());
    hello.set_matches_at_once(
        environment.matches_at_once.value_or(static_cast<std::uint32_t>(settings.matches_at_once)));
    return hello;
}

std::shared_ptr<grpc::Channel> dial(const Environment& environment) {
    grpc::SslCredentialsOptions trusted;
    trusted.pem_root_certs = environment.certificates;
    const auto credentials =
        environment.tls ? grpc::SslCredentials(trusted) : grpc::InsecureChannelCredentials();
    grpc::ChannelArguments options;
    // The arena decides how large a frame may be, and observes the limit itself.
    options.SetMaxReceiveMessageSize(-1);
    // Attempts are independent: none waits because an earlier one failed.
    options.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    // Notices when a remote arena has vanished. gRPC servers allow only one ping in 5 minutes.
    options.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 310'000);
    // A bot that was frozen between two matches reads the answer to its last ping when it wakes,
    // and must not take it for late. Pings that keep the connection alive have a limit of their
    // own. Older versions of gRPC have neither the limit nor a name for it.
    options.SetInt("grpc.http2.ping_timeout_ms", std::numeric_limits<int>::max());
    return grpc::CreateCustomChannel(environment.address, credentials, options);
}

void play(Session& session, const Environment& environment, Leaving& leaving) {
    Patience patience(environment.address);
    while (true) {
        const std::string reason = Stream(session, dial(environment), leaving).play();
        if (session.goodbye() || session.has_left()) return;
        const auto now = std::chrono::steady_clock::now();
        leaving.sleep(patience.after(session.welcomed_at(), now, reason));
        if (leaving.asked() && session.matches() == 0) return;
    }
}

int leave(int code, const std::exception& reason) {
    warn(reason.what());
    return code;
}

}  // namespace

int run(const BotMaker& make_bot, const Settings& settings) {
    if (settings.matches_at_once < 1) {
        throw std::invalid_argument("matches_at_once has to be 1 or more");
    }
    // The arena stores only part of a bot's stderr, and Patience reports broken streams. gRPC reads
    // this when it starts.
    setenv("GRPC_VERBOSITY", "NONE", 0);
    announce_signals();
    try {
        const Environment environment =
            read_environment([](const char* name) { return std::getenv(name); });
        Session session(make_bot, hello_of(environment, settings));
        // It is used by a thread that outlives this function.
        static Leaving leaving;
        leaving.listen();
        play(session, environment, leaving);
        return 0;
    } catch (const WrongEnvironment& error) {
        return leave(exit_usage, error);
    } catch (const Refused& error) {
        return leave(exit_no_arena, error);
    } catch (const Unreachable& error) {
        return leave(exit_no_arena, error);
    } catch (const Crash& error) {
        return leave(exit_crash, error);
    }
}

}  // namespace sevens
