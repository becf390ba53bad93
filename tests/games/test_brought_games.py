"""A game from another package: it is found, cannot replace ours, and is tested like ours.

The games here are throw-away. One is honest; each of the others has a flaw, which the tests of
every game must find.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sevens_games import SeededDeals, UnknownGame, load, registry, slugs

HONEST = """
from dataclasses import dataclass
from sevens_games.cards.hands import dealt, in_order, replaced, without
from sevens_games.cards.redealing import redealt
from sevens_games.engine.actions import Action
from sevens_games.engine.game import Game
from sevens_games.engine.observation import Facts, Observation, Zone
from sevens_games.engine.options import integer
from sevens_games.engine.phases import Simultaneous, Turn
from sevens_games.engine.result import Result, ranks_by
from sevens_games.engine.state import State

DECK = tuple(f"{n}X" for n in range(1, 17))
PLACE = {card: place for place, card in enumerate(DECK)}
HIDE = {card: Action(f"hide {card}", card, public="hide") for card in DECK}
SHOW = {card: Action(f"show {card}", card) for card in DECK}

@dataclass(frozen=True)
class Options:
    rounds: int = integer(4, "How many rounds are played.", minimum=1, maximum=9)

@dataclass(slots=True, kw_only=True)
class Table(State):
    round: int = 0
    hands: tuple = ()
    hidden: tuple = ()
    shown: tuple = ()
    stock: tuple = ()
    lucky: int = 0
    scores: tuple = ()

def begin(s):
    s.scores = (0,) * s.players
    return begin_round(s)

def begin_round(s):
    s.round += 1
    s.deals.begin_deal()
    stock = s.deals.shuffle(DECK)
    s.lucky = s.deals.pick(s.players)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(stock, 3, s.players, 0))
    s.stock = stock[3 * s.players:]
    s.hidden = s.shown = ()
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    return "hiding"

def seat_to_hide(s): return len(s.hidden)
def any_to_hide(s, seat): return [HIDE[card] for card in s.hands[seat]]
def hide(s, seat, action):
    s.hands = replaced(s.hands, seat, without(s.hands[seat], action.value))
    s.hidden += (action.value,)
    return "hiding" if len(s.hidden) < s.players else "showing"

def everyone(s): return range(s.players)
def any_to_show(s, seat): return [SHOW[card] for card in s.hands[seat]]
def show(s, actions):
    s.shown = tuple(actions[seat].value for seat in everyone(s))
    s.hands = tuple(without(s.hands[seat], s.shown[seat]) for seat in everyone(s))
    best = s.shown.index(max(s.shown, key=PLACE.get))
    points = 1 + (best == s.lucky)
    s.scores = replaced(s.scores, best, s.scores[best] + points)
    s.tell("win", best, s.lucky)
    return begin_round(s) if s.round < s.options.rounds else None

def result(s): return Result(list(s.scores), ranks_by(s.scores), "played-out")

def view(s, viewer):
    zones = [Zone("stock", None, *((s.stock, 0) if viewer is None else ((), len(s.stock))))]
    for seat in everyone(s):
        own = viewer in (seat, None)
        hand, hidden = s.hands[seat], s.hidden[seat:seat + 1]
        zones.append(Zone("hand", seat, hand) if own else Zone("hand", seat, (), len(hand)))
        zones.append(Zone("hidden", seat, hidden) if own else Zone("hidden", seat, (), len(hidden)))
        zones.append(Zone("shown", seat, s.shown[seat:seat + 1]))
    return Observation(tuple(zones), Facts({"round": s.round, "scores": s.scores}))

def redeal(s, viewer, rng):
    others = [seat for seat in everyone(s) if seat != viewer]
    unseen = [card for seat in others for card in s.hands[seat] + s.hidden[seat:seat + 1]]
    sizes = {("hand", seat): len(s.hands[seat]) for seat in others}
    sizes |= {("hidden", seat): len(s.hidden[seat:seat + 1]) for seat in others}
    sizes |= {("stock", None): len(s.stock)}
    at = redealt([*unseen, *s.stock], sizes, lambda place, card: True, rng)
    s.stock = at["stock", None]
    s.hands = tuple(
        s.hands[seat] if seat == viewer else in_order(at["hand", seat], PLACE)
        for seat in everyone(s)
    )
    s.hidden = tuple(
        card if seat == viewer else at["hidden", seat][0] for seat, card in enumerate(s.hidden)
    )
    s.lucky = rng.randrange(s.players)

