// The matches, decisions and observations that a bot reads.

#include <doctest/doctest.h>

#include <sevens/decision.hpp>

#include "match.hpp"
#include "messages.hpp"

using namespace sevens;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

namespace {

template <typename Message>
void add_zone(Message& message, const char* name, std::optional<int> owner, const Words& cards,
              std::uint32_t hidden) {
    auto& zone = *message.add_zones();
    zone.set_name(name);
    if (owner) zone.set_owner(static_cast<std::uint32_t>(*owner));
    zone.mutable_cards()->Add(cards.begin(), cards.end());
    zone.set_hidden(hidden);
}

void add_fact(protocol::Observation& message, const char* name, const std::vector<int>& numbers,
              const Words& words, bool is_list) {
    auto& fact = *message.add_facts();
    fact.set_name(name);
    fact.mutable_numbers()->Add(numbers.begin(), numbers.end());
    fact.mutable_words()->Add(words.begin(), words.end());
    fact.set_is_list(is_list);
}

protocol::Decision full_decision() {
    auto message = decision("m1", 5);
    auto& seen = *message.mutable_observation();
    add_zone(seen, "hand", 0, {}, 2);
    add_zone(seen, "hand", 1, {"7S", "8S"}, 0);
    add_zone(seen, "stock", {}, {"2C"}, 40);
    add_fact(seen, "bids", {}, {}, true);
    add_fact(seen, "round", {0}, {}, false);
    add_fact(seen, "scores", {3, -4}, {}, true);
    add_fact(seen, "trump", {}, {"S"}, false);
    auto& played = *message.add_events();
    played.set_verb("play");
    played.set_actor(0);
    played.add_arguments("7H");
    message.add_events()->set_verb("redeal");
    message.set_events_left_out(3);
    return message;
}

}  // namespace

TEST_CASE("a bot receives the facts of its match") {
    auto message = start("m1");
    message.set_commitment("\xCC");
    auto& options = *message.mutable_options();
    options["max_rounds"] = "9";
    options["low"] = "-3";
    options["piiko"] = "true";
    options["deck"] = "spanish";
    options["odd"] = "9x";
    const Match match = match_of(message);
    CHECK(to_string(match) == "match m1 (xeri), seat 1");
    CHECK(match.rules_version == 3);
    CHECK(match.players() == 4);
    CHECK(match.teams == std::vector{0, 1, 0, 1});
    CHECK(match.clock.bank == 60s);
    CHECK(match.clock.increment == 200ms);
    CHECK(match.seed.size() == 32);
    CHECK(match.commitment == "\xCC");
    CHECK_FALSE(match.resumed);
    CHECK(std::get<std::int64_t>(match.options.at("max_rounds")) == 9);
    CHECK(std::get<std::int64_t>(match.options.at("low")) == -3);
    CHECK(std::get<bool>(match.options.at("piiko")));
    CHECK(std::get<std::string>(match.options.at("deck")) == "spanish");
    CHECK(std::get<std::string>(match.options.at("odd")) == "9x");
}

TEST_CASE("a bot receives the end of its match") {
    protocol::MatchEnd message;
    message.add_scores(3);
    message.add_scores(-4);
    message.add_ranks(1);
    message.add_ranks(2);
    message.set_reason("limit");
    auto& fault = *message.add_faults();
    fault.set_seat(1);
    fault.set_kind(protocol::FAULT_KIND_ILLEGAL_ACTION);
    fault.set_decision(9);
    fault.set_sentence("It was not legal.");
    message.add_faults()->set_kind(static_cast<protocol::FaultKind>(99));
    const MatchEnd end = match_end_of(message);
    CHECK(end.scores == std::vector{3, -4});
    CHECK(end.ranks == std::vector{1, 2});
    CHECK(end.reason == "limit");
    CHECK(end.faults.at(0).kind == "illegal-action");
    CHECK(end.faults.at(0).decision == 9);
    CHECK(end.faults.at(0).sentence == "It was not legal.");
    CHECK(end.faults.at(1).kind == "kind-99");  // newer than this SDK
}

TEST_CASE("a decision shows what the seat may see") {
    const auto message = full_decision();
    const Match match = match_of(start("m1"));
    Random random;
    const auto arrived = std::chrono::steady_clock::now();
    const Decision decision(message, match, random, arrived);
    CHECK(to_string(decision) == "decision 5 of match m1 (xeri), seat 1");
    CHECK(decision.legal() == legal_actions);
    CHECK(decision.hand() == Words{"7S", "8S"});

    const auto seen = decision.observation();
    CHECK(seen.zones().size() == 3);
    CHECK(seen.zone("hand", 0).hidden == 2);
    CHECK(seen.zone("stock").owner == std::nullopt);
    CHECK(seen.cards("stock") == Words{"2C"});
    CHECK(seen.cards("nowhere") == Words{});
    CHECK(seen.cards("hand") == Words{});  // each hand belongs to a seat

    CHECK(seen.facts().size() == 4);
    CHECK(seen.fact("round").number() == 0);
    CHECK(seen.fact("trump").word() == "S");
    CHECK(seen.fact("scores").numbers == std::vector{3, -4});
    CHECK(seen.fact("bids").is_list);
    CHECK_THROWS_WITH_AS(seen.fact("scores").number(), "the fact 'scores' is not one number",
                         std::logic_error);
    CHECK_THROWS_WITH_AS(seen.fact("trumps"),
                         "there is no fact 'trumps' here, only: bids, round, scores, trump",
                         std::out_of_range);

    CHECK(decision.events().size() == 2);
    CHECK(decision.events()[0].actor == 0);
    CHECK(decision.events()[0].arguments == Words{"7H"});
    CHECK(decision.events()[1].verb == "redeal");
    CHECK(decision.events()[1].actor == std::nullopt);
    CHECK(decision.events_left_out() == 3);
}

TEST_CASE("the time left counts down from the frame's arrival") {
    const auto message = decision("m1");
    const Match match = match_of(start("m1"));
    Random random;
    const auto arrived = std::chrono::steady_clock::now() - 200ms;
    const Decision decision(message, match, random, arrived);
    CHECK(decision.time_left() <= 60s);
    CHECK(decision.time_left() > 50s);
}
