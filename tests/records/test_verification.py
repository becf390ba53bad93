"""True records verify; in a record with one thing changed, the error names that thing."""

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.records.record import BadRecord, canonical, read, seal
from arena.records.replay import ChosenBy, replay
from arena.records.verification import Verdict, verify, verify_record
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load, slugs
from tests.support.extent import by_extent
from tests.support.played_matches import played

FAULTY = [(), (0,), (1, 0)]
TRUE = (
    "The record agrees with the rules, the deal, the result and its digest; bots, clock, times and"
    " ids are as it states them."
)

COMMITTED = played("xeri").record
SEEDED = played("xeri", committed=False).record
TEAMS = played("seven-euchre").record
SEVENS = played("insidious-sevens").record
FAULTED = played("xeri", 3, faulty=(0, 1)).record


@pytest.mark.parametrize("slug", slugs())
def test_a_true_record_is_found_true(slug: str) -> None:
    for faulty, committed in product(FAULTY, [True, False]):
        record = played(slug, faulty=faulty, committed=committed).record
        assert verify(canonical(record)) == Verdict(True, "", TRUE)


@pytest.mark.parametrize("slug", slugs())
def test_every_number_of_players_is_verified(slug: str) -> None:
    for players in load(slug).players:
        assert verify_record(played(slug, players=players, match_number=2).record).ok


def test_a_deal_whose_secret_is_not_revealed_is_reported_as_unchecked() -> None:
    verdict = verify_record(changed(COMMITTED, "deal_source.secret", ""))
    assert verdict.ok
    assert verdict.sentence.startswith(TRUE)
    assert "The deal could not be checked yet" in verdict.sentence


# One thing changed --------------------------------------------------------------------------------


def changed(record: MatchRecord, path: str, change: object) -> MatchRecord:
    """Returns the record with another value at the path, sealed again so that its digest matches.

    `change`: the value, or a function of the old one.
    """
    values = json.loads(canonical(record))
    *way, last = steps_of(path)
    place = values
    for step in way:
        place = place[step]
    place[last] = change(place[last]) if callable(change) else change
    return seal(read(json.dumps(values))).record


def steps_of(path: str) -> list[str | int]:
    return [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]


def another_digit(digits: str) -> str:
    return digits[:-1] + ("1" if digits[-1] == "0" else "0")


def more(number: int) -> int:
    return number + 1


def swapped(cards: list[str]) -> list[str]:
    return [cards[1], cards[0], *cards[2:]]


def without_the_last(items: list[Any]) -> list[Any]:
    return items[:-1]


def with_the_last_twice(items: list[Any]) -> list[Any]:
    return [*items, items[-1]]


def choice_made_by(who: ChosenBy, record: MatchRecord, at_least: int = 10) -> int:
    """Returns the position of a choice of that kind."""
    return next(s.place for s in replay(record) if s.chosen_by is who and s.place >= at_least)


BY_BOT = choice_made_by(ChosenBy.BOT, COMMITTED)
FORCED = choice_made_by(ChosenBy.FORCED, COMMITTED)
AT_FAULT = choice_made_by(ChosenBy.AT_FAULT, FAULTED, at_least=20)

