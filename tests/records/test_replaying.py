"""A replay plays a record's match again and yields the messages of every seat."""

import pytest

from arena.records.replay import ChosenBy, frames_of, replay
from sevens_games import slugs
from tests.support.played_matches import played


@pytest.mark.parametrize("slug", slugs())
def test_what_a_seat_was_sent_follows_from_the_record(slug: str) -> None:
    for faulty, committed in (((), True), ((), False), ((0,), False), ((1, 0), True)):
        match = played(slug, faulty=faulty, committed=committed)
        for seat, sent in enumerate(match.frames):
            again = frames_of(match.record, seat)
            assert again == sent
            for one, other in zip(again.decisions, sent.decisions, strict=True):
                assert one.SerializeToString() == other.SerializeToString()


@pytest.mark.parametrize("slug", slugs())
def test_steps_are_the_choices_of_the_record(slug: str) -> None:
    record = played(slug, faulty=(1,)).record
    steps = [
        (step.place, step.seat, str(step.action), step.milliseconds) for step in replay(record)
    ]
    assert steps == [
        (place, choice.seat, choice.action, choice.milliseconds)
        for place, choice in enumerate(record.choices)
    ]


@pytest.mark.parametrize("slug", slugs())
def test_a_step_shows_the_match_before_the_choice(slug: str) -> None:
    for step in replay(played(slug).record):
        assert step.seat in step.match.to_act
        assert step.legal == step.match.legal_actions(step.seat)
        assert step.action in step.legal


@pytest.mark.parametrize("slug", slugs())
def test_a_seat_counts_its_own_decisions(slug: str) -> None:
    record = played(slug, faulty=(0,)).record
    for seat in range(len(record.seats)):
        numbers = [step.number for step in replay(record) if step.seat == seat]
        assert numbers == list(range(1, len(numbers) + 1))


def test_from_its_fault_on_the_arena_chooses() -> None:
    for seed in range(8):
        record = played("insidious-sevens", seed, faulty=(2,)).record
        [fault] = record.faults
        steps = [step for step in replay(record) if step.seat == 2]
        for step in steps:
            at_fault = step.number >= fault.decision
            assert (step.chosen_by is ChosenBy.AT_FAULT) == at_fault
            assert step.asked == (step.number == fault.decision or step.chosen_by is ChosenBy.BOT)
            assert (step.fault == fault) == (step.number == fault.decision)


def test_forced_moves_are_not_asked_and_cost_nothing() -> None:
    forced = [
        step
        for step in replay(played("insidious-sevens").record)
        if step.chosen_by is ChosenBy.FORCED
    ]
    assert len(forced) >= 28  # the last card of every hand
    assert all(len(step.legal) == 1 and not step.asked for step in forced)


def test_the_clock_adds_the_increment_before_each_asked_decision() -> None:
    record = played("xeri").record
    left = [record.clock.bank_ms] * 2
    for step in replay(record):
        if step.asked:
            left[step.seat] += record.clock.increment_ms
        assert step.time_left_ms == left[step.seat]
        left[step.seat] -= step.milliseconds


def test_a_smaller_frame_leaves_out_events() -> None:
    record = played("xeri").record
    whole, short = (frames_of(record, 0, limit).decisions for limit in (1024 * 1024, 60))
    assert any(decision.events_left_out for decision in short)
    for one, other in zip(whole, short, strict=True):
        assert len(one.events) == len(other.events) + other.events_left_out
        assert one.observation == other.observation
