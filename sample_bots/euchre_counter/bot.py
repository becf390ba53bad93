"""Seven Euchre: counts its tricks before it bids, and lets its partner win.

The idea: a hand is worth a trick for each long or high trump and for each other top card; the
partner adds some more. The bot bids no more than that. In play it draws trumps if it has
declared, takes tricks as cheaply as it can, and never overtakes its partner.
"""

from sevens_sdk import Bot, Decision, run

STRAINS = ("coffin", "time", "star", "coin", "book", "onion", "heart")
SUITS = dict(zip(STRAINS, "FTSCBOH", strict=True))
TOP_RANK = {"F": 13, "T": 12, "S": 11, "C": 10, "B": 9, "O": 8, "H": 7}
RANKS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 10)}
PARTNER_BRINGS = 2.5  # tricks


def suit(card: str, trump: str) -> str:
    """Returns the suit of a card; with a trump suit, all 7s belong to it."""
    return trump if trump and card[0] == "7" else card[1]


def order(card: str, trump: str) -> tuple[int, int]:
    """Returns a card's order within its suit, higher is better: the 7 of trumps first, then the
    rank, then the suit's top rank."""
    return 2 * RANKS[card[0]] + 99 * (card == f"7{trump}"), TOP_RANK[card[1]]


def tricks_in(hand: tuple[str, ...], trump: str) -> float:
    """Estimates the tricks that a hand takes by itself."""
    trumps = [card for card in hand if suit(card, trump) == trump]
    length = max(0.0, 0.8 * len(trumps) - 1.0) if trump else 0.0
    high = sum(RANKS[card[0]] >= TOP_RANK[card[1]] - 1 for card in hand if card not in trumps)
    return length + 0.6 * high + 0.5 * (f"7{trump}" in trumps)


class EuchreCounter(Bot):
    def choose(self, decision: Decision) -> str:
        phase = decision.observation.fact("phase")
        if phase in ("auction", "second-auction"):
            return self.bid(decision)
        if phase == "exchange":
            return min(decision.legal, key=lambda action: self.keep(action, decision))
        return self.play(decision)

    def bid(self, decision: Decision) -> str:
        """Returns the bid that leaves most tricks to spare, if any; never above the partner's."""
        seen = decision.observation
        if seen.fact("bidder") == (decision.seat + 2) % 4:
            return "pass"
        turned_up = seen.cards("centre")

        def to_spare(action: str) -> float:
            if action == "pass":
                return 0.0
            _, count, *strain = action.split()
            trump = SUITS.get(strain[0], "") if strain else turned_up[0][1]
            return tricks_in(decision.hand, trump) + PARTNER_BRINGS - int(count)

        return max(decision.legal, key=to_spare)

    def keep(self, action: str, decision: Decision) -> tuple[bool, int, int]:
        """Returns how much a card is worth holding: trumps, then long suits, then high cards."""
        card, trump = action.split()[1], decision.observation.fact("trump")
        of_suit = [other for other in decision.hand if suit(other, trump) == suit(card, trump)]
        return suit(card, trump) == trump, len(of_suit), RANKS[card[0]]

    def play(self, decision: Decision) -> str:
        seen = decision.observation
        trick, trump = seen.cards("trick"), seen.fact("trump")

        def strength(action: str) -> tuple[bool, tuple[int, int]]:
            card = action.split()[1]
            return bool(trump) and suit(card, trump) == trump, order(card, trump)

        if not trick:
            declared = seen.fact("declarer") % 2 == decision.seat % 2
            plain = [action for action in decision.legal if not strength(action)[0]]
            choices = decision.legal if declared else plain or decision.legal
            return max(choices, key=strength)
        winner = winning_place(trick, trump)
        if winner == len(trick) - 2:  # the partner's card
            return min(decision.legal, key=strength)
        better = [
            action
            for action in decision.legal
            if winning_place((*trick, action.split()[1]), trump) == len(trick)
        ]
        if not better:
            return min(decision.legal, key=strength)
        return min(better, key=strength) if len(trick) == 3 else max(better, key=strength)


def winning_place(trick: tuple[str, ...], trump: str) -> int:
    """Returns the place in the trick of the card that is winning it."""
    led = suit(trick[0], trump)

    def rank(place: int) -> tuple[bool, bool, tuple[int, int]]:
        own = suit(trick[place], trump)
        return bool(trump) and own == trump, own == led, order(trick[place], trump)

    return max(range(len(trick)), key=rank)


if __name__ == "__main__":
    run(EuchreCounter)
