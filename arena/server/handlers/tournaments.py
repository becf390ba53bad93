"""Tournaments: create, enter, start, read."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.games import load
from arena.server.handlers.call import Call
from arena.server.handlers.paging import page_size
from arena.server.handlers.terms import clock_of, options_of
from arena.server.messages import FORMATS, PARTNERS, TOURNAMENT_STATES, tournament_message
from arena.store.queries import bot_named, tournament_named, tournaments
from arena.store.schema import (
    Format,
    Partners,
    Tournament,
    TournamentEntrant,
    Version,
    VersionState,
)
from arena.tournament import TournamentTerms
from sevens.league.v1.tournament_pb2 import (
    ChangeTournamentRequest,
    ChangeTournamentResponse,
    CreateTournamentRequest,
    CreateTournamentResponse,
    EnterTournamentRequest,
    EnterTournamentResponse,
    LeaveTournamentRequest,
    LeaveTournamentResponse,
    ListTournamentsRequest,
    ListTournamentsResponse,
    ReadTournamentRequest,
    ReadTournamentResponse,
)


def create_tournament(call: Call, request: CreateTournamentRequest) -> CreateTournamentResponse:
    """Creates a tournament and enters versions, or does neither. Raises ArenaError."""
    game = load(request.game)
    usual = TournamentTerms()
    terms = TournamentTerms(
        format=request.format or usual.format,
        rounds=request.rounds or usual.rounds,
        groups=request.groups or usual.groups,
        tie_breaks=tuple(request.tie_breaks) or usual.tie_breaks,
        pairing=request.pairing or usual.pairing,
    )
    with call.store.writing() as session:
        tournament = call.league.tournaments.create(
            session,
            request.name,
            game.slug,
            terms=terms,
            seats=request.seats or None,
            options=options_of(game, request.options),
            clock=clock_of(request),
            format=_known(FORMATS, request.deals, Format.DUPLICATE),
            partners=_known(PARTNERS, request.partners, Partners.SAME),
            common_deals=not request.own_deals,
        )
        entered = [
            _entered(call, session, tournament, one.bot, one.number) for one in request.versions
        ]
        return CreateTournamentResponse(
            tournament=_message(call, session, tournament), entered=entered
        )


def enter_tournament(call: Call, request: EnterTournamentRequest) -> EnterTournamentResponse:
    """Enters a version of the caller's. Raises ArenaError."""
    with call.store.writing() as session:
        tournament = _named(session, request.tournament)
        return _entered(call, session, tournament, request.bot, request.number)


def leave_tournament(call: Call, request: LeaveTournamentRequest) -> LeaveTournamentResponse:
    """Withdraws the version of a bot that is in it. Raises ArenaError."""
    with call.store.writing() as session:
        tournament = _named(session, request.tournament)
        version = _entered_version(session, call, tournament, request.bot)
        who = "Its owner" if call.caller.owner == _owner(session, request.bot) else "The organiser"
        entrant = call.league.tournaments.leave(session, tournament, version, f"{who} withdrew it.")
        return LeaveTournamentResponse(first_round=entrant.withdrawn_round or 0)


def change_tournament(call: Call, request: ChangeTournamentRequest) -> ChangeTournamentResponse:
    """Starts, pauses or cancels a tournament. Raises ArenaError."""
    states = {number: state for state, number in TOURNAMENT_STATES.items()}
    if request.state not in states:
        raise ArenaError(
            Kind.WRONG_INPUT, "A tournament becomes one of running, paused, cancelled.", "state"
        )
    with call.store.writing() as session:
        tournament = _named(session, request.tournament)
        call.league.tournaments.change(session, tournament, states[request.state])
        return ChangeTournamentResponse(tournament=_message(call, session, tournament))


def list_tournaments(call: Call, request: ListTournamentsRequest) -> ListTournamentsResponse:
    """Returns a page of tournaments, by name."""
    with call.store.reading() as session:
        rest = [one for one in tournaments(session) if one.name > request.after]
        page = rest[: page_size(request.limit)]
        return ListTournamentsResponse(
            tournaments=[_message(call, session, tournament) for tournament in page],
            next=page[-1].name if len(page) < len(rest) else "",
        )


def read_tournament(call: Call, request: ReadTournamentRequest) -> ReadTournamentResponse:
    """Returns a tournament with its public document. Raises ArenaError."""
    with call.store.reading() as session:
        tournament = _named(session, request.tournament)
        document = call.league.tournaments.document(session, tournament)
        return ReadTournamentResponse(
            tournament=_message(call, session, tournament), document=json.dumps(document)
        )


def _entered(
    call: Call, session: Session, tournament: Tournament, bot: str, number: int
) -> EnterTournamentResponse:
    """Enters a version of the caller's, the latest if the number is 0. Raises ArenaError."""
    version = _version_to_enter(session, call, bot, number)
    games = version.manifest.get("games", [])
    if games and tournament.game not in games:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{bot} plays {', '.join(games)}, but the game of the tournament {tournament.name} is"
            f" {tournament.game}; add it to `games` in bot.toml.",
            "bot",
        )
    entrant = call.league.tournaments.enter(session, tournament, version)
    return EnterTournamentResponse(entrant=entrant.number, first_round=entrant.entered_round)


def _message(call: Call, session: Session, tournament: Tournament) -> Any:
    return tournament_message(session, tournament, is_run=call.league.is_run(tournament.name))


def _named(session: Session, name: str) -> Tournament:
    with naming("tournament"):
        return tournament_named(session, name)


def _known(numbers: Any, number: int, default: Any) -> Any:
    """Returns the word of a number of the protocol; the default for 0."""
    words = {value: word for word, value in numbers.items()}
    return words.get(number, default)


def _owner(session: Session, bot: str) -> str:
    with naming("bot"):
        return bot_named(session, bot).owner


def _version_to_enter(session: Session, call: Call, bot: str, number: int) -> Version:
    """Returns the version of that number, or the latest. Raises ArenaError."""
    call.caller.check_may_change(f"The bot {bot}", _owner(session, bot))
    active = (Version.bot == bot) & (Version.state == VersionState.ACTIVE)
    query = sa.select(Version).where(active).order_by(Version.number.desc())
    if number:
        query = query.where(Version.number == number)
    version = session.scalars(query.limit(1)).first()
    if version is None:
        which = f"version {number}" if number else "version"
        raise ArenaError(
            Kind.NOT_FOUND,
            f"{bot} has no {which} that plays; `arena bot list {bot}` lists those it has.",
            "number" if number else "bot",
        )
    return version


def _entered_version(session: Session, call: Call, tournament: Tournament, bot: str) -> Version:
    """Returns the version of a bot that is in the tournament. Raises ArenaError."""
    call.caller.check_may_change(f"The bot {bot}", _owner(session, bot))
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
