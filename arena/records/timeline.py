"""The course of a recorded match, as its referee ran it.

The arena makes forced moves and the moves of seats at fault as soon as they are due, lowest seat
first. Then it asks every seat that owes a decision and has not been asked yet, and applies their
choices in order of arrival. A fault happens while its seat owes an answer; the arena then makes
that choice too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, NoReturn

from arena.protocol import FaultKind, move_at_fault
from arena.records.setup import wrong_chance
from arena.records.strict_json import SHOWN, BadRecord, cut
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Action, IllegalAction, Match, WrongDeals


class ChosenBy(StrEnum):
    """The origin of a choice: the bot; the arena, because there was only one; the arena, for a seat
    at fault; or the match that this one repeats."""

    BOT = "bot"
    FORCED = "forced"
    AT_FAULT = "at fault"
    TAKEN_OVER = "taken over"


class Owed(NamedTuple):
    """A decision. `number`: the seat's own count. `time_left_ms`: including the increment, if
    asked."""

    seat: int
    number: int
    time_left_ms: int
    legal: list[Action[Any]]


Waiting = tuple[int, list[Action[Any]]]
"""A seat and its legal actions."""


class Step(NamedTuple):
    """The next choice of the match.

    `match`: the state before the choice; it advances with the iteration, so clone it to keep it.
    `place`: the index among the record's choices.
    `seat` to `legal`: the decision, see `Owed`.
    `fault`: the fault at this decision, if any.
    """

    match: Match
    place: int
    seat: int
    number: int
    time_left_ms: int
    legal: list[Action[Any]]
    chosen_by: ChosenBy
    action: Action[Any]
    milliseconds: int = 0
    fault: pb.Fault | None = None

    @property
    def asked(self) -> bool:
        """True if the seat was sent the decision."""
        return self.chosen_by is ChosenBy.BOT or self.fault is not None


def moments(record: pb.MatchRecord, match: Match) -> Iterator[Owed | Step]:
    """Yields, in order, every decision when it is sent and every choice before it is made.

    The match is over when the iteration ends, unless the record has no result: then the match is in
    play, and its record may end anywhere. Raises BadRecord, naming the first field that contradicts
    the rules.
    """
    course = _Course(record, match)
    for place, choice in enumerate(record.choices):
        step = course.taken_over(place, choice)
        if step is None:
            waiting = course.waiting()
            step = course.own_move(place, waiting)
        if step is None:
            for seat, legal in waiting:
                yield course.ask(seat, legal)
            step = course.answer(place, choice)
        _check_choice(choice, step)
        yield step
        course.make(step)
    if record.HasField("result"):
        course.check_end()


class _Course:
    """By seat: the decisions made, the bank, the open decision, the fault.

    `ahead`: the faults that have not happened yet, in order.
    """

    def __init__(self, record: pb.MatchRecord, match: Match) -> None:
        self.record = record
        self.match = match
        self.decided = [0] * match.players
        self.banks = [record.clock.bank_ms] * match.players
        self.increment_ms = record.clock.increment_ms
        self.asked: dict[int, Owed] = {}
        self.faults = _faults_by_seat(record)
        self.ahead = [fault for fault in self.faults.values() if fault.decision > 0]

    def waiting(self) -> list[Waiting]:
        """Returns the seats that owe a decision and have not been asked."""
        match, asked = self.match, self.asked
        return [(seat, match.legal_actions(seat)) for seat in match.to_act if seat not in asked]

    def taken_over(self, place: int, choice: pb.Choice) -> Step | None:
        """Returns the next choice if it is taken over from the match that this one repeats, or
        None."""
        if place >= self.record.origin.choices:
            return None
        if choice.seat not in self.match.to_act:
            self._refuse_seat(place, choice.seat)
        owed = self._owed(choice.seat, self.match.legal_actions(choice.seat))
        action = _legal_action(place, choice, owed)
        return Step(self.match, place, *owed, ChosenBy.TAKEN_OVER, action)

    def own_move(self, place: int, waiting: Sequence[Waiting]) -> Step | None:
        """Returns the next move that the arena makes without asking, or None."""
        for seat, legal in waiting:
            fault = self.faults.get(seat)
            if fault is not None and fault.decision <= self.decided[seat]:
                chosen_by, action = ChosenBy.AT_FAULT, move_at_fault(legal)
            elif len(legal) == 1 and not self.match.ask_forced:
                chosen_by, action = ChosenBy.FORCED, legal[0]
            else:
                continue
            return Step(self.match, place, *self._owed(seat, legal), chosen_by, action)
        return None

    def ask(self, seat: int, legal: list[Action[Any]]) -> Owed:
        """Asks a seat."""
        self.banks[seat] += self.increment_ms
        owed = self.asked[seat] = self._owed(seat, legal)
        return owed

    def answer(self, place: int, choice: pb.Choice) -> Step:
        """Returns the step after a decision was sent: the bot's choice, or a fault."""
        owed = self.asked.get(choice.seat)
        if owed is None:
            self._refuse_seat(place, choice.seat)
        fault = self.faults.get(owed.seat)
        if fault is not None and fault.decision == owed.number:
            if self.ahead.pop(0) is not fault:
                raise _misplaced(self.record, fault)
            action = move_at_fault(owed.legal)
            return Step(self.match, place, *owed, ChosenBy.AT_FAULT, action, fault=fault)
        action = _legal_action(place, choice, owed)
        return Step(self.match, place, *owed, ChosenBy.BOT, action, choice.milliseconds)

    def make(self, step: Step) -> None:
        """Makes the choice and charges its time."""
        self.decided[step.seat] = step.number
        self.banks[step.seat] -= step.milliseconds
        self.asked.pop(step.seat, None)
        try:
            self.match.apply(step.seat, step.action)
        except WrongDeals as wrong:
            raise wrong_chance(self.record, wrong) from None
        except IllegalAction as illegal:
            raise BadRecord(f"choices[{step.place}].action", str(illegal)) from None

    def check_end(self) -> None:
        """Checks that the match is over and that every fault has happened."""
        if self.match.to_act:
            raise BadRecord("choices", f"They end too early: {self._who_owes()}.")
        for fault in self.ahead:
            raise _misplaced(self.record, fault)

    def _owed(self, seat: int, legal: list[Action[Any]]) -> Owed:
        return Owed(seat, self.decided[seat] + 1, self.banks[seat], legal)

    def _refuse_seat(self, place: int, seat: int) -> NoReturn:
        if not self.match.to_act:
            raise BadRecord(f"choices[{place}]", f"The match was over after {place} choices.")
        raise BadRecord(f"choices[{place}].seat", f"Not seat {seat}: {self._who_owes()}.")

    def _who_owes(self) -> str:
        seats = ", ".join(map(str, self.match.to_act))
        return f"the next decision is owed by seat {seats}"


