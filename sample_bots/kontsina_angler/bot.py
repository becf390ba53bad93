"""Kontsina: captures the most valuable cards, and leaves those that the next seat can use least.

The idea: a play is worth its capture, less the capture that the next seat is then likely to make.
For each rank the bot finds the best capture that a card of it would make on the table left behind,
and the chance that the next seat holds one, which depends on the number of unseen cards of the
rank.
"""

from collections import Counter
from collections.abc import Iterable

from sevens_sdk import Bot, Decision, run

RANKS = "A23456789TJQK"
VALUE = {rank: number for number, rank in enumerate("A23456789T", start=1)}
WORTH_OF_ANY = 0.08  # most cards score two points,
WORTH_OF_A_CLUB = 0.15  # and most clubs one
POINTS = {"2C": 1.0, "TD": 1.0}


def worth(cards: Iterable[str]) -> float:
    """Estimates the points for capturing these cards."""
    return sum(
        [WORTH_OF_ANY + WORTH_OF_A_CLUB * (card[1] == "C") + POINTS.get(card, 0) for card in cards]
    )


def best_combination(rank: str, table: Iterable[str]) -> tuple[str, ...]:
    """Returns the most valuable cards that add up to the rank's value; empty if none do."""
    value = VALUE.get(rank, 0)
    best: dict[int, tuple[str, ...]] = {0: ()}  # by sum
    for card in table:
        number = VALUE.get(card[0], value)
        if number < value:  # a card of equal value is a match, not a combination
            for total in range(value, number - 1, -1):
                before = best.get(total - number)
                if before is not None:
                    best[total] = max(best.get(total, ()), (*before, card), key=worth)
    return best.get(value, ())


def best_capture(rank: str, table: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the most valuable cards to capture with a card of the rank."""
    matches = [(card,) for card in table if card[0] == rank]
    return max([best_combination(rank, table), *matches], key=worth)


class KontsinaAngler(Bot):
    def choose(self, decision: Decision) -> str:
        seen = decision.observation
        table, combining = seen.cards("table"), seen.fact("combining")
        if combining:  # the same combination as before, card by card
            return f"take {best_combination(combining[0], table)[len(seen.fact('taken'))]}"
        unseen = unseen_ranks(decision)
        next_seat = (decision.seat + 1) % len(seen.fact("totals"))
        held = seen.zone("hand", next_seat).hidden

        def value(action: str) -> float:
            verb, card, *captured = action.split()
            if verb == "combine":
                captured = [*best_combination(card[0], table)]
            left = tuple(other for other in table if other not in captured)
            if not captured:
                return -expected_loss((*left, card), unseen, held)
            return worth([*captured, card]) - expected_loss(left, unseen, held)

        return max(decision.legal, key=value)


def expected_loss(table: tuple[str, ...], unseen: Counter[str], held: int) -> float:
    """Returns the next seat's best capture on average, given how many cards it holds."""
    captures = {rank: best_capture(rank, table) for rank in RANKS if unseen[rank]}
    loss, nothing_better = 0.0, 1.0
    for rank in sorted(captures, key=lambda rank: worth(captures[rank]), reverse=True):
        if captures[rank]:
            missing = (1 - unseen[rank] / unseen.total()) ** held
            own_card = WORTH_OF_ANY + WORTH_OF_A_CLUB / 4
            loss += nothing_better * (1 - missing) * (worth(captures[rank]) + own_card)
            nothing_better *= missing
    return loss


def unseen_ranks(decision: Decision) -> Counter[str]:
    """Counts the cards of each rank that the bot has not seen in this deal."""
    unseen = Counter(RANKS * 4)
    seen = decision.observation
    lying = [card for zone in seen.zones if zone.name in ("table", "pile") for card in zone.cards]
    unseen.subtract(card[0] for card in (*lying, *decision.hand))
    return unseen


if __name__ == "__main__":
    run(KontsinaAngler)
