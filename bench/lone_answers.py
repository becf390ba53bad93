"""The first bot, but each of its answers goes in a frame of its own."""

from sevens_sdk import Bot, Decision, run, session

# What an answer takes at most decides how many fit into a frame: one, if it may take all of it.
session.ANSWER_BYTES = session.FRAME_BYTES


class LoneAnswers(Bot):
    def choose(self, decision: Decision) -> int:
        return 0


if __name__ == "__main__":
    run(LoneAnswers)
