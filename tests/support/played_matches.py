"""Matches played at random, with their records, and the messages that the seats received.

The player here is written separately from the referee and from the replay: it is a third
implementation of the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from arena.protocol.fairness import commitment_of, deal_seed, seat_seed
from arena.protocol.faults import Fault, FaultKind
from arena.protocol.frames import DecisionWriter, decision_in, end_message, start_message
from arena.protocol.ranking import final_ranks
from arena.records.record import seal
from arena.records.replay import Frames
from sevens.bot.v1.decision_pb2 import Decision
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Deals, Match, SeededDeals, load, text_of

FAULTS = [kind for kind in FaultKind if kind is not FaultKind.START_FAILED]
BANK_MS, INCREMENT_MS = 3_000, 40
BEFORE_THE_FIRST = 0


@dataclass(frozen=True)
class Played:
    record: pb.MatchRecord
    frames: Sequence[Frames]


@lru_cache(64)  # a match takes some megabytes
def played(
    slug: str,
    seed: int = 1,
    *,
    committed: bool = True,
    faulty: tuple[int, ...] = (),
    players: int | None = None,
    match_number: int = 1,
    deals: int = 2,
) -> Played:
    """Plays a match in which each seat of `faulty` has a fault at some decision, or before the
    first."""
    return Player(slug, seed, committed, faulty, players, match_number, deals).play()


def repeated(choices: int) -> pb.MatchRecord:
    """Returns the record of a match in which the first choices of another stand, and then all go on
    as they did there."""
    record = pb.MatchRecord()
    record.CopyFrom(played("xeri", deals=1).record)
    for choice in record.choices[:choices]:
        choice.milliseconds = 0
    record.origin.CopyFrom(pb.Origin(match="m-0", digest="7" * 64, choices=choices))
    return seal(record).record


class Player:
    def __init__(
        self,
        slug: str,
        seed: int,
        committed: bool,
        faulty: tuple[int, ...],
        players: int | None,
        match_number: int,
        deals: int,
    ) -> None:
        self.rng = Random(f"{slug} {seed}")
        self.game = load(slug)
        self.number = match_number
        self.seats = range(players or self.game.ladder_players)
        self.teams = self.game.teams(len(self.seats))
        self.entrants = self.rng.sample(self.seats, len(self.seats))
        self.nonces = [self.rng.randbytes(self.rng.choice([0, 7, 32])) for _ in self.seats]
        self.secret = self.rng.randbytes(32)
        self.committed = committed
        self.seed_text = f"seed {seed}/{match_number}"
        self.fault_at = {seat: self.rng.choice([0, 1, 2, 3, 5, 9]) for seat in faulty}
        short: dict[str, bool | int | str] = {
            name: deals for name in ("deals", "max_deals") if name in self.game.options
        }
        self.match: Match = self.game.start(
            players=len(self.seats), options=short, deals=self.deals()
        )
        self.banks = [BANK_MS] * len(self.seats)
        self.counts = [0] * len(self.seats)
        self.heard = [0] * len(self.seats)
        self.questions: dict[int, Decision] = {}
        self.sent: list[list[Decision]] = [[] for _ in self.seats]
        self.faults: list[Fault] = []
        self.choices: list[pb.Choice] = []

    def deals(self) -> Deals:
        if not self.committed:
            return SeededDeals(self.seed_text)
        return SeededDeals(deal_seed(self.secret, self.nonces))

    def play(self) -> Played:
        for seat, decision in self.fault_at.items():
            if decision == BEFORE_THE_FIRST:
                self.blame(seat, FaultKind.START_FAILED)
        while self.match.to_act:
            if not self.move_alone():
                self.ask_everyone()
                self.answer(self.rng.choice(sorted(self.questions)))
        return Played(self.record(), [self.frames(seat) for seat in self.seats])

    def move_alone(self) -> bool:
        for seat in self.match.to_act:
            legal = self.match.legal_actions(seat)
            at_fault = any(fault.seat == seat for fault in self.faults)
            unasked = seat not in self.questions
            if at_fault or (unasked and len(legal) == 1 and not self.match.ask_forced):
                self.counts[seat] += 1
                self.choose(seat, min(legal, key=str), 0)
                return True
        return False

    def ask_everyone(self) -> None:
        for seat in self.match.to_act:
            if seat in self.questions:
                continue
            self.counts[seat] += 1
            self.banks[seat] += INCREMENT_MS
            events = self.match.events(seat)[self.heard[seat] :]
            self.heard[seat] += len(events)
            self.questions[seat] = decision_in(
                DecisionWriter("m-7").frame(
                    number=self.counts[seat],
                    seat=seat,
                    time_left_ms=self.banks[seat],
                    legal=self.match.legal_actions(seat),
                    observation=self.match.observe(seat),
                    events=events,
                )
            )
            self.sent[seat].append(self.questions[seat])

    def answer(self, seat: int) -> None:
        legal = self.match.legal_actions(seat)
        self.questions.pop(seat)
        if seat in self.fault_at and self.counts[seat] >= self.fault_at[seat]:
            self.blame(seat, self.rng.choice(FAULTS))
            self.choose(seat, min(legal, key=str), 0)
            return
        spent = min(self.rng.choice([0, 1, 30, 60, 700]), self.banks[seat])
        self.banks[seat] -= spent
        self.choose(seat, self.rng.choice(legal), spent)

    def blame(self, seat: int, kind: FaultKind) -> None:
        self.faults.append(Fault(seat, kind, self.counts[seat], f"Seat {seat}: {kind}."))

    def choose(self, seat: int, action: str, spent: int) -> None:
        self.choices.append(pb.Choice(seat=seat, action=action, milliseconds=spent))
        self.match.apply(seat, action)

    def record(self) -> pb.MatchRecord:
        result = self.match.result
        assert result is not None
        return seal(
            pb.MatchRecord(
                format=1,
                match_id="m-7",
                job_id="j-7",
                attempt=1,
                match_number=self.number,
                game=self.game.slug,
                rules_version=self.game.rules_version,
                options={name: text_of(value) for name, value in self.match.options.items()},
                clock=pb.Clock(bank_ms=BANK_MS, increment_ms=INCREMENT_MS),
                seats=[self.seat(seat) for seat in self.seats],
                deal_source=self.source(),
                shuffles=[pb.Shuffle(cards=order) for order in self.match.deals.shuffles],
                picks=self.match.deals.picks,
                choices=self.choices,
                faults=[
                    pb.Fault(seat=f.seat, kind=f.kind, decision=f.decision, sentence=f.sentence)
                    for f in self.faults
                ],
                result=pb.Result(scores=result.scores, ranks=self.ranks(), reason=result.reason),
                started_at="2025-07-07T07:07:07.007Z",
                finished_at="2025-07-07T07:17:17.077Z",
                arena="sevens-arena 0.1.0",
            )
        ).record

    def seat(self, seat: int) -> pb.Seat:
        entrant = self.entrants[seat]
        return pb.Seat(
            bot=f"bot{entrant}",
            version=f"{entrant:064x}",
            team=self.teams[seat],
            entrant=entrant,
            seed=self.seed_of(seat).hex(),
            nonce=self.nonces[entrant].hex() if self.committed else "",
        )

    def seed_of(self, seat: int) -> bytes:
        root = self.secret if self.committed else self.seed_text.encode()
        return seat_seed(root, self.number, seat)

    def source(self) -> pb.DealSource:
        if not self.committed:
            return pb.DealSource(seed_text=self.seed_text)
        return pb.DealSource(commitment=commitment_of(self.secret).hex(), secret=self.secret.hex())

    def ranks(self) -> list[int]:
        result = self.match.result
        assert result is not None
        return final_ranks(result.ranks, self.teams, {fault.seat for fault in self.faults})

    def frames(self, seat: int) -> Frames:
        result = self.match.result
        assert result is not None
        start = start_message(
            match_id="m-7",
            game=self.game,
            options=self.match.options,
            seat=seat,
            teams=self.teams,
            bank_ms=BANK_MS,
            increment_ms=INCREMENT_MS,
            commitment=commitment_of(self.secret) if self.committed else b"",
            seed=self.seed_of(seat),
        )
        end = end_message(
            match_id="m-7",
            seat=seat,
            teams=self.teams,
            scores=result.scores,
            ranks=self.ranks(),
            reason=result.reason,
            faults=self.faults,
        )
        return Frames(start, self.sent[seat], end)
