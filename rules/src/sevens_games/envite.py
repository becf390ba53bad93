"""Envite: two teams play for two of three tricks, and only the captains bid on their worth.

Source: the article "Envite" by Denexa Games. `docs/games/envite.md` explains the game to bot
authors. What the article leaves open is ruled as follows:

1. The captain of the side that leads speaks first, so that bidding goes by turns.
2. There is no challenge once the play has begun.
3. Each captain has one chance to open; after a challenge there are only answers.
4. A team's stones stop at eleven: a game is won by a hand in play, while lying down or at the
   stake of the game.
5. Declining costs what the hand was worth before the last challenge or raise, never the game.
6. A trawl's two stones come on top of the worth of the hand: 3 + 2 for one won from a team that is
   lying down.
7. A forfeit gives one stone, never the game. No team can forfeit if both are lying down.
8. The dummy belongs to the smaller team. It is dealt to, deals, leads and plays at its place, and
   its captain sees and plays its hand.
9. A trawl is lost by the team of the first place in turn that has no trump, even if that is the
   leader's own partner. A leader who has nothing but trumps cannot avoid it.
10. A trawl ends the whole hand, even if each side has won a trick.
11. A special turned up makes its printed suit trump, and is itself out of play.
12. Signals cost attention: a seat that makes a sign cannot watch, and a seat that is watched is
    always caught. The captain also learns what is caught. Captains neither sign nor watch. There
    are signals before a lying-down team's decision as well.
13. Captains tell their teammates nothing.
14. No trick is tied, as no two cards are alike and other suits never win.
15. The first team with enough games wins the match, in a row or not. The deal continues around the
    table from one game to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from sevens_games.cards import dealt, in_order, redealt, replaced, without
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Result,
    Seen,
    Simultaneous,
    State,
    Turn,
    Zone,
    at_seat,
    at_table,
    by_seat,
    by_team,
    flag,
    integer,
    ranks_by,
)

V = TypeVar("V")

# The deck: the standard one without 8, 9 and 10.
SUITS = "CDHS"
RANKS = "A234567JQK"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
ORDER = {card: place for place, card in enumerate(DECK)}

# By the number of places at the table, the cards that are trumps of any suit, the highest first.
SPECIALS: dict[int, tuple[str, ...]] = {
    4: (),
    6: ("3C", "QC", "JD"),
    8: ("5D", "3C", "QC", "JD"),
    10: ("2D", "5D", "3C", "QC", "JD"),
    12: ("AD", "2D", "5D", "3C", "QC", "JD"),
}
TRUMP_RANKS = "2KQJA76543"  # the highest first
PLAIN_RANKS = "KQJA765432"  # in other suits
RANKS_SIGNED = "2KQJA"  # in trumps; there is one sign for those below


def trumps_in_order(places: int, suit: str) -> tuple[str, ...]:
    """The trumps at a table of `places` places if that suit is turned up, the highest first."""
    specials = SPECIALS[places]
    return specials + tuple(r + suit for r in TRUMP_RANKS if r + suit not in specials)


def following(lead: str, trumps: tuple[str, ...]) -> frozenset[str]:
    """The cards that follow a lead: specials are trumps, and not of their printed suit."""
    if lead in trumps:
        return frozenset(trumps)
    return frozenset(card for card in DECK if card[1] == lead[1] and card not in trumps)


# By places and trump suit: the trumps, the cards that follow each lead, and how high each card is;
# all trumps are above all others.
TRUMPS = {(m, suit): trumps_in_order(m, suit) for m in SPECIALS for suit in SUITS}
FOLLOWING = {
    table: {lead: following(lead, trumps) for lead in DECK} for table, trumps in TRUMPS.items()
}
HEIGHT = {
    table: {card: -PLAIN_RANKS.index(card[0]) for card in DECK}
    | {trump: len(trumps) - i for i, trump in enumerate(trumps)}
    for table, trumps in TRUMPS.items()
}

HAND = 3
TRICKS_TO_WIN = 2
TEAMS = 2
LYING_DOWN = 11
STAKES = (2, 4, 7, 9)
GAME_STAKE = len(STAKES)  # after the others
STAKE_WORDS = (*map(str, STAKES), "game")
TRAWL_BONUS = 2
STONES_FOR_A_FORFEIT = 1
STONES_FROM_LYING_DOWN = 3
ASIDE, TRUMP_HELD = -1, -2  # as places for cards, besides those at the table
NOBODY = -1
NO_SIGN = "none"
UNKNOWN = ""

# Signals show nothing by themselves: `exchange_signals` announces them to the seats that learn of
# them.
SIGNAL = {
    sign: Action[str](f"signal {sign}", sign, public=None) for sign in (*DECK, "low", "blank")
}
WATCH = tuple(Action[int](f"watch {seat}", seat, public=None) for seat in range(max(SPECIALS)))
CHALLENGE = Action[None]("challenge")
PASS = Action[None]("pass")
ACCEPT = Action[None]("accept")
DECLINE = Action[None]("decline")
RAISE = Action[None]("raise")
FORFEIT = Action[None]("forfeit")
STAY = Action[None]("stay")
PLAY = {card: Action[str](f"play {card}", card) for card in DECK}


def signals(places: int, turned_up: str) -> tuple[Action[str], ...]:
    """The specials and the high trumps, the highest first, without the one that all can see."""
    specials, suit = SPECIALS[places], turned_up[1]
    trumps = TRUMPS[places, suit]
    signed = [c for c in trumps if c in specials or c[0] in RANKS_SIGNED]
    return tuple(SIGNAL[sign] for sign in (*signed, "low", "blank") if sign != turned_up)


SIGNALS = {(m, turned_up): signals(m, turned_up) for m in SPECIALS for turned_up in DECK}


@dataclass(frozen=True)
class Options:
    signals: bool = flag(
        True, "Before the bidding, seats other than the captains sign to their captain."
    )
    captain_index: int = integer(
        0,
        "The number of each team's captain among its seats, from 0; less than half the players.",
        minimum=0,
        maximum=5,
    )
    games_to_win: int = integer(2, "The number of games that wins the match.", minimum=1)


@dataclass(slots=True, kw_only=True)
class Envite(State):
    """By place (the seats, and after them the dummy if there is one): `hands` (in canonical order)
    and `played` in this hand (in order). By team: `captains`, `tricks` (of this hand), `stones`
    and `games`. `dealer`, `leader` and `leaders` (of each trick begun) are places.

    By seat, of this hand: `signs` (UNKNOWN before the signals, NO_SIGN if it made none), `watched`
    (the rival watched, or NOBODY). `calls`: the captains' calls in this hand; `stake`: its stake;
    `proposed`: its stake if the challenge or raise is accepted; both by their place in STAKES.
    `rest`: the cards out of play, those below the card `turned_up`. `trick`: the cards of the one
    in play, its leader's first. `without_trump`: the place that a trawl caught.
    """

    places: int = 0
    captains: tuple[int, ...] = ()
    deal: int = 0
    dealer: int = -1
    hands: tuple[tuple[str, ...], ...] = ()
    turned_up: str = ""
    trump: str = ""
    rest: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    watched: tuple[int, ...] = ()
    calls: tuple[str, ...] = ()
    stake: int = 0
    proposed: int = 0
    leader: int = 0
    leaders: tuple[int, ...] = ()
    trick: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    without_trump: int = NOBODY
    tricks: tuple[int, ...] = (0, 0)
    stones: tuple[int, ...] = (0, 0)
    games: tuple[int, ...] = (0, 0)


def alternating(players: int) -> tuple[int, ...]:
    """Players of the two teams sit alternately."""
    return tuple(team_of(seat) for seat in range(players))


def team_of(place: int) -> int:
    return place % TEAMS


def has_dummy(s: Envite) -> bool:
    return s.places > s.players


def owner(s: Envite, place: int) -> int | None:
    """The seat at that place; None if it is the dummy's."""
    return place if place < s.players else None


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Envite) -> str:
    """An odd table has a dummy at the place after the last seat."""
    captain, size = s.options.captain_index, s.players // TEAMS
    if captain >= size:
        raise ValueError(
            f"Option captain_index must be an integer from 0 to {size - 1} with {s.players} "
            f"players, not {captain}."
        )
    s.captains = (TEAMS * captain, TEAMS * captain + 1)
    s.places = s.players + s.players % TEAMS
    s.dealer = s.places - 2  # the deal passes to the last place for the first hand
    return deal(s)


