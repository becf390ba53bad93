"""Seven7s: builds the hand that scores best, and ends the match when it is ahead.

The idea: only the cards in hand at the end score, so for each choice the bot looks at the table
after it (which colour is wild, which values are disabled) and compares its hand with the hands that
the other seats can be expected to hold: cards that it knows at their worth, all others at the mean
of those it has not seen. A power is worth the points that it usually brings.
"""

from __future__ import annotations

from statistics import mean

from sevens_sdk import Bot, Decision, Observation, run

TYPES = "ACDVLSW"
RAINBOW = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
DECK = tuple(f"{value}{letter}" for letter in TYPES for value in range(1, 8))
COLOUR = {c: RAINBOW[(int(c[0]) - 1 + 2 * (TYPES.index(c[1]) - 1)) % 7] for c in DECK}

BONUS = 2
ENDING = 3.0  # the additional worth of a lead that is final
LOOKING = 0.3  # the gain of Wonders: a better draw
ANOTHER_CARD = 0.5  # the gain of Virtues: one more card to choose from
TEMPO = 0.15  # for each card in the column: full columns are better left to the leader


class Table:
    """The open cards, and the bot's other knowledge."""

    def __init__(self, seen: Observation, seat: int, players: int) -> None:
        self.columns = {letter: seen.cards(f"column-{letter}") for letter in TYPES}
        self.hand = seen.cards("hand", seat)
        self.others = [seen.zone("hand", other) for other in range(players) if other != seat]
        self.bonus = {owner: len(seen.cards("bonus", owner)) for owner in range(players)}
        self.seat = seat
        known = {card for zone in seen.zones for card in zone.cards}
        self.unseen = [card for card in DECK if card not in known]
        top_is_known = seen.fact("depths")[:1] == (0,)
        self.top = seen.cards("deck")[0] if top_is_known else None

    def with_card(self, card: str, letter: str) -> Scale:
        """Returns the scoring of cards once this one is on the column."""
        if len(self.columns[letter]) == 6:
            return Scale(self.columns)
        return Scale({**self.columns, letter: (*self.columns[letter], card)})

    def lead(self, hand: tuple[str, ...], scale: Scale, draws: bool = True) -> float:
        """Returns the bot's lead over the best of the others with this hand."""
        usual = scale.mean(self.unseen)
        own = sum(map(scale.worth, hand)) + BONUS * self.bonus[self.seat]
        if draws:
            own += (3 - len(hand)) * (scale.worth(self.top) if self.top else usual)
        return own - max(
            sum(map(scale.worth, zone.cards))
            + zone.hidden * usual
            + BONUS * self.bonus[zone.owner or 0]
            for zone in self.others
        )


class Scale:
    """The worth of cards with these columns."""

    def __init__(self, columns: dict[str, tuple[str, ...]]) -> None:
        colours = [COLOUR[card] for card in columns["C"] if card[1] == "C"]
        self.wild = colours[-1] if colours else ""
        self.highest = 7 - len(columns["A"])

    def worth(self, card: str) -> float:
        if COLOUR[card] == self.wild:
            return self.highest
        return int(card[0]) if int(card[0]) <= self.highest else 0

    def mean(self, cards: list[str]) -> float:
        return mean(map(self.worth, cards)) if cards else 0.0


class Seven7sKeeper(Bot):
    def choose(self, decision: Decision) -> str:
        seen = decision.observation
        table = Table(seen, decision.seat, self.match.players)
        phase = seen.fact("phase")
        if phase == "call":
            return best_call(decision.legal, table)
        if phase == "order":
            return best_order(decision.legal, table)
        if phase == "look":
            return "look deck" if "look deck" in decision.legal else decision.legal[0]
        if phase == "target":
            return max(decision.legal, key=lambda action: standing(action, table))
        taken = seen.cards("taken")

        def gain(action: str) -> float:
            verb, *what = action.split()
            if verb == "take":
                card = table.columns[what[0]][-1]
                columns = {**table.columns, what[0]: table.columns[what[0]][:-1]}
                return table.lead((*table.hand, card), Scale(columns), draws=False)
            if verb == "place":
                return gain_of_placing(taken[0], what[0], table)
            return gain_of_playing(what[0], what[1], table)

        return max(decision.legal, key=gain)


def gain_of_playing(card: str, letter: str, table: Table) -> float:
    """Adds up the lead afterwards, the expected gain of the power, and the progress towards the
    end."""
    hand = tuple(other for other in table.hand if other != card)
    scale = table.with_card(card, letter)
    if len(table.columns[letter]) == 6:
        return ENDING * table.lead((*hand, card), scale, draws=False)
    lead = table.lead(hand, scale)
    nearer = TEMPO * len(table.columns[letter]) * (1 if lead > 0 else -1)
    return lead + nearer + (power(letter, hand, scale, table) if card[1] != "A" else 0.0)


def gain_of_placing(card: str, letter: str, table: Table) -> float:
    """Adds up the same for a card without power: only the end and the scale matter."""
    if len(table.columns[letter]) == 6:
        return ENDING * table.lead((*table.hand, card), Scale(table.columns), draws=False)
    return table.lead(table.hand, table.with_card(card, letter))


def power(letter: str, hand: tuple[str, ...], scale: Scale, table: Table) -> float:
    """Returns the average gain of the column's power."""
    usual = scale.mean(table.unseen)
    if letter == "D":
        known = [scale.worth(card) for zone in table.others for card in zone.cards]
        return max(0.0, mean([*known, usual]) - usual) + LOOKING
    if letter == "L":
        return BONUS * (1.0 if table.top else likeliest(table.unseen))
    if letter == "S":
        tops = [cards[-1] for other, cards in table.columns.items() if cards and other != "S"]
        return max([scale.worth(top) - usual for top in tops], default=0.0)
    return {"V": ANOTHER_CARD, "W": LOOKING}.get(letter, 0.0)


def likeliest(unseen: list[str]) -> float:
    """Returns the chance that the best call wins the top card."""
    return max((share(name, unseen) for name in (*"1234567", *RAINBOW)), default=0.0)


def share(name: str, unseen: list[str]) -> float:
    """Returns the share of these cards that have this value or colour."""
    return sum(name in (card[0], COLOUR[card]) for card in unseen) / max(1, len(unseen))


def best_call(legal: list[str], table: Table) -> str:
    cards = [table.top] if table.top else table.unseen
    return max(legal, key=lambda action: share(action.split()[1], cards))


def best_order(legal: list[str], table: Table) -> str:
    """Puts the best card first, to draw now, then those that are worst for the others."""
    scale = Scale(table.columns)

    def merit(action: str) -> list[float]:
        first, *rest = [scale.worth(card) for card in action.split()[1:]]
        return [first, *[-worth for worth in rest]]

    return max(legal, key=merit)


def standing(action: str, table: Table) -> float:
    """Returns the points that the target is known to have."""
    seat = int(action.split()[1])
    scale = Scale(table.columns)
    [zone] = [zone for zone in table.others if zone.owner == seat]
    known = sum(map(scale.worth, zone.cards)) + zone.hidden * scale.mean(table.unseen)
    return known + BONUS * table.bonus[seat]


if __name__ == "__main__":
    run(Seven7sKeeper)
