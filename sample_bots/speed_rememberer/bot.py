"""California Speed: never waits, remembers both hands, and looks one tick ahead.

The idea: a card laid on the other side is picked up by the opponent, so cells over there are worth
most, and the opponent wants open cells here. Hands are never shuffled: after some layouts both next
cards are known, and with them the cells that each cover would open.
"""

from collections import deque

from sevens_sdk import Bot, Decision, run

HAND = 26
CELLS = range(1, 9)
OPEN_CELL = 0.5  # the worth of an open cell on the opponent's side, in cards
LAID = 0.5  # the worth of one card fewer in hand, even if it returns


def side(cell: int) -> int:
    return (cell - 1) // 4


class SpeedRememberer(Bot):
    def on_start(self) -> None:
        # By seat, the hand from its top; empty for a card that the bot has never seen.
        self.hands = [deque([""] * HAND), deque([""] * HAND)]

    def choose(self, decision: Decision) -> str:
        self.remember(decision)
        covers = [action for action in decision.legal if action != "wait"]
        # An opponent with the same reasoning should not make the same choice.
        self.random.shuffle(covers)
        position = Position(decision, self.hands)
        return max(covers, key=lambda action: position.worth(int(action.split()[1])))

    def remember(self, decision: Decision) -> None:
        for event in decision.events:
            if event.verb == "layout":
                for hand in self.hands:
                    take_from_top(hand, 4)
            elif event.verb == "lay" and event.actor is not None:
                take_from_top(self.hands[event.actor], 1)
            elif event.verb == "pick-up" and event.actor is not None:
                self.hands[event.actor].extend(event.arguments)
        for seat, hand in enumerate(self.hands):
            cards = decision.observation.zone("hand", seat).hidden
            if len(hand) != cards:  # a process that took over has not seen every event
                self.hands[seat] = deque([""] * cards)


def take_from_top(hand: deque[str], cards: int) -> None:
    for _ in range(min(cards, len(hand))):
        hand.popleft()


class Position:
    """The table before a tick, and its state after a cover."""

    def __init__(self, decision: Decision, hands: list[deque[str]]) -> None:
        self.seat = decision.seat
        self.next = [hand[0] if hand else "" for hand in hands]
        self.open: tuple[int, ...] = decision.observation.fact("open")
        self.ranks = {
            cell: decision.observation.cards(f"cell-{cell}", side(cell))[-1][0] for cell in CELLS
        }

    def worth(self, cell: int) -> float:
        """Averages over the cells that the opponent may cover; for the same cell a coin decides."""
        total = 0.0
        for other in self.open:
            if other == cell:
                total += (self.after({self.seat: cell}) + self.after({1 - self.seat: cell})) / 2
            else:
                total += self.after({self.seat: cell, 1 - self.seat: other})
        return total / len(self.open)

    def after(self, covers: dict[int, int]) -> float:
        """Returns the worth of the table once each of these seats has covered its cell."""
        ranks, still_open, value = dict(self.ranks), set(self.open), 0.0
        for seat, cell in covers.items():
            ranks[cell] = self.next[seat][:1] or f"unknown card of seat {seat}"
            still_open.discard(cell)
            given = side(cell) != seat  # to the other side, and so in the end to the other hand
            value += (LAID + given) * (1 if seat == self.seat else -1)
        tops = list(ranks.values())
        still_open |= {cell for cell, rank in ranks.items() if tops.count(rank) > 1}
        for cell in still_open:
            value += OPEN_CELL if side(cell) != self.seat else -OPEN_CELL
        return value


if __name__ == "__main__":
    run(SpeedRememberer)
