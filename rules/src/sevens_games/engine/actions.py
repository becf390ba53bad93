"""Actions: the choices of a seat, each named by its canonical text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class Action(str, Generic[V]):
    """One choice: a string (its canonical text) that also carries its meaning for the rules.

    `value` is the meaning in terms of the rules: a card, a bid, a set of cards.
    `public` is the text shown to seats that may not know the details (`pass 2` for `pass 2R 5Y`);
    None if they are shown nothing.

    Actions are created once and stored in tables, so that a decision only has to look them up.
    """

    __slots__ = ("public", "value")

    value: V
    public: str | None

    def __new__(cls, text: str, value: Any = None, *, public: str | None = "") -> Action[Any]:
        action = super().__new__(cls, text)
        action.value = value
        action.public = text if public == "" else public
        return action


class Interned(dict[V, Action[V]]):
    """A table of very many actions (subsets of a hand, say), each created on first use."""

    def __init__(self, make: Callable[[V], Action[V]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, value: V) -> Action[V]:
        action = self[value] = self._make(value)
        return action
