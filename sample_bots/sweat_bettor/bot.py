"""Mexican Sweat: works out the chances to win the pot, and bets by them and by who folds.

The idea: all cards face down are equally likely anywhere, so the hand can be played out many times
with cards dealt at random; that gives the chance of every seat. A bet or raise is worth the bot's
share among the seats that will stay, which it estimates by how often they have folded in this
match. For speed the playouts know only equal ranks: straights and flushes are rare.
"""

from functools import cache
from random import Random

from sevens_sdk import Bot, Decision, run

RANKS = "23456789TJQKA"
BITS = 3  # for the number of cards of a rank: a hand is the sum of its cards
CARD = {rank: 1 << BITS * place for place, rank in enumerate(RANKS)}
EQUAL_RANKS = ("high card", "pair", "two pair", "three of a kind", "full house", "four of a kind")
ANYTHING_ELSE = (3, 1, len(RANKS))  # to beat: above three of a kind, below a full house
PLAYOUTS = 40
FOLDED, ASKED = 1, 4  # what a seat is thought to have done before it was seen


class SweatBettor(Bot):
    def __init__(self) -> None:
        self._folds: dict[int, list[int]] = {}  # by seat: the folds, and the answers to a bet

    def choose(self, decision: Decision) -> str:
        self._note_answers(decision)
        if len(decision.legal) == 1:
            return decision.legal[0]  # its turn
        hand = Hand(decision)
        chances = hand.chances(self.random)
        decision.note(f"wins the pot with a chance of {chances[decision.seat]:.0%}")
        stay = {seat: 1 - self._fold_rate(seat) for seat in hand.live}
        worth = {action: hand.worth(action, chances, stay) for action in decision.legal}
        return max(decision.legal, key=worth.__getitem__)

    def _note_answers(self, decision: Decision) -> None:
        for event in decision.events:
            if event.verb in ("fold", "call", "raise") and event.actor is not None:
                folds = self._folds.setdefault(event.actor, [FOLDED, ASKED])
                folds[0] += event.verb == "fold"
                folds[1] += 1

    def _fold_rate(self, seat: int) -> float:
        folded, asked = self._folds.get(seat, (FOLDED, ASKED))
        return folded / asked


class Hand:
    """The hand as all see it. `live`: the seats in it."""

    def __init__(self, decision: Decision) -> None:
        seen, seats = decision.observation, range(decision.match.players)
        self.live: list[int] = list(seen.fact("live"))
        self._own = decision.seat
        self._pot: int = seen.fact("pot")
        self._bet: int = seen.fact("bet")
        paid: tuple[int, ...] = seen.fact("paid")
        self._price: int = seen.fact("bets") * self._bet - paid[decision.seat]
        self._leader: int = seen.fact("leader")
        self._up = [sum(values(seen.cards("face_up", seat))) for seat in seats]
        self._down = [seen.zone("face_down", seat).hidden for seat in seats]
        self._kills = values(seen.cards("kill_card"))
        self._unseen = list(CARD.values()) * 4
        for card in [card for zone in seen.zones for card in zone.cards]:
            self._unseen.remove(CARD[card[0]])
        is_of_equal_ranks = seen.fact("to_beat")[0] in EQUAL_RANKS
        self._best = value(self._up[self._leader]) if is_of_equal_ranks else ANYTHING_ELSE

    def worth(self, action: str, chances: list[float], stay: dict[int, float]) -> float:
        """Returns the chips that the action is expected to bring from now on.

        `stay`: by seat, the chance that it answers a bet or raise with chips.
        """
        if action == "fold":
            return 0
        others = [seat for seat in self.live if seat != self._own]
        against = sum(stay[seat] * chances[seat] for seat in others)
        share = chances[self._own] / max(chances[self._own] + against, 1 / PLAYOUTS)
        if action in ("check", "call"):
            return share * (self._pot + self._price) - self._price
        pays = self._price + self._bet
        called = self._bet * sum(stay[seat] for seat in others)
        return share * (self._pot + pays + called) - pays

    def chances(self, rng: Random) -> list[float]:
        """Returns, by seat, the share of playouts that it wins."""
        won = [0] * len(self._up)
        for _ in range(PLAYOUTS):
            won[self._winner(rng)] += 1
        return [times / PLAYOUTS for times in won]

    def _winner(self, rng: Random) -> int:
        """Turns up cards at random until one seat is left."""
        up, down, unseen = list(self._up), list(self._down), list(self._unseen)
        leader, best = self._leader, self._best
        live = sorted(self.live, key=lambda seat: (seat - leader - 1) % len(up))
        while len(live) > 1:
            seat = live.pop(0)
            while down[seat]:
                down[seat] -= 1
                card = drawn(unseen, rng)
                up[seat] += card
                if card in self._kills:
                    break
                if value(up[seat]) > best:
                    if leader in live and not down[leader]:
                        live.remove(leader)
                    leader, best = seat, value(up[seat])
                    live.append(seat)
                    break
        return live[0]


def values(cards: tuple[str, ...]) -> list[int]:
    return [CARD[card[0]] for card in cards]


def drawn(cards: list[int], rng: Random) -> int:
    """Takes a card at random."""
    at = int(rng.random() * len(cards))
    cards[at], cards[-1] = cards[-1], cards[at]
    return cards.pop()


@cache  # at most 75,000 hands
def value(hand: int) -> tuple[int, ...]:
    """Returns the value of equal ranks: how many there are of the two commonest, then all ranks."""
    counts = [hand >> BITS * place & 7 for place in range(len(RANKS))]
    held = [place for place, count in enumerate(counts) if count]
    held.sort(key=lambda place: (counts[place], place), reverse=True)
    has_second = len(held) > 1 and counts[held[1]] > 1
    return (counts[held[0]], 1 + has_second, *held)


if __name__ == "__main__":
    run(SweatBettor)
