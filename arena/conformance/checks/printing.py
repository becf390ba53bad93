"""The bot's output is kept for its owner and is no part of the protocol."""

from __future__ import annotations

from arena.bots.local import OUTPUT_LIMIT_BYTES
from arena.conformance.checks.faultless_play import name_of
from arena.conformance.finding import Check, Failed
from arena.conformance.subject import Subject

NAME = "output"


def printing_check(subject: Subject) -> Check:
    async def run() -> str:
        most = subject.most_written
        if most > OUTPUT_LIMIT_BYTES:
            raise Failed(
                f"The bot printed more in one match than the {OUTPUT_LIMIT_BYTES:,} bytes that are"
                " kept, so the beginning was lost. Print less, or use notes on answers."
            )
        if not most:
            return "It printed nothing; any output would be kept for its owner."
        return f"It printed up to {most:,} bytes per match, kept for its owner only."

    return Check(NAME, run, needs=tuple(name_of(game) for game in subject.games))
