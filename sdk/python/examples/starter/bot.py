"""Plays many cards at once, first those that match the table. Knows no game, plays every one."""

from sevens_sdk import Bot, Decision, run


class MyBot(Bot):
    """One object plays one match at one seat."""

    def choose(self, decision: Decision) -> str:
        seen = decision.observation  # all that your seat may see: zones with cards, and facts
        hand = decision.hand  # your cards, such as ("7S", "TD"); the first letter is the rank
        table = {zone.cards[-1][0] for zone in seen.zones if zone.owner is None and zone.cards}
        phase = seen.facts.get("phase")

        def worth(action: str) -> int:
            words = action.split()  # a verb and what it is done with: "play 7S"
            mine = [word for word in words if word in hand]
            matching = [card for card in mine if card[0] in table]
            more = -1 if phase in ("auction", "bidding") else 1  # a pass says the least
            return 100 * len(mine) + 10 * len(matching) + more * len(words)

        legal = self.random.sample(decision.legal, len(decision.legal))  # equals in any order
        best = max(legal, key=worth)
        decision.note(f"{phase}: {best} is worth {worth(best)}")  # `arena log` shows it
        return best


if __name__ == "__main__":
    run(MyBot)
