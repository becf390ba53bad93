"""Phases: the seats that decide, their legal actions, and the effect of their choices.

A game is a table of phases. Each has a `rule`: the sentence in the error for an illegal choice.
`then` returns the name of the next phase, or None when the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from sevens_games.engine.actions import Action

S = TypeVar("S")
Seats = TypeVar("Seats")
Then = TypeVar("Then")
Legal: TypeAlias = Sequence[Action[Any]]


class _Phase(Generic[S, Seats, Then]):
    """The declaration that all phases share.

    `ask_forced`: the host asks even if there is only one legal action, because the speed of an
        answer would reveal a secret.
    """

    # Not a @dataclass: mypyc cannot compile a generic one (tools/compile.py).
    def __init__(
        self,
        *,
        rule: str,
        who: Callable[[S], Seats],
        may: Callable[[S, int], Legal],
        then: Then,
        ask_forced: bool = False,
    ) -> None:
        self.rule = rule
        self.who = who
        self.may = may
        self.then = then
        self.ask_forced = ask_forced


class Turn(_Phase[S, int, Callable[[S, int, Action[Any]], str | None]]):
    """One seat decides."""


class Simultaneous(_Phase[S, Iterable[int], Callable[[S, dict[int, Action[Any]]], str | None]]):
    """Several seats decide without knowing each other's choices; `then` gets all choices by seat.

    `who` gives the seats in ascending order.
    """


class Race(_Phase[S, Iterable[int], Callable[[S, int, Action[Any]], str | None]]):
    """Seats that do not interact decide at their own pace; every choice takes effect at once.

    `who` gives the seats that have not finished, in ascending order.
    """


Phase: TypeAlias = Turn[S] | Simultaneous[S] | Race[S]
