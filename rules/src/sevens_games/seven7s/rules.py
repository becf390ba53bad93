"""Seven7s: a card a turn onto a column, for the column's power; seven cards in a column end it.

Source: the rule booklet by Jason Tagmire. `docs/games/seven7s.md` explains the game to bot authors.
What the booklet leaves open is ruled as follows:

1. The booklet shows few colours. Every type and every value has each colour once: in each type the
   rainbow runs with the values, and begins two colours further on than in the type before.
2. Ages mean nothing to bots: seat 0 starts.
3. The card that starts the first column uses no power, but a Colors card sets the wild colour and
   an Age disables a value.
4. A free card goes onto any column that exists; it can start only the column of its own type.
5. A wild card uses the power of the column it is put on. An Age never has a power, wild or not.
6. Any card in the Ages column disables a value. Only a Colors card in the Colors column sets the
   wild colour.
7. The sideways card neither disables a value nor sets the wild colour: it only scores.
8. If the card taken by Deadly Sins ends the match, it belongs to the seat whose turn it is, and its
   former holder does not draw.
9. The seat whose turn it is chooses the column of a free card taken by Deadly Sins. Its former
   holder draws at once, before that seat refills its hand.
10. A card that was shown by Lucky Gods but not won stays on top of the deck.
11. Seas must take a card, from any column but its own. If there is no other, it has no power, and
    the seat draws as usual.
12. Wonders give three looks, each seen before the next is chosen. A look into a hand shows a random
    card of it.
13. If the deck is empty at the end of a turn, the match ends without a sideways card.
14. Bonus cards count in the tie-break as cards worth 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from sevens_games.cards import dealt, in_order, replaced, without
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Result,
    Seen,
    Suit,
    Turn,
    Zone,
    at_seat,
    at_table,
    ranks_by,
)
from sevens_games.seven7s import guesses
from sevens_games.seven7s.deck import (
    AGES,
    COLORS,
    COLOUR,
    COLUMNS,
    DECK,
    GODS,
    PLACE,
    RAINBOW,
    SEAS,
    SINS,
    TYPE,
    TYPES,
    VALUE,
    VALUES,
    VIRTUES,
    WONDERS,
)
from sevens_games.seven7s.knowledge import follow_draw, known_to, lose_sight, notice, redeal
from sevens_games.seven7s.state import NOBODY, THE_DECK, Seven7s, Sighting, others, top

HAND = 3
FULL_COLUMN = 7
LOOKS = 3
WORTH_OF_A_BONUS = 2

PLAY = {
    card: [
        Action[tuple[str, int]](f"play {card} {TYPES[column]}", (card, column))
        for column in COLUMNS
    ]
    for card in DECK
}
PUT = [Action[int](f"place {letter}", column) for column, letter in enumerate(TYPES)]
TARGET = [Action[int](f"target {seat}", seat) for seat in range(4)]
TAKE = [Action[int](f"take {letter}", column) for column, letter in enumerate(TYPES)]
# The cards that each call names.
CALLS = [
    Action[frozenset[str]](f"call {value}", frozenset(c for c in DECK if VALUE[c] == value))
    for value in VALUES
] + [
    Action[frozenset[str]](f"call {colour}", frozenset(c for c in DECK if COLOUR[c] == colour))
    for colour in RAINBOW
]
LOOK = [Action[int](f"look {seat}", seat) for seat in range(4)]
LOOK_AT_DECK = Action[int]("look deck", THE_DECK)


# Setup --------------------------------------------------------------------------------------------


def begin(s: Seven7s) -> str:
    """Three cards each; the next one starts the first column."""
    s.deals.begin_deal()
    stock = s.deals.shuffle(DECK)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(stock, HAND, s.players, 0))
    first, *rest = stock[HAND * s.players :]
    s.deck = tuple(rest)
    s.bonus = ((),) * s.players
    s.guesses = (guesses.NONE,) * s.players
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    s.tell("first-card", None, first)
    put(s, first, TYPE[first])
    return "play"


# The table ----------------------------------------------------------------------------------------


def put(s: Seven7s, card: str, column: int) -> bool:
    """Puts the card on top of the column. Returns True if that ended the match."""
    cards = (*s.columns[column], card)
    s.columns = replaced(s.columns, column, cards)
    if len(cards) < FULL_COLUMN:
        return False
    s.sideways = card
    s.tell("sideways", s.turn, card)
    return True


def wild_colour(s: Seven7s) -> str:
    """The colour of the topmost Colors card in the Colors column; empty if there is none."""
    for card in reversed(s.columns[COLORS]):
        if TYPE[card] == COLORS and card != s.sideways:
            return COLOUR[card]
    return ""


def is_free(card: str, wild: str) -> bool:
    return TYPE[card] == AGES or COLOUR[card] == wild


def columns_for(s: Seven7s, card: str, wild: str) -> Sequence[int]:
    """A free card goes onto any column that exists. The column of its own type takes any card,
    and is started by it if need be."""
    own = TYPE[card]
    if is_free(card, wild):
        return [column for column in COLUMNS if s.columns[column] or column == own]
    return (own,)


def draw(s: Seven7s, seat: int) -> None:
    """Draws the top card of the deck, if there is one."""
    if s.deck:
        card = s.deck[0]
        follow_draw(s, seat, card)
        s.deck = s.deck[1:]
        s.hands = replaced(s.hands, seat, in_order((*s.hands[seat], card), PLACE))
        s.tell_only((seat,), "draw", seat, card, others=())


def lose(s: Seven7s, seat: int, card: str) -> None:
    """The card leaves the seat's hand, for all to see."""
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    notice(s, others(s, seat), card, seat)


