"""Phases: who decides, what they may do, and what happens then.

A game is a table of phases. Each has a `rule`, the sentence that a seat is told whose choice was
not legal. `then` returns the name of the next phase, or None when the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from arena.games.engine.actions import Action

S = TypeVar("S")
Legal: TypeAlias = Sequence[Action[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Generic[S]):
    """One seat decides.

    `ask_forced`: the host asks even when there is only one legal action, because the speed of an
    answer would tell what is secret.
    """

    rule: str
    who: Callable[[S], int]
    may: Callable[[S, int], Legal]
    then: Callable[[S, int, Action[Any]], str | None]
    ask_forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Simultaneous(Generic[S]):
    """Several seats decide, none knowing the others' choices; `then` gets all choices by seat.

    `who` gives the seats in ascending order.
    """

    rule: str
    who: Callable[[S], Iterable[int]]
    may: Callable[[S, int], Legal]
    then: Callable[[S, dict[int, Action[Any]]], str | None]
    ask_forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Race(Generic[S]):
    """Seats that do not interact decide each at its own pace; every choice takes effect at once.

    `who` gives the seats that have not finished, in ascending order.
    """

    rule: str
    who: Callable[[S], Iterable[int]]
    may: Callable[[S, int], Legal]
    then: Callable[[S, int, Action[Any]], str | None]
    ask_forced: bool = False


Phase: TypeAlias = Turn[S] | Simultaneous[S] | Race[S]
