"""Ladders and their standings, in pages. Every reader may see all of them."""

from __future__ import annotations

from arena.errors import naming
from arena.server.handlers.call import Call
from arena.server.handlers.paging import page_size
from arena.server.messages import (
    change_message,
    explained_job_message,
    ladder_message,
    opponent_message,
    standing_message,
)
from arena.store.faults import suspensions
from arena.store.matches import match_counts, matches_of_jobs
from arena.store.queries import (
    job_counts,
    ladder_named,
    ladders,
    rated_jobs,
    rating_history,
    version_on,
)
from arena.store.schema import JobState
from sevens.league.v1.ladder_pb2 import (
    ExplainRatingRequest,
    ExplainRatingResponse,
    JobCounts,
    ListLaddersRequest,
    ListLaddersResponse,
    ReadHistoryRequest,
    ReadHistoryResponse,
    ReadLadderRequest,
    ReadLadderResponse,
)

LARGEST_HISTORY = 200  # jobs in a page, because each may be two dozen matches


def list_ladders(call: Call, request: ListLaddersRequest) -> ListLaddersResponse:
    """Returns a page of ladders, by name."""
    with call.store.reading() as session:
        rest = [ladder for ladder in ladders(session) if ladder.name > request.after]
        page = rest[: page_size(request.limit)]
        played = match_counts(session)
        is_run = call.league.is_run
        return ListLaddersResponse(
            ladders=[
                ladder_message(ladder, played.get(ladder.name, 0), is_run=is_run(ladder.name))
                for ladder in page
            ],
            next=page[-1].name if len(page) < len(rest) else "",
        )


def read_ladder(call: Call, request: ReadLadderRequest) -> ReadLadderResponse:
    """Returns a ladder and a page of the versions on it. Raises ArenaError."""
    league = call.league
    with call.store.reading() as session:
        with naming("ladder"):
            ladder = ladder_named(session, request.ladder)
        standings = league.standings(session, ladder.name)
        until = request.after + page_size(request.limit)
        suspended_for = {fault.version: fault for fault in suspensions(session, ladder.name)}
        jobs = job_counts(session, ladder.name)
        matches = match_counts(session).get(ladder.name, 0)
        return ReadLadderResponse(
            ladder=ladder_message(ladder, matches, is_run=league.is_run(ladder.name)),
            jobs=JobCounts(
                queued=jobs[JobState.QUEUED],
                recorded=jobs[JobState.RECORDED],
                parked=jobs[JobState.PARKED],
            ),
            obstacle=league.obstacle(session, ladder),
            standings=[
                standing_message(placing, suspended_for.get(placing.entry.version), call.caller)
                for placing in standings[request.after : until]
            ],
            next=until if until < len(standings) else 0,
            rated_jobs=rated_jobs(session, ladder.name),
            fitted_jobs=ladder.fitted_jobs or 0,
        )


def read_history(call: Call, request: ReadHistoryRequest) -> ReadHistoryResponse:
    """Returns a page of the history of a bot's ratings on a ladder. Raises ArenaError."""
    limit = min(page_size(request.limit), LARGEST_HISTORY)
    with call.store.reading() as session:
        with naming("ladder"):
            ladder_named(session, request.ladder)
        with naming("bot"):
            page = rating_history(
                session, request.ladder, request.bot, after=request.after or None, limit=limit
            )
        matches = matches_of_jobs(session, {change.job for change in page.changes})
        return ReadHistoryResponse(
            changes=[change_message(change, matches[change.job]) for change in page.changes],
            next=page.next or 0,
        )


def explain_rating(call: Call, request: ExplainRatingRequest) -> ExplainRatingResponse:
    """Returns the reasons for the rating of a bot's version on a ladder. Raises ArenaError."""
    limit = min(page_size(request.limit), LARGEST_HISTORY)
    with call.store.reading() as session:
        with naming("ladder"):
            ladder = ladder_named(session, request.ladder)
        with naming("bot"):
            version, number = version_on(session, ladder.name, request.bot, request.number)
        explanation = call.league.explain(session, ladder, version)
        now = explanation.skill
        jobs = explanation.most_moving if request.moved_most else explanation.latest
        matches = matches_of_jobs(session, {one.job.job for one in jobs[:limit]})
        return ExplainRatingResponse(
            number=number,
            version=version,
            rated_jobs=len(explanation.jobs),
            jobs=[explained_job_message(one, matches[one.job.job]) for one in jobs[:limit]],
            opponents=[
                opponent_message(bot, record) for bot, record in sorted(explanation.against.items())
            ],
            mu=now.mu,
            sigma=now.sigma,
            rating=now.rating,
        )
