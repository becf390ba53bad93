"""Cash: collects one rank, signs only when it has four, and hides that sign among others.

The idea: a partner who shows the code has four, for this bot shows it at no other time. Rivals do
not know the code; but a seat that never shows a gesture, and then does, gives itself away. So all
other gestures are shown at random in most ticks, and a rival who shows one for the first time after
many others is called.
"""

from collections import Counter

from sevens_sdk import Bot, Decision, run

RANKS = "A23456789TJQK"
GESTURES = ("blink", "cough", "frown", "nod", "shrug", "smile", "wink", "yawn")
NOISE = 0.8  # how often a tick has a gesture that means nothing
SUSPICIOUS = 12  # gestures of a team before one that it has never shown


class CashSignaller(Bot):
    def on_start(self) -> None:
        self.shown: dict[int, list[str]] = {}

    def choose(self, decision: Decision) -> str:
        self.remember(decision)
        return self.call(decision) or self.reach(decision)

    def remember(self, decision: Decision) -> None:
        """Keeps the gestures of this deal, by team."""
        teams = decision.match.teams
        for event in decision.events:
            if event.verb == "deal":
                self.shown = {team: [] for team in teams}
            if event.verb == "gesture" and event.actor is not None:
                self.shown.setdefault(teams[event.actor], []).append(event.arguments[0])

    def call(self, decision: Decision) -> str:
        """Returns a call if one is due, otherwise an empty text."""
        seen, teams = decision.observation, decision.match.teams
        code, shown = seen.fact("codes")[teams[decision.seat]], seen.fact("shown")
        for seat, gesture in enumerate(shown):
            if seat == decision.seat or gesture in ("", "still"):
                continue
            if teams[seat] == teams[decision.seat]:
                if gesture == code:
                    return "cash"
            elif self.is_suspicious(teams[seat], gesture):
                return f"counter {seat}"
        return ""

    def is_suspicious(self, team: int, gesture: str) -> bool:
        shown = [one for one in self.shown.get(team, []) if one != "still"]
        return len(shown) > SUSPICIOUS and shown.count(gesture) == 1

    def reach(self, decision: Decision) -> str:
        """Swaps towards the rank of which most cards can still come together."""
        seen, hand = decision.observation, decision.hand
        rank = best_rank(hand, seen.cards("board"), seen.cards("swept"))
        spare = [card for card in hand if card[0] != rank]
        wanted = [card for card in seen.cards("board") if card[0] == rank]
        if spare and wanted:
            put = min(spare, key=lambda card: Counter(c[0] for c in hand)[card[0]])
            has_four = len(spare) == 1
            return f"swap {put} {decision.random.choice(wanted)} {self.gesture(decision, has_four)}"
        return f"pass {self.gesture(decision, not spare)}"

    def gesture(self, decision: Decision, has_four: bool) -> str:
        seen = decision.observation
        code = seen.fact("codes")[decision.match.teams[decision.seat]]
        if has_four:
            return str(code)
        if decision.random.random() > NOISE:
            return "still"
        others = [one for one in GESTURES[: seen.fact("gestures")] if one != code]
        return decision.random.choice(others)


def best_rank(hand: tuple[str, ...], board: tuple[str, ...], swept: tuple[str, ...]) -> str:
    """Returns the rank of which the hand has most; of equal ones, that of which the board has
    most. A rank with swept cards cannot be completed."""
    held, open_cards = Counter(card[0] for card in hand), Counter(card[0] for card in board)
    dead = {card[0] for card in swept}
    return max(RANKS, key=lambda rank: (rank not in dead, held[rank], open_cards[rank]))


if __name__ == "__main__":
    run(CashSignaller)
