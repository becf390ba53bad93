"""The page's JavaScript finds real matches true, and names the check that a forged one fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from arena.records.record import canonical, read, seal
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load, slugs
from tests.support.javascript import Call, answers_of
from tests.support.played_matches import played, repeated

pytestmark = pytest.mark.needs("node")

COMMITTED = played("xeri").record
SEEDED = played("xeri", committed=False).record
TEAMS = played("seven-euchre").record
FAULTED = played("xeri", 3, faulty=(0, 1)).record
COIN = played("california-speed", 1).record
SEVENS = played("seven7s").record


def verdicts(texts: list[str]) -> list[Any]:
    return answers_of([Call("verify/verify.js", "verify", [text]) for text in texts])


def outcomes(verdict: Any) -> dict[str, bool | None]:
    return {check["name"]: check["passed"] for check in verdict["checks"]}


def sentence(verdict: Any, name: str) -> str:
    [found] = [check["sentence"] for check in verdict["checks"] if check["name"] == name]
    assert isinstance(found, str)
    return found


# True records -------------------------------------------------------------------------------------


def real_matches() -> Iterator[MatchRecord]:
    """Yields matches of every game, for every number of players, seeded and fair, with faults."""
    for slug in slugs():
        for players in load(slug).players:
            yield played(slug, players=players, match_number=2).record
        for faulty in [(0,), (1, 0)]:
            yield played(slug, faulty=faulty, committed=len(faulty) > 1).record


def test_a_match_that_repeats_another_is_found_true() -> None:
    [verdict] = verdicts([canonical(repeated(9))])
    assert verdict["passed"], verdict
    assert any(
        "The first 9 were taken over from match" in check["sentence"] for check in verdict["checks"]
    )


@pytest.mark.parametrize(("field", "value"), [("match", ""), ("digest", "7"), ("choices", 10_000)])
def test_a_wrong_origin_is_named(field: str, value: object) -> None:
    forged = repeated(9)
    setattr(forged.origin, field, value)
    [verdict] = verdicts([canonical(seal(forged).record)])
    assert not verdict["passed"]
    assert f"origin.{field}" in json.dumps(verdict)


@pytest.mark.slow
def test_real_matches_of_every_game_are_found_true() -> None:
    records = list(real_matches())
    for record, verdict in zip(records, verdicts(list(map(canonical, records))), strict=True):
        assert verdict["passed"], (record.game, verdict)
        found = outcomes(verdict)
        assert found.pop("rules") is None
        if record.deal_source.seed_text:
            assert found.pop("commitment") is None
        assert all(found.values()), (record.game, verdict)


def test_a_secret_not_revealed_leaves_the_deal_unchecked() -> None:
    [verdict] = verdicts([canonical(changed(COMMITTED, "deal_source.secret", ""))])
    found = outcomes(verdict)
    assert verdict["passed"]
    unchecked = {name for name, passed in found.items() if passed is None}
    assert unchecked == {"commitment", "seat seeds", "shuffles", "rules"}


def test_rules_that_are_not_known_are_not_judged() -> None:
    [verdict] = verdicts([canonical(changed(COMMITTED, "rules_version", 7))])
    assert verdict["passed"]
    assert {name for name, ok in outcomes(verdict).items() if ok is None} == {
        "shuffles",
        "ranks",
        "rules",
    }


def test_picks_by_arrival_are_only_checked_for_their_range() -> None:
    by_clock = changed(COIN, "options.contest", "clock")
    by_arrival = changed(by_clock, "picks", [1, 0, 1])
    beyond = changed(by_clock, "picks", [1, 0, 2])
    right, wrong = verdicts([canonical(by_arrival), canonical(beyond)])
    assert outcomes(right)["picks"] is None
    assert outcomes(right)["shuffles"]
    assert sentence(wrong, "picks") == "picks[2]: Must be from 0 to 1."


def test_spaces_and_order_do_not_matter() -> None:
    values = json.loads(canonical(COMMITTED))
    shuffled = json.dumps(dict(reversed(list(values.items()))), indent=2)
    [verdict] = verdicts([shuffled])
    assert verdict["passed"]


def test_names_in_any_script_have_the_digest_that_the_arena_computes() -> None:
    name = 'Zoë "7" \\ \t\b\f\r\n\x01\x7f\u2028 \U0001f0a1 </script> \ufeff'
    [verdict] = verdicts([canonical(changed(COMMITTED, "seats[0].bot", name))])
    assert verdict["passed"]


# One thing changed --------------------------------------------------------------------------------


def changed(record: MatchRecord, path: str, change: object) -> MatchRecord:
    """Returns the record with another value at the path, sealed again so that its digest matches.

    `change`: the value, or a function of the old one.
    """
    return seal(read(json.dumps(altered(record, path, change)))).record


def altered(record: MatchRecord, path: str, change: object) -> Any:
    values = json.loads(canonical(record))
    *way, last = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
    place = values
    for step in way:
        place = place[step]
    place[last] = change(place[last]) if callable(change) else change
    return values


def another_digit(digits: str) -> str:
    return digits[:-1] + ("1" if digits[-1] == "0" else "0")


def more(number: int) -> int:
    return number + 1


def swapped(cards: list[str]) -> list[str]:
    return [cards[1], cards[0], *cards[2:]]


def without_the_last(items: list[Any]) -> list[Any]:
    return items[:-1]


@dataclass(frozen=True)
class Forgery:
    """A record changed at one place and sealed again. `check`: the one that must find it out."""

    record: MatchRecord
    path: str
    change: object
    check: str
    words: str = ""


FORGERIES = [
    Forgery(COMMITTED, "format", 2, "format"),
    Forgery(COMMITTED, "match_id", "", "format"),
    Forgery(COMMITTED, "match_number", 0, "format"),
    Forgery(COMMITTED, "match_number", 2, "seat seeds"),
    Forgery(COMMITTED, "seats", without_the_last, "choices"),
    Forgery(COMMITTED, "seats", [], "seats"),
    Forgery(TEAMS, "seats[3].team", 0, "ranks"),
    Forgery(COMMITTED, "seats[1].team", 7, "seats"),
    Forgery(COMMITTED, "seats[1].version", "7", "seats"),
    Forgery(COMMITTED, "seats[0].entrant", 2, "seats"),
    Forgery(COMMITTED, "seats[1].seed", another_digit, "seat seeds", "seats[1].seed: By the sec"),
    Forgery(SEEDED, "seats[0].seed", another_digit, "seat seeds", "seats[0].seed: By the seed"),
    Forgery(SEEDED, "seats[0].nonce", "07", "nonces"),
    Forgery(COMMITTED, "seats[0].nonce", "0A", "nonces"),
    Forgery(COMMITTED, "seats[0].nonce", "07" * 33, "nonces"),
    Forgery(COMMITTED, "seats[0].nonce", "0707", "shuffles", "deal 1 does not begin with it."),
    Forgery(COMMITTED, "deal_source.commitment", another_digit, "commitment"),
    Forgery(COMMITTED, "deal_source.commitment", "", "commitment"),
    Forgery(COMMITTED, "deal_source.secret", another_digit, "commitment"),
    Forgery(SEEDED, "deal_source.seed_text", "seed 2/1", "shuffles"),
    Forgery(SEEDED, "deal_source.secret", "7" * 64, "commitment"),
    Forgery(
        COMMITTED, "shuffles[0].cards", swapped, "shuffles", "deal 1 does not begin with it: c"
    ),
    Forgery(
        SEEDED, "shuffles[1].cards", swapped, "shuffles", "deal 2 does not begin with it: card"
    ),
    Forgery(COMMITTED, "shuffles[0].cards", without_the_last, "shuffles", "must be"),
    Forgery(COMMITTED, "shuffles[0].cards[7]", "7Z", "shuffles", "not 7Z"),
    Forgery(COMMITTED, "shuffles", [], "shuffles"),
    Forgery(COMMITTED, "picks", [7], "picks", "picks[0]"),
    Forgery(SEVENS, "picks[0]", 49, "picks", "picks[0]: 49 does not follow from the secret and"),
    Forgery(COIN, "picks[1]", lambda pick: 1 - pick, "picks", "picks[1]"),
    Forgery(COMMITTED, "choices[7].seat", 2, "choices", "choices[7].seat: The seats are 0 to 1."),
    Forgery(COMMITTED, "choices[7].milliseconds", 10_000_000, "choices"),
    Forgery(FAULTED, f"choices[{len(FAULTED.choices) - 1}].milliseconds", 1, "faults"),
    Forgery(FAULTED, "faults[0].kind", "bad-luck", "faults"),
    Forgery(FAULTED, "faults[0].seat", 2, "faults"),
    Forgery(FAULTED, "faults[1].decision", 777, "faults"),
    Forgery(COMMITTED, "result.scores", [], "ranks"),
    Forgery(COMMITTED, "result.ranks[1]", more, "ranks"),
    Forgery(TEAMS, "result.ranks", lambda ranks: ranks[::-1], "ranks"),
    Forgery(TEAMS, "result.scores", lambda scores: scores[::-1], "ranks"),
    Forgery(COMMITTED, "result.ranks", without_the_last, "ranks"),
    Forgery(COMMITTED, "started_at", "2025-07-07 07:07:07", "times"),
    Forgery(COMMITTED, "started_at", "2025-02-30T07:07:07.007Z", "times"),
    Forgery(COMMITTED, "finished_at", "2025-07-07T07:07:07.006Z", "times"),
]


@cache
def verdicts_on_forgeries() -> list[Any]:
    return verdicts([canonical(changed(f.record, f.path, f.change)) for f in FORGERIES])


@pytest.mark.parametrize("index", range(len(FORGERIES)), ids=[f.path for f in FORGERIES])
def test_the_check_that_a_forgery_fails_is_named(index: int) -> None:
    forgery, verdict = FORGERIES[index], verdicts_on_forgeries()[index]
    assert not verdict["passed"]
    assert outcomes(verdict)[forgery.check] is False
    assert outcomes(verdict)["digest"], "it was sealed again"
    assert forgery.words in sentence(verdict, forgery.check)


def test_what_is_not_sealed_again_also_contradicts_the_digest() -> None:
    changes: list[tuple[str, object]] = [
        ("digest", another_digit),
        ("seats[0].bot", "somebody else"),
        ("choices[7].action", "play 7Z"),
        ("arena", "another arena"),
    ]
    for verdict in verdicts([json.dumps(altered(COMMITTED, *change)) for change in changes]):
        assert [name for name, passed in outcomes(verdict).items() if passed is False] == ["digest"]


@pytest.mark.slow
@pytest.mark.parametrize("slug", slugs())
def test_any_two_cards_swapped_in_any_shuffle_are_found(slug: str) -> None:
    record = played(slug, 5).record
    forgeries = [
        canonical(changed(record, f"shuffles[{index}].cards", swap))
        for index in range(min(len(record.shuffles), 7))
        for swap in (swapped, swapped_at_the_end)
        if len(set(record.shuffles[index].cards[:2]))
        == len(set(record.shuffles[index].cards[-2:]))
        == 2
    ]
    assert forgeries
    for verdict in verdicts(forgeries):
        assert outcomes(verdict)["shuffles"] is False


def swapped_at_the_end(cards: list[str]) -> list[str]:
    return [*cards[:-2], cards[-1], cards[-2]]


# Texts that are no records ------------------------------------------------------------------------


def spoilt(change: Callable[[str], str]) -> str:
    text = canonical(COMMITTED)
    spoilt = change(text)
    assert spoilt != text
    return spoilt


NO_RECORDS = {
    "": "Here must be an integer in plain digits, not the end.",
    "[": "Here must be an integer in plain digits, not the end.",
    "7": "This must be an object, not 7.",
    "[" * 1000: "The JSON is nested too deeply for a record.",
    spoilt(lambda text: text + "}"): "Here must be the end, not }.",
    spoilt(lambda text: text.replace('"attempt":1', '"attempt":1.0')): "attempt: Here must be an i",
    spoilt(
        lambda text: text.replace('"attempt":1', '"attempt":-0')
    ): "attempt: Here must be an int",
    spoilt(
        lambda text: text.replace('"attempt":1', '"attempt":null')
    ): "attempt: Here must be an i",
    spoilt(
        lambda text: text.replace('"attempt":1', '"attempt":"1"')
    ): "attempt: This must be an in",
    spoilt(
        lambda text: text.replace('"attempt":1', '"attempt":4294967296')
    ): "attempt: This must b",
    spoilt(lambda text: text.replace('"attempt":1,', "")): "attempt: The field is missing.",
    spoilt(lambda text: text.replace('"attempt"', '"attempts"')): "attempts: A record has no such",
    spoilt(
        lambda text: text.replace('"attempt":1', '"attempt":1,"attempt":1')
    ): "attempt: The name",
    spoilt(lambda text: text.replace("m-7", "\\ud800")): "match_id: This must be a text of Unicode",
    spoilt(lambda text: text.replace("m-7", "\n")): "match_id: Here must be a text in quotes",
    spoilt(lambda text: text.replace('"__proto__"', "").replace("{", '{"__proto__":7,', 1)): (
        "__proto__: A record has no such field."
    ),
}


def test_what_is_no_record_is_refused_with_the_place() -> None:
    found = verdicts(list(NO_RECORDS))
    for words, verdict in zip(NO_RECORDS.values(), found, strict=True):
        assert outcomes(verdict) == {"form": False}
        assert words in sentence(verdict, "form")
