"""Creating ladders, and entering and withdrawing versions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league.competitions import (
    check_new,
    checked_terms,
    contestant_of,
    most_at_a_table,
    outdated,
    players_by_seat,
    seatings_of,
)
from arena.league.ladder.suspensions import LAST_MATCHES
from arena.league.seasons import close_ladder, off_season
from arena.queue import Clock
from arena.ratings import Rater, Skill, estimate_draw_probability
from arena.store.schema import (
    FAULT_QUOTA,
    CompetitionState,
    Entry,
    EntryState,
    Format,
    Job,
    Ladder,
    LadderMeeting,
    LadderSeat,
    Match,
    Partners,
    Rating,
    RatingChange,
    Version,
    VersionState,
)
from arena.store.session import Store
from sevens_games import load
from sevens_games.engine import OptionValue


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
    newest_only: bool = True,
    live_delay_s: int | None = None,
    versions: Sequence[str] = (),
) -> Ladder:
    """Creates a ladder and enters versions, given by digest; the game and the arena supply
    defaults.

    Raises ArenaError and UnknownGame.
    """
    terms = checked_terms(
        "ladder",
        name,
        game,
        seats=seats,
        options=options,
        clock=clock,
        format=format,
        partners=partners,
    )
    if not 0 <= fault_quota <= LAST_MATCHES:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"A fault quota counts a version's last {LAST_MATCHES} matches: it is 0 to"
            f" {LAST_MATCHES}, not {fault_quota}.",
            "fault_quota",
        )
    ladder = Ladder(
        **terms,
        state=CompetitionState.RUNNING,
        fault_quota=fault_quota,
        newest_only=newest_only,
        live_delay_s=live_delay_s,
    )
    ladder.draw_probability = _checked_draw_probability(ladder, draw_probability)
    with store.writing() as session:
        check_new(session, name)
        session.add(ladder)
        for version in versions:
            enter(session, ladder, version)
    return ladder


def next_season(session: Session, ladder: Ladder, name: str) -> Ladder:
    """Ends a ladder, and creates one on the same terms that the versions which still play have
    entered; all ratings begin again. Raises ArenaError."""
    later = session.scalar(sa.select(Ladder.name).where(Ladder.follows == ladder.name))
    if later is not None:
        raise ArenaError(
            Kind.NOT_NOW,
            f"The next season of {ladder.name} is {later} already.",
            "ladder",
        )
    check_new(session, name)
    rules = load(ladder.game)
    terms = checked_terms(
        "ladder",
        name,
        ladder.game,
        seats=ladder.seats,
        options={
            option: rules.options[option].parse(text)
            for option, text in ladder.options.items()
            if option in rules.options
        },
        clock=Clock(bank_ms=ladder.bank_ms, increment_ms=ladder.increment_ms),
        format=ladder.format,
        partners=ladder.partners,
    )
    season = Ladder(
        **terms,
        state=CompetitionState.RUNNING,
        draw_probability=ladder.draw_probability,
        fault_quota=ladder.fault_quota,
        newest_only=ladder.newest_only,
        live_delay_s=ladder.live_delay_s,
        follows=ladder.name,
    )
    session.add(season)
    session.flush()
    for version in playing_versions(session, ladder):
        enter(session, season, version.digest)
    close_ladder(session, ladder)
    return season


def enter(session: Session, ladder: Ladder, version: str) -> None:
    """Puts a version on a ladder, or back on it; if only the newest play there, its bot's others
    leave. The caller must have checked that it plays the game."""
    if ladder.newest_only:
        bot = sa.select(Version.bot).where(Version.digest == version).scalar_subquery()
        others = sa.select(Version.digest).where(Version.bot == bot, Version.digest != version)
        session.execute(
            sa.update(Entry)
            .where(
                Entry.ladder == ladder.name,
                Entry.state == EntryState.ACTIVE,
                Entry.version.in_(others),
            )
            .values(state=EntryState.WITHDRAWN)
        )
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


def delete_ladder(session: Session, ladder: Ladder) -> None:
    """Deletes a ladder and its entries.

    Raises ArenaError if it has matches: ratings follow from them, and no match is ever thrown
    away.
    """
    if session.scalar(sa.select(Match.id).where(Match.competition == ladder.name).limit(1)):
        raise ArenaError(
            Kind.NOT_NOW,
            f"Matches were played on the ladder {ladder.name}, so it stays. Pause it"
            f" instead: arena ladder pause {ladder.name}",
            "ladder",
        )
    for column in (
        LadderMeeting.ladder,
        LadderSeat.ladder,
        RatingChange.ladder,
        Rating.ladder,
        Entry.ladder,
        Job.competition,
    ):
        session.execute(sa.delete(column.class_).where(column == ladder.name))
    session.delete(ladder)


def halted(ladder: Ladder) -> str | None:
    """Returns a sentence saying why the ladder creates no jobs for any entrants, or None."""
    if ladder.state == CompetitionState.PAUSED:
        return f"The ladder {ladder.name} is paused."
    return off_season(ladder) or outdated(ladder)


def obstacle(session: Session, ladder: Ladder) -> str | None:
    """Returns a sentence saying why the ladder creates no jobs at present, or None if it does."""
    return obstacles(session, [ladder])[ladder.name]


def obstacles(session: Session, ladders: Sequence[Ladder]) -> dict[str, str | None]:
    """Returns the same for several ladders, by name."""
    columns = (Entry.ladder, Version.digest, Version.bot)
    entered = session.execute(may_be_paired([one.name for one in ladders], *columns)).all()
    owners = contestant_of(session, {row.digest: row.bot for row in entered})
    on_each: defaultdict[str, list[str | None]] = defaultdict(list)
    for row in entered:
        on_each[row.ladder].append(owners[row.digest])
    return {one.name: halted(one) or _too_few(one, on_each[one.name]) for one in ladders}


def _too_few(ladder: Ladder, owners: Sequence[str | None]) -> str | None:
    """Returns a sentence if too few versions can meet, or None. `owners`: those of the versions
    that may be paired, as `contestant_of` returns them."""
    needed = len(set(players_by_seat(ladder)))
    if len(owners) < needed:
        have = "1 bot" if len(owners) == 1 else f"{len(owners)} bots"
        return f"The ladder {ladder.name} has {have} that can play, and needs {needed}."
    at_a_table = most_at_a_table(owners)
    if at_a_table < needed:
        return (
            f"A match on the ladder {ladder.name} needs {needed} bots, and never has two of one"
            f" contestant, so only {at_a_table} of those that are entered can meet: it waits for"
            " other contestants, or for bots that the organiser enters."
        )
    return None


def playing_versions(session: Session, ladder: Ladder) -> list[Version]:
    """Returns the versions that may be paired."""
    return list(session.scalars(may_be_paired([ladder.name], Version)))


def may_be_paired(ladders: Collection[str], *columns: Any) -> sa.Select[*tuple[Any, ...]]:
    """Returns a query for columns of the versions that may be paired on these ladders, in the order
    of their digests."""
    return (
        sa.select(*columns)
        .select_from(Version)
        .join(Entry, Entry.version == Version.digest)
        .where(
            Entry.ladder.in_(ladders),
            Entry.state == EntryState.ACTIVE,
            Version.state == VersionState.ACTIVE,
        )
        .order_by(Version.digest)
    )


def _checked_draw_probability(ladder: Ladder, given: float | None) -> float:
    if given is None:
        rules = load(ladder.game)
        options = {name: rules.options[name].parse(text) for name, text in ladder.options.items()}
        return estimate_draw_probability(
            rules, options, players_by_seat(ladder), seatings_of(ladder)
        )
    try:
        Rater(given)
    except ValueError as error:
        raise ArenaError(Kind.WRONG_INPUT, str(error), "draw_probability") from None
    return given
