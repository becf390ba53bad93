"""The record of a match in play, as far as it may be shown."""

from __future__ import annotations

from arena.queue import Extent, Job, LiveMatch
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import load

FORMAT = 1


def partial_record(job: Job, match: LiveMatch, shown: Extent) -> pb.MatchRecord:
    """Returns a record without a result. Everything but the course of the match is the job's, as
    the store has it."""
    seating = job.seatings[match.match_number - 1]
    teams = load(job.game).teams(len(seating))
    return pb.MatchRecord(
        format=FORMAT,
        match_id=f"{job.job_id}-{match.match_number}",
        job_id=job.job_id,
        attempt=match.attempt,
        match_number=match.match_number,
        game=job.game,
        rules_version=job.rules_version,
        options=job.options,
        clock=pb.Clock(bank_ms=job.clock.bank_ms, increment_ms=job.clock.increment_ms),
        seats=[
            pb.Seat(
                bot=job.entrants[entrant].bot,
                version=job.entrants[entrant].version,
                team=team,
                entrant=entrant,
            )
            for entrant, team in zip(seating, teams, strict=True)
        ],
        shuffles=[pb.Shuffle(cards=cards) for cards in match.shuffles[: shown.shuffles]],
        picks=match.picks[: shown.picks],
        choices=[
            pb.Choice(seat=seat, action=action, milliseconds=milliseconds)
            for seat, action, milliseconds in match.choices[: shown.choices]
        ],
        faults=[
            pb.Fault(seat=f.seat, kind=f.kind, decision=f.decision, sentence=f.sentence)
            for f in match.faults[: shown.faults]
        ],
        started_at=match.started_at,
    )
