"""Jack Change It: sheds costly cards, keeps cards that follow, and never runs into its trick cards.

The idea: a turn without a card to play costs a card, and a trick card cannot be the last. So a
play is worth the points that it sheds, and more if the cards that stay can follow it, with a plain
card among them to go out with. Twos, eights and the like hurt the next seat, most of all one that
is nearly out.
"""

from sevens_sdk import Bot, Decision, run

FOLLOWS = 4.0  # for each card that can follow the play at once
LEFT_WITHOUT_PLAIN = 25.0  # the cost of holding trick cards alone
NEARLY_OUT = 4  # cards
ATTACK = 12.0  # the worth of a two, an eight and the like against such a seat
HARM = 6.0  # and against others
POINTS = {"A": 1, "T": 10, "J": 20, "Q": 10, "K": 10}


class JackShedder(Bot):
    def choose(self, decision: Decision) -> str:
        if decision.observation.fact("phase") == "due":
            return max(decision.legal, key=lambda action: self.answer_worth(decision, action))
        return max(decision.legal, key=lambda action: self.worth(decision, action))

    def answer_worth(self, decision: Decision, action: str) -> float:
        """Any answer is better than drawing; of several, the one that leaves the better hand."""
        return -1000.0 if action == "draw" else self.worth(decision, action)

    def worth(self, decision: Decision, action: str) -> float:
        words = action.split()[1:]
        played = [word for word in words if len(word) == 2]
        if not played:
            return 0.0
        suit = words[-1][-1]  # named, or that of the card
        left = [card for card in decision.hand if card not in played]
        if not left:
            return 1000.0
        value: float = sum(points(card) for card in played)
        value += FOLLOWS * len(following(left, played[-1], suit))
        if all(is_trick(card, decision.match.players) for card in left):
            value -= LEFT_WITHOUT_PLAIN
        return value + self.attack(decision, played)

    def attack(self, decision: Decision, played: list[str]) -> float:
        """Returns the worth of hurting the next seat, the more the nearer it is to going out."""
        seen, count = decision.observation, decision.match.players
        step = 1 if seen.fact("direction") == "left" else -1
        rival = seen.zone("hand", (decision.seat + step) % count).hidden
        hurts = played[0] == "AH" or played[0][0] in "28" or (played[0][0] == "Q" and count > 2)
        if not hurts:
            return 0.0
        return ATTACK if rival <= NEARLY_OUT else HARM


def points(card: str) -> int:
    return POINTS.get(card[0]) or int(card[0])


def following(left: list[str], upcard: str, suit: str) -> list[str]:
    return [card for card in left if card[1] == suit or card[0] == upcard[0]]


def is_trick(card: str, players: int) -> bool:
    return card == "AH" or card[0] in "28J" or (card[0] == "Q" and players > 2)


if __name__ == "__main__":
    run(JackShedder)
