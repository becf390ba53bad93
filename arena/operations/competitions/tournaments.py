"""Tournaments: created, entered and left, started and ended, listed, and single ones."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import tournament as league
from arena.league import void_jobs
from arena.operations.caller import CONTESTANTS, ORGANISERS, Caller
from arena.operations.competitions.versions_to_enter import (
    VersionsToEnter,
    VersionToEnter,
    version_to_enter,
)
from arena.operations.operation import Changing, Number, Reading, Reason, Text, changes, reads
from arena.operations.requested_terms import (
    BANK_MS,
    INCREMENT_MS,
    NO_OPTIONS,
    Options,
    clock_of,
    moment_of,
    options_of,
)
from arena.store import schema
from arena.store.queries import bot_named, tournament_named
from arena.store.schema import (
    CompetitionState,
    Format,
    Partners,
    TournamentEntrant,
    Version,
    now,
)
from arena.tournament import TournamentTerms
from arena.views.matches.void import VoidMatches
from arena.views.tournaments.tournament import EnteredVersion, Tournament
from arena.views.tournaments.tournament_list import (
    ListedTournament,
    Tournaments,
    all_tournaments,
    listed,
)
from sevens_games import load

USUAL_TERMS = TournamentTerms()


@changes("POST", "/tournaments", ORGANISERS)
def create_tournament(
    call: Changing,
    name: Text,
    game: Text,
    terms: TournamentTerms = USUAL_TERMS,
    options: Options = NO_OPTIONS,
    seats: Number = 0,
    deals: Format = Format.DUPLICATE,
    partners: Partners = Partners.SAME,
    common_deals: bool = True,
    bank_ms: Number = BANK_MS,
    increment_ms: Number = INCREMENT_MS,
    starts_at: Text = "",
    check_in_minutes: Number = 0,
    entrants: VersionsToEnter = (),
) -> Tournament:
    """Create a tournament and enter versions, the best first, or do neither. Seats 0: as the game
    suggests; `per_table` follows from seats and partners. With `starts_at`, a time with its zone
    (RFC 3339), it starts by itself; if `check_in_minutes` is not 0, without the entrants whose
    owners have not checked in so long before."""
    rules = load(game)
    with call.store.writing() as session:
        row = league.create_tournament(
            session,
            name,
            rules.slug,
            terms=terms,
            seats=seats or None,
            options=options_of(rules, options),
            clock=clock_of(bank_ms, increment_ms),
            format=deals,
            partners=partners,
            common_deals=common_deals,
        )
        league.schedule(row, moment_of("starts_at", starts_at), check_in_minutes, now())
        for one in entrants:
            _enter(session, call.caller, row, one)
        return league.tournament_document(session, row)


@changes("POST", "/tournaments/{tournament}/entrants", CONTESTANTS)
def enter_tournament(
    call: Changing, tournament: Text, bot: Text, number: Number = 0
) -> EnteredVersion:
    """Enter a version of a bot of yours, the latest if the number is 0. Entering it again changes
    nothing."""
    with call.store.writing() as session:
        row = tournament_named(session, tournament)
        entrant = _enter(session, call.caller, row, VersionToEnter(bot=bot, number=number))
        return league.entered_version(session, entrant)


@changes("POST", "/tournaments/{tournament}/entrants/{bot}/withdrawal", CONTESTANTS)
def leave_tournament(call: Changing, tournament: Text, bot: Text) -> EnteredVersion:
    """Withdraw a bot of yours: it forfeits what it has not finished."""
    with call.store.writing() as session:
        row = tournament_named(session, tournament)
        owner = bot_named(session, bot).owner
        call.caller.check_may_change(f"The bot {bot}", owner)
        version = _version_in(session, row, bot)
        who = "Its owner" if call.caller.owner == owner else "The organiser"
        entrant = league.leave_tournament(session, row, version, f"{who} withdrew it.")
        return league.entered_version(session, entrant)


@changes("POST", "/tournaments/{tournament}/entrants/{bot}/check-in", CONTESTANTS)
def check_in(call: Changing, tournament: Text, bot: Text) -> EnteredVersion:
    """Confirm that a bot of yours plays, before a tournament with a check-in starts."""
    with call.store.writing() as session:
        row = tournament_named(session, tournament)
        call.caller.check_may_change(f"The bot {bot}", bot_named(session, bot).owner)
        entrant = league.check_in(session, row, _version_in(session, row, bot), now())
        return league.entered_version(session, entrant)


@changes("PUT", "/tournaments/{tournament}/state", ORGANISERS)
def change_tournament(
    call: Changing, tournament: Text, state: CompetitionState
) -> ListedTournament:
    """Start, resume, pause or cancel a tournament."""
    with call.store.writing() as session:
        row = tournament_named(session, tournament)
        league.change_state(session, row, state)
        [changed] = listed(session, [row], call.folder.running())
        return changed


@changes("PUT", "/tournaments/{tournament}/beacon", ORGANISERS)
def draw_tournament(call: Changing, tournament: Text, value: Text) -> ListedTournament:
    """Give a tournament the value of its beacon, and let it be played. A start must have closed its
    field before the value could be known."""
    with call.store.writing() as session:
        row = tournament_named(session, tournament)
        league.draw(session, row, value)
        [changed] = listed(session, [row], call.folder.running())
        return changed


@changes("POST", "/tournaments/{tournament}/replay", ORGANISERS)
def replay_table(
    call: Changing, tournament: Text, table: Number, reason: Reason, group: Number = 0
) -> VoidMatches:
    """Have a table of the last round play again, with the same deals: a group, or all that it has
    played if that is 0. Its matches are void, and the chain says so with the reason."""
    with call.store.writing() as session:
        row = tournament_named(session, tournament)
        jobs = league.played_jobs(session, row, table, group)
        return VoidMatches(matches=dict(void_jobs(session, jobs, reason)))


@reads("/tournaments")
def list_tournaments(asked: Reading) -> Tournaments:
    """All tournaments, by name."""
    return all_tournaments(asked.session, asked.folder.running())


@reads("/tournaments/{tournament}")
def read_tournament(asked: Reading, tournament: Text) -> Tournament:
    """A tournament with everything that is public: terms, entrants, rounds with their results,
    standings and, once it has ended, its secret. With the records of its matches it is the file
    that `arena tournament verify` reads."""
    return league.tournament_document(asked.session, tournament_named(asked.session, tournament))


def _enter(
    session: Session, caller: Caller, tournament: schema.Tournament, wanted: VersionToEnter
) -> TournamentEntrant:
    """Enters a version of the caller's. Raises ArenaError."""
    where = f"the tournament {tournament.name}"
    version = version_to_enter(session, caller, wanted, tournament.game, where)
    return league.enter_tournament(session, tournament, version)


def _version_in(session: Session, tournament: schema.Tournament, bot: str) -> Version:
    """Returns the version of a bot that is in the tournament. Raises ArenaError."""
    version = session.scalars(
        sa.select(Version)
        .join(TournamentEntrant, TournamentEntrant.version == Version.digest)
        .where(TournamentEntrant.tournament == tournament.name, Version.bot == bot)
        .order_by(TournamentEntrant.withdrawn_round.is_not(None), Version.number.desc())
        .limit(1)
    ).first()
    if version is None:
        raise ArenaError(
            Kind.NOT_FOUND, f"{bot} is not in the tournament {tournament.name}.", "bot"
        )
    return version
