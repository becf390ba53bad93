#include "session.hpp"

#include <doctest/doctest.h>

#include "captured.hpp"
#include "messages.hpp"

using namespace sevens;

namespace {

using Words = std::vector<std::string>;

// Records its calls; the random number in its answers shows its randomness.
class Noting : public Bot {
public:
    explicit Noting(Words& heard) : heard_(heard) {}

    void on_start() override { heard_.push_back("start " + match().id); }

    Choice choose(Decision& decision) override {
        heard_.push_back("choose " + to_string(decision));
        decision.note(std::to_string(random()()));
        return decision.number() % 3;
    }

    void on_end(const MatchEnd& end) override {
        heard_.push_back("end " + match().id + " " + end.reason);
    }

private:
    Words& heard_;
};

struct Talk {
    Words heard;
    Session session;

    explicit Talk(const Words& matches, const protocol::ArenaFrame& greeting = welcome())
        : session([this] { return std::make_unique<Noting>(heard); }, {}) {
        session.open();
        say(greeting);
        say(starts(matches));
    }

    // The bot's answers to a frame.
    std::vector<protocol::BotFrame> say(const protocol::ArenaFrame& frame) {
        session.receive(frame, std::chrono::steady_clock::now());
        while (session.has_calls()) {
            session.think();
        }
        return session.outgoing();
    }

    protocol::Answer ask(const protocol::Decision& decision) {
        const auto frames = say(asks({decision}));
        REQUIRE(frames.size() == 1);
        REQUIRE(frames[0].answers_size() == 1);
        return frames[0].answers(0);
    }
};

class Throwing : public Bot {
    Choice choose(Decision&) override { return std::vector<int>{}.at(7); }
};

}  // namespace

TEST_CASE("the hello is the first frame of every stream") {
    protocol::Hello hello;
    hello.set_token("secret");
    Session session(nullptr, hello);
    CHECK(session.open().hello().token() == "secret");
    CHECK(session.open().hello().token() == "secret");
    CHECK(session.outgoing().empty());
}

TEST_CASE("matches are accepted with nonces of their own") {
    Talk talk({});
    const auto frames = talk.say(starts({"m1", "m2"}));
    REQUIRE(frames.size() == 1);
    REQUIRE(frames[0].accepts_size() == 2);
    CHECK(frames[0].accepts(0).match_id() == "m1");
    CHECK(frames[0].accepts(0).nonce().size() == 32);
    CHECK(frames[0].accepts(0).nonce() != frames[0].accepts(1).nonce());
}

TEST_CASE("the answers to one frame travel in one") {
    Talk talk({"m1", "m2", "m3"});
    const auto frames = talk.say(asks({decision("m1", 1), decision("m2", 2), decision("m3", 3)}));
    REQUIRE(frames.size() == 1);
    REQUIRE(frames[0].answers_size() == 3);
    for (int n = 0; n < 3; ++n) {
        CHECK(frames[0].answers(n).match_id() == "m" + std::to_string(n + 1));
        CHECK(frames[0].answers(n).index() == static_cast<std::uint32_t>((n + 1) % 3));
    }
}

TEST_CASE("frames stay below the limit") {
    Words matches;
    std::vector<protocol::Decision> decisions;
    for (int n = 0; n < 30; ++n) {
        matches.push_back("m" + std::to_string(n));
        decisions.push_back(decision(matches.back()));
    }
    Talk talk(matches, welcome(8192));
    const auto frames = talk.say(asks(decisions));
    REQUIRE(frames.size() == 8);
    int answers = 0;
    for (const auto& frame : frames) {
        CHECK(frame.ByteSizeLong() <= 8192);
        for (const auto& answer : frame.answers()) {
            CHECK(answer.match_id() == matches[answers++]);
        }
    }
    CHECK(answers == 30);
}

TEST_CASE("randomness follows the seat's seed and the decision's number alone") {
    Talk talk({"m1", "m2"});
    const auto note = [](Talk& with, const char* match, std::uint32_t number) {
        return with.ask(decision(match, number)).note();
    };
    const std::string first = note(talk, "m1", 1);
    const std::string second = note(talk, "m1", 2);
    CHECK(first != second);
    CHECK(note(talk, "m2", 2) == second);
    Talk fresh({"m1"});
    CHECK(note(fresh, "m1", 2) == second);

    auto another = start("m3");
    another.set_seed("another");
    protocol::ArenaFrame frame;
    *frame.add_starts() = another;
    talk.say(frame);
    CHECK(note(talk, "m3", 2) != second);
}

TEST_CASE("after a break the same answer is given without asking the bot") {
    Talk talk({"m1"});
    const auto given = talk.ask(decision("m1", 4));
    talk.session.open();
    talk.say(welcome());
    const auto accepted = talk.say(starts({"m1"}, true));
    REQUIRE(accepted.size() == 1);
    CHECK(accepted[0].accepts(0).match_id() == "m1");
    CHECK(talk.ask(decision("m1", 4)).SerializeAsString() == given.SerializeAsString());
    CHECK(talk.heard == Words{"start m1", "choose decision 4 of match m1 (xeri), seat 1"});
}

