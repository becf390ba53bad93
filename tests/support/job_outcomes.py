"""Outcomes of jobs, as a worker whose bots choose at random would report them."""

from collections.abc import Collection, Sequence
from random import Random
from uuid import UUID

from arena.match.deal_set import CommittedDeals, DealSet, SeededSet
from arena.protocol.ranking import final_ranks, move_at_fault
from arena.queue.job import Job, Outcome, PlayedMatch
from arena.records.private_log import PrivateLog, SeatLog
from arena.records.record import SealedRecord, canonical, seal
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Match, load, text_of


def outcome_of(
    job: Job, rng: Random, *, attempt: int = 1, at_fault: Collection[int] = ()
) -> Outcome:
    """Returns the job's outcome. `at_fault`: the entrants whose bots do not start."""
    deal_set: DealSet = (
        SeededSet(job.seed_text) if job.seed_text else CommittedDeals(rng.randbytes(32))
    )
    nonces = [
        b"" if job.seed_text or entrant in at_fault else rng.randbytes(8)
        for entrant in range(len(job.entrants))
    ]
    matches = [
        record_of(job, number, deal_set, nonces, rng, attempt, at_fault)
        for number in range(1, len(job.seatings) + 1)
    ]
    return reported(job, matches, attempt)


def reported(job: Job, records: Sequence[pb.MatchRecord], attempt: int = 1) -> Outcome:
    return Outcome(
        job_id=job.job_id,
        attempt=attempt,
        worker="w1",
        result_token=job.result_token,
        matches=tuple(PlayedMatch(record=body_of(r), private_log=log_of(r)) for r in records),
    )


def body_of(record: pb.MatchRecord) -> bytes:
    return SealedRecord(record, canonical(record)).compressed()


def log_of(record: pb.MatchRecord) -> str:
    seats = [SeatLog(bot=seat.bot) for seat in record.seats]
    return PrivateLog(match_id=record.match_id, seats=seats).to_json()


def record_of(
    job: Job,
    number: int,
    deal_set: DealSet,
    nonces: Sequence[bytes],
    rng: Random,
    attempt: int,
    at_fault: Collection[int],
) -> pb.MatchRecord:
    game, seating = load(job.game), job.seatings[number - 1]
    options = {name: game.options[name].parse(text) for name, text in job.options.items()}
    deals = deal_set.deals(nonces)
    match = game.start(players=len(seating), options=options, deals=deals)
    faults = [seat for seat, entrant in enumerate(seating) if entrant in at_fault]
    choices = play(match, rng, faults)
    teams = game.teams(len(seating))
    return seal(
        pb.MatchRecord(
            format=1,
            match_id=UUID(int=rng.getrandbits(128)).hex,
            job_id=job.job_id,
            attempt=attempt,
            match_number=number,
            game=job.game,
            rules_version=job.rules_version,
            options={name: text_of(value) for name, value in match.options.items()},
            clock=pb.Clock(bank_ms=job.clock.bank_ms, increment_ms=job.clock.increment_ms),
            seats=[
                pb.Seat(
                    bot=job.entrants[entrant].bot,
                    version=job.entrants[entrant].version,
                    team=teams[seat],
                    entrant=entrant,
                    seed=deal_set.seed_of_seat(number, seat).hex(),
                    nonce=nonces[entrant].hex(),
                )
                for seat, entrant in enumerate(seating)
            ],
            deal_source=deal_set.source(),
            shuffles=[pb.Shuffle(cards=order) for order in match.deals.shuffles],
            picks=match.deals.picks,
            choices=choices,
            faults=[
                pb.Fault(seat=seat, kind="start-failed", decision=0, sentence="No hello came.")
                for seat in faults
            ],
            result=pb.Result(
                scores=match.result.scores,
                ranks=final_ranks(match.result.ranks, teams, faults),
                reason=match.result.reason,
            ),
            started_at=f"2026-07-07T07:{number % 60:02}:07.000Z",
            finished_at=f"2026-07-07T08:{number % 60:02}:07.777Z",
            arena="sevens-arena test",
        )
    ).record


def play(match: Match, rng: Random, faults: Collection[int]) -> list[pb.Choice]:
    """Plays to the end; choices that need no bot come first, the lowest seat first, as with a
    referee."""
    choices = []
    while match.to_act:
        own = [seat for seat in match.to_act if seat in faults or is_forced(match, seat)]
        seat = own[0] if own else rng.choice(match.to_act)
        legal = match.legal_actions(seat)
        action = move_at_fault(legal) if seat in faults else rng.choice(legal)
        match.apply(seat, action)
        choices.append(pb.Choice(seat=seat, action=str(action), milliseconds=0 if own else 7))
    return choices


def is_forced(match: Match, seat: int) -> bool:
    return not match.ask_forced and len(match.legal_actions(seat)) == 1
