"""Plays every game with the last legal action."""

from sevens_sdk import Bot, Decision, run


class LastBot(Bot):
    def choose(self, decision: Decision) -> int:
        return len(decision.legal) - 1


if __name__ == "__main__":
    run(LastBot)