# A turn -------------------------------------------------------------------------------------------
#
# All other seats have three cards in hand throughout a turn, but for a moment in Deadly Sins: when
# the deck runs out the match ends with the turn.


def seat_in_turn(s: Seven7s) -> int:
    return s.turn


def any_card(s: Seven7s, seat: int) -> list[Action[tuple[str, int]]]:
    wild = wild_colour(s)
    return [PLAY[card][column] for card in s.hands[seat] for column in columns_for(s, card, wild)]


def play_card(s: Seven7s, seat: int, play: Action[tuple[str, int]]) -> str | None:
    """The power is that of the column. An Age has none."""
    card, column = play.value
    lose(s, seat, card)
    if put(s, card, column):
        return None
    return POWER[column](s) if TYPE[card] != AGES else no_power(s)


def no_power(s: Seven7s) -> str | None:
    """The seat refills its hand."""
    while s.deck and len(s.hands[s.turn]) < HAND:
        draw(s, s.turn)
    return end_turn(s)


def end_turn(s: Seven7s) -> str | None:
    """Without a deck the match is over."""
    if not s.deck:
        return None
    s.turn = (s.turn + 1) % s.players
    return "play"


# Deadly Sins --------------------------------------------------------------------------------------


def deadly_sins(s: Seven7s) -> str:
    return "target"


def any_other_seat(s: Seven7s, seat: int) -> list[Action[int]]:
    return [TARGET[other] for other in others(s, seat)]


def take_random_card(s: Seven7s, seat: int, target: Action[int]) -> str | None:
    s.target = target.value
    hand = s.hands[s.target]
    card = hand[s.deals.pick(len(hand))]
    lose(s, s.target, card)
    s.tell("lose", s.target, card)
    if is_free(card, wild_colour(s)):
        s.taken = (card,)
        return "place"
    return discard(s, card, TYPE[card])


def any_column_for_it(s: Seven7s, seat: int) -> list[Action[int]]:
    return [PUT[column] for column in columns_for(s, s.taken[0], wild_colour(s))]


def place(s: Seven7s, seat: int, action: Action[int]) -> str | None:
    [card] = s.taken
    s.taken = ()
    return discard(s, card, action.value)


def discard(s: Seven7s, card: str, column: int) -> str | None:
    """No power. The seat that had the card draws another, unless the match is over."""
    s.tell("discard", s.turn, card, TYPES[column])
    if put(s, card, column):
        return None
    draw(s, s.target)
    s.target = NOBODY
    return no_power(s)


# Holy Virtues -------------------------------------------------------------------------------------


def holy_virtues(s: Seven7s) -> str | None:
    """A card is drawn, and another one played."""
    draw(s, s.turn)
    return "play" if s.hands[s.turn] else no_power(s)


# Lucky Gods ---------------------------------------------------------------------------------------


