#include "answer.hpp"

#include <doctest/doctest.h>

#include "captured.hpp"
#include "match.hpp"
#include "messages.hpp"
#include "utf8.hpp"

using namespace sevens;

namespace {

struct Asked {
    protocol::Decision message;
    Match match = match_of(start("m1"));
    Random random{};
    Decision decision;

    explicit Asked(const std::vector<std::string>& legal = legal_actions)
        : message(sevens::decision("m1", 3, legal)),
          decision(message, match, random, std::chrono::steady_clock::now()) {}
};

}  // namespace

TEST_CASE("a legal choice is sent as it was made") {
    const Asked asked;
    const Captured said;
    CHECK(answer_to(asked.decision, "pass").text() == "pass");
    CHECK(answer_to(asked.decision, std::string("pass")).text() == "pass");
    CHECK(answer_to(asked.decision, std::string_view("pass")).text() == "pass");
    CHECK(answer_to(asked.decision, 2).index() == 2);
    const auto answer = answer_to(asked.decision, 0);
    CHECK(answer.has_index());
    CHECK(answer.match_id() == "m1");
    CHECK(answer.number() == 3);
    CHECK(said.text() == "");
}

TEST_CASE("a legal text is never cut") {
    const std::string text = "meld " + std::string(300, 'x');
    const Captured said;
    CHECK(answer_to(Asked({text}).decision, text).text() == text);
    CHECK(said.text() == "");
}

TEST_CASE("an illegal choice is sent with a warning") {
    const Asked asked;
    const auto check = [&](const Choice& choice, const std::string& named,
                           const std::string& sent) {
        const Captured said;
        CHECK(answer_to(asked.decision, choice).text() == sent);
        CHECK(said.text() == "The bot chose " + named +
                                 ", which is not legal, in decision 3 of match m1 (xeri), seat 1."
                                 " Legal: 'play 7S', 'play 8S', 'pass'.\n");
    };
    check("play 9S", "'play 9S'", "play 9S");
    check(3, "3", "3");
    check(-1, "-1", "-1");
    check(std::string::npos, "-1", "-1");
    check(std::string(300, 'x'), "'" + std::string(300, 'x') + "'", std::string(256, 'x'));
}

TEST_CASE("a warning names a limited number of actions") {
    std::vector<std::string> legal;
    for (int n = 0; n < 1000; ++n) {
        legal.push_back("move " + std::to_string(n));
    }
    const Asked asked(legal);
    const Captured said;
    answer_to(asked.decision, "home");
    CHECK(said.text().ends_with("'move 18', 'move 19' and 980 more.\n"));
}

TEST_CASE("notes are lines, and are cut to what the arena takes") {
    Asked asked;
    asked.decision.note("expected 3.2");
    asked.decision.note("points");
    CHECK(answer_to(asked.decision, 0).note() == "expected 3.2\npoints");
    std::string long_note;
    for (int n = 0; n < 1000; ++n) {
        long_note += "ä";
    }
    asked.decision.note(long_note);
    const std::string note = answer_to(asked.decision, 0).note();
    CHECK(note.size() == 1024);
    CHECK(note.ends_with("ää"));
}

TEST_CASE("what is no UTF-8 is replaced, for the arena would refuse it") {
    CHECK(cut("ä€🂡", 100) == "ä€🂡");
    CHECK(cut("ä€🂡", 8) == "ä€");
    CHECK(cut("a\xFFz", 100) == "a?z");
    CHECK(cut("\xC3", 100) == "?");               // half a character
    CHECK(cut("\xC0\xAF", 100) == "??");          // a slash, written too long
    CHECK(cut("\xED\xA0\x80", 100) == "???");     // half a surrogate pair
    CHECK(cut("\xF5\x80\x80\x80", 9) == "????");  // beyond Unicode
}
