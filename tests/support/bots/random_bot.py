"""Plays at random, as `builtin:random` does."""

import sys

from sevens_sdk import Bot, Decision, run


class RandomBot(Bot):
    def choose(self, decision: Decision) -> int:
        print(f"decision {decision.number}", file=sys.stderr)
        return self.random.randrange(len(decision.legal))


run(RandomBot)
