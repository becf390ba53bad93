"""The arena's own bot, by which a worker finds out whether its machine can run bots.

It runs like every other: in the sandbox, on the runtime for bots, which has the SDK.
"""

from sevens_sdk import Bot, Decision, run


class TrialBot(Bot):
    """Plays the first legal action."""

    def choose(self, decision: Decision) -> str:
        return decision.legal[0]


if __name__ == "__main__":
    run(TrialBot)