def deal(s: Envite) -> str:
    """Three cards each, and one turned up; the rest is out of play."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.places
    s.leader = (s.dealer + 1) % s.places
    s.deals.begin_deal()
    stock = s.deals.shuffle(DECK)
    s.hands = tuple([in_order(hand, ORDER) for hand in dealt(stock, HAND, s.places, s.leader)])
    s.turned_up = stock[HAND * s.places]
    s.trump = s.turned_up[1]
    s.rest = stock[HAND * s.places + 1 :]
    s.signs = (UNKNOWN,) * s.players
    s.watched = (NOBODY,) * s.players
    s.calls = ()
    s.stake = s.proposed = 0
    s.leaders = s.trick = ()
    s.played = ((),) * s.places
    s.without_trump = NOBODY
    s.tricks = (0, 0)
    s.tell("deal", owner(s, s.dealer), s.deal)
    for seat in range(s.players):
        s.tell_only((seat,), "hand", seat, *s.hands[seat])
    if has_dummy(s):
        s.tell_only((dummy_captain(s),), "dummy", None, *s.hands[s.players])
    s.tell("turn-up", None, s.turned_up)
    return "signals" if s.options.signals else settle_stake(s)


def dummy_captain(s: Envite) -> int:
    """The dummy's place is an odd one, so its captain is that of team 1."""
    return s.captains[1]


