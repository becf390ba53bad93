"""The base classes of bots. An author writes a class with one method."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from functools import cached_property
from random import Random
from typing import SupportsIndex, TypeAlias

from sevens_sdk.decision import Decision
from sevens_sdk.match import Match, MatchEnd
from sevens_sdk.randomness import Randomness

# A legal action's text or its index, which may be any integer, including NumPy's.
Choice: TypeAlias = str | SupportsIndex


class Bot(ABC):
    """Plays one match at one seat. Every match gets its own object.

    Any method may be `async def` instead; then the bot thinks about several matches concurrently.
    """

    # These are set before `on_start` is called, but not yet in `__init__`.
    match: Match
    _randomness: Randomness

    @cached_property
    def random(self) -> Random:
        """Reseeded before each decision, with the seat's seed and the decision's number."""
        return self._randomness.random

    @abstractmethod
    def choose(self, decision: Decision) -> Choice | Awaitable[Choice]:
        """Returns one of `decision.legal`, or its index."""

    def on_start(self) -> Awaitable[None] | None:
        """Called before the match begins. Its clock does not run until this returns."""
        return None

    def on_end(self, end: MatchEnd) -> Awaitable[None] | None:
        """Called when the match is over."""
        return None


class BatchBot(ABC):
    """Plays all matches of the process with one object, which decides in all waiting matches at
    once.

    `decision.match` and `decision.random` correspond to `Bot.match` and `Bot.random`.
    """

    @abstractmethod
    def choose_all(
        self, decisions: Sequence[Decision]
    ) -> Sequence[Choice] | Awaitable[Sequence[Choice]]:
        """Returns one choice for each decision, in their order. The decisions belong to different
        matches, and there is at least one."""

    def on_start(self, match: Match) -> Awaitable[None] | None:
        """Called before a match begins. Its clock does not run until this returns."""
        return None

    def on_end(self, match: Match, end: MatchEnd) -> Awaitable[None] | None:
        """Called when a match is over."""
        return None
