"""Plays every game, and always the first legal action: the shortest bot there is."""

from sevens_sdk import Bot, Decision, run


class FirstBot(Bot):
    def choose(self, decision: Decision) -> int:
        return 0


if __name__ == "__main__":
    run(FirstBot)