# Signals ------------------------------------------------------------------------------------------


def all_but_captains(s: Envite) -> list[int]:
    return [seat for seat in range(s.players) if seat not in s.captains]


def captain_of(s: Envite, seat: int) -> int:
    return s.captains[team_of(seat)]


def sign_or_watch(s: Envite, seat: int) -> list[Action[str] | Action[int]]:
    """Any sign, true or not, or a look at one rival that may be making one."""
    rivals = range(1 - team_of(seat), s.players, TEAMS)
    watches = [WATCH[rival] for rival in rivals if rival not in s.captains]
    return [*SIGNALS[s.places, s.turned_up], *watches]


def exchange_signals(s: Envite, choices: dict[int, Action[str | int]]) -> str:
    """Each captain learns what its team signed and saw, each watcher what it saw."""
    note_signals(s, {seat: choice.value for seat, choice in choices.items()})
    for seat in choices:
        captain, rival = captain_of(s, seat), s.watched[seat]
        if rival == NOBODY:
            s.tell_only((captain,), "sign", seat, s.signs[seat])
        else:
            s.tell_only((captain, seat), "sighting", seat, rival, s.signs[rival])
    return settle_stake(s)


def note_signals(s: Envite, chosen: dict[int, str | int]) -> None:
    """By seat, the sign made or the rival watched; captains do neither."""
    choices = [chosen.get(seat) for seat in range(s.players)]
    s.signs = tuple([choice if isinstance(choice, str) else NO_SIGN for choice in choices])
    s.watched = tuple([choice if isinstance(choice, int) else NOBODY for choice in choices])


def settle_stake(s: Envite) -> str:
    """There is bidding while no team is lying down; if both are, nothing is left to decide."""
    lying_down = s.stones.count(LYING_DOWN)
    return ("bidding", "lying-down", "play")[lying_down]


