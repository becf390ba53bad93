"""A record of a match that repeats another: what stands of it was asked of nobody."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.records.record import canonical, read
from arena.records.replay import frames_of, replay
from arena.records.timeline import ChosenBy
from arena.records.verification import verify, verify_record
from sevens.record.v1 import match_record_pb2 as pb
from tests.support.played_matches import played, repeated

STANDS = 9
Change = Callable[[pb.MatchRecord], None]


def test_what_stands_is_not_asked_again() -> None:
    record = repeated(STANDS)
    assert verify_record(record).ok
    steps = list(replay(record))
    assert {step.chosen_by for step in steps[:STANDS]} == {ChosenBy.TAKEN_OVER}
    assert all(step.chosen_by is not ChosenBy.TAKEN_OVER for step in steps[STANDS:])
    assert not any(step.asked for step in steps[:STANDS])
    for seat in (0, 1):
        decisions = frames_of(record, seat).decisions
        whole = frames_of(repeated(0), seat).decisions
        first = decisions[0]
        before = sum(step.seat == seat for step in steps[:STANDS])
        assert first.number > before
        assert [decision.number for decision in decisions] == [
            decision.number for decision in whole if decision.number > before
        ]
        # It learns everything at once, and its time begins with the first question.
        assert len(first.events) > len(whole[1].events)
        assert first.time_left_ms == record.clock.bank_ms + record.clock.increment_ms


def test_a_record_without_an_origin_does_not_write_one() -> None:
    text = canonical(played("xeri", deals=1).record)
    assert "origin" not in text
    assert not read(text).HasField("origin")
    assert '"origin":{"choices":9,"digest":"777' in canonical(repeated(STANDS))
    assert read(canonical(repeated(STANDS))) == repeated(STANDS)


def named(name: str) -> Change:
    return lambda record: setattr(record.origin, "match", name)


def digested(digest: str) -> Change:
    return lambda record: setattr(record.origin, "digest", digest)


def standing(choices: int) -> Change:
    return lambda record: setattr(record.origin, "choices", choices)


def timed(record: pb.MatchRecord) -> None:
    record.choices[3].milliseconds = 7


def replaced(record: pb.MatchRecord) -> None:
    record.choices[3].action = "play XX"


def misplaced(record: pb.MatchRecord) -> None:
    record.choices[3].seat = 1 - record.choices[3].seat


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (named(""), "origin.match"),
        (digested("7"), "origin.digest"),
        (standing(1000), "origin.choices"),
        (timed, "choices[3].milliseconds"),
        (replaced, "choices[3].action"),
        (misplaced, "choices[3].seat"),
    ],
)
def test_what_is_wrong_is_named(change: Change, field: str) -> None:
    record = repeated(STANDS)
    change(record)
    verdict = verify_record(record)
    assert (verdict.ok, verdict.field) == (False, field)


def test_a_half_written_origin_is_refused() -> None:
    text = canonical(repeated(STANDS)).replace('"choices":9,"digest":"777', '"digest":"777')
    verdict = verify(text)
    assert (verdict.ok, verdict.field) == (False, "origin.choices")
