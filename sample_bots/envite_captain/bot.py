"""Envite: signals truthfully, bids on the team's signals, and trawls where rivals are caught first.

The idea: the place after a leader is a rival's, and often has no trump; then a trump led wins the
hand at once. So the bot considers the places in turn, as far as it knows them, and leads a trump if
rivals are likelier to be caught than partners. A captain bids by its own trumps, by those that its
team has signalled, and by the leader. A seat without trumps has nothing to signal: it watches a
rival, and its captain, who knows the habit, takes that for `blank`.
"""

from math import exp

from sevens_sdk import Bot, Decision, run

SPECIALS = {
    4: "",
    6: "3C QC JD",
    8: "5D 3C QC JD",
    10: "2D 5D 3C QC JD",
    12: "AD 2D 5D 3C QC JD",
}
PLAIN_RANKS = "KQJA765432"


class Table:
    """A decision in the terms of the game. `place`: the place whose card is to be played."""

    def __init__(self, decision: Decision) -> None:
        seen = decision.observation
        places, trump = seen.fact("places"), seen.fact("trump")
        self.team = decision.seat % 2
        self.place, self.leader = seen.fact("turn"), seen.fact("leader")
        self.signs, self.captains = seen.fact("signs"), seen.fact("captains")
        seats = range(len(self.signs))
        self.hands = [seen.cards("hand", seat) for seat in seats]
        self.played = [seen.cards("played", seat) for seat in seats]
        if places > len(seats):
            self.hands.append(seen.cards("dummy"))
            self.played.append(seen.cards("dummy-played"))
        self.trick = seen.cards("trick")
        specials = SPECIALS[places].split()
        of_suit = [rank + trump for rank in "2KQJA76543"]
        self.trumps = specials + [card for card in of_suit if card not in specials]
        deck = {rank + suit for rank in PLAIN_RANKS for suit in "CDHS"}
        self.unseen = deck.difference(seen.cards("turned-up"), *self.hands, *self.played)

    def height(self, card: str) -> int:
        """Returns a card's strength: higher is better, and all trumps beat all plain cards."""
        if card in self.trumps:
            return len(PLAIN_RANKS) + len(self.trumps) - self.trumps.index(card)
        return len(PLAIN_RANKS) - PLAIN_RANKS.index(card[0])

    def beats(self, card: str, other: str) -> bool:
        """True if the card takes a trick from the other card, which was led or was winning."""
        follows = card[1] == other[1] and other not in self.trumps
        return (follows or card in self.trumps) and self.height(card) > self.height(other)

    def stands(self, card: str) -> float:
        """Returns the chance that no rival has a higher trump."""
        above = self.unseen.intersection(self.trumps[: self.trumps.index(card)])
        with_rivals = 3 * len(self.hands) / 2 / max(len(self.unseen), 1)
        return float((1 - min(with_rivals, 0.9)) ** len(above))

    def sign_of(self, place: int) -> str:
        """Returns the sign of a place; a teammate that has given none counts as blank."""
        if place >= len(self.signs) or place in self.captains:
            return ""
        own = place % 2 == self.team
        return "blank" if own and self.signs[place] == "none" else self.signs[place]

    def lacks_trumps(self, place: int) -> float:
        """Returns the chance that a place has no trump."""
        if self.hands[place]:
            return float(not set(self.trumps).intersection(self.hands[place]))
        sign = self.sign_of(place)
        if sign == "blank":
            return 1.0
        signed = (sign,) if sign in self.trumps else self.trumps if sign == "low" else ()
        if signed and not set(signed).intersection(self.played[place]):
            return 0.0
        share = len(self.unseen.intersection(self.trumps)) / max(len(self.unseen), 1)
        return float((1 - share) ** (3 - len(self.played[place])))

    def trawling(self, card: str) -> float:
        """Returns the worth of leading this trump, from -1 (the hand is lost) to 1 (it is won)."""
        worth, nobody_caught = 0.0, 1.0
        for step in range(1, len(self.hands)):
            place = (self.place + step) % len(self.hands)
            caught = nobody_caught * self.lacks_trumps(place)
            worth += caught if place % 2 != self.team else -caught
            nobody_caught -= caught
        return worth + nobody_caught * (self.stands(card) - 0.5)

    def chance(self) -> float:
        """Returns the captain's chance to win the hand, fitted to hands played by this bot."""
        own = [card for hand in self.hands for card in hand if card in self.trumps]
        mates = [p for p in range(self.team, len(self.signs), 2) if p not in self.captains]
        signs = [self.sign_of(mate) for mate in mates]
        signed = [card for card in signs if card in self.trumps]
        score = (
            0.65 * (self.leader % 2 == self.team)
            + 0.6 * len(own)
            + 0.85 * sum(map(self.stands, [*own, *signed]))
            - 2.3 * signs.count("blank") / len(signs)
            - 0.9
        )
        return 1 / (1 + exp(-score))


class EnviteCaptain(Bot):
    def choose(self, decision: Decision) -> str:
        table = Table(decision)
        phase = decision.observation.fact("phase")
        if phase == "signals":
            return self.sign(decision, table)
        if phase == "bidding":
            return self.bid(decision, table.chance())
        if phase == "lying-down":
            return "stay" if table.chance() > 0.15 else "forfeit"
        cards = [action.split()[1] for action in decision.legal]
        return f"play {self.follow(cards, table) if table.trick else self.lead(cards, table)}"

    def sign(self, decision: Decision, table: Table) -> str:
        """Signals the best trump; without any, looks at a rival."""
        own = [card for card in table.trumps if card in decision.hand]
        if own:
            sign = f"signal {own[0]}"
            return sign if sign in decision.legal else "signal low"
        return decision.legal[-1]

    def bid(self, decision: Decision, chance: float) -> str:
        if "pass" in decision.legal:
            return "challenge" if chance > 0.55 else "pass"
        if "raise" in decision.legal and chance > 0.75:
            return "raise"
        return "accept" if chance > 0.45 else "decline"

    def lead(self, cards: list[str], table: Table) -> str:
        """Leads a trump if that pays, otherwise the highest plain card."""
        trumps = [card for card in cards if card in table.trumps]
        plain = [card for card in cards if card not in table.trumps]
        best = max(trumps, key=table.trawling, default="")
        if best and (not plain or table.trawling(best) > 0.0):
            return best
        return max(plain, key=table.height)

    def follow(self, cards: list[str], table: Table) -> str:
        """Leaves a partner's trick and takes a rival's, as cheaply as possible if it plays last."""
        best = 0
        for i, card in enumerate(table.trick):
            if table.beats(card, table.trick[best]):
                best = i
        taking = [card for card in cards if table.beats(card, table.trick[best])]
        partners = (table.leader + best) % 2 == table.team
        if partners or not taking:
            return min(cards, key=table.height)
        last = len(table.trick) == len(table.hands) - 1
        return (min if last else max)(taking, key=table.height)


if __name__ == "__main__":
    run(EnviteCaptain)