def lucky_gods(s: Seven7s) -> str | None:
    return "call" if s.deck else no_power(s)


def any_call(s: Seven7s, seat: int) -> Sequence[Action[frozenset[str]]]:
    return CALLS


def show_top(s: Seven7s, seat: int, call: Action[frozenset[str]]) -> str | None:
    """A card that was called is a bonus, laid out for good. Another one stays on the deck."""
    card = s.deck[0]
    s.tell("show", seat, card)
    notice(s, range(s.players), card, top(s))
    if card in call.value:
        s.deck = s.deck[1:]
        s.bonus = replaced(s.bonus, seat, (*s.bonus[seat], card))
        s.tell("win", seat, card)
    else:
        s.shown |= {card}  # the seat has room for it in its hand
    return no_power(s)


# Seas ---------------------------------------------------------------------------------------------


def seas(s: Seven7s) -> str | None:
    return "take" if any_other_column(s, s.turn) else no_power(s)


def any_other_column(s: Seven7s, seat: int) -> list[Action[int]]:
    return [TAKE[column] for column in COLUMNS if s.columns[column] and column != SEAS]


def take_top(s: Seven7s, seat: int, take: Action[int]) -> str | None:
    """The seat does not draw at the end of this turn."""
    *rest, card = s.columns[take.value]
    s.columns = replaced(s.columns, take.value, tuple(rest))
    s.hands = replaced(s.hands, seat, in_order((*s.hands[seat], card), PLACE))
    s.shown |= {card}
    s.tell("pick-up", seat, card)
    return end_turn(s)


# Wonders ------------------------------------------------------------------------------------------


def wonders(s: Seven7s) -> str:
    """Three looks: even a single other hand has as many cards."""
    return "look"


def looks_of_power(s: Seven7s) -> tuple[Sighting, ...]:
    """The looks so far of the Wonders in play."""
    return s.seen[len(s.seen) - s.looks :]


def unseen_in_hand(s: Seven7s, seat: int) -> list[str]:
    """The cards of the hand that were not looked at in this power."""
    looked_at = [sighting.card for sighting in looks_of_power(s)]
    return [card for card in s.hands[seat] if card not in looked_at]


def seen_of_deck(s: Seven7s) -> tuple[str, ...]:
    """The cards of the deck that were looked at in this power, the top card first."""
    looks = [sighting for sighting in looks_of_power(s) if sighting.source == THE_DECK]
    return s.deck[: len(looks)]


def any_unseen(s: Seven7s, seat: int) -> list[Action[int]]:
    hands = [LOOK[other] for other in others(s, seat)]
    return [*hands, LOOK_AT_DECK] if len(seen_of_deck(s)) < len(s.deck) else hands


def look(s: Seven7s, seat: int, look: Action[int]) -> str | None:
    """A look into a hand shows a random card; looks at the deck show one card after the other."""
    source = look.value
    if source == THE_DECK:
        at = len(seen_of_deck(s))
        sighting = Sighting(seat, s.deck[at], source)
        place = top(s) + at
    else:
        unseen = unseen_in_hand(s, source)
        sighting = Sighting(seat, unseen[s.deals.pick(len(unseen))], source, s.hands[source])
        place = source
    s.seen += (sighting,)
    s.looks += 1
    s.tell_only((seat,), "see", seat, sighting.card)
    notice(s, (seat,), sighting.card, place)
    return "look" if s.looks < LOOKS else end_looks(s)


def end_looks(s: Seven7s) -> str | None:
    """Two or three cards of the deck are put back in an order of the seat's choice."""
    if len(seen_of_deck(s)) > 1:
        return "order"
    s.looks = 0
    return no_power(s)


def any_order(s: Seven7s, seat: int) -> list[Action[tuple[str, ...]]]:
    return [order_of(cards) for cards in permutations(seen_of_deck(s))]


def order_of(cards: tuple[str, ...]) -> Action[tuple[str, ...]]:
    """Created on demand: there are too many for a table."""
    return Action(f"order {' '.join(cards)}", cards, public="order")


def put_back(s: Seven7s, seat: int, order: Action[tuple[str, ...]]) -> str | None:
    s.looks = 0
    lose_sight(s, seat, order.value)
    s.deck = order.value + s.deck[len(order.value) :]
    return no_power(s)


