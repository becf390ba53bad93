"""The luck of a match: at each turn of chance, the value of the cards that came, less the value of
those that could have come (AIVAT's correction for chance: Burch, Schmid, Moravcik, Morrill and
Bowling 2018).

Its expectation is exactly 0, whatever the seats do. Given everything before a turn of chance, the
cards that come and the cards dealt again are drawn from the same distribution, and both are valued
by an average of independent playouts, which has the same expectation for either. So each term has
mean 0 given its past, and so has the sum. This needs seats that do not know the cards to come.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import TypeAlias

from bench.luck.value import ValueFunction
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import Match, SeededDeals, StackedDeals, load
from sevens_games.engine import GameOf, OptionValue

Choice: TypeAlias = tuple[int, str]
"""A seat and the text of its action."""


@dataclass(frozen=True)
class PlayedMatch:
    """All that determines a match.

    `options`: those that differ from the game's defaults, or all.
    `shuffles`, `picks`: the answers of its deals, in order.
    `choices`: all choices, in the order in which they were made.
    """

    game: GameOf
    players: int
    options: Mapping[str, OptionValue]
    shuffles: Sequence[Sequence[str]]
    picks: Sequence[int]
    choices: Sequence[Choice]

    @classmethod
    def of(cls, record: MatchRecord) -> PlayedMatch:
        """Returns the match of a record, which must have been verified. Raises UnknownGame."""
        game = load(record.game)
        return cls(
            game=game,
            players=len(record.seats),
            options={name: game.options[name].parse(text) for name, text in record.options.items()},
            shuffles=[list(shuffle.cards) for shuffle in record.shuffles],
            picks=list(record.picks),
            choices=[(choice.seat, choice.action) for choice in record.choices],
        )


def luck_of(played: PlayedMatch, value: ValueFunction) -> tuple[float, ...]:
    """Returns by seat the rank points that the cards brought, above their expectation.

    The same match always gives the same figures. Where the host answers picks by order of arrival,
    picks are no chance, and only the first deal counts.

    Raises WrongDeals and IllegalAction if the match contradicts the rules.
    """
    game, options = played.game, played.options

    def deal_first(rng: Random) -> Match:
        deals = SeededDeals(rng.randbytes(32))
        return game.start(players=played.players, options=options, deals=deals)

    deals = StackedDeals(played.shuffles, played.picks)
    match = game.start(players=played.players, options=options, deals=deals)
    total = _luck_of_turn(match, deal_first, value)
    if game.picks_by_arrival(game.option_fields(**options)):
        return total
    for seat, action in played.choices:
        before, seen = match.clone(), _answers(match)
        match.apply(seat, action)
        if _answers(match) > seen:
            luck = _luck_of_turn(match, _dealing_again(before, seat, action), value)
            total = tuple(sum(pair) for pair in zip(total, luck, strict=True))
    return total


def _dealing_again(before: Match, seat: int, action: str) -> Callable[[Random], Match]:
    """Returns what makes the same choice again and has other cards follow."""

    def deal(rng: Random) -> Match:
        twin = before.with_other_chance(rng)
        twin.apply(seat, action)
        return twin

    return deal


def _luck_of_turn(
    match: Match, deal: Callable[[Random], Match], value: ValueFunction
) -> tuple[float, ...]:
    """Returns the luck of the cards that have just come. Equal cards have equal luck if play was
    equal before them, because the playouts are seeded by the cards."""
    rng = Random(_seed(match, value))
    dealt, expected = value.dealt(match, rng), value.expected(deal, rng)
    return tuple(own - mean for own, mean in zip(dealt, expected, strict=True))


def _answers(match: Match) -> int:
    """Returns how often chance has been asked so far."""
    deals = match.deals
    return len(deals.shuffles) + len(deals.picks)


def _seed(match: Match, value: ValueFunction) -> bytes:
    deals = match.deals
    cards = json.dumps([value.digest(match), deals.shuffles, deals.picks], separators=(",", ":"))
    return sha256(cards.encode()).digest()
