"""Creating ladders, and entering and withdrawing versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.games import load, text_of
from arena.games.engine import GameOf, OptionValue
from arena.league.ladder.pairing import most_at_a_table
from arena.league.ladder.suspensions import LAST_MATCHES
from arena.match import Seating, list_seatings
from arena.queue import Clock
from arena.ratings import Rater, Skill, estimate_draw_probability
from arena.store import (
    FAULT_QUOTA,
    Bot,
    Entry,
    EntryState,
    Format,
    Job,
    Ladder,
    LadderState,
    Match,
    Partners,
    Rating,
    RatingChange,
    Store,
    Version,
    VersionState,
    contestants,
    remote_names,
)

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
MOST_SEATINGS = 24
"""The most matches in a duplicate group, which one worker plays in one go."""


class WrongLadder(ValueError):
    """A ladder cannot be created like this. Its text says why; `field` names the wrong setting."""

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.field = field


def create_ladder(
    store: Store,
    name: str,
    game: str,
    *,
    seats: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    clock: Clock | None = None,
    format: Format = Format.SINGLE,
    partners: Partners = Partners.ANY,
    draw_probability: float | None = None,
    fault_quota: int = FAULT_QUOTA,
) -> Ladder:
    """Creates a ladder; the game and the arena supply defaults.

    Raises WrongLadder and UnknownGame.
    """
    if not NAME.fullmatch(name):
        raise WrongLadder(
            "A ladder's name consists of at most 63 lower-case letters, digits and hyphens;"
            f" {name!r} does not.",
            "name",
        )
    rules = load(game)
    time = clock or Clock.model_validate({})
    chosen_seats = _checked_seats(rules, seats)
    ladder = Ladder(
        name=name,
        game=game,
        rules_version=rules.rules_version,
        options=_all_options(rules, chosen_seats, options or {}),
        bank_ms=time.bank_ms,
        increment_ms=time.increment_ms,
        seats=chosen_seats,
        format=format,
        partners=partners,
        fault_quota=fault_quota,
    )
    if not 0 <= fault_quota <= LAST_MATCHES:
        raise WrongLadder(
            f"A fault quota counts a version's last {LAST_MATCHES} matches: it is 0 to"
            f" {LAST_MATCHES}, not {fault_quota}.",
            "fault_quota",
        )
    if format == Format.DUPLICATE and len(ladder_seatings(ladder)) == 1:
        raise WrongLadder(
            f"With {chosen_seats} seats the teams of {rules.title} differ in size, so they cannot "
            "change places: a duplicate ladder needs other seats, or partners that change.",
            "format",
        )
    ladder.draw_probability = _checked_draw_probability(ladder, draw_probability)
    with store.writing() as session:
        if session.get(Ladder, name) is not None:
            raise WrongLadder(f"There is a ladder {name!r} already.", "name")
        session.add(ladder)
    return ladder


def enter(session: Session, ladder: Ladder, version: str) -> None:
    """Puts a version on a ladder, or back on it. The caller must have checked that it plays the
    game."""
    entry = session.get(Entry, (ladder.name, version))
    if entry is not None:
        entry.state = EntryState.ACTIVE
        return
    fresh = Skill()
    session.add(Entry(ladder=ladder.name, version=version))
    session.add(Rating(ladder=ladder.name, version=version, mu=fresh.mu, sigma=fresh.sigma))


def withdraw(session: Session, ladder: Ladder, version: str) -> None:
    """Takes a version off a ladder: it is no longer paired, and its rating stays."""
    entry = session.get(Entry, (ladder.name, version))
    if entry is not None:
        entry.state = EntryState.WITHDRAWN


def set_state(session: Session, name: str, state: LadderState) -> None:
    """Pauses or resumes a ladder. Raises NotFound."""
    session.execute(sa.update(Ladder).where(Ladder.name == name).values(state=state))


def delete_ladder(session: Session, ladder: Ladder) -> None:
    """Deletes a ladder and its entries.

    Raises WrongLadder if it has matches: ratings follow from them, and no match is ever thrown
    away.
    """
    if session.scalar(sa.select(Match.id).where(Match.ladder == ladder.name).limit(1)):
        raise WrongLadder(f"Matches were played on the ladder {ladder.name}, so it stays.", "name")
    for table in (RatingChange, Rating, Entry, Job):
        session.execute(sa.delete(table).where(table.ladder == ladder.name))
    session.delete(ladder)


def obstacle(session: Session, ladder: Ladder) -> str | None:
    """Returns a sentence saying why the ladder creates no jobs at present, or None if it does."""
    if ladder.state == LadderState.PAUSED:
        return f"The ladder {ladder.name} is paused."
    game = load(ladder.game)
    if game.rules_version != ladder.rules_version:
        return (
            f"The ladder {ladder.name} is for version {ladder.rules_version} of the rules of "
            f"{game.title}, and this arena plays version {game.rules_version}: ratings never mix "
            "versions, so create a new ladder."
        )
    entered = playing_versions(session, ladder)
    needed = len(set(players_by_seat(ladder)))
    if len(entered) < needed:
        have = "1 bot" if len(entered) == 1 else f"{len(entered)} bots"
        return f"The ladder {ladder.name} has {have} that can play, and needs {needed}."
    at_a_table = most_at_a_table(contestant_of(session, entered).values())
    if at_a_table < needed:
        return (
            f"A match on the ladder {ladder.name} needs {needed} bots, and never has two of one"
            f" contestant, so only {at_a_table} of those that are entered can meet: it waits for"
            " other contestants, or for bots that the organiser enters."
        )
    return None


def playing_versions(session: Session, ladder: Ladder) -> list[Version]:
    """Returns the versions that may be paired."""
    return list(
        session.scalars(
            sa.select(Version)
            .join(Entry, Entry.version == Version.digest)
            .where(
                Entry.ladder == ladder.name,
                Entry.state == EntryState.ACTIVE,
                Version.state == VersionState.ACTIVE,
            )
            .order_by(Version.digest)
        )
    )


def contestant_of(session: Session, versions: Iterable[Version]) -> dict[str, str | None]:
    """Returns the owner of each version; None for the organiser's own, which the arena runs itself.

    A remote bot always has an owner: a program elsewhere sees what all its bots see.
    """
    owners = dict(session.execute(sa.select(Bot.name, Bot.owner)).all())
    strangers, remote = contestants(session), remote_names(session)

    def contestant(bot: str) -> str | None:
        return owners[bot] if owners[bot] in strangers or bot in remote else None

    return {version.digest: contestant(version.bot) for version in versions}


def players_by_seat(ladder: Ladder) -> tuple[int, ...]:
    """Returns the number of the player at each seat; a team is one player where partners are the
    same."""
    if ladder.partners == Partners.SAME:
        return load(ladder.game).teams(ladder.seats)
    return tuple(range(ladder.seats))


def ladder_seatings(ladder: Ladder) -> tuple[Seating, ...]:
    """Returns the seatings of each of the ladder's jobs."""
    players = players_by_seat(ladder)
    if ladder.format == Format.SINGLE:
        return (tuple(range(ladder.seats)),)
    return list_seatings(load(ladder.game).teams(ladder.seats), players, MOST_SEATINGS)


def _all_options(rules: GameOf, seats: int, given: Mapping[str, OptionValue]) -> dict[str, str]:
    try:
        rules.start(players=seats, options=given)  # what is allowed may depend on the seats
    except ValueError as error:
        raise WrongLadder(str(error), "options") from None
    values = {name: option.default for name, option in rules.options.items()} | dict(given)
    return {name: text_of(value) for name, value in values.items()}


def _checked_seats(rules: GameOf, seats: int | None) -> int:
    chosen = rules.ladder_players if seats is None else seats
    fit = [count for count in rules.players if len(set(rules.teams(count))) >= 2]
    if chosen not in fit:
        allowed = ", ".join(map(str, fit))
        raise WrongLadder(f"A ladder in {rules.title} has {allowed} seats, not {chosen}.", "seats")
    return chosen


def _checked_draw_probability(ladder: Ladder, given: float | None) -> float:
    if given is None:
        rules = load(ladder.game)
        options = {name: rules.options[name].parse(text) for name, text in ladder.options.items()}
        return estimate_draw_probability(
            rules, options, players_by_seat(ladder), ladder_seatings(ladder)
        )
    try:
        Rater(given)
    except ValueError as error:
        raise WrongLadder(str(error), "draw_probability") from None
    return given
