"""Plays one match with running bots, from the first message to the sealed record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import arena
from arena.match.deal_set import DealSet
from arena.match.referee import ACCEPT_MARGIN_S, UNREAD_S, Referee
from arena.match.terms import START_GRACE_S, Entry, Origin, Terms
from arena.match.timekeeper import Timekeeper
from arena.moment import rfc3339
from arena.protocol import Fault
from arena.records import Note, PrivateLog, SealedRecord, SeatLog, seal
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import text_of

DECISIONS_A_SEAT = 10_000

Observing = Callable[[Referee], AbstractContextManager[object]]
"""Observes a match in play, from beginning to end, without changing it."""


@dataclass(frozen=True)
class Played:
    """A finished match.

    `sealed`: its record.
    `private_log`: notes and output, for the bots' owners.
    `faults`: in the order in which they happened.
    """

    sealed: SealedRecord
    private_log: PrivateLog
    faults: Sequence[Fault]

    @property
    def record(self) -> pb.MatchRecord:
        """The sealed record."""
        return self.sealed.record


class Unfinished(Exception):
    """A match was not finished within its time limit. `faults`: the faults until then."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults


def longest_match_s(seats: int, bank_ms: int, increment_ms: int) -> float:
    """Returns a time, in seconds, after which a match is over because all seats have used up
    their clocks. (It assumes more decisions than any game asks of a seat.)"""
    decisions_s = DECISIONS_A_SEAT * (increment_ms / 1000 + UNREAD_S)
    return START_GRACE_S + ACCEPT_MARGIN_S + seats * (bank_ms / 1000 + decisions_s)


async def play_match(
    terms: Terms,
    entries: Sequence[Entry],
    deal_set: DealSet,
    timekeeper: Timekeeper,
    limit_s: float | None = None,
    observing: Observing = nullcontext,
) -> Played:
    """Plays the match to its end, however the bots behave.

    `entries`: the bots by seat.
    `limit_s`: the match's time limit in seconds.
    `observing`: observes the match while it lasts.

    Raises Unfinished, and otherwise only failures of the arena itself, such as ArenaFailure. After
    any of them, or if cancelled, the match ends for the bots as abandoned.
    """
    referee = Referee(terms, entries, deal_set, timekeeper)
    try:
        referee.open()
        with timekeeper.watching(referee), observing(referee):
            async with asyncio.timeout(limit_s):
                await referee.ended
    except TimeoutError:
        referee.abandon()
        raise Unfinished(referee.faults) from None
    except BaseException:
        referee.abandon()
        raise
    played = Played(_record(referee), _private_log(referee), referee.faults)
    referee.let_go()
    return played


def _record(referee: Referee) -> SealedRecord:
    terms, match = referee.terms, referee.match
    assert match is not None  # the match is over
    assert match.result is not None
    return seal(
        pb.MatchRecord(
            format=1,
            match_id=terms.match_id,
            job_id=terms.job_id,
            attempt=terms.attempt,
            match_number=terms.match_number,
            game=terms.game.slug,
            rules_version=terms.game.rules_version,
            options={name: text_of(value) for name, value in match.options.items()},
            clock=pb.Clock(bank_ms=terms.bank_ms, increment_ms=terms.increment_ms),
            seats=_seats(referee),
            deal_source=referee.deal_set.source(),
            shuffles=[pb.Shuffle(cards=order) for order in match.deals.shuffles],
            picks=match.deals.picks,
            choices=[
                pb.Choice(seat=seat, action=action, milliseconds=ms)
                for seat, action, ms in referee.choices
            ],
            faults=[
                pb.Fault(seat=f.seat, kind=f.kind, decision=f.decision, sentence=f.sentence)
                for f in referee.faults
            ],
            result=pb.Result(
                scores=match.result.scores, ranks=referee.ranks, reason=match.result.reason
            ),
            started_at=rfc3339(referee.started_at),
            finished_at=rfc3339(referee.started_at + referee.lasted),
            arena=f"sevens-arena {arena.__version__}",
            origin=_origin(terms.origin),
        )
    )


def _origin(origin: Origin | None) -> pb.Origin | None:
    if origin is None:
        return None
    return pb.Origin(match=origin.match, digest=origin.digest, choices=len(origin.choices))


def _seats(referee: Referee) -> list[pb.Seat]:
    nonces = referee.deal_set.nonces()
    return [
        pb.Seat(
            bot=seat.entry.name,
            version=seat.entry.version,
            team=referee.teams[seat.index],
            entrant=seat.entry.entrant,
            seed=referee.deal_set.seed_of_seat(referee.terms.match_number, seat.index).hex(),
            nonce=nonces[seat.entry.entrant].hex() if nonces else "",
        )
        for seat in referee.seats
    ]


def _private_log(referee: Referee) -> PrivateLog:
    return PrivateLog(
        match_id=referee.terms.match_id,
        seats=[
            SeatLog(
                bot=seat.entry.name,
                notes=[Note(decision=decision, text=text) for decision, text in seat.notes],
                stderr=seat.channel.stderr(),
                stale_answers=seat.stale,
                start_ms=seat.start_ms,
                fault_words=seat.fault.words if seat.fault else "",
            )
            for seat in referee.seats
        ],
    )
