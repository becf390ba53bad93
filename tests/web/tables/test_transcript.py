"""What a seat knows of its match, as its messages arrive."""

from __future__ import annotations

import pytest

from arena.web.tables import transcript as module
from arena.web.tables.table_view import State, state_of
from arena.web.tables.transcript import Transcript
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.match_pb2 import MatchStart
from sevens.bot.v1.observation_pb2 import Event
from sevens_sdk import Match, MatchEnd


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds, as its last entry."""
    times = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: times[-1])
    return times


def match(*, resumed: bool = False) -> Match:
    return Match.of(MatchStart(match_id="m", resumed=resumed))


def decision(number: int, events: int = 1) -> Decision:
    return Decision(
        number=number,
        time_left_ms=5000,
        legal_actions=["play 2C", "play AD"],
        events=[Event(verb=f"event-{number}-{i}") for i in range(events)],
    )


def test_a_decision_is_owed_until_it_is_answered_or_too_late(now: list[float]) -> None:
    transcript = Transcript()
    assert state_of(transcript) is State.BEGINS
    transcript.begin(match())
    transcript.ask(decision(1))
    assert state_of(transcript) is State.CHOOSE
    now.append(4.0)
    assert transcript.left_ms == 1000
    transcript.answer(1, 1)
    assert (state_of(transcript), transcript.chosen) == (State.OTHERS, "play AD")
    transcript.ask(decision(2))
    assert (state_of(transcript), transcript.chosen) == (State.CHOOSE, "")
    now.append(9.5)
    assert (state_of(transcript), transcript.owed) == (State.LATE, None)
    transcript.finish(MatchEnd(scores=(1, 2), ranks=(2, 1), reason="played-out", faults=()))
    assert state_of(transcript) is State.OVER


def test_a_question_that_is_repeated_keeps_its_clock_and_its_events(now: list[float]) -> None:
    transcript = Transcript()
    transcript.begin(match())
    transcript.ask(decision(1, events=2))
    now.append(3.0)
    transcript.begin(match(resumed=True))
    transcript.ask(decision(1, events=2))
    assert (transcript.left_ms, len(transcript.events)) == (2000, 2)
    transcript.answer(1, 0)
    transcript.ask(decision(2, events=3))
    assert (transcript.known, len(transcript.events)) == (2, 5)


def test_another_attempt_begins_with_other_cards(now: list[float]) -> None:
    transcript = Transcript()
    transcript.begin(match())
    transcript.ask(decision(1))
    transcript.answer(1, 0)
    transcript.begin(match())
    assert (transcript.decision, transcript.events, transcript.answers) == (None, [], {})
    assert state_of(transcript) is State.BEGINS


async def test_who_waits_is_told_of_every_change() -> None:
    transcript = Transcript()
    assert not await transcript.changed_after(transcript.sequence, 0.01)
    sequence = transcript.sequence
    transcript.begin(match())
    assert await transcript.changed_after(sequence, 0.01)
