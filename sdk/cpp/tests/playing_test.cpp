// A whole run of a bot: its life from hello to exit code.

#include <doctest/doctest.h>

#include <cstdlib>
#include <semaphore>
#include <thread>

#include <sevens/sdk.hpp>

#include "captured.hpp"
#include "scripted_arena.hpp"

using namespace sevens;
using namespace std::chrono_literals;

namespace {

class First : public Bot {
    Choice choose(Decision&) override { return 0; }
};

// Thinks for a while; throws in the match m2.
class Slow : public Bot {
    Choice choose(Decision& decision) override {
        std::this_thread::sleep_for(200ms);
        if (match().id == "m2") throw std::runtime_error("at 2 a.m.");
        return decision.legal().back();
    }
};

// Thinks until the arena has received a pong, and then longer than an answer waits for others.
std::binary_semaphore pong_heard(0);
class Waiting : public Bot {
    Choice choose(Decision&) override {
        if (match().id == "m1") CHECK(pong_heard.try_acquire_for(30s));
        std::this_thread::sleep_for(50ms);
        return 0;
    }
};

struct Ran {
    int code;
    std::string said;
};

template <typename MyBot>
Ran run_with(const std::string& address, const Settings& settings = {}) {
    setenv("ARENA_ADDRESS", address.c_str(), 1);
    setenv("ARENA_TOKEN", "secret", 1);
    const Captured said;
    const int code = run<MyBot>(settings);
    return {code, said.text()};
}

}  // namespace

TEST_CASE("a bot says hello, plays, and leaves after a goodbye") {
    protocol::Hello hello;
    protocol::Answer answer;
    ScriptedArena arena({[&](ArenaStream& stream) {
        hello = stream.greet({"m1"});
        stream.say(asks({decision("m1", 3)}));
        answer = stream.hear().answers(0);
        stream.part();
    }});
    const Ran ran = run_with<First>(arena.address(), {.games = {"xeri"}, .matches_at_once = 8});
    CHECK(ran.code == 0);
    CHECK(ran.said == "");
    CHECK(hello.token() == "secret");
    CHECK(hello.protocol() == 1);
    CHECK(hello.sdk().starts_with("cpp "));
    CHECK(hello.games(0) == "xeri");
    CHECK(hello.matches_at_once() == 8);
    CHECK(answer.index() == 0);
    CHECK(answer.number() == 3);
}

TEST_CASE("a goodbye lets the bot finish what it owes") {
    int answers = 0;
    bool closed = false;
    ScriptedArena arena({[&](ArenaStream& stream) {
        stream.greet({"m1"});
        auto frame = asks({decision("m1")});
        frame.MergeFrom(goodbye());
        stream.say(frame);
        answers = stream.hear().answers_size();
        closed = !stream.hear_or_close();
    }});
    CHECK(run_with<Slow>(arena.address()).code == 0);
    CHECK(answers == 1);
    CHECK(closed);
}

TEST_CASE("a ping is answered while the bot thinks, and slow answers do not wait for each other") {
    std::vector<protocol::BotFrame> heard;
    ScriptedArena arena({[&](ArenaStream& stream) {
        stream.greet({"m1", "m3"});
        stream.say(asks({decision("m1"), decision("m3")}));
        protocol::ArenaFrame ping;
        ping.mutable_ping()->set_number(42);
        stream.say(ping);
        heard.push_back(stream.hear());
        pong_heard.release();
        heard.push_back(stream.hear());
        heard.push_back(stream.hear());
        stream.part();
    }});
    CHECK(run_with<Waiting>(arena.address()).code == 0);
    REQUIRE(heard.size() == 3);
    CHECK(heard[0].pong().number() == 42);
    CHECK(heard[1].answers(0).match_id() == "m1");
    CHECK(heard[2].answers(0).match_id() == "m3");
}

TEST_CASE("a broken stream is replaced, and owed answers are given there") {
    protocol::Answer answer;
    ScriptedArena arena({[](ArenaStream& stream) {
                             stream.greet({"m1"});
                             stream.say(asks({decision("m1", 4)}));
                             // and ends the stream while the bot thinks
                         },
                         [&](ArenaStream& stream) {
                             stream.greet({"m1"}, true);
                             stream.say(asks({decision("m1", 4)}));
                             answer = stream.hear().answers(0);
                             stream.part();
                         }});
    CHECK(run_with<Slow>(arena.address()).code == 0);
    CHECK(answer.number() == 4);
    CHECK(answer.text() == "pass");
    CHECK(arena.streams() == 2);
}

TEST_CASE("a refusal is printed and final") {
    ScriptedArena arena({[](ArenaStream& stream) {
        stream.hear();
        protocol::ArenaFrame frame;
        frame.mutable_refusal()->set_sentence("This token was revoked.");
        stream.say(frame);
    }});
    const Ran ran = run_with<First>(arena.address());
    CHECK(ran.code == 3);
    CHECK(ran.said == "This token was revoked.\n");
    CHECK(arena.streams() == 1);
}

TEST_CASE("a crash is reported, and spares the other matches") {
    protocol::Answer answer;
    ScriptedArena arena({[&](ArenaStream& stream) {
        stream.greet({"m1", "m2"});
        stream.say(asks({decision("m1", 4), decision("m2", 17)}));
        answer = stream.hear().answers(0);
        stream.hear_or_close();
    }});
    const Ran ran = run_with<Slow>(arena.address());
    CHECK(ran.code == 1);
    CHECK(ran.said.starts_with("  at playing_test 0x"));
    CHECK(
        ran.said.ends_with("\nstd::runtime_error: at 2 a.m.\n"
                           "This was the bot's choice in match m2 (xeri), seat 1, decision 17.\n"));
    CHECK(answer.match_id() == "m1");
    CHECK(answer.number() == 4);
}

TEST_CASE("a bot whose arena has ended gives up") {
    const Ran ran = run_with<First>("unix:/nowhere/arena.sock");
    CHECK(ran.code == 3);
    CHECK(ran.said.starts_with("The arena at unix:/nowhere/arena.sock has been out of reach for "));
    CHECK(ran.said.find("(limit: 2 s): ") != std::string::npos);
}

TEST_CASE("without an arena the bot says how to try it") {
    const Ran ran = run_with<First>("");
    CHECK(ran.code == 2);
    CHECK(ran.said.find("arena play xeri . builtin:random") != std::string::npos);
}