POWER = {
    AGES: no_power,
    COLORS: no_power,
    SINS: deadly_sins,
    VIRTUES: holy_virtues,
    GODS: lucky_gods,
    SEAS: seas,
    WONDERS: wonders,
}


# Scoring ------------------------------------------------------------------------------------------


def highest_value(s: Seven7s) -> int:
    """The highest value that counts: each card in the Ages column disables another one."""
    return FULL_COLUMN - len([card for card in s.columns[AGES] if card != s.sideways])


def worths(s: Seven7s, seat: int) -> list[int]:
    """The worth of each card that the seat scores."""
    cards = s.hands[seat]
    if s.sideways and seat == s.turn:
        cards += (s.sideways,)
    highest, wild = highest_value(s), wild_colour(s)
    bonus = [WORTH_OF_A_BONUS] * len(s.bonus[seat])
    return bonus + [worth(card, highest, wild) for card in cards]


def worth(card: str, highest: int, wild: str) -> int:
    """A wild card is worth as much as the highest value that counts."""
    if COLOUR[card] == wild:
        return highest
    return VALUE[card] if VALUE[card] <= highest else 0


def result(s: Seven7s) -> Result:
    """Between equal scores, the one whose lowest worth above 0 is lower is better."""
    of_seats = [worths(s, seat) for seat in range(s.players)]
    scores = [sum(of_seat) for of_seat in of_seats]
    lowest = [min(filter(None, of_seat), default=0) for of_seat in of_seats]
    merits = [(score, -low) for score, low in zip(scores, lowest, strict=True)]
    return Result(scores, ranks_by(merits), "seventh-card" if s.sideways else "empty-deck")


# The view of a seat -------------------------------------------------------------------------------


def view(s: Seven7s, viewer: int | None) -> Observation:
    known = {*DECK} if viewer is None else known_to(s, viewer) | guesses.certain(s.guesses[viewer])
    zones = [
        Zone(f"column-{letter}", None, cards)
        for letter, cards in zip(TYPES, s.columns, strict=True)
    ]
    for seat, hand in enumerate(s.hands):
        seen = hand if seat == viewer else tuple([card for card in hand if card in known])
        zones.append(Zone("hand", seat, seen, len(hand) - len(seen)))
        zones.append(Zone("bonus", seat, s.bonus[seat]))
    depths = tuple([depth for depth, card in enumerate(s.deck) if card in known])
    seen = tuple([s.deck[depth] for depth in depths])
    zones.append(Zone("deck", None, seen, len(s.deck) - len(seen)))
    zones.append(Zone("taken", None, s.taken))
    return Observation(tuple(zones), facts(s, viewer, () if viewer is None else depths))


def facts(s: Seven7s, viewer: int | None, depths: tuple[int, ...]) -> Facts:
    hidden = {*s.deck, *[card for hand in s.hands for card in hand]}
    sources = [sighting.source for sighting in looks_of_power(s)]
    return Facts(
        {
            "depths": depths,
            "guesses": () if viewer is None else guesses.texts(s.guesses[viewer]),
            "highest": highest_value(s),
            "looked_at": tuple([sighting.card for sighting in looks_of_power(s)])
            if viewer == s.turn
            else (),
            "looks": tuple(["deck" if source == THE_DECK else str(source) for source in sources]),
            "phase": s.phase or "over",
            "shown": in_order(s.shown & hidden, PLACE),
            "sideways": s.sideways,
            "target": s.target,
            "turn": s.turn,
            "wild": wild_colour(s),
        }
    )


def recall(s: Seven7s, seen: Seen) -> None:
    """Of the looks of others only those of the Wonders in play are recalled, as the rules need
    them."""
    s.columns = tuple([seen.cards(f"column-{letter}") for letter in TYPES])
    known_of_deck = dict(zip(seen.fact("depths"), s.deck, strict=False))
    stand_ins = [*s.deck[len(known_of_deck) :]]
    s.deck = tuple(
        [known_of_deck.get(depth) or stand_ins.pop() for depth in range(len(s.deck))],
    )
    own = guesses.of_texts(seen.fact("guesses"))
    s.guesses = replaced((guesses.NONE,) * s.players, seen.seat, own)
    s.shown = frozenset(seen.fact("shown"))
    known = [*known_of_deck.values()]
    for seat in others(s, seen.seat):
        hand = seen.cards("hand", seat)
        known += hand[: len(hand) - seen.hidden("hand", seat)]
    certain = guesses.certain(own)
    s.seen = tuple([Sighting(seen.seat, c, THE_DECK) for c in known if c not in certain])
    recall_looks(s, seen)