CHANGES: list[tuple[MatchRecord, str, object]] = [
    (COMMITTED, "format", 2),
    (COMMITTED, "match_id", ""),
    (COMMITTED, "attempt", 0),
    (COMMITTED, "match_number", 0),
    (COMMITTED, "match_number", 2),
    (COMMITTED, "game", "bridge"),
    (COMMITTED, "rules_version", 7),
    (COMMITTED, "options.deals", "0"),
    (COMMITTED, "options.deals", "02"),
    (COMMITTED, "options.deals", "many"),
    (SEVENS, "options.piiko", "True"),
    (COMMITTED, "seats", without_the_last),
    (TEAMS, "seats[3].team", 0),
    (COMMITTED, "seats[1].version", "7"),
    (COMMITTED, "seats[1].entrant", lambda entrant: 1 - entrant),
    (COMMITTED, "seats[0].entrant", 2),
    (COMMITTED, "seats[1].seed", another_digit),
    (SEEDED, "seats[0].seed", another_digit),
    (SEEDED, "seats[0].nonce", "07"),
    (COMMITTED, "seats[0].nonce", "0"),
    (COMMITTED, "seats[0].nonce", "0A"),
    (COMMITTED, "seats[0].nonce", "07" * 33),
    (COMMITTED, "deal_source.commitment", another_digit),
    (COMMITTED, "deal_source.commitment", ""),
    (COMMITTED, "deal_source.commitment", "7"),
    (COMMITTED, "deal_source.secret", another_digit),
    (COMMITTED, "deal_source.secret", "7"),
    (SEEDED, "deal_source.seed_text", "seed 2/1"),
    (SEEDED, "deal_source.commitment", "7" * 64),
    (SEEDED, "deal_source.secret", "7" * 64),
    (COMMITTED, "shuffles[0].cards", swapped),
    (SEEDED, "shuffles[1].cards", swapped),
    (SEVENS, "shuffles[6].cards", swapped),
    (COMMITTED, "shuffles", without_the_last),
    (COMMITTED, f"choices[{BY_BOT}].action", "play 7Z"),
    (COMMITTED, f"choices[{BY_BOT}].seat", lambda seat: 1 - seat),
    (COMMITTED, f"choices[{BY_BOT}].seat", 7),
    (COMMITTED, f"choices[{BY_BOT}].milliseconds", 10_000_000),
    (COMMITTED, f"choices[{FORCED}].seat", lambda seat: 1 - seat),
    (COMMITTED, f"choices[{FORCED}].action", "play 7Z"),
    (COMMITTED, f"choices[{FORCED}].milliseconds", 1),
    (FAULTED, f"choices[{AT_FAULT}].action", "play 7Z"),
    (FAULTED, f"choices[{AT_FAULT}].milliseconds", 1),
    (COMMITTED, "choices", without_the_last),
    (COMMITTED, "choices", []),
    (FAULTED, "faults[0].kind", "bad-luck"),
    (FAULTED, "faults[0].seat", 2),
    (FAULTED, "faults[1].seat", lambda seat: 1 - seat),
    (FAULTED, "faults[1].decision", 777),
    (FAULTED, "faults[1].decision", 0),
    (COMMITTED, "result.scores[0]", more),
    (COMMITTED, "result.scores[1]", more),
    (COMMITTED, "result.scores", with_the_last_twice),
    (COMMITTED, "result.ranks[1]", more),
    (COMMITTED, "result.ranks", without_the_last),
    (FAULTED, "result.ranks[0]", more),
    (COMMITTED, "result.reason", "limit"),
    (COMMITTED, "started_at", "2025-07-07 07:07:07"),
    (COMMITTED, "started_at", "2025-07-07T07:07:07.007+00:00"),
    (COMMITTED, "started_at", "2025-13-07T07:07:07.007Z"),
    (COMMITTED, "finished_at", "2025-07-07T07:07:07.006Z"),
]


@pytest.mark.parametrize(("record", "path", "change"), CHANGES, ids=[c[1] for c in CHANGES])
def test_what_was_changed_is_named(record: MatchRecord, path: str, change: object) -> None:
    verdict = verify(canonical(changed(record, path, change)))
    assert (verdict.ok, verdict.field) == (False, path)
    assert verdict.sentence


@pytest.mark.parametrize(
    ("record", "path", "change", "field", "sentence"),
    [
        (COMMITTED, "options", {}, "options.deals", "Missing: a record lists every option"),
        (COMMITTED, "options", {"deals": "2", "jokers": "1"}, "options.jokers", "no such option"),
        (
            COMMITTED,
            "rules_version",
            2,
            "rules_version",
            r"this arena has version 1\. Use the aren",
        ),
        (COMMITTED, "seats[0].nonce", "0707", "shuffles[0].cards", "secret and nonces"),
        (COMMITTED, "shuffles", with_the_last_twice, "shuffles[{}]", "had only"),
        (COMMITTED, "picks", [7], "picks[0]", "had only 0"),
        (COMMITTED, "choices", with_the_last_twice, "choices[96]", "over after 96 choices"),
        (FAULTED, "faults", with_the_last_twice, "faults[2].seat", "already has a fault"),
        (SEEDED, "deal_source.seed_text", "", "deal_source.commitment", "or a seed text"),
    ],
)
def test_what_was_changed_elsewhere_is_named_where_it_shows(
    record: MatchRecord, path: str, change: object, field: str, sentence: str
) -> None:
    verdict = verify_record(changed(record, path, change))
    assert (verdict.ok, verdict.field) == (False, field.format(len(record.shuffles)))
    assert re.search(sentence, verdict.sentence)


