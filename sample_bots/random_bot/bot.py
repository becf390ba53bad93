"""Plays every game at random; every other bot should beat it."""

from sevens_sdk import Bot, Decision, run


class RandomBot(Bot):
    def choose(self, decision: Decision) -> str:
        return self.random.choice(decision.legal)


if __name__ == "__main__":
    run(RandomBot)
