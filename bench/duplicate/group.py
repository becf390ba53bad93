"""One deal, played in every seating by bots of different strength."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from statistics import fmean

from arena.match import Seating
from arena.protocol import rank_points
from bench.duplicate.form import NEW, OLD, Form
from bench.duplicate.sample_seat import Player, SampleSeat, sample_bot
from bench.luck import Choice, PlayedMatch
from sevens_games import Deals, Result, SeededDeals
from sevens_games.engine import SplitDeals

Noise = tuple[float, float, float]  # of OLD, NEW and HOUSE


def noisy_players(slug: str, noise: Noise) -> tuple[Player, ...]:
    """Returns OLD, NEW and HOUSE: the game's sample bot, three times."""
    return tuple(Player(sample_bot(slug), share) for share in noise)


def play_match(
    form: Form, seating: Seating, deal_seed: str, players: Sequence[Player]
) -> tuple[Result, PlayedMatch]:
    """Plays the deal to the end in this seating; the bots have randomness of their own in it.

    `players`: OLD, NEW, and HOUSE where the form has house bots.
    """
    own_seed = f"{deal_seed}/{'.'.join(map(str, seating))}"
    match = form.game.start(players=form.players, deals=_deals(form, deal_seed, own_seed))
    bots = [
        SampleSeat(match, seat, players[player], _bytes(f"{own_seed}/{seat}"))
        for seat, player in enumerate(form.players_at(seating))
    ]
    turn = Random(own_seed)
    choices: list[Choice] = []
    while match.to_act:
        seat = turn.choice(match.to_act)  # in a race any seat may be first
        choices.append((seat, bots[seat].choose()))
        match.apply(*choices[-1])
    assert match.result is not None
    deals = match.deals
    return match.result, PlayedMatch(
        form.game, form.players, match.options, deals.shuffles, deals.picks, choices
    )


def difference(form: Form, seating: Seating, points: Sequence[float]) -> float:
    """Returns the mean of NEW's seats minus the mean of OLD's, of something that seats have."""
    at = form.players_at(seating)
    means = {
        player: fmean(own for own, who in zip(points, at, strict=True) if who == player)
        for player in (NEW, OLD)
    }
    return means[NEW] - means[OLD]


def result_of(form: Form, seating: Seating, result: Result) -> float:
    """Returns NEW's rank points minus OLD's in a finished match, from -1 to 1."""
    return difference(form, seating, rank_points(result.ranks, form.teams))


def _deals(form: Form, deal_seed: str, own_seed: str) -> Deals:
    """Returns the group's deals. Picks that stand for the order of arrival belong to the match, as
    they would in the arena."""
    deals = SeededDeals(deal_seed)
    game = form.game
    by_arrival = game.picks_by_arrival(game.option_fields())
    return SplitDeals(deals, SeededDeals(own_seed)) if by_arrival else deals


def _bytes(text: str) -> bytes:
    return sha256(text.encode()).digest()