@pytest.mark.parametrize("digest", ["", "7" * 64, COMMITTED.digest.upper()])
def test_if_only_the_digest_differs_the_verdict_says_just_that(digest: str) -> None:
    record = read(canonical(COMMITTED))
    record.digest = digest
    verdict = verify_record(record)
    assert (verdict.ok, verdict.field) == (False, "digest")
    assert verdict.sentence.startswith("Only the digest differs")


@pytest.mark.parametrize("field", ["match_id", "job_id", "arena"])
def test_what_the_rules_do_not_decide_is_guarded_by_the_digest(field: str) -> None:
    record = read(canonical(COMMITTED))
    setattr(record, field, "another")
    assert verify_record(record).field == "digest"


def test_a_fault_cannot_happen_at_a_forced_move() -> None:
    *_, last = replay(COMMITTED)
    assert last.chosen_by is ChosenBy.FORCED
    fault = {"seat": last.seat, "kind": "timeout", "decision": last.number, "sentence": "Late."}
    assert verify_record(changed(COMMITTED, "faults", [fault])).field == "faults[0].decision"


def test_faults_are_in_the_order_in_which_they_happened() -> None:
    record = next(
        record
        for record in (played("seven-euchre", seed, faulty=(1, 0)).record for seed in range(99))
        if all(fault.decision for fault in record.faults)
    )
    verdict = verify_record(changed(record, "faults", lambda faults: faults[::-1]))
    assert re.fullmatch(r"faults\[[01]\]\.decision", verdict.field)


def test_with_recorded_cards_only_a_card_that_does_not_exist_is_found() -> None:
    record = changed(COMMITTED, "deal_source.secret", "")
    assert verify_record(changed(record, "shuffles[1].cards[7]", "7Z")).field == "shuffles[1].cards"
    assert verify_record(changed(record, "shuffles", without_the_last)).field == "shuffles"
    assert verify_record(changed(record, "shuffles[0].cards", [])).field == "shuffles[0].cards"


def test_a_text_that_is_no_record_is_not_true() -> None:
    assert verify("[]").sentence.startswith("This must be an object")
    assert not verify(b"\xff").ok


# Anything changed ---------------------------------------------------------------------------------

RECORDS = [COMMITTED, SEEDED, TEAMS, SEVENS, FAULTED]
Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path


VALUES = [json.loads(canonical(record)) for record in RECORDS]
LEAVES = [(values, path) for values in VALUES for path in leaves(values)]
REPLACEMENTS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["play 7S", "pass", "", "0" * 64, "true", "limit"]),
    st.integers(-2, 60),
    st.integers(),
    st.text(max_size=9),
    st.none() | st.booleans() | st.floats() | st.just([]) | st.just({}),
)


@settings(max_examples=by_extent(100, 300, 600), deadline=None)
@given(leaf=st.sampled_from(LEAVES), replacement=REPLACEMENTS)
def test_no_leaf_can_be_changed(leaf: tuple[Any, Path], replacement: Any) -> None:
    values, path = leaf
    forged = json.loads(json.dumps(values))
    place: Any = forged
    for step in path[:-1]:
        place = place[step]
    if type(place[path[-1]]) is type(replacement) and place[path[-1]] == replacement:
        return
    place[path[-1]] = replacement
    text = json.dumps(forged)
    verdict = verify(text)
    assert not verdict.ok
    assert verdict.field
    assert verdict.sentence
    f"{verdict.field}: {verdict.sentence}".encode()
    try:
        record = read(text)
    except BadRecord:
        return
    verify_record(seal(record).record)  # may verify, but must not raise


@settings(max_examples=by_extent(25, 75, 150), deadline=None)
@given(data=st.data())
def test_an_illegal_choice_is_named_wherever_it_is(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(RECORDS))
    place = data.draw(st.integers(0, len(record.choices) - 1))
    path = f"choices[{place}].action"
    assert verify_record(changed(record, path, "play nothing")).field == path


@settings(max_examples=by_extent(25, 50, 100), deadline=None)
@given(data=st.data())
def test_two_cards_exchanged_are_named_wherever_they_are(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(RECORDS))
    index = data.draw(st.integers(0, len(record.shuffles) - 1))
    path = f"shuffles[{index}].cards"
    cards = list(record.shuffles[index].cards)
    one, other = data.draw(
        st.lists(st.integers(0, len(cards) - 1), min_size=2, max_size=2, unique=True)
    )
    cards[one], cards[other] = cards[other], cards[one]
    assert verify_record(changed(record, path, cards)).field == path
