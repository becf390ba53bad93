"""The terms that all competitions have, and the seating of a job."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypedDict

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.match import Seating, list_seatings
from arena.queue import Clock
from arena.store.remote_bots import remote_names
from arena.store.schema import Bot, Competition, Format, Partners
from arena.store.tokens import contestants
from sevens_games import load, text_of
from sevens_games.engine import GameOf, OptionValue

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
MOST_SEATINGS = 24
"""The most matches in a duplicate group, which one worker plays in one go."""


class CompetitionTerms(TypedDict):
    """The columns of a competition's row that every kind has."""

    name: str
    game: str
    rules_version: int
    options: dict[str, str]
    bank_ms: int
    increment_ms: int
    seats: int
    format: Format
    partners: Partners


def checked_terms(
    kind: str,
    name: str,
    game: str,
    *,
    seats: int | None,
    options: Mapping[str, OptionValue] | None,
    clock: Clock | None,
    format: Format,
    partners: Partners,
) -> CompetitionTerms:
    """Returns the terms of a new competition; the game and the arena supply defaults.

    `kind`: "ladder", say, for messages. Raises ArenaError and UnknownGame.
    """
    if not NAME.fullmatch(name):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"A {kind}'s name consists of at most 63 lower-case letters, digits and hyphens;"
            f" {name!r} does not.",
            "name",
        )
    rules = load(game)
    time = clock or Clock.model_validate({})
    chosen_seats = _checked_seats(kind, rules, seats)
    terms = CompetitionTerms(
        name=name,
        game=game,
        rules_version=rules.rules_version,
        options=_all_options(rules, chosen_seats, options or {}),
        bank_ms=time.bank_ms,
        increment_ms=time.increment_ms,
        seats=chosen_seats,
        format=format,
        partners=partners,
    )
    if format == Format.DUPLICATE and len(seatings_of(Competition(**terms))) == 1:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"With {chosen_seats} seats the teams of {rules.title} differ in size, so they cannot "
            f"change places: a duplicate {kind} needs other seats, or partners that change.",
            "format",
        )
    return terms


def check_new(session: Session, name: str) -> None:
    """Raises ArenaError if there is a competition of that name."""
    other = session.get(Competition, name)
    if other is not None:
        raise ArenaError(Kind.TAKEN, f"There is a {other.kind} {name!r} already.", "name")


def outdated(competition: Competition) -> str | None:
    """Returns a sentence if the competition is for other rules than this arena plays."""
    game = load(competition.game)
    if game.rules_version == competition.rules_version:
        return None
    kind = competition.kind
    return (
        f"The {kind} {competition.name} is for version {competition.rules_version} of the rules of "
        f"{game.title}, and this arena plays version {game.rules_version}: results never mix "
        f"versions, so create a new {kind}."
    )


def players_by_seat(competition: Competition) -> tuple[int, ...]:
    """Returns the number of the player at each seat; a team is one player where partners are the
    same."""
    if competition.partners == Partners.SAME:
        return load(competition.game).teams(competition.seats)
    return tuple(range(competition.seats))


def seatings_of(competition: Competition) -> tuple[Seating, ...]:
    """Returns the seatings of each of the competition's jobs."""
    players = players_by_seat(competition)
    if competition.format == Format.SINGLE:
        return (tuple(range(competition.seats)),)
    teams = load(competition.game).teams(competition.seats)
    return list_seatings(teams, players, MOST_SEATINGS)


def contestant_of(session: Session, bots: Mapping[str, str]) -> dict[str, str | None]:
    """Returns the owner of each version; None for the organiser's own, which the arena runs itself.
    `bots`: by version.

    A remote bot always has an owner: a program elsewhere sees what all its bots see.
    """
    owners = dict(session.execute(sa.select(Bot.name, Bot.owner)).all())
    strangers, remote = contestants(session), remote_names(session)

    def contestant(bot: str) -> str | None:
        return owners[bot] if owners[bot] in strangers or bot in remote else None

    return {version: contestant(bot) for version, bot in bots.items()}


def _all_options(rules: GameOf, seats: int, given: Mapping[str, OptionValue]) -> dict[str, str]:
    try:
        rules.start(players=seats, options=given)  # what is allowed may depend on the seats
    except ValueError as error:
        raise ArenaError(Kind.WRONG_INPUT, str(error), "options") from None
    values = {name: option.default for name, option in rules.options.items()} | dict(given)
    return {name: text_of(value) for name, value in values.items()}


def _checked_seats(kind: str, rules: GameOf, seats: int | None) -> int:
    chosen = rules.ladder_players if seats is None else seats
    fit = [count for count in rules.players if len(set(rules.teams(count))) >= 2]
    if chosen not in fit:
        allowed = ", ".join(map(str, fit))
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"A {kind} in {rules.title} has {allowed} seats, not {chosen}.",
            "seats",
        )
    return chosen


def most_at_a_table(owners: Iterable[str | None]) -> int:
    """Returns how many bots of these owners can meet in one match."""
    counted = Counter(owners)
    return counted.pop(None, 0) + len(counted)
