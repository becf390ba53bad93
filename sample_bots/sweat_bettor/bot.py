"""Mexican Sweat: works out its chance to win the pot, and bets by it.

The idea: all cards face down are equally likely anywhere, so the hand can be played out many times
with cards dealt at random, as if nobody folded. A bet pays if the chance is better than an equal
share among the seats in the hand, and a call if it is better than its price in the pot. For speed
the playouts know only equal ranks: straights and flushes are rare.
"""

from random import Random

from sevens_sdk import Bot, Decision, run

RANKS = "23456789TJQKA"
EQUAL_RANKS = ("high card", "pair", "two pair", "three of a kind", "full house", "four of a kind")
ANYTHING_ELSE = (3, 1, len(RANKS))  # to beat: above three of a kind, below a full house
PLAYOUTS = 16
WORTH_A_BET = 1.05  # times an equal share
WORTH_A_RAISE = 1.3


class SweatBettor(Bot):
    def choose(self, decision: Decision) -> str:
        legal = decision.legal
        if len(legal) == 1:
            return legal[0]  # its turn
        hand = Hand(decision)
        chance = sum(hand.is_won(self.random) for _ in range(PLAYOUTS)) / PLAYOUTS
        decision.note(f"wins the pot with a chance of {chance:.0%}")
        share = chance * len(hand.live)
        if "check" in legal:
            return "bet" if share > WORTH_A_BET else "check"
        if "raise" in legal and share > WORTH_A_RAISE:
            return "raise"
        return "call" if chance * (hand.pot + hand.price) > hand.price else "fold"


class Hand:
    """The hand as all see it; a card is the place of its rank, from 0 for a two.

    `live`: the seats in it. `pot`: its chips. `price`: the chips for a call.
    """

    def __init__(self, decision: Decision) -> None:
        seen, seats = decision.observation, range(decision.match.players)
        self.live: list[int] = list(seen.fact("live"))
        self.pot: int = seen.fact("pot")
        self.price = seen.fact("bets") * seen.fact("bet") - seen.fact("paid")[decision.seat]
        self._own = decision.seat
        self._leader: int = seen.fact("leader")
        self._up = [heights(seen.cards("face_up", seat)) for seat in seats]
        self._down = [seen.zone("face_down", seat).hidden for seat in seats]
        self._kills = heights(seen.cards("kill_card"))
        self._unseen = list(range(len(RANKS))) * 4
        for zone in seen.zones:
            for height in heights(zone.cards):
                self._unseen.remove(height)
        is_of_equal_ranks = seen.fact("to_beat")[0] in EQUAL_RANKS
        self._best = value(self._up[self._leader]) if is_of_equal_ranks else ANYTHING_ELSE

    def is_won(self, rng: Random) -> bool:
        """Turns up cards at random until one seat is left; True if it is the bot's."""
        cards = rng.sample(self._unseen, sum(self._down))
        up, down, live = [list(cards) for cards in self._up], list(self._down), list(self.live)
        turn, leader, best = self._leader, self._leader, self._best
        while len(live) > 1:
            turn = min(live, key=lambda seat: (seat - turn - 1) % len(up))
            higher = self._turned_up(up[turn], down, turn, best, cards)
            if not higher:
                live.remove(turn)
                continue
            if leader in live and not down[leader]:
                live.remove(leader)
            leader, best = turn, higher
        return live == [self._own]

    def _turned_up(
        self, up: list[int], down: list[int], seat: int, best: tuple[int, ...], cards: list[int]
    ) -> tuple[int, ...]:
        """Turns up cards of a seat; returns the first value that is higher, or () if none is."""
        while down[seat]:
            down[seat] -= 1
            up.append(cards.pop())
            if up[-1] in self._kills:
                return ()
            if (reached := value(up)) > best:
                return reached
        return ()


def heights(cards: tuple[str, ...]) -> list[int]:
    return [RANKS.index(card[0]) for card in cards]


def value(up: list[int]) -> tuple[int, ...]:
    """Returns the value of equal ranks: how many there are of the two commonest, then all ranks."""
    ranks = sorted(set(up), key=lambda height: (up.count(height), height), reverse=True)
    has_second = len(ranks) > 1 and up.count(ranks[1]) > 1
    return (up.count(ranks[0]), 1 + has_second, *ranks)


if __name__ == "__main__":
    run(SweatBettor)
