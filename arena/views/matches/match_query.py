"""A match filter as the query of an address, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from arena.errors import ArenaError, Kind
from arena.nearest import did_you_mean
from arena.protocol import FaultKind
from arena.views.matches.match_filter import MatchFilter, Order, Result

Word = TypeVar("Word", bound=str)
LONGEST = 200  # characters of a value
GREATEST = 10**9
ANY_FAULT, YES = "any", "yes"
OF_A_BOT = ("against", "result", "seat")
KINDS = ("ladder", "tournament", "comparison")


def to_query(wanted: MatchFilter) -> list[tuple[str, str]]:
    """Returns the parameters of an address that ask for these matches, always in one order; `()`
    for all matches. `from_query` gives the filter back."""
    pairs: dict[str, object] = {
        wanted.kind or "competition": wanted.competition,
        "game": wanted.game,
        "bot": _versioned(wanted.bot, wanted.number),
        "against": _versioned(wanted.against, wanted.against_number),
        "result": wanted.result,
        "fault": wanted.fault or (ANY_FAULT if wanted.faulted else ""),
        "seat": "" if wanted.seat is None else str(wanted.seat),
        "seats": wanted.seats or "",
        "since": _moment_text(wanted.since),
        "until": _moment_text(wanted.until),
        "slowest": wanted.slowest_ms or "",
        "void": YES if wanted.void else "",
        "order": "" if wanted.order is Order.LATEST else wanted.order,
    }
    return [(name, str(value)) for name, value in pairs.items() if value]


def from_query(pairs: Iterable[tuple[str, str]]) -> MatchFilter:
    """Returns the filter that the parameters of an address ask for; empty ones do not matter.

    `bot` and `against` are names, or NAME@NUMBER for one version. `fault` is a kind of fault, or
    `any`. `since` and `until` are days, which they include, or moments: 2026-07-07,
    2026-07-07T07:07Z. `slowest` is in milliseconds. Raises ArenaError.
    """
    found: dict[str, Any] = {}
    for name, text in pairs:
        condition = CONDITIONS.get(name)
        if condition is None:
            known = ", ".join(CONDITIONS)
            question = did_you_mean(name[:LONGEST], list(CONDITIONS))
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"Matches cannot be chosen by {name[:LONGEST]!r}. {question or f'Use {known}.'}",
                name[:LONGEST],
            )
        text = text.strip()
        if not text:
            continue
        if name in found:
            raise ArenaError(
                Kind.WRONG_INPUT, f"Give {name} once: {text[:LONGEST]!r} is one too many.", name
            )
        if len(text) > LONGEST:
            raise ArenaError(Kind.WRONG_INPUT, f"{name} has at most {LONGEST} characters.", name)
        found[name] = condition.read(name, text)
    return _filter(found)


def _filter(found: dict[str, Any]) -> MatchFilter:
    bot, number = found.get("bot", ("", 0))
    against, against_number = found.get("against", ("", 0))
    fault = found.get("fault", "")
    for name in OF_A_BOT:
        if name in found and not bot:
            raise ArenaError(
                Kind.WRONG_INPUT, f"{name} is about a bot: name it as well, with bot.", name
            )
    named = [name for name in ("competition", *KINDS) if name in found]
    if len(named) > 1:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "Matches are of a ladder, a tournament or a comparison: name one.",
            named[1],
        )
    kind = "".join(named)
    order = found.get("order", Order.LATEST)
    if order is not Order.LATEST and not bot:
        raise ArenaError(
            Kind.WRONG_INPUT, f"The {order} matches are those of a bot: name it with bot.", "order"
        )
    since, until = found.get("since"), found.get("until")
    if since and until and since >= until:
        raise ArenaError(Kind.WRONG_INPUT, "until must be later than since.", "until")
    return MatchFilter(
        competition=found.get(kind, ""),
        kind=kind if kind in KINDS else "",
        game=found.get("game", ""),
        bot=bot,
        number=number,
        against=against,
        against_number=against_number,
        result=found.get("result"),
        faulted=bool(fault),
        fault="" if fault == ANY_FAULT else fault,
        seat=found.get("seat"),
        seats=found.get("seats", 0),
        since=since,
        until=until,
        slowest_ms=found.get("slowest", 0),
        void="void" in found,
        order=order,
    )


def _versioned(bot: str, number: int) -> str:
    return f"{bot}@{number}" if number else bot


def _moment_text(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _name(name: str, text: str) -> str:
    return text


def _bot(name: str, text: str) -> tuple[str, int]:
    bot, at, number = text.rpartition("@")
    if not at:
        return text, 0
    if not bot:
        raise ArenaError(
            Kind.WRONG_INPUT, f"{name} is a bot, or BOT@NUMBER for one version: not {text!r}.", name
        )
    return bot, _whole(name, number, least=1)


def _whole(name: str, text: str, least: int = 0) -> int:
    if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= GREATEST:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{name} takes a whole number from {least} to {GREATEST:,}, not {text!r}.",
            name,
        )
    return int(text)


def _seats(name: str, text: str) -> int:
    return _whole(name, text, least=1)


def _word(words: Iterable[Word]) -> Callable[[str, str], Word]:
    known = {str(word): word for word in words}

    def read(name: str, text: str) -> Word:
        if text not in known:
            raise ArenaError(
                Kind.WRONG_INPUT, f"{name} is one of {', '.join(known)}, not {text!r}.", name
            )
        return known[text]

    return read


def since_of(name: str, text: str) -> datetime:
    """Returns the moment of a text, or the beginning of its day. Raises ArenaError, which names
    this field."""
    return _moment(name, text)[0]


def until_of(name: str, text: str) -> datetime:
    """Returns the moment of a text, or the end of its day. Raises ArenaError, which names this
    field."""
    moment, is_day = _moment(name, text)
    return moment + timedelta(days=1) if is_day else moment


def _moment(name: str, text: str) -> tuple[datetime, bool]:
    """Returns a moment, and whether it was given as a day."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        # The first and the last year leave room for a day more, and for other zones.
        if not 1 < moment.year < 9999:
            raise ValueError("out of range")
    except ValueError:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{name} is a day or a moment, like 2026-07-07 or 2026-07-07T07:07Z, not {text!r}.",
            name,
        ) from None
    return moment.astimezone(UTC), "T" not in text and ":" not in text


class Condition(NamedTuple):
    """A parameter of an address: what reads it, and a description."""

    read: Callable[[str, str], Any]
    description: str


CONDITIONS: Mapping[str, Condition] = {
    "competition": Condition(_name, "A ladder, tournament or comparison."),
    **{kind: Condition(_name, f"A {kind}.") for kind in KINDS},
    "game": Condition(_name, "The slug of a game."),
    "bot": Condition(_bot, "A bot, or BOT@NUMBER for one version."),
    "against": Condition(_bot, "An opponent of `bot`, written alike."),
    "result": Condition(_word(Result), "Of `bot`: won or lost."),
    "fault": Condition(_word((ANY_FAULT, *FaultKind)), "A kind of fault, or `any`."),
    "seat": Condition(_whole, "The seat of `bot`, from 0."),
    "seats": Condition(_seats, "The number of seats."),
    "since": Condition(since_of, "A day or a moment, such as 2026-07-07."),
    "until": Condition(until_of, "The same; a day includes its end."),
    "slowest": Condition(_whole, "A decision took at least so many milliseconds."),
    "void": Condition(_word((YES,)), "`yes`: only void matches, which are left out otherwise."),
    "order": Condition(_word(Order), "latest; or worst or best, of `bot`."),
}
"""The conditions that an address may name."""
