"""Trash: uses every card it can, and puts jacks where the natural is least likely to turn up.

The idea: a card that is placed turns up another, so it is never better to draw or to discard. Only
the place of a jack is left to choose, which matters little, since a natural that turns up later
frees it. A natural turns up in the bot's own draws, if copies of it are unseen, and from the
previous seat, whose discard can be taken, if that seat has no use for it.
"""

from collections import Counter

from sevens_sdk import Bot, Decision, run

RANKS = "A23456789T"  # in the order of their spots
FACE_DOWN = "?"


class TrashCollector(Bot):
    def choose(self, decision: Decision) -> str:
        if decision.observation.fact("phase") == "jack":
            unseen, before = unseen_ranks(decision), layout_before(decision)

            def chance(action: str) -> int:
                spot = int(action.split()[1])
                return unseen[RANKS[spot - 1]] * (1 if has_use_for(spot, before) else 2)

            return min(decision.legal, key=chance)
        useful = [action for action in decision.legal if action not in ("draw", "discard")]
        return useful[0] if useful else decision.legal[0]


def has_use_for(spot: int, layout: list[str]) -> bool:
    """True if this layout lacks the natural of the spot, with a jack or a hidden card there."""
    return spot <= len(layout) and layout[spot - 1][0] in (FACE_DOWN, "J")


def layout_before(decision: Decision) -> list[str]:
    """Returns the layout of the previous seat, spot by spot."""
    layouts: tuple[str, ...] = decision.observation.fact("layouts")
    return layouts[decision.seat - 1].split()


def unseen_ranks(decision: Decision) -> Counter[str]:
    """Counts the cards of each rank that are face down or in the stock."""
    players = len(decision.observation.fact("layouts"))
    unseen = Counter(RANKS * 4 * ((players + 1) // 2))
    for zone in decision.observation.zones:
        if zone.name != "stock":  # its cards are known once it has been renewed
            unseen.subtract(card[0] for card in zone.cards)
    return unseen


if __name__ == "__main__":
    run(TrashCollector)
