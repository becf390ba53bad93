"""Dingo: holds the cards that the discards make strong, and gives away those made worthless.

The idea: the discards show what a card can still bring. A wolf is worth twice its rank's points if
its mate is gone, about half of that if another seat may hold the mate, and nothing once the dingo
is gone. A dingo scores if other seats can play wolves on it, and costs points if they cannot: such
a card is best given away. In the hunts nearly every wolf is worth playing.
"""

from sevens_sdk import Bot, Decision, run

BLACK_ACES = ("AC", "AS")
DINGO_STAYS = 0.8  # the chance that a dingo still out is not discarded
LAST_STEP_TO_GIVE = 6
# Three points more than each other seat, against thirteen more for one of them.
RISK_OF_AD = 3 * 3 / 13


def points(card: str) -> int:
    return 3 if card[0] == "A" else 2 if card[0] in "TJQK" else 1


class DingoTracker(Bot):
    def choose(self, decision: Decision) -> str:
        phase = decision.observation.fact("phase")
        if phase == "ace-hunt":
            return self.hunt_aces(decision)
        if phase == "hunt":
            return self.hunt(decision)
        return self.part_with(decision, phase == "discard")

    def part_with(self, decision: Decision, discarding: bool) -> str:
        """Returns the card worth least; costly cards wait, if they can, to be given to a rival."""
        seen, hand = decision.observation, decision.hand
        gone = seen.cards("discards")
        can_still_give = discarding and seen.fact("step") < LAST_STEP_TO_GIVE

        def worth(action: str) -> float:
            value = worth_keeping(action.split()[1], hand, gone)
            return -value / 2 if value < 0 and can_still_give else value

        return min(decision.legal, key=worth)

    def hunt(self, decision: Decision) -> str:
        """Passes only if a later seat is known to hold the other wolf."""
        if len(decision.legal) != 2:
            return decision.legal[-1]
        seen = decision.observation
        wolf = decision.legal[1].split()[1]
        mate = wolf[0] + ("S" if wolf[1] == "C" else "C")
        later = turns_after(decision.seat, seen.fact("dingo_player"))
        beaten = any(mate in seen.cards("hand", seat) for seat in later)
        return "pass" if beaten else decision.legal[1]

    def hunt_aces(self, decision: Decision) -> str:
        """Weighs a black ace's three points against the ten that AD's holder may get."""
        seen, hand = decision.observation, decision.hand
        if len(decision.legal) == 1 or "AD" in hand:
            return decision.legal[-1]
        out = [ace for ace in BLACK_ACES if ace in seen.cards("table")]
        dingo_player = seen.fact("dingo_player")
        later = [*turns_after(decision.seat, dingo_player), dingo_player]
        in_time = 0 if decision.seat == dingo_player else len(later) / 3
        if in_time < RISK_OF_AD:
            return decision.legal[-1]
        return "pass" if out else decision.legal[1]


def turns_after(seat: int, dingo_player: int) -> list[int]:
    """Returns the seats still to be asked after this one, without the dingo player."""
    return [other % 4 for other in range(seat + 1, seat + (dingo_player - seat) % 4)]


def worth_keeping(card: str, hand: tuple[str, ...], gone: tuple[str, ...]) -> float:
    """Estimates the points that the card will bring to the holder of this hand."""
    rank, suit = card[0], card[1]
    if rank == "A":
        return worth_of_ace(card, hand)
    wolves = [wolf for wolf in (f"{rank}C", f"{rank}S") if wolf != card]
    if suit == "H":
        out = [wolf for wolf in wolves if wolf not in gone and wolf not in hand]
        return points(card) * (-1.0, 0.8, 1.4)[len(out)]
    dingo, [mate] = f"{rank}H", wolves
    if dingo in gone or dingo in hand:
        return 0.0
    catches = 1.0 if mate in gone else 0.6 if mate in hand else 0.5
    return 2 * points(card) * catches * DINGO_STAYS


def worth_of_ace(card: str, hand: tuple[str, ...]) -> float:
    if card != "AD":
        return 3.0
    return (1.0, 3.0, 8.0)[sum(ace in hand for ace in BLACK_ACES)]


if __name__ == "__main__":
    run(DingoTracker)