def _faults_by_seat(record: pb.MatchRecord) -> dict[int, pb.Fault]:
    """Returns at most one fault per seat, those before the first decision first."""
    faults: dict[int, pb.Fault] = {}
    for index, fault in enumerate(record.faults):
        field = f"faults[{index}]"
        if fault.seat >= len(record.seats):
            raise BadRecord(f"{field}.seat", f"The seats are 0 to {len(record.seats) - 1}.")
        if fault.seat in faults:
            raise BadRecord(f"{field}.seat", f"Seat {fault.seat} already has a fault.")
        if fault.kind not in list(FaultKind):
            kinds = ", ".join(FaultKind)
            raise BadRecord(f"{field}.kind", f"{cut(fault.kind, SHOWN)!r} is not one of {kinds}.")
        if fault.decision == 0 and any(earlier.decision for earlier in faults.values()):
            raise _misplaced(record, fault)
        faults[fault.seat] = fault
    return faults


def _misplaced(record: pb.MatchRecord, fault: pb.Fault) -> BadRecord:
    index = next(i for i, other in enumerate(record.faults) if other.seat == fault.seat)
    return BadRecord(
        f"faults[{index}].decision",
        f"Seat {fault.seat} cannot have had a fault at its decision {fault.decision}, or not in "
        "this order: a fault happens while the arena waits for the seat's answer.",
    )


def _legal_action(place: int, choice: pb.Choice, owed: Owed) -> Action[Any]:
    legal: Sequence[Action[Any]] = owed.legal
    try:
        return legal[legal.index(choice.action)]
    except ValueError:
        raise BadRecord(
            f"choices[{place}].action",
            f"Seat {owed.seat} may not choose {cut(choice.action, SHOWN)!r}. "
            f"Legal: {'; '.join(owed.legal)}.",
        ) from None


def _check_choice(choice: pb.Choice, step: Step) -> None:
    """Checks that the record agrees with the step."""
    if choice.seat != step.seat or choice.action != step.action:
        part = "seat" if choice.seat != step.seat else "action"
        raise BadRecord(
            f"choices[{step.place}].{part}",
            f"The arena itself chose {step.action!s} for seat {step.seat} here ({step.chosen_by}), "
            f"not seat {choice.seat} {cut(choice.action, SHOWN)!r}.",
        )
    milliseconds = choice.milliseconds
    if milliseconds and step.chosen_by is not ChosenBy.BOT:
        raise _wrong_time(step, "The arena chose here, which costs no time.")
    if milliseconds > step.time_left_ms:
        sentence = f"Seat {step.seat} had only {step.time_left_ms} ms left: more is the fault"
        raise _wrong_time(step, f"{sentence} `timeout`.")


def _wrong_time(step: Step, sentence: str) -> BadRecord:
    return BadRecord(f"choices[{step.place}].milliseconds", sentence)
