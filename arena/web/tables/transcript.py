"""The messages that a seat has received of its match; the page is drawn from these alone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from arena.clock import monotonic
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Event
from sevens_sdk import Match, MatchEnd

MOST_EVENTS = 5_000
"""No match has as many; of one that did, the first are forgotten."""
CHANGES_WITHIN_S = 60.0


@dataclass
class Transcript:
    """The transcript of a match, as far as its seat knows it.

    `match`: None until it begins.
    `decision`: the latest that the seat was asked for, `asked_at` seconds of `arena.clock`.
    `previous`: the one before it.
    `answers`: by the decision's number, the index of the action chosen.
    `events`: all of them; the first `known` were known before the latest decision.
    `end`: None until the match is over.
    `trouble`: the reason why nothing more will arrive, a sentence; usually empty.
    `sequence`: grows with every change.
    """

    match: Match | None = None
    decision: Decision | None = None
    previous: Decision | None = None
    asked_at: float = 0.0
    answers: dict[int, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    known: int = 0
    end: MatchEnd | None = None
    trouble: str = ""
    sequence: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def owed(self) -> Decision | None:
        """The decision that the seat owes, if it owes one and has time left."""
        if self.over or self.decision is None or self.decision.number in self.answers:
            return None
        return self.decision if self.left_ms > 0 else None

    @property
    def left_ms(self) -> int:
        """The time left for the latest decision, in milliseconds; negative when it is up."""
        if self.decision is None:
            return 0
        return int(self.decision.time_left_ms - 1000 * (monotonic() - self.asked_at))

    @property
    def over(self) -> bool:
        """True once nothing more will arrive."""
        return self.end is not None or bool(self.trouble)

    @property
    def chosen(self) -> str:
        """The action that the seat chose last; empty if its latest decision is open."""
        decision = self.decision
        if decision is None or decision.number not in self.answers:
            return ""
        return decision.legal_actions[self.answers[decision.number]]

    def begin(self, match: Match) -> None:
        """The match begins, or resumes after the stream was lost."""
        if not match.resumed and self.match is not None:  # another attempt, with other cards
            self.decision, self.previous, self.known, self.answers = None, None, 0, {}
            self.events.clear()
        self.match = match
        self.change()

    async def choice(self, decision: Decision) -> int:
        """Asks for a decision; returns the index of the action once the person has chosen it."""
        self.ask(decision)
        while decision.number not in self.answers:
            await self._changed.wait()
        return self.answers[decision.number]

    def ask(self, decision: Decision) -> None:
        """The seat owes a decision. Asking again for the same one changes nothing."""
        if self.decision is not None and self.decision.number == decision.number:
            return
        self.known = len(self.events)
        self.events += decision.events
        del self.events[:-MOST_EVENTS]
        self.previous, self.decision, self.asked_at = self.decision, decision, monotonic()
        self.change()

    def answer(self, number: int, index: int) -> None:
        """The seat has chosen."""
        self.answers[number] = index
        self.change()

    def finish(self, end: MatchEnd) -> None:
        """The match is over."""
        self.end = end
        self.change()

    def break_off(self, trouble: str) -> None:
        """Ends the match for the seat. `trouble`: the reason, a sentence."""
        self.trouble = trouble
        self.change()

    def change(self) -> None:
        """Wakes all who wait for a change."""
        self.sequence += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed_after(self, sequence: int, within_s: float = CHANGES_WITHIN_S) -> bool:
        """Waits for a change after the one of that number. Returns False if there was none
        in time."""
        if self.sequence != sequence:
            return True
        try:
            async with asyncio.timeout(within_s):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True