# Bidding ------------------------------------------------------------------------------------------


def captain_to_speak(s: Envite) -> int:
    """The captains take turns, from the one of the team that leads."""
    return s.captains[team_of(s.leader + len(s.calls))]


def calls_or_answers(s: Envite, seat: int) -> tuple[Action[None], ...]:
    if not s.proposed:
        return (CHALLENGE, PASS)
    return (ACCEPT, DECLINE) if s.proposed == GAME_STAKE else (ACCEPT, DECLINE, RAISE)


def call(s: Envite, seat: int, called: Action[None]) -> str | None:
    s.calls += (called,)
    if called in (CHALLENGE, RAISE):
        s.proposed += 1
        return "bidding"
    if called is DECLINE:
        return win_stones(s, 1 - team_of(seat), STAKES[s.proposed - 1])
    if called is ACCEPT:
        s.stake = s.proposed
    return "bidding" if s.calls == (PASS,) else "play"


# Lying down ---------------------------------------------------------------------------------------


def captain_lying_down(s: Envite) -> int:
    return s.captains[s.stones.index(LYING_DOWN)]


def forfeit_or_stay(s: Envite, seat: int) -> tuple[Action[None], ...]:
    return (FORFEIT, STAY)


def decide_to_stay(s: Envite, seat: int, decision: Action[None]) -> str | None:
    s.calls = (decision,)
    return "play" if decision is STAY else win_stones(s, 1 - team_of(seat), STONES_FOR_A_FORFEIT)


# Play ---------------------------------------------------------------------------------------------


def place_to_play(s: Envite) -> int:
    return (s.leader + len(s.trick)) % s.places


def seat_to_play(s: Envite) -> int:
    """The dummy's cards are played by its captain."""
    place = place_to_play(s)
    return place if place < s.players else dummy_captain(s)


def follow_suit(s: Envite, seat: int) -> list[Action[str]]:
    hand = s.hands[place_to_play(s)]
    if s.trick:
        followers = FOLLOWING[s.places, s.trump][s.trick[0]]
        hand = tuple([card for card in hand if card in followers]) or hand
    return [PLAY[card] for card in hand]


def play_card(s: Envite, seat: int, play: Action[str]) -> str | None:
    place, card = place_to_play(s), play.value
    s.hands = replaced(s.hands, place, without(s.hands[place], card))
    s.played = replaced(s.played, place, (*s.played[place], card))
    if not s.trick:
        s.leaders += (place,)
    s.trick += (card,)
    if place != seat:
        s.tell("dummy-plays", None, card)
    if len(s.trick) == s.places:
        return finish_trick(s)
    return lose_to_trawl(s) if is_caught_by_trawl(s) else "play"


def finish_trick(s: Envite) -> str | None:
    winner = (s.leader + s.trick.index(winning_card(s))) % s.places
    team = team_of(winner)
    s.tricks = replaced(s.tricks, team, s.tricks[team] + 1)
    s.leader = winner
    s.trick = ()
    s.tell("take-trick", owner(s, winner))
    return "play" if s.tricks[team] < TRICKS_TO_WIN else win_hand(s, team)


def winning_card(s: Envite) -> str:
    """The highest trump; without one, the highest card of the suit led."""
    table = (s.places, s.trump)
    trumps, followers = TRUMPS[table], FOLLOWING[table][s.trick[0]]
    contending = [card for card in s.trick if card in trumps or card in followers]
    return max(contending, key=HEIGHT[table].__getitem__)


def is_trump_led(s: Envite) -> bool:
    return bool(s.trick) and s.trick[0] in TRUMPS[s.places, s.trump]


def is_caught_by_trawl(s: Envite) -> bool:
    """True if a trump was led and the place whose turn it is has none."""
    followers = FOLLOWING[s.places, s.trump][s.trick[0]]
    return is_trump_led(s) and followers.isdisjoint(s.hands[place_to_play(s)])


