"""Highest Card: takes a trick as cheaply as it can, and throws the lowest card away if it cannot.

The idea: only the last seat of a trick knows what it takes. Before that a high card is the better
the fewer seats are still to play.
"""

from sevens_sdk import Bot, Decision, run

RANKS = "23456789TJQKA"


class HighestCardBot(Bot):
    def choose(self, decision: Decision) -> str:
        lowest_first = sorted(decision.hand, key=height)
        trick = decision.observation.cards("trick")
        to_beat = max(map(height, trick), default=-1)
        winning = [card for card in lowest_first if height(card) > to_beat]
        if not winning:
            return f"play {lowest_first[0]}"
        is_last = len(trick) == decision.match.players - 1
        return f"play {winning[0] if is_last else winning[-1]}"


def height(card: str) -> int:
    return RANKS.index(card[0])


if __name__ == "__main__":
    run(HighestCardBot)
