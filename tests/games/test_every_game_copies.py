"""Copies of a match: clones, redealt matches, and replays from shuffles, picks and choices."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import Match, SeededDeals, StackedDeals, WrongDeals, load
from tests.support.game_checks import check_decision, check_observations
from tests.support.game_formats import (
    Format,
    chosen_play,
    each_format,
    each_slug,
    enough_formats,
    everything,
    formats,
    however_played,
    play_on,
    played,
    share,
    simultaneous_decisions,
)

MOST_HIDDEN = 40
MOST_REDEALS = 1000

# Clones -------------------------------------------------------------------------------------------


def check_clone(match: Match, rng: Random) -> None:
    """Neither the clone nor the match affects the other, and both have the same future."""
    before = everything(match)
    twin = match.clone()
    assert everything(twin) == before
    choices = play_on(match, rng, most=40)
    after = everything(match)
    assert everything(twin) == before
    for seat, text in choices:
        twin.apply(seat, text)
    assert everything(twin) == after == everything(match)


@each_format
def test_a_clone_is_independent_and_has_the_same_future(form: Format, seed: int) -> None:
    rng = Random(seed)
    for match in played(form, seed).positions(rng):
        check_clone(match, rng)


@each_slug
@given(data=st.data())
@however_played
def test_a_clone_is_independent_however_the_match_was_played(
    slug: str, data: st.DataObject
) -> None:
    check_clone(data.draw(chosen_play(slug)), Random(data.draw(st.integers(0, 9))))


@each_slug
def test_a_clone_has_the_kept_choices(slug: str, seed: int) -> None:
    rng = Random(seed)
    for match in simultaneous_decisions(slug, seed):
        for seat in match.to_act[:-1]:
            match.apply(seat, rng.choice(match.legal_actions(seat)))
            check_clone(match.clone(), rng)


# Redealt matches ----------------------------------------------------------------------------------


@each_format
def test_a_redeal_leaves_the_match_alone(form: Format, seed: int) -> None:
    rng = Random(seed)
    for match in played(form, seed).positions(rng):
        before = everything(match)
        other = match.redeal(rng.randrange(form.players), rng)
        play_on(other, rng, most=40)
        assert everything(match) == before


def check_redealt(match: Match, rng: Random) -> None:
    other = match.redeal(rng.randrange(match.players), rng)
    check_decision(other)
    check_observations(other)
    assert other.deals.shuffles == match.deals.shuffles
    assert other.deals.picks == match.deals.picks
    assert other.options == match.options


@each_format
def test_a_redealt_match_is_a_match(form: Format, seed: int) -> None:
    rng = Random(seed)
    for match in [*played(form, seed).positions(rng), played(form, seed).end]:
        check_redealt(match, rng)


@each_slug
@given(data=st.data())
@however_played
def test_a_redealt_match_is_a_match_however_it_was_played(slug: str, data: st.DataObject) -> None:
    check_redealt(data.draw(chosen_play(slug)), Random(data.draw(st.integers(0, 9))))


@each_format
def test_a_redealt_match_can_be_played_to_its_end(form: Format, seed: int) -> None:
    rng = Random(seed)
    for match in played(form, seed).positions(rng, 4):
        other = match.redeal(rng.randrange(form.players), rng)
        play_on(other, rng)
        assert other.result is not None
        check_observations(other)


@each_slug
def test_a_redeal_follows_from_its_random_numbers(slug: str, seed: int) -> None:
    """So does the whole future: numbers drawn from them later do not change it."""
    for match in played(formats(slug)[0], seed).positions(Random(seed)):
        rng = Random(seed)
        one, other = match.redeal(0, rng), match.redeal(0, Random(seed))
        assert everything(one) == everything(other)
        choices = play_on(one, rng)
        for seat, text in choices:
            other.apply(seat, text)
        assert everything(one) == everything(other)


@each_slug
def test_a_redealt_match_has_another_future(slug: str, seed: int) -> None:
    """With the same hidden cards, too: nobody knows the outcome of future chance."""
    record = played(formats(slug)[-1], seed)
    futures = []
    for n in range(5):
        match = record.form.start(record.deals).redeal(0, Random(n))
        play_on(match, Random(0))
        futures.append(match.deals.shuffles[1:])
    assert len(record.end.deals.shuffles) == 1 or any(future != futures[0] for future in futures)


@each_slug
def test_a_redeal_draws_the_stored_choices_of_others_again(slug: str, seed: int) -> None:
    rng = Random(seed)
    for match in simultaneous_decisions(slug, seed):
        first, second = match.to_act[:2]
        # Facts hidden from the second seat may leave the first a choice or none (a claim, say).
        dealt = [match.redeal(second, Random(n)) for n in range(40)]
        open_deals = [deal for deal in dealt if len(deal.legal_actions(first)) > 1]
        match.apply(first, rng.choice(match.legal_actions(first)))
        own = match.observe(first)
        drawn = set()
        for n in range(40):
            assert match.redeal(first, Random(n)).observe(first) == own
            other = match.redeal(second, Random(n))
            assert other.to_act == match.to_act
            drawn.add(other.observe(None).facts["chosen"])
        assert len(drawn) > 1 or len(open_deals) < 20


@each_slug
def test_only_a_seat_can_have_a_match_redealt(slug: str) -> None:
    match: Any = load(slug).start()
    for nobody in (-1, 99, None, True, "0"):
        with pytest.raises(ValueError, match="seats are 0 to"):
            match.redeal(nobody, Random(0))


def hidden_cards(match: Match, seat: int, truth: Match) -> set[tuple[str, int | None, str]]:
    """Returns, by zone and owner, the cards of `truth` in places that are hidden from the seat."""
    return {
        (zone.name, zone.owner, card)
        for zone in match.observe(seat).zones
        if zone.hidden
        for card in Counter(truth.observe(None).zone(zone.name, zone.owner).cards)
        - Counter(zone.cards)
    }


@each_slug
def test_the_true_place_of_each_card_can_come_up(slug: str, seed: int) -> None:
    """The truth agrees with everything that a seat knows. Tested where few cards are hidden: at
    one of 14 decisions of Mexican Sweat."""
    rng = Random(seed)
    tried: list[Match] = []
    for form in enough_formats(slug, tried):
        for match in played(form, seed).positions(rng, share(form, 240, most=20)):
            seat = rng.randrange(form.players)
            missing = hidden_cards(match, seat, match)
            if not 1 < len(missing) <= MOST_HIDDEN:
                continue
            tried.append(match)
            for _ in range(MOST_REDEALS):
                missing -= hidden_cards(match, seat, match.redeal(seat, rng))
                if not missing:
                    break
            assert not missing, f"seat {seat} of {form}"
    assert tried


# Replays ------------------------------------------------------------------------------------------


@each_format
def test_shuffles_and_picks_and_choices_are_the_whole_match(form: Format, seed: int) -> None:
    record = played(form, seed)
    deals = StackedDeals(record.end.deals.shuffles, record.end.deals.picks)
    for match, original in zip(record.again(deals), record.again(record.deals), strict=True):
        assert match.to_act == original.to_act
    assert everything(match) == everything(original) == everything(record.end)


@each_slug
def test_the_logs_of_chance_are_plain_and_nobody_can_change_them(slug: str, seed: int) -> None:
    match = played(formats(slug)[0], seed).end
    shuffles, picks = match.deals.shuffles, match.deals.picks
    assert all(type(card) is str for order in shuffles for card in order)
    assert all(type(pick) is int for pick in picks)
    match.deals.shuffles[0].clear()
    match.deals.shuffles.clear()
    match.deals.picks.append(0)
    match.deals.begin_deal()
    match.deals.shuffle(shuffles[0])
    assert match.deals.shuffles == shuffles
    assert match.deals.picks == picks


@each_format
def test_deals_that_do_not_fit_are_wrong(form: Format, seed: int) -> None:
    record = played(form, seed)
    shuffles, picks = record.end.deals.shuffles, record.end.deals.picks
    wrong = [
        StackedDeals(shuffles[:-1], picks),
        StackedDeals([*shuffles[:-1], shuffles[-1][1:]], picks),
        StackedDeals([*shuffles[:-1], ["no such card", *shuffles[-1][1:]]], picks),
        *[StackedDeals(shuffles, [*picks[:-1], pick]) for pick in (-1, 10**9, True) if picks],
        *[StackedDeals(shuffles, picks[:-1]) for _ in picks[:1]],
    ]
    for deals in wrong:
        with pytest.raises(WrongDeals):
            for _ in record.again(deals):
                pass


class Announced(SeededDeals):
    """Seeded deals that note, for all copies together, which shuffles were the first of a deal."""

    firsts: list[tuple[str, ...] | None]

    def __init__(self, seed: str, firsts: list[tuple[str, ...] | None]) -> None:
        super().__init__(seed)
        self.firsts = firsts

    def copy(self) -> Announced:
        other = Announced("", self.firsts)
        for name in SeededDeals.__slots__:
            setattr(other, name, getattr(self, name))
        other.with_past_of(self)
        return other

    def begin_deal(self) -> None:
        super().begin_deal()
        self.firsts.append(None)

    def shuffle(self, cards: Any) -> tuple[str, ...]:
        order = super().shuffle(cards)
        self.firsts[-1] = self.firsts[-1] or order
        return order


@each_format
def test_matches_on_one_seed_meet_the_same_cards_in_each_deal(form: Format, seed: int) -> None:
    firsts: list[list[tuple[str, ...] | None]] = []
    for n in range(2):
        firsts.append([])
        play_on(form.start(Announced(f"{seed}", firsts[-1])), Random(f"{seed} {n}"))
    one, other = firsts
    assert one[0]
    for order, other_order in zip(one, other, strict=False):
        assert order == other_order
