"""The beginning of a match, made without a referee, for scripted conversations."""

from __future__ import annotations

from dataclasses import dataclass

from arena.protocol import DecisionWriter, decision_in, seat_seed, start_message
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.match_pb2 import MatchStart
from sevens_games import SeededDeals
from sevens_games.engine import GameOf

BANK_MS = 60_000
INCREMENT_MS = 200


@dataclass(frozen=True)
class Opening:
    """A match's start and first decision, both for one seat."""

    start: MatchStart
    decision: Decision

    @property
    def match_id(self) -> str:
        return self.start.match_id

    @property
    def resumed(self) -> MatchStart:
        """Returns the start as it is sent again after the bot was away."""
        again = MatchStart()
        again.CopyFrom(self.start)
        again.resumed = True
        return again


def opening(game: GameOf, match_id: str) -> Opening:
    """Returns the first decision of a match that is more than a forced move."""
    match = game.start(deals=SeededDeals(f"check/{match_id}"))
    made = [0] * game.ladder_players
    while len(match.legal_actions(seat := match.to_act[0])) == 1:
        made[seat] += 1
        match.apply(seat, match.legal_actions(seat)[0])
    start = start_message(
        match_id=match_id,
        game=game,
        options={},
        seat=seat,
        teams=game.teams(game.ladder_players),
        bank_ms=BANK_MS,
        increment_ms=INCREMENT_MS,
        commitment=b"",
        seed=seat_seed(match_id.encode(), 1, seat),
    )
    decision = decision_in(
        DecisionWriter(match_id).frame(
            number=made[seat] + 1,
            seat=seat,
            time_left_ms=BANK_MS + INCREMENT_MS,
            legal=match.legal_actions(seat),
            observation=match.observe(seat),
            events=match.events(seat, 0),
        )
    )
    return Opening(start, decision)
