"""A moment of a match, as a picture needs it: of a recorded match, or of one played for the
picture."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from arena.records import views_of
from arena.records.wording import Wording
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Observation, SeededDeals, load
from sevens_games.engine import GameOf

PLAYERS = ("South", "West", "North", "East")
SEED = b"The table in play, for a picture"
BEGUN = 2 / 3  # of a match is over by then, without a decision in the address
LEAST_TURNS, TURNS = 20, 45


@dataclass(frozen=True)
class Scene:
    """A table at a moment. `seat`: the viewer, or None for a spectator who sees everything.
    `acting`: the seat that acts next; None at the end."""

    game: GameOf
    wording: Wording
    observation: Observation
    seat: int | None
    acting: int | None


def recorded_scene(record: pb.MatchRecord, at: int | None, seat: int | None) -> Scene:
    """Returns the moment of a decision, from 1; without one, a moment before the end. Raises
    BadRecord."""
    wanted = max(1, int(len(record.choices) * BEGUN)) if at is None else at
    for view in views_of(record, seat):
        if view.step is None or view.step.place + 1 >= wanted:
            break
    game = load(record.game)
    acting = None if view.step is None else view.step.seat
    return Scene(game, Wording(game.layout, record.seats), view.observation, seat, acting)


def played_scene(game: GameOf) -> Scene:
    """Returns a moment of a match that is always the same, by players who choose at random: of
    its first turns the one with the largest trick."""
    match, chance = game.start(deals=SeededDeals(SEED)), Random(SEED)
    best, acting, most = match.observe(None), next(iter(match.to_act), None), -1
    for turn in range(TURNS):
        if not match.to_act:
            break
        seen = match.observe(None)
        if turn >= LEAST_TURNS and (held := _in_tricks(game, seen)) >= most:
            best, acting, most = seen, match.to_act[0], held
        match.apply(match.to_act[0], chance.choice(match.legal_actions(match.to_act[0])))
    seats = [
        pb.Seat(bot=PLAYERS[seat * len(PLAYERS) // match.players], team=team)
        for seat, team in enumerate(game.teams(match.players))
    ]
    return Scene(game, Wording(game.layout, seats), best, None, acting)


def _in_tricks(game: GameOf, seen: Observation) -> int:
    return sum(len(zone.cards) for zone in seen.zones if zone.name in game.layout.tricks)