def lose_to_trawl(s: Envite) -> str | None:
    s.without_trump = place_to_play(s)
    s.tell("trawl", owner(s, s.without_trump))
    return win_hand(s, 1 - team_of(s.without_trump), TRAWL_BONUS)


# Scoring ------------------------------------------------------------------------------------------


def win_hand(s: Envite, team: int, bonus: int = 0) -> str | None:
    """A hand is won by two tricks or by a trawl, which has a bonus."""
    if s.stake == GAME_STAKE or s.stones[team] == LYING_DOWN:
        return win_game(s, team)
    if s.stones[1 - team] == LYING_DOWN:
        return win_stones(s, team, STONES_FROM_LYING_DOWN + bonus)
    return win_stones(s, team, STAKES[s.stake] + bonus)


def win_stones(s: Envite, team: int, stones: int) -> str | None:
    """Stones above eleven are ignored."""
    s.stones = replaced(s.stones, team, min(s.stones[team] + stones, LYING_DOWN))
    s.tell("win-stones", s.captains[team], stones)
    s.tell("score", None, *s.stones)
    return deal(s)


def win_game(s: Envite, team: int) -> str | None:
    s.games = replaced(s.games, team, s.games[team] + 1)
    s.stones = (0, 0)
    s.tell("win-game", s.captains[team], *s.games)
    return deal(s) if s.games[team] < s.options.games_to_win else None


def result(s: Envite) -> Result:
    scores = [s.games[team_of(seat)] for seat in range(s.players)]
    return Result(scores, ranks_by(scores), "games-won")


# The view of a seat -------------------------------------------------------------------------------


def sees_hand(s: Envite, viewer: int | None, place: int) -> bool:
    return viewer in (place, None) or (place == s.players and viewer == dummy_captain(s))


def choices_known(s: Envite, viewer: int | None) -> Collection[int]:
    """The seats whose choices at the signals the viewer knows: its own; for a captain, all of
    its team."""
    if viewer is None:
        return range(s.players)
    return range(team_of(viewer), s.players, TEAMS) if viewer in s.captains else (viewer,)


def signs_known(s: Envite, viewer: int | None) -> set[int]:
    """The seats whose sign the viewer knows, or knows to be none: captains make none, and a seat
    that is watched is found out."""
    choices = choices_known(s, viewer)
    return {*choices, *s.captains, *[s.watched[seat] for seat in choices]}


def view(s: Envite, viewer: int | None) -> Observation:
    zones = [Zone("trick", None, s.trick), Zone("turned-up", None, (s.turned_up,))]
    for place, hand in enumerate(s.hands):
        seat = owner(s, place)
        in_hand, played = ("dummy", "dummy-played") if seat is None else ("hand", "played")
        seen = sees_hand(s, viewer, place)
        zones.append(Zone(in_hand, seat, hand) if seen else Zone(in_hand, seat, (), len(hand)))
        zones.append(Zone(played, seat, s.played[place]))
    seen_rest = s.rest if viewer is None else ()
    zones.append(Zone("rest", None, seen_rest, len(s.rest) - len(seen_rest)))
    return Observation(tuple(zones), facts(s, viewer))


def facts(s: Envite, viewer: int | None) -> Facts:
    return Facts(
        {
            "calls": tuple(map(str, s.calls)),
            "captains": s.captains,
            "deal": s.deal,
            "dealer": s.dealer,
            "games": s.games,
            "games_to_win": s.options.games_to_win,
            "leader": s.leader,
            "leaders": s.leaders,
            "phase": s.phase or "over",
            "places": s.places,
            "proposed": STAKE_WORDS[s.proposed] if s.proposed else "",
            "signs": known(s.signs, signs_known(s, viewer), UNKNOWN),
            "stake": STAKE_WORDS[s.stake],
            "stones": s.stones,
            "tricks": s.tricks,
            "trump": s.trump,
            "turn": place_to_play(s) if s.phase == "play" else NOBODY,
            "watched": known(s.watched, choices_known(s, viewer), NOBODY),
        }
    )


