"""The end of a match as a sentence."""

from __future__ import annotations

from arena.games.engine import GameOf
from arena.web.replay.wording import Wording
from sevens.record.v1 import match_record_pb2 as pb


def end_sentence(record: pb.MatchRecord, game: GameOf, wording: Wording) -> str:
    """Returns who won, the scores, best first, and why the match ended; of a match in play, that it
    goes on."""
    if not record.HasField("result"):
        return "The match goes on."
    reason = game.reasons.get(record.result.reason, "")
    return f"The end: {_winners(record, wording)}, {_scores(record, wording)}. {reason}".rstrip()


def _winners(record: pb.MatchRecord, wording: Wording) -> str:
    seats = [seat for seat, rank in enumerate(record.result.ranks) if rank == 1]
    teams = {record.seats[seat].team for seat in seats}
    names = " and ".join(wording.names[seat] for seat in seats)
    if len(teams) > 1:
        return f"{names} tie"
    return f"{names} {'wins' if len(seats) == 1 else 'win'}"


def _scores(record: pb.MatchRecord, wording: Wording) -> str:
    """Returns the scores of two teams as 3 : 2, of more by their names."""
    ranks, scores = record.result.ranks, record.result.scores
    order = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))
    first_of_team = {record.seats[seat].team: seat for seat in reversed(order)}
    best_first = sorted(first_of_team.values(), key=order.index)
    if len(best_first) == 2:
        return " : ".join(str(scores[seat]) for seat in best_first)
    return ", ".join(f"{wording.names[seat]} {scores[seat]}" for seat in order)
