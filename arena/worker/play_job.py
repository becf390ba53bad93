"""Plays a job: starts the bots, plays every seating on the same deals, builds the outcome."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext

from arena.bots import ArenaFailure, MachineFailure, RunningBot
from arena.bots.remote import Relay
from arena.match import (
    CommittedDeals,
    DealSet,
    Entry,
    Observing,
    Origin,
    Played,
    SeededSet,
    Terms,
    Timekeeper,
    longest_match_s,
    play_match,
)
from arena.protocol import FaultKind
from arena.queue import Job, Lease, Outcome, PlayedMatch
from arena.worker.lending import Lender, Unplayable
from arena.worker.process_pool import Borrowed, Pool
from sevens_games import UnknownGame, load
from sevens_games.engine import GameOf

log = logging.getLogger(__name__)


ARENA_S = 30 * 60.0  # for everything except the matches


Vouch = Callable[[], Awaitable[None]]
"""Raises ArenaFailure if this machine cannot start bots."""


class UnplayableHere(Unplayable):
    """A job that this worker cannot play because its program is older or newer than the arena's."""


def time_limit_s(job: Job) -> float:
    """Returns a time, in seconds, in which a job ends even with the slowest bots. The limit ends
    only jobs that an error of the arena blocks."""
    seats = len(job.entrants)
    match_s = longest_match_s(seats, job.clock.bank_ms, job.clock.increment_ms)
    return ARENA_S + len(job.seatings) * match_s


async def play_job(
    lease: Lease,
    pool: Pool,
    timekeeper: Timekeeper,
    vouch: Vouch,
    relay: Relay | None = None,
    observing: Observing = nullcontext,
) -> Outcome:
    """Returns the outcome of a job. `vouch`: called before a bot is blamed for not starting.
    `observing`: observes each match.

    Raises Unplayable, MachineFailure if nothing has been played, and ArenaFailure or other errors
    of the arena itself.
    """
    job = lease.job
    deal_set = _deal_set(job)
    matches: list[PlayedMatch] = []
    for number in range(1, len(job.seatings) + 1):
        terms = _terms(job, lease.attempt, number)
        try:
            lender = Lender(pool, relay)
            played = await _play_seating(lease, terms, deal_set, lender, timekeeper, observing)
            if any(fault.kind is FaultKind.START_FAILED for fault in played.faults):
                await vouch()
        except MachineFailure as failure:
            if not matches:
                raise
            # The bots have seen the deals by now, so the attempt counts.
            raise ArenaFailure(str(failure)) from failure
        log.debug("job %s: match %d of %d is over", job.job_id, number, len(job.seatings))
        matches.append(
            PlayedMatch(record=played.sealed.compressed(), private_log=played.private_log.to_json())
        )
    return Outcome(
        job_id=job.job_id,
        attempt=lease.attempt,
        worker=lease.worker,
        result_token=job.result_token,
        matches=tuple(matches),
    )


def _deal_set(job: Job) -> DealSet:
    """Returns the source of the job's deals: its seed text, the secret of the match that it
    repeats, or a new one for every attempt."""
    if job.seed_text:
        return SeededSet(job.seed_text)
    if job.origin is not None:
        return CommittedDeals(
            bytes.fromhex(job.origin.secret), tuple(map(bytes.fromhex, job.origin.nonces))
        )
    return CommittedDeals()


def _origin(job: Job) -> Origin | None:
    """Returns the match that the job repeats, if any, in the referee's terms."""
    if job.origin is None:
        return None
    return Origin(job.origin.match, job.origin.digest, job.origin.choices)


def game_of_job(job: Job) -> GameOf:
    """Returns the game of a job. Raises UnplayableHere if this worker has other rules."""
    try:
        game = load(job.game)
    except UnknownGame as unknown:
        raise UnplayableHere(f"This worker does not have the game. {unknown}") from None
    if game.rules_version != job.rules_version:
        raise UnplayableHere(
            f"The job is for version {job.rules_version} of the rules of {job.game}; "
            f"this worker has version {game.rules_version}."
        )
    return game


def _terms(job: Job, attempt: int, number: int) -> Terms:
    game = game_of_job(job)
    return Terms(
        match_id=f"{job.job_id}-{number}",
        game=game,
        options={name: game.options[name].parse(text) for name, text in job.options.items()},
        bank_ms=job.clock.bank_ms,
        increment_ms=job.clock.increment_ms,
        job_id=job.job_id,
        attempt=attempt,
        match_number=number,
        origin=_origin(job),
    )


async def _play_seating(
    lease: Lease,
    terms: Terms,
    deal_set: DealSet,
    lender: Lender,
    timekeeper: Timekeeper,
    observing: Observing,
) -> Played:
    """Plays one match of the job.

    Deal sets of several matches and later attempts get processes that have played nothing.
    """
    job = lease.job
    fresh = job.fresh or len(job.seatings) > 1 or lease.attempt > 1
    seating = job.seatings[terms.match_number - 1]
    async with AsyncExitStack() as lent:
        log.debug("job %s: bots start", job.job_id)
        entrants = [job.entrants[e] for e in seating]
        borrowed = await lender.lend_all(entrants, terms.match_id, lent, fresh=fresh)
        log.debug("job %s: match %d begins", job.job_id, terms.match_number)
        entries = [
            Entry(b.process, job.entrants[e].bot, job.entrants[e].version, e)
            for e, b in zip(seating, borrowed, strict=True)
        ]
        played = await play_match(terms, entries, deal_set, timekeeper, observing=observing)
        _count(played, borrowed)
        return played


def _count(played: Played, borrowed: list[Borrowed[RunningBot]]) -> None:
    at_fault = {fault.seat for fault in played.faults}
    for seat, process in enumerate(borrowed):
        process.matches += 1
        process.faulted = seat in at_fault