def known(values: tuple[V, ...], seats: Collection[int], unknown: V) -> tuple[V, ...]:
    """The values by seat, reduced to these seats; unknown for the rest."""
    return tuple([value if seat in seats else unknown for seat, value in enumerate(values)])


def recall(s: Envite, seen: Seen) -> None:
    [s.turned_up] = seen.cards("turned-up")
    s.stake = STAKE_WORDS.index(seen.fact("stake"))
    if seen.fact("proposed"):
        s.proposed = STAKE_WORDS.index(seen.fact("proposed"))
    if has_dummy(s):
        s.hands += (seen.cards("dummy"),)
        s.played += (seen.cards("dummy-played"),)


def redeal(s: Envite, viewer: int, rng: Random) -> None:
    """A place that once did not follow suit holds no card of that suit, and one that a trawl caught
    no trump; one whose turn comes after a trump was led holds a trump, or the hand would be over.
    Signals that the viewer does not know can have been any."""
    hidden = [place for place in range(s.places) if not sees_hand(s, viewer, place)]
    sizes = {place: len(s.hands[place]) for place in hidden}
    holds_trump = place_to_play(s) if s.phase == "play" and is_trump_led(s) else NOBODY
    if holds_trump in hidden:
        sizes[holds_trump] -= 1
        sizes[TRUMP_HELD] = 1
    trumps, cannot_hold = TRUMPS[s.places, s.trump], voids(s)

    def may_lie(place: int, card: str) -> bool:
        if place == TRUMP_HELD:
            return card in trumps
        return place == ASIDE or card not in cannot_hold[place]

    lying = redealt(
        in_order([*s.rest, *[card for place in hidden for card in s.hands[place]]], ORDER),
        {**sizes, ASIDE: len(s.rest)},
        may_lie,
        rng,
    )
    for place in hidden:
        hand = lying[place] + (lying[TRUMP_HELD] if place == holds_trump else ())
        s.hands = replaced(s.hands, place, in_order(hand, ORDER))
    s.rest = lying[ASIDE]
    if any(s.signs):
        note_signals(s, dict(possible_signals(s, viewer, rng)))


def voids(s: Envite) -> list[set[str]]:
    """By place, the cards that it is known not to hold."""
    followers = FOLLOWING[s.places, s.trump]
    cannot_hold: list[set[str]] = [set() for _ in s.hands]
    leads = [s.played[leader][trick] for trick, leader in enumerate(s.leaders)]
    for void, played in zip(cannot_hold, s.played, strict=True):
        # Places that have not yet played to the last lead have one card fewer.
        for lead, card in zip(leads, played, strict=False):
            if card not in followers[lead]:
                void |= followers[lead]
    if s.without_trump != NOBODY:
        cannot_hold[s.without_trump].update(TRUMPS[s.places, s.trump])
    return cannot_hold


def possible_signals(s: Envite, viewer: int, rng: Random) -> Iterator[tuple[int, str | int]]:
    """By seat, the signs and looks that are possible for all that the viewer knows."""
    choices, signs = choices_known(s, viewer), signs_known(s, viewer)
    for seat in all_but_captains(s):
        made_one = s.signs[seat] != NO_SIGN
        if seat in choices or (seat in signs and made_one):
            yield seat, s.signs[seat] if made_one else s.watched[seat]
        else:
            could = [action.value for action in sign_or_watch(s, seat)]
            yield seat, rng.choice([c for c in could if seat not in signs or isinstance(c, int)])