def recall_looks(s: Seven7s, seen: Seen) -> None:
    """Another seat can have looked at any card of the place."""
    for number, word in enumerate(seen.fact("looks")):
        source = THE_DECK if word == "deck" else int(word)
        if s.turn == seen.seat:
            card = seen.fact("looked_at")[number]
        elif source == THE_DECK:
            card = s.deck[len(seen_of_deck(s))]
        else:
            card = seen.rng.choice(unseen_in_hand(s, source))
        s.seen += (Sighting(s.turn, card, source, () if source == THE_DECK else s.hands[source]),)
        s.looks += 1


GAME = Game(
    slug="seven7s",
    title="Seven7s",
    summary="A card a turn onto a column, for the column's power; the seventh card ends the match.",
    how_to_play=(
        "Each player has three cards, and the table has a column for each of the seven types of "
        "card.",
        "In turn, put a card on the column of its type and use the power of that column: play "
        "again, take a card, look at cards, or guess the next one.",
        "Ages of Man, and cards of the wild colour, may go on any column.",
        "The seventh card of a column ends the match at once, and counts for its player.",
        "Then the hands score their values, but each card in the column of Ages makes the highest "
        "value worth nothing, and a card of the wild colour counts as the highest value left.",
        "The most points win.",
    ),
    rules_version=1,
    players=(2, 3, 4),
    ladder_players=4,
    state=Seven7s,
    begin=begin,
    phases={
        "play": Turn(
            rule="A card goes onto the column of its type; a free one onto any that exists.",
            who=seat_in_turn,
            may=any_card,
            then=play_card,
        ),
        "target": Turn(
            rule="Deadly Sins take a card from the hand of another seat.",
            who=seat_in_turn,
            may=any_other_seat,
            then=take_random_card,
        ),
        "place": Turn(
            rule="The free card taken goes onto any column that exists or that of its type.",
            who=seat_in_turn,
            may=any_column_for_it,
            then=place,
        ),
        "call": Turn(
            rule="Lucky Gods call a value or a colour.",
            who=seat_in_turn,
            may=any_call,
            then=show_top,
        ),
        "take": Turn(
            rule="Seas take the top card of any other column.",
            who=seat_in_turn,
            may=any_other_column,
            then=take_top,
        ),
        "look": Turn(
            rule="Wonders look at an unseen card of another hand or of the deck.",
            who=seat_in_turn,
            may=any_unseen,
            then=look,
        ),
        "order": Turn(
            rule="The cards of the deck that were looked at go back on top, in any order.",
            who=seat_in_turn,
            may=any_order,
            then=put_back,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    cards="Value, then type: 1 to 7; A C D V L S W, see the zones; colours: docs/games/seven7s.md.",
    zones={
        "column-A": "The column of the Ages of Man, its top card last, the sideways card "
        "included; likewise the other columns.",
        "column-C": "The column of the Colors.",
        "column-D": "The column of the Deadly Sins.",
        "column-V": "The column of the Holy Virtues.",
        "column-L": "The column of the Lucky Gods.",
        "column-S": "The column of the Seas.",
        "column-W": "The column of the Wonders.",
        "hand": "A seat's hand: your cards; for other seats, the cards that you know to be there, "
        "and the number of the rest.",
        "bonus": "The bonus cards that a seat has won by Lucky Gods.",
        "deck": "The cards of the deck that you know, the topmost first, and the number of the "
        "rest; `depths` gives the place of each.",
        "taken": "The free card that Deadly Sins took, while its column is being chosen.",
    },
    facts={
        "depths": "For each card that you see in `deck`, the number of cards above it.",
        "guesses": "The possible places of the cards of the deck that another seat put in order "
        "after you had seen them: a text for each possibility. It has every such card with its "
        "place, which is a seat, or in the deck -1 and so on, counted from the bottom.",
        "highest": "The highest value that counts: 7 less the number of cards in the Ages column, "
        "the sideways card aside.",
        "looked_at": "If it is your turn, the cards seen in `looks`; otherwise empty.",
        "looks": "The looks so far of the Wonders in play, in order: deck, or the number of a "
        "seat.",
        "phase": "The phase: play, target, place, call, take, look, order, or over at the end.",
        "shown": "The hidden cards that all seats have seen: they entered a hand.",
        "sideways": "The sideways card, which belongs to the seat `turn`; empty before the end.",
        "target": "The seat from whose hand the card in `taken` comes; -1 if there is none.",
        "turn": "The seat whose turn it is; at the end, whose turn it was.",
        "wild": "The wild colour; empty if there is none.",
    },
    actions={
        "play CARD COLUMN": "Put a card of your hand on a column that it may be put on.",
        "target SEAT": "Deadly Sins: take a card from the hand of this seat, which is not your "
        "own.",
        "place COLUMN": "Deadly Sins: put the free card taken on this column.",
        "call VALUE": "Lucky Gods: call a value, 1 to 7.",
        "call COLOUR": "Lucky Gods: call a colour, red to violet.",
        "take COLUMN": "Seas: take the top card of this column, any but that of the Seas.",
        "look SEAT": "Wonders: look at a random card of the hand of this seat, which is not your "
        "own.",
        "look deck": "Wonders: look at the next card of the deck, while there is one that you "
        "have not seen in this power.",
        "order CARD…": "Wonders: put the cards of the deck just seen back in this order, the "
        "topmost first.",
    },
    events={
        "hand": "You; your cards.",
        "first-card": "The card that starts the first column.",
        "draw": "The seat; the card, if you drew it.",
        "lose": "The seat that Deadly Sins took a card from; the card.",
        "discard": "The seat in turn; the card taken by Deadly Sins, its column.",
        "show": "The seat that called; the top card of the deck.",
        "win": "The seat that called; that card, which is its bonus card now.",
        "pick-up": "The seat; the card taken by Seas.",
        "see": "You; the card that you looked at.",
        "sideways": "The seat that the card belongs to; the card that ended the match.",
    },
    reasons={
        "seventh-card": "A column had seven cards.",
        "empty-deck": "The deck was empty at the end of a turn.",
    },
    layout=Layout(
        clicks={"other hand": ("target {owner}", "look {owner}")},
        deal="first-card",
        suits={
            "A": Suit("Ages", "hourglass", "black"),
            "C": Suit("Colors", "drop", "black"),
            "D": Suit("Sins", "flame", "black"),
            "V": Suit("Virtues", "halo", "black"),
            "L": Suit("Gods", "clover", "black"),
            "S": Suit("Seas", "wave", "black"),
            "W": Suit("Wonders", "pyramid", "black"),
        },
        colours=COLOUR,
        facts={
            "highest": at_table("highest value that counts", zeros=True),
            "wild": at_table("wild colour"),
            "target": at_seat("loses a card"),
            "looks": at_table("looks", "{all:seat}"),
            "sideways": at_table("sideways card"),
            "depths": UNSAID,
            "guesses": UNSAID,
            "looked_at": UNSAID,
            "shown": UNSAID,
        },
        words={"seat": {"deck": "the deck"}},
        says={
            "play": "{actor:plays|play} {0} on the {1:suit} column",
            "target": "{actor:takes|take} a card from {0:seat}",
            "place": "{actor:places|place} it on the {0:suit} column",
            "call": "{actor:calls|call} {0}",
            "take": "{actor:takes|take} the top of the {0:suit} column",
            "look": "{actor:looks|look} at a card of {0:seat}",
            "order": ("{actor:puts|put} back {0}, then {rest}", "{actor:puts|put} the cards back"),
            "hand": "{actor:is|are} dealt {all}",
            "first-card": "The first card is {0}",
            "draw": ("{actor:draws|draw} {0}", "{actor:draws|draw} a card"),
            "lose": "{actor:loses|lose} {0}",
            "discard": "{actor:puts|put} {0} on the {1:suit} column",
            "show": "{actor:shows|show} {0}",
            "win": "{actor:wins|win} {0} as a bonus card",
            "pick-up": "{actor:picks|pick} up {0}",
            "see": "{actor:sees|see} {0}",
            "sideways": "{actor:ends|end} the match with {0}",
        },
    ),
)
