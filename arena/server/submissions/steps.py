"""The steps of an acceptance, as they are told to the owner."""

from __future__ import annotations

from dataclasses import dataclass

OUTPUT_CHARACTERS = 16_000


@dataclass(frozen=True)
class Step:
    """One step. `output`: the last that the build or the bot printed."""

    name: str
    sentence: str
    output: str = ""
    passed: bool = True


class StepFailed(Exception):
    """The bot failed a step, and is not accepted."""

    def __init__(self, name: str, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.step = Step(name, sentence, output[-OUTPUT_CHARACTERS:], passed=False)