GAME = Game(
    slug="envite",
    title="Envite",
    summary="Two teams, two of three tricks: teammates sign in secret, captains raise the stakes.",
    how_to_play=(
        "Two teams play with three cards each, and the team that takes two tricks wins the hand.",
        "A card turned up names the trump suit, whose best card is the two; with more than four "
        "at the table, some cards are always trumps, and higher still.",
        "Before the play, teammates may sign to their captain what their best trump is, true or "
        "false, and rivals may watch them.",
        "Only the captains bid: one challenges for more stones, and the other accepts, declines "
        "or raises.",
        "Follow the suit led if you can; a player who cannot follow a trump loses the hand at "
        "once.",
        "A team with eleven stones wins the game with the next hand that it wins, and two games "
        "win the match.",
    ),
    rules_version=1,
    players=tuple(range(4, 13)),
    ladder_players=4,
    ladder_duplicate=True,
    option_fields=Options,
    teams=alternating,
    state=Envite,
    begin=begin,
    phases={
        "signals": Simultaneous(
            rule="Each seat but the captains signs, or watches one rival other than the captain.",
            who=all_but_captains,
            may=sign_or_watch,
            then=exchange_signals,
        ),
        "bidding": Turn(
            rule="A captain challenges or passes, and answers: accepts, declines or raises.",
            who=captain_to_speak,
            may=calls_or_answers,
            then=call,
        ),
        "lying-down": Turn(
            rule="The captain of the team that is lying down forfeits the hand or stays in it.",
            who=captain_lying_down,
            may=forfeit_or_stay,
            then=decide_to_stay,
        ),
        "play": Turn(
            rule="A place that holds a card of the suit led must play one; specials are trumps.",
            who=seat_to_play,
            may=follow_suit,
            then=play_card,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("trick",),
    cards="Rank, then suit: A 2 3 4 5 6 7 J Q K; C D H S.",
    zones={
        "trick": "The cards of the trick in play, the leader's first.",
        "turned-up": "The card turned up, whose printed suit is trump; it is out of play.",
        "hand": "A seat's hand: your cards; for other seats, only their number.",
        "played": "The cards a seat has played in this hand, in order, the trick in play included.",
        "dummy": "With an odd number of seats: the dummy's hand, which only the captain of team 1 "
        "sees.",
        "dummy-played": "With an odd number of seats: the cards the dummy has played in this "
        "hand, in order.",
        "rest": "The cards not dealt, hidden and out of play.",
    },
    facts={
        "calls": "The captains' calls in this hand, in turn, the leading team's captain first; "
        "or the one call of a team that is lying down.",
        "captains": "By team, the seat of its captain.",
        "deal": "The number of this hand in the match, from 1.",
        "dealer": "The place that dealt: a seat, or the number of players for the dummy.",
        "games": "By team, the games won.",
        "games_to_win": "The number of games that wins the match.",
        "leader": "The place that led the trick in play, or is to lead the next.",
        "leaders": "By trick begun in this hand, the place that led it: card k of each `played` "
        "zone belongs to trick k.",
        "phase": "The phase: signals, bidding, lying-down, play, or over at the end.",
        "places": "The number of places at the table: the seats, and one for a dummy if their "
        "number is odd.",
        "proposed": "The stake last proposed in this hand: 4, 7, 9 or game; empty if none has "
        "been.",
        "signs": "By seat, its sign in this hand as far as you know it: a card, low, blank, or "
        "none if you know that it made none (captains never do); empty before the signals and "
        "where you do not know.",
        "stake": "The stake of the hand: 2 until a captain accepts 4, 7, 9 or game.",
        "stones": "By team, the stones in this game; a team with 11 is lying down.",
        "tricks": "By team, the tricks taken in this hand.",
        "trump": "The letter of the trump suit.",
        "turn": "The place whose card is to be played, which may be the dummy's; -1 outside the "
        "play.",
        "watched": "By seat, the rival that it watched in this hand, as far as you know; -1 "
        "otherwise.",
    },
    actions={
        "signal CARD": "Sign to your captain that your best trump is this special or high trump, "
        "whether you hold it or not; the card turned up cannot be named.",
        "signal low": "Sign: a trump too low to be named.",
        "signal blank": "Sign: no trump.",
        "watch SEAT": "Make no sign, and watch the sign of this rival; any rival but the captain.",
        "challenge": "Propose a stake of 4.",
        "pass": "Propose nothing; only before a challenge.",
        "accept": "Play for the stake proposed.",
        "decline": "Give up the hand for its previous worth.",
        "raise": "Propose the stake above; not once the game is proposed.",
        "forfeit": "Lying down: give up the hand for 1 stone.",
        "stay": "Lying down: play the hand.",
        "play CARD": "Play a card of your hand, or of the dummy's in its turn: of the suit led; "
        "any card if you have none, or when leading.",
    },
    events={
        "deal": "The dealer, or nobody for the dummy; the number of the hand.",
        "hand": "You; your cards.",
        "dummy": "The dummy's cards; only its captain sees it.",
        "turn-up": "The card whose suit is trump.",
        "sign": "A teammate; its sign. Only its captain sees it.",
        "sighting": "The watcher; the rival, its sign or none. Only the watcher and its captain "
        "see it.",
        "dummy-plays": "The dummy's card, after its captain's choice.",
        "take-trick": "The winner, or nobody for the dummy.",
        "trawl": "The place without a trump, or nobody for the dummy.",
        "win-stones": "The winners' captain; the number of stones.",
        "score": "By team, the stones.",
        "win-game": "The winners' captain; by team, the games.",
    },
    reasons={"games-won": "A team won the games it needed."},
    layout=Layout(
        score="game|games",
        hands=("hand", "dummy"),
        stocks=("rest",),
        records=("played", "dummy-played"),
        order="leader",
        nobody="The dummy",
        trick_ends=("take-trick",),
        facts={
            "trump": at_table("trump", "{0:suit}"),
            "stake": at_table("stake", "{0:stake}"),
            "proposed": at_table("proposed stake", "{0:stake}"),
            "calls": at_table("calls", "{all:actions}"),
            "tricks": by_team("tricks"),
            "stones": by_team("stones"),
            "games": by_team("games", "{0} of {games_to_win}"),
            "signs": by_seat("sign", "{0:sign}"),
            "watched": by_seat("watches", "{0:seat}"),
            "captains": at_seat("captain"),
            "leader": at_seat("leads"),
            "deal": at_table("deal"),
            "games_to_win": UNSAID,
            "leaders": UNSAID,
            "places": UNSAID,
        },
        words={
            "seat": {"-1": ""},
            "sign": {"low": "a low trump", "blank": "no trump", "none": "nothing"},
            "stake": {
                **{each: f"{each} stones" for each in ("2", "4", "7", "9")},
                "game": "the game",
            },
        },
        titles={"dummy": "hand of the dummy", "dummy-played": "played by the dummy"},
        says={
            "signal": "{actor:signals|signal} {0:sign}",
            "watch": "{actor:watches|watch} {0:seat}",
            "challenge": "{actor:challenges|challenge}",
            "pass": "{actor:passes|pass}",
            "accept": "{actor:accepts|accept}",
            "decline": "{actor:declines|decline}",
            "raise": "{actor:raises|raise}",
            "forfeit": "{actor:forfeits|forfeit} the hand",
            "stay": "{actor:stays|stay}",
            "play": "{actor:plays|play} {0}",
            "hand": "{actor:is|are} dealt {all}",
            "dummy": "The dummy holds {all}",
            "turn-up": "{0} is turned up",
            "sign": "{actor:signs|sign} {0:sign}",
            "sighting": "{actor:sees|see} {0:seat} sign {1:sign}",
            "dummy-plays": "The dummy plays {0}",
            "deal": "{actor:deals|deal} hand {0}",
            "take-trick": "{actor:takes|take} the trick",
            "trawl": "{actor:has|have} no trump: a trawl",
            "win-stones": "{actor:wins|win} {0:stone|stones}",
            "score": "Stones: {all:teams}",
            "win-game": "{actor:wins|win} the game; games: {all:teams}",
        },
    ),
)
