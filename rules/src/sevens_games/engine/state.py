"""The base of every game's state: seats, chance, log, and copying."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from typing import Any, TypeAlias, TypeVar

from sevens_games.engine.actions import Action
from sevens_games.engine.deals import Deals
from sevens_games.engine.observation import Event


class Told:
    """An event other than a choice, as the rules announce it.

    `to`: the seats that learn `arguments`; None: all.
    `others`: the arguments that the other seats learn; None: they learn nothing at all.
    """

    __slots__ = ("arguments", "others", "to", "verb")

    def __init__(
        self,
        verb: str,
        arguments: tuple[str | int, ...],
        to: Collection[int] | None = None,
        others: tuple[str | int, ...] | None = None,
    ) -> None:
        self.verb = verb
        self.arguments = arguments
        self.to = to
        self.others = others


# The past, newest first: (the past before it, the actor, the choice or event). A chain of immutable
# links, so that clones share it and nobody ever copies it.
Log: TypeAlias = tuple[Any, int | None, Action[Any] | Told] | None

S = TypeVar("S", bound="State")

CHOICES_KEPT = 4_096  # events of choices; each is shown to every seat, and most recur


@dataclass(slots=True, kw_only=True)
class State:
    """The base of each game's state.

    Every field except `deals` holds an immutable value: rules assign new values and never change
    one in place, so a copy of the fields is a copy of the match. `copy_state` copies `deals`.
    """

    players: int
    options: Any
    deals: Deals
    log: Log = field(default=None, repr=False, compare=False)  # too deep for recursion
    phase: str | None = None

    def tell(self, verb: str, actor: int | None = None, *arguments: str | int) -> None:
        """Announces an event to every seat."""
        self.log = (self.log, actor, Told(verb, arguments))

    def tell_only(
        self,
        seats: Collection[int],
        verb: str,
        actor: int | None = None,
        *arguments: str | int,
        others: tuple[str | int, ...] | None = None,
    ) -> None:
        """Announces the details to some seats; the other seats learn `others`, or nothing if it
        is None."""
        self.log = (self.log, actor, Told(verb, arguments, seats, others))


def copy_state(state: S) -> S:
    """An independent copy."""
    cls: Any = type(state)
    twin: S = copier(cls)(state)
    twin.deals = state.deals.copy()
    return twin


@cache
def copier(cls: Any) -> Callable[[Any], Any]:
    """A function that copies all fields of a `cls`, generated once per class: a loop of
    `setattr` takes three times as long."""
    lines = ["def copy(state):", "    twin = new(cls)"]
    lines += [f"    twin.{field.name} = state.{field.name}" for field in fields(cls)]
    lines += ["    return twin"]
    namespace: dict[str, Any] = {"cls": cls, "new": cls.__new__}
    exec("\n".join(lines), namespace)
    copy: Callable[[Any], Any] = namespace["copy"]
    return copy


def events_between(earlier: Log, log: Log, viewer: int | None) -> list[Event]:
    """The events that a viewer learnt after `earlier`, oldest first; None: the spectator's."""
    events = []
    while log is not earlier and log is not None:
        log, actor, what = log
        event = (
            _told(actor, what, viewer) if isinstance(what, Told) else _chosen(actor, what, viewer)
        )
        if event is not None:
            events.append(event)
    return events[::-1]


def _told(actor: int | None, what: Told, viewer: int | None) -> Event | None:
    if viewer is None or what.to is None or viewer in what.to:
        return Event(what.verb, actor, what.arguments)
    return None if what.others is None else Event(what.verb, actor, what.others)


def _chosen(actor: int | None, action: Action[Any], viewer: int | None) -> Event | None:
    text = action if viewer is None or viewer == actor else action.public
    return None if text is None else _choice(actor, text)


@lru_cache(CHOICES_KEPT)
def _choice(actor: int | None, text: str) -> Event:
    verb, *arguments = text.split(" ")
    return Event(verb, actor, tuple(arguments))
