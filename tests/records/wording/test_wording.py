from __future__ import annotations

import pytest

from arena.records.wording import Wording
from arena.web.replay import replay_document
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import load, own_slugs
from sevens_games.engine import FactValue
from tests.support.played_matches import played


def wording(slug: str, *bots: str, teams: tuple[int, ...] = (), own: int | None = None) -> Wording:
    seats = [pb.Seat(bot=bot, team=teams[seat] if teams else seat) for seat, bot in enumerate(bots)]
    return Wording(load(slug).layout, seats, own)


def test_a_choice_is_a_sentence_with_the_bots_name_and_the_card_as_it_looks() -> None:
    words = wording("xeri", "fisher", "random")
    assert words.action(0, "play TD") == "fisher plays 10♦"
    assert words.event("capture", 1, ["5"]) == "random captures 5 cards"
    assert words.event("score", None, ["12", "7"]) == "The deal scores fisher 12, random 7"


def test_bots_of_one_name_are_told_apart_by_their_seats() -> None:
    words = wording("xeri", "fisher", "fisher")
    assert words.action(1, "play 7S") == "fisher (seat 2) plays 7♠"


def test_a_viewer_who_may_not_know_a_card_is_told_that_something_happened() -> None:
    words = wording("dingo", "a", "b", "c", "d")
    assert words.event("give", 2, []) == "c gives a card"
    assert words.event("catch", 2, []) == "c: catch"


def test_scores_by_team_have_the_names_of_the_members() -> None:
    words = wording("seven-euchre", "a", "b", "c", "d", teams=(0, 1, 0, 1))
    assert words.event("score", None, ["10", "20"]) == "Totals: a and c 10, b and d 20"


def test_cards_without_symbols_are_named_and_set_apart() -> None:
    words = wording("insidious-sevens", "a", "b")
    assert words.action(0, "pass 2R 5Y") == "a passes 2 red, 5 yellow"


def test_a_suit_that_is_named_follows_the_cards() -> None:
    words = wording("jack-change-it", "a", "b", own=0)
    assert words.choice("play JH C") == "Play J♥ (clubs)"
    assert words.choice("play AH 2H") == "Play A♥ 2♥"
    assert words.action(1, "play 3D") == "b plays 3♦"


def test_a_verb_may_have_a_sentence_for_each_number_of_words() -> None:
    words = wording("seven-euchre", "a", "b", "c", "d")
    assert words.choice("bid 7 notrump") == "Bid 7 tricks without trump"
    assert words.choice("bid 8") == "Bid 8 tricks"


def facts(slug: str, viewer: int | None, **values: FactValue) -> dict[str, str]:
    words = wording(slug, "a", "b", "c", "d", teams=(0, 1, 0, 1))
    return {fact.label: words.sentence_of(fact) for fact in words.facts(values, viewer)}


def test_a_fact_has_a_label_and_a_sentence() -> None:
    said = facts("seven-euchre", None, trump="O", bid_tricks=7, bid_strain="onion", taken=(1, 0))
    assert said == {
        "trump": "onion",
        "contract": "7 tricks in onions",
        "tricks": "a and c 1, b and d 0",
    }


def test_a_fact_that_means_nothing_now_is_not_said() -> None:
    assert facts("seven-euchre", None, trump="", bid_tricks=0, bid_strain="", declarer=-1) == {}
    assert facts("dingo", None, step=0, hunt="T", phase="hunt") == {"hunted rank": "10"}


def test_a_value_of_ones_own_is_that_of_the_viewer() -> None:
    assert facts("crash", 2, chosen="pass") == {"has chosen": "c pass"}
    assert facts("crash", None, chosen=("", "pass", "", "")) == {"has chosen": "b pass"}


def test_an_event_that_no_game_declares_is_worded_all_the_same() -> None:
    words = wording("xeri", "fisher", "random")
    assert words.event("turn-over", None, ["7S"]) == "Turn over 7♠"


def test_braces_in_a_bots_name_are_only_braces() -> None:
    assert wording("xeri", "{0.layout}", "b").action(0, "play 7S") == "{0.layout} plays 7♠"


def test_a_hand_without_cards_is_said_to_be_empty() -> None:
    words = wording("seven-rummy", "a", "b")
    assert words.event("show", 1, []) == "b is left with no card"


def test_the_reader_is_addressed() -> None:
    words = wording("xeri", "fisher", "random", own=1)
    assert words.action(1, "play 7C") == "You play 7♣"
    assert words.choice("play 7C") == "Play 7♣"
    assert words.action(0, "play 7C") == "fisher plays 7♣"
    assert words.event("hand", 1, ["7C"]) == "You are dealt 7♣"
    assert words.event("score", None, ["12", "7"]) == "The deal scores fisher 12, You 7"
    assert words.event("turn-over", 1, ["7S"]) == "You: turn over 7♠"
    assert words.choice("turn-over 7S") == "Turn over 7♠"


def test_the_reader_is_you_in_the_middle_of_a_sentence_too() -> None:
    words = wording("envite", "a", "b", "c", "d", own=1)
    assert words.action(0, "watch 1") == "a watches you"
    assert words.action(1, "watch 2") == "You watch c"


def test_a_bot_called_you_is_told_apart_from_the_reader() -> None:
    words = wording("xeri", "You", "person", own=1)
    assert words.names == ["You (seat 1)", "You"]
    assert words.action(0, "play 7C") == "You (seat 1) plays 7♣"


@pytest.mark.parametrize("slug", sorted(own_slugs()))
def test_every_event_of_a_match_has_its_declared_sentence(slug: str) -> None:
    declared = load(slug).layout.says
    document = replay_document(played(slug).record)
    verbs = {event["verb"] for frame in document["frames"] for event in frame["events"]}
    assert verbs <= declared.keys()


def test_the_end_says_who_won_by_how_much_and_why() -> None:
    record = played("xeri").record
    won = min(range(2), key=lambda seat: record.result.ranks[seat])
    scores = record.result.scores
    assert replay_document(record)["result"]["says"] == (
        f"The end: {record.seats[won].bot} wins, {scores[won]} : {scores[1 - won]} hands."
        " All deals were played."
    )
