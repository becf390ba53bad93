"""Non-interference: facts that a seat may not know change no byte of its messages.

This is tested in two ways. A match is redealt: everything that the seat cannot see changes. And a
match is played again, with the same choices, after two cards that the seat has not seen were
swapped.
"""

import re
from dataclasses import dataclass
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import Deals, IllegalAction, Match, StackedDeals, WrongDeals
from tests.support.extent import by_extent
from tests.support.game_formats import (
    Format,
    Played,
    chosen_play,
    each_format,
    each_slug,
    formats,
    however_played,
    played,
    sent,
    share,
    simultaneous_decisions,
    texts,
)

TRIALS = 300  # at most, in each format
ENOUGH = by_extent(24, 24, 48)  # trials in a game's formats in which the same choices were legal,
MOST = 12  # and in one format,
MOST_SEATS = 3  # for these of its seats
BETWEEN_WORDS = re.compile(r"""[][(){},:"'\s]+""")


# Redealt ------------------------------------------------------------------------------------------


def check_redeals(match: Match, rng: Random) -> None:
    """A redealt match looks the same to its viewer; so does one redealt for another seat again."""
    for seat in range(match.players):
        other = match.redeal(seat, rng)
        assert sent(other, seat) == sent(match, seat)
        assert other.to_act == match.to_act
    viewer = rng.randrange(match.players)
    assert sent(other.redeal(viewer, rng), viewer) == sent(other, viewer)


@each_format
def test_a_redeal_looks_the_same(form: Format, seed: int) -> None:
    rng = Random(seed)
    count = share(form, 48, most=8)
    for match in [*played(form, seed).positions(rng, count), played(form, seed).end]:
        check_redeals(match, rng)


@each_slug
@given(data=st.data())
@however_played
def test_a_redeal_looks_the_same_however_the_match_was_played(
    slug: str, data: st.DataObject
) -> None:
    check_redeals(data.draw(chosen_play(slug)), Random(data.draw(st.integers(0, 9))))


@each_slug
def test_a_redeal_changes_what_is_hidden(slug: str, seed: int) -> None:
    """Without this, the tests above might compare a match with itself."""
    for form in formats(slug):
        match = form.start(played(form, seed).deals)
        for seat in range(form.players):
            others = [match.redeal(seat, Random(n)).observe(None) for n in range(5)]
            hides = any(zone.hidden > 1 for zone in match.observe(seat).zones)
            assert (set(others) != {match.observe(None)}) == hides


# Other cards --------------------------------------------------------------------------------------


def view_of(match: Match, seat: int, told: int) -> str:
    """Returns what the seat sees and may choose, and its events from the number `told` on."""
    new = match.events(seat, since=told)
    return f"{match.observe(seat).to_json()} {new} {texts(match, seat)}"


def views(
    record: Played, deals: Deals, renamed: dict[str, str], seat: int, steps: range
) -> list[str]:
    """Returns the seat's view before each of these choices, and its events since the one before.

    The last of them is also made, unless the match ends as it did before: rules may act on a hidden
    card by themselves and announce it, and then the choices are no longer the same.
    """
    told = 0
    shown = []
    again = record.again(deals, renamed, since=steps.start)  # the deals before are as they were
    for step, match in zip(range(steps.stop + 1), again, strict=False):
        if steps.start <= step < steps.stop:
            shown.append(view_of(match, seat, told))
        told = len(match.events(seat))
    if step == len(record.choices) and match.to_act:
        raise IllegalAction("The match is not over.")
    return shown


def happened(
    record: Played, deals: Deals, renamed: dict[str, str], step: int
) -> list[tuple[str, int | None, list[str]]]:
    """Returns all events before this choice, with cards under their names in the other match."""
    match = next(islice(record.again(deals, renamed), step, None))
    return [
        (event.verb, event.actor, sorted(renamed.get(str(a), str(a)) for a in event.arguments))
        for event in match.events(None)
    ]


def shuffles_made(record: Played) -> list[int]:
    """Returns the number of shuffles before each choice, and at the end."""
    return [len(match.deals.shuffles) for match in record.again(record.deals)]


@dataclass
class Seat:
    """The match as a seat sees it, before each choice and at the end.

    `views`: what the seat is shown. `unseen`: the cards of the last shuffle whose names it has not
    seen: in no event, nor in anything that it was shown since that shuffle.
    """

    views: list[str]
    unseen: list[list[str]]


def seen_by(record: Played, made: list[int], seat: int) -> Seat:
    shuffles = record.end.deals.shuffles
    heard: set[str] = set()
    shown: set[str] = set()
    found = Seat([], [])
    told = last = 0
    for count, match in zip(made, record.again(record.deals), strict=True):
        if count != last:
            last, shown = count, set()
        found.views.append(view_of(match, seat, told))
        heard.update(BETWEEN_WORDS.split(str(match.events(seat, since=told))))
        told = len(match.events(seat))
        shown.update(BETWEEN_WORDS.split(found.views[-1]))
        found.unseen.append(sorted(set(shuffles[count - 1]) - heard - shown))
    return found


@pytest.mark.slow
@each_format
def test_cards_that_a_seat_has_not_seen_do_not_matter(form: Format, seed: int) -> None:
    """A seat that chose one of the two cards, out of the viewer's sight, now chooses the other."""
    rng = Random(seed)
    record = played(form, seed)
    made = shuffles_made(record)
    shuffles, picks = record.end.deals.shuffles, record.end.deals.picks
    seats = rng.sample(range(form.players), min(form.players, MOST_SEATS))
    by_seat = {seat: seen_by(record, made, seat) for seat in seats}
    moments = [
        (seat, step)
        for seat, found in by_seat.items()
        for step, hidden in enumerate(found.unseen)
        if len(hidden) > 1
    ]
    comparable = 0
    enough = share(form, ENOUGH, MOST)
    for _ in range(TRIALS):
        seat, step = rng.choice(moments)
        last = made[step] - 1
        since_then = range(made.index(made[step]), step + 1)
        one, other = rng.sample(by_seat[seat].unseen[step], 2)
        swap = {one: other, other: one}
        order = [swap.get(card, card) for card in shuffles[last]]
        deals = StackedDeals([*shuffles[:last], order, *shuffles[last + 1 :]], picks)
        try:
            seen_then = views(record, deals, swap, seat, since_then)
        except (IllegalAction, WrongDeals):
            continue  # the choices of one match are not legal in the other
        same = StackedDeals(shuffles, picks)
        if picks and happened(record, deals, swap, step) != happened(record, same, {}, step):
            continue  # a pick among hidden cards, which now lie in another order, took another one
        seen = by_seat[seat].views[since_then.start : since_then.stop]
        assert seen_then == seen, f"seat {seat} notices that {one} and {other} are swapped"
        comparable += 1
        if comparable == enough:
            return
    raise AssertionError(f"Only {comparable} of {TRIALS} trials could be compared.")


# Other choices ------------------------------------------------------------------------------------


@each_slug
def test_what_others_have_chosen_does_not_matter_before_all_have(slug: str, seed: int) -> None:
    rng = Random(seed)
    for match in simultaneous_decisions(slug, seed):
        chooser = rng.choice(match.to_act)
        outcomes = set()
        for action in match.legal_actions(chooser):
            other = match.clone()
            other.apply(chooser, action)
            outcomes.add(
                tuple(sent(other, seat) for seat in range(match.players) if seat != chooser)
            )
        assert len(outcomes) == 1
