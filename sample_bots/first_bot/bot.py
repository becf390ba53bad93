"""Plays every game with the first legal action: the shortest possible bot."""

from sevens_sdk import Bot, Decision, run


class FirstBot(Bot):
    def choose(self, decision: Decision) -> int:
        return 0


if __name__ == "__main__":
    run(FirstBot)
