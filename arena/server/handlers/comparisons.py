"""Comparisons: create, change, read."""

from __future__ import annotations

import json

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.games import load
from arena.server.handlers.call import Call
from arena.server.handlers.paging import page_size
from arena.server.handlers.terms import clock_of, options_of
from arena.server.messages import COMPARISON_STATES, comparison_message
from arena.store.queries import bot_named, comparison_named, comparisons
from arena.store.schema import Comparison, CompetitionState, Role, Version, VersionState
from arena.store.tokens import contestants
from sevens.league.v1 import comparison_pb2 as pb

MOST_RUNNING = 2
"""The comparisons of one owner that may run at once: they share the workers with the ladders."""


def create_comparison(
    call: Call, request: pb.CreateComparisonRequest
) -> pb.CreateComparisonResponse:
    """Creates a comparison, or finds the one of these terms. Raises ArenaError."""
    game = load(request.game)
    strengths = {
        name: getattr(request, name)
        for name in ("t0", "t1", "alpha", "beta")
        if request.HasField(name)
    }
    if request.most_groups:
        strengths["most_groups"] = request.most_groups
    with call.store.writing() as session:
        _check_room(session, call)
        new = _version(session, call, request.new, "new")
        call.caller.check_may_change(f"The bot {new.bot}", bot_named(session, new.bot).owner)
        comparison = call.league.comparisons.create(
            session,
            call.caller.owner,
            game.slug,
            new,
            _version(session, call, request.old, "old"),
            [_version(session, call, one, "house") for one in request.house],
            name=request.name,
            replacement=request.replacement,
            by_score=request.by_score,
            seats=request.seats or None,
            options=options_of(game, request.options),
            clock=clock_of(request),
            **strengths,
        )
        return pb.CreateComparisonResponse(comparison=_message(call, session, comparison))


def change_comparison(
    call: Call, request: pb.ChangeComparisonRequest
) -> pb.ChangeComparisonResponse:
    """Pauses, resumes or cancels a comparison. Raises ArenaError."""
    states = {number: state for state, number in COMPARISON_STATES.items()}
    state = states.get(request.state)
    if state is None or state is CompetitionState.OVER:
        raise ArenaError(
            Kind.WRONG_INPUT, "A comparison becomes one of running, paused, cancelled.", "state"
        )
    with call.store.writing() as session:
        comparison = _named(session, request.comparison)
        call.caller.check_may_change(f"The comparison {comparison.name}", comparison.owner)
        if state is CompetitionState.RUNNING:
            _check_room(session, call)
        call.league.comparisons.change(session, comparison, state)
        return pb.ChangeComparisonResponse(comparison=_message(call, session, comparison))


def list_comparisons(call: Call, request: pb.ListComparisonsRequest) -> pb.ListComparisonsResponse:
    """Returns a page of comparisons, by name."""
    with call.store.reading() as session:
        rest = [one for one in comparisons(session) if one.name > request.after]
        page = rest[: page_size(request.limit)]
        return pb.ListComparisonsResponse(
            comparisons=[_message(call, session, comparison) for comparison in page],
            next=page[-1].name if len(page) < len(rest) else "",
        )


def read_comparison(call: Call, request: pb.ReadComparisonRequest) -> pb.ReadComparisonResponse:
    """Returns a comparison with its public document. Raises ArenaError."""
    with call.store.reading() as session:
        comparison = _named(session, request.comparison)
        document = call.league.comparisons.document(session, comparison)
        is_run = call.league.is_run(comparison.name)
        return pb.ReadComparisonResponse(
            comparison=comparison_message(comparison, document, is_run=is_run),
            document=json.dumps(document),
        )


def list_comparison_groups(
    call: Call, request: pb.ListComparisonGroupsRequest
) -> pb.ListComparisonGroupsResponse:
    """Returns a page of the groups that count. Raises ArenaError."""
    size = page_size(request.limit)
    with call.store.reading() as session:
        comparison = _named(session, request.comparison)
        found = call.league.comparisons.groups(session, comparison, request.after, size)
        return pb.ListComparisonGroupsResponse(
            groups=[
                pb.ComparisonGroup(
                    difference=group.difference,
                    matches=[
                        pb.ComparisonMatch(match=match.match, digest=match.digest)
                        for match in group.matches
                    ],
                )
                for group in found
            ],
            next=request.after + size if len(found) == size else 0,
        )


def _message(call: Call, session: Session, comparison: Comparison) -> pb.Comparison:
    document = call.league.comparisons.document(session, comparison)
    return comparison_message(comparison, document, is_run=call.league.is_run(comparison.name))


def _named(session: Session, name: str) -> Comparison:
    with naming("comparison"):
        return comparison_named(session, name)


def _check_room(session: Session, call: Call) -> None:
    """Raises ArenaError if the caller has as many comparisons running as a contestant may have."""
    if call.caller.role is Role.ORGANISER:
        return
    running = [
        one.name
        for one in comparisons(session)
        if one.owner == call.caller.owner and one.state is CompetitionState.RUNNING
    ]
    if len(running) >= MOST_RUNNING:
        raise ArenaError(
            Kind.NOT_NOW,
            f"{MOST_RUNNING} comparisons of yours are running ({', '.join(running)}), and no more"
            " may at once. Wait for one, or pause or cancel it.",
        )


def _version(session: Session, call: Call, wanted: pb.ComparedVersion, field: str) -> Version:
    """Returns the version of that number, or the latest, if the caller may have it play. Raises
    ArenaError."""
    with naming(field):
        owner = bot_named(session, wanted.bot).owner
    if owner in contestants(session):
        call.caller.check_may_change(f"The bot {wanted.bot}", owner)
    active = (Version.bot == wanted.bot) & (Version.state == VersionState.ACTIVE)
    query = sa.select(Version).where(active).order_by(Version.number.desc())
    if wanted.number:
        query = query.where(Version.number == wanted.number)
    version = session.scalars(query.limit(1)).first()
    if version is None:
        which = f"version {wanted.number}" if wanted.number else "version"
        raise ArenaError(
            Kind.NOT_FOUND,
            f"{wanted.bot} has no {which} that plays; `arena bot list {wanted.bot}` lists those it"
            " has.",
            field,
        )
    return version