GAME = Game(
    slug="SLUG",
    title="Hide and Show",
    summary="Hide a card, show a card; the highest card shown wins.",
    rules_version=1,
    players=(2, 3),
    ladder_players=3,
    option_fields=Options,
    state=Table,
    begin=begin,
    phases={
        "hiding": Turn(rule="Hide a card.", who=seat_to_hide, may=any_to_hide, then=hide),
        "showing": Simultaneous(rule="Show a card.", who=everyone, may=any_to_show, then=show),
    },
    view=view,
    redeal=redeal,
    result=result,
    zones={"stock": "The rest.", "hand": "A hand.", "hidden": "Face down.", "shown": "Face up."},
    cards="The number, then X.",
    facts={"round": "The round, from 1.", "scores": "By seat, the points."},
    actions={"hide CARD": "Hide a card.", "show CARD": "Show a card."},
    events={"hand": "You; your cards.", "win": "The winner; the lucky seat."},
    reasons={"played-out": "All rounds were played."},
)
"""
# By slug: the difference from the honest game's source, and the test that must find it.
FLAWS = {
    "shows-the-stock": (
        {
            '"round": s.round': '"round": s.round + 20 * sum('
            "place * PLACE[card] for place, card in enumerate(s.stock))"
        },
        "test_cards_that_a_seat_has_not_seen_do_not_matter",
    ),
    "orders-by-the-stock": (
        {
            "HIDE[card] for card in s.hands[seat]": "HIDE[c] for c in sorted(s.hands[seat], "
            "reverse=s.stock[0] < s.stock[1])"
        },
        "test_a_redeal_looks_the_same",
    ),
    "hides-from-the-spectator": (
        {"(s.stock, 0) if viewer is None else": "(s.stock, 0) if False else"},
        "test_observations_are_plain_and_true",
    ),
    "changes-in-place": (
        {
            "s.scores = (0,) *": "s.scores = [0] *",
            "s.scores = replaced(s.scores, best, s.scores[best] + points)": "s.scores[best] += 1",
            '"scores": s.scores': '"scores": tuple(s.scores)',
        },
        "test_a_clone_is_independent_and_has_the_same_future",
    ),
    "does-not-redeal": (
        {"def redeal(s, viewer, rng):": "def redeal(s, viewer, rng):\n    return"},
        "test_a_redeal_changes_what_is_hidden",
    ),
    "redeals-too-little": (
        {"lambda place, card: True": 'lambda place, card: place[0] != "stock" or card > "16X"'},
        "test_the_true_place_of_each_card_can_come_up",
    ),
    "tells-what-it-does-not-declare": (
        {'s.tell("win"': 's.tell("prize"'},
        "test_what_is_told_and_chosen_is_declared",
    ),
    "has-chance-of-its-own": (
        {"s.deals.pick(s.players)": "__import__('random').randrange(s.players)"},
        "test_shuffles_and_picks_and_choices_are_the_whole_match",
    ),
}


@pytest.fixture
def brought(tmp_path: Path) -> Path:
    """A folder with packages of these games as installed, one of which also claims the name of
    ours."""
    sources = {"honest": HONEST, "xeri": HONEST}
    for slug, (changes, _) in FLAWS.items():
        sources[slug] = HONEST
        for text, other in changes.items():
            assert text in HONEST
            sources[slug] = sources[slug].replace(text, other)
    points = ["[arena.games]"]
    for slug, source in sources.items():
        module = f"brought_{slug.replace('-', '_')}"
        (tmp_path / f"{module}.py").write_text(source.replace("SLUG", slug))
        points.append(f"{slug} = {module}:GAME")
    info = tmp_path / "brought_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(points))
    return tmp_path


@pytest.fixture
def installed(brought: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Installs these packages; the games are looked up again before and after."""
    monkeypatch.syspath_prepend(brought)
    forget_games()
    yield
    forget_games()


def forget_games() -> None:
    for cached in (registry.own_slugs, registry.slugs, registry.load):
        cached.cache_clear()


@pytest.mark.usefixtures("installed")
def test_a_brought_game_is_one_of_the_games() -> None:
    assert "honest" in slugs()
    assert list(slugs()) == sorted(set(slugs()))
    game = load("honest")
    assert game is load("honest")
    assert game.start(deals=SeededDeals("any text")).to_act == (0,)


@pytest.mark.usefixtures("installed")
def test_no_brought_game_replaces_ours() -> None:
    assert load("xeri").title == "Xeri"


@pytest.mark.parametrize(
    ("slug", "rest"),
    [
        ("no-such-game", f"; there are: {', '.join(slugs())}."),
        ("", f"; there are: {', '.join(slugs())}."),
        ("Xeri", ". Did you mean xeri?"),
        ("insidious_sevens", ". Did you mean insidious-sevens?"),
        ("7 Euchre", ". Did you mean seven-euchre?"),
        ("engine", f"; there are: {', '.join(slugs())}."),
    ],
)
def test_an_unknown_game_is_refused_in_a_plain_sentence(slug: str, rest: str) -> None:
    with pytest.raises(UnknownGame) as refused:
        load(slug)
    assert isinstance(refused.value, KeyError)
    assert str(refused.value) == f"There is no game {slug!r}{rest}"


def test_every_module_that_is_not_the_drivers_is_a_game() -> None:
    for slug in registry.own_slugs():
        assert load(slug).slug == slug


@pytest.mark.slow
def test_a_brought_game_is_tested_like_ours(brought: Path, seed: int) -> None:
    """The honest one passes every test of every game, and each flaw fails the test meant for it."""
    tests = [(slug, test) for slug, (_, test) in FLAWS.items()]
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--everything", "-q", "-rA", "--tb=no"),
            *("--no-header", "-p", "no:cacheprovider", f"--seed={seed}"),
            *("-k", " or ".join(["honest", *(f"({flaw} and {test})" for flaw, test in tests)])),
            *map(str, Path(__file__).parent.glob("test_every_game*.py")),
        ],
        env={
            **os.environ,
            "PYTHONPATH": str(brought),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(brought),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    outcomes = re.findall(r"^(PASSED|FAILED|ERROR) \S*::(\w+)\[([a-z-]+)", run.stdout, re.MULTILINE)
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout + run.stderr
    assert len([test for _, test, game in outcomes if game == "honest"]) > 30
    failed = {(test, game) for outcome, test, game in outcomes if outcome != "PASSED"}
    assert [test for test, game in failed if game == "honest"] == []
    for slug, test in tests:
        assert (test, slug) in failed