TEST_CASE("what the bot thinks of while the stream breaks is said on the next, if asked for") {
    Talk talk({"m1", "m2"});
    talk.session.receive(asks({decision("m1", 4), decision("m2", 6)}), {});
    talk.session.open();
    talk.say(welcome());
    CHECK(talk.session.outgoing().empty());
    talk.say(starts({"m1"}, true));
    CHECK(talk.ask(decision("m1", 4)).number() == 4);
}

TEST_CASE("a match that starts again gets a new bot") {
    Talk talk({"m1"});
    talk.ask(decision("m1", 1));
    talk.say(starts({"m1"}));
    talk.ask(decision("m1", 1));
    CHECK(talk.heard.size() == 4);
    CHECK(talk.heard[2] == "start m1");
}

TEST_CASE("a match that a whole stream did not name is forgotten") {
    Talk talk({"m1", "m2"});
    for (int n = 0; n < 2; ++n) {
        talk.session.open();
        talk.say(welcome());
        talk.say(starts({"m1"}, true));
    }
    const Captured said;
    CHECK(talk.say(asks({decision("m2")})).empty());
    CHECK(said.text() == "The arena asked for a decision in m2, a match it never started.\n");
}

TEST_CASE("what a match owed ends with it") {
    Talk talk({"m1"});
    auto frame = asks({decision("m1")});
    frame.MergeFrom(ends({"m1", "never started"}));
    CHECK(talk.say(frame).empty());
    CHECK(talk.heard == Words{"start m1", "end m1 played-out"});
}

TEST_CASE("after a goodbye it is finished when nothing is owed") {
    Talk talk({"m1"});
    auto frame = asks({decision("m1")});
    frame.MergeFrom(goodbye());
    talk.session.receive(frame, {});
    CHECK(talk.session.goodbye());
    CHECK_FALSE(talk.session.finished());
    talk.session.think();
    CHECK(talk.session.finished());
    CHECK(talk.session.outgoing().size() == 1);
}

TEST_CASE("a refusal ends it") {
    Talk talk({});
    protocol::ArenaFrame frame;
    frame.mutable_refusal()->set_sentence("This token was revoked.");
    CHECK_THROWS_WITH_AS(talk.say(frame), "This token was revoked.", Refused);
}

TEST_CASE("a crash reports what was thrown, from where, and in which match") {
    Session session([] { return std::make_unique<Throwing>(); }, {});
    session.open();
    auto frame = welcome();
    frame.MergeFrom(starts({"m1"}));
    frame.MergeFrom(asks({decision("m1", 17)}));
    session.receive(frame, {});
    session.think();
    try {
        session.think();
        FAIL("it should have crashed");
    } catch (const Crash& crash) {
        const std::string text = crash.what();
        CHECK(text.starts_with("  at session_test 0x"));
        CHECK(text.find("\nstd::out_of_range: vector::_M_range_check") != std::string::npos);
        CHECK(
            text.ends_with("\nThis was the bot's choice in match m1 (xeri), seat 1, decision 17."));
    }
}

TEST_CASE("a bot's constructor does not know its match yet") {
    struct Eager : Throwing {
        Eager() { match(); }
    };
    Session session([] { return std::make_unique<Eager>(); }, {});
    session.open();
    session.receive(starts({"m1"}), {});
    CHECK_THROWS_WITH_AS(session.think(),
                         doctest::Contains("match() is not known in the bot's constructor"), Crash);
}

TEST_CASE("a random choice reaches every item, and xoshiro256** is what its authors made") {
    Random random;
    // From the state 1, 2, 3, 4, as in the tests of other implementations.
    CHECK(random() == 11520);
    CHECK(random() == 0);
    CHECK(random() == 1509978240);
    CHECK(random() == 1215971899390074240);
    std::set<int> reached;
    const std::vector<int> items = {1, 2, 3};
    for (int n = 0; n < 100; ++n) {
        reached.insert(random.choice(items));
    }
    CHECK(reached == std::set{1, 2, 3});
}

TEST_CASE("a bot that leaves says so once on each stream") {
    Talk talk({"m1"});
    talk.session.leave();
    const auto frames = talk.session.outgoing();
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].has_leave());
    CHECK(talk.session.outgoing().empty());
    CHECK_FALSE(talk.session.has_left());
    talk.session.open();
    const auto again = talk.say(welcome());
    REQUIRE(again.size() == 1);
    CHECK(again[0].has_leave());
    talk.say(ends({"m1"}));
    CHECK(talk.session.has_left());
}

TEST_CASE("a notice is printed once") {
    const Captured said;
    auto greeting = welcome();
    greeting.mutable_welcome()->set_notice("The bot is suspended.");
    Talk talk({}, greeting);
    talk.session.open();
    talk.say(greeting);
    CHECK(said.text() == "The bot is suspended.\n");
}
