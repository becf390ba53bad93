"""The progress of a submission: its steps, and what there is to say of the one that is going on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from arena.server.status import SENTENCE_BYTES, sendable
from sevens.league.v1.submission_pb2 import (
    Step,
    StepBegun,
    StepProgress,
    SubmitOutcome,
    SubmitResponse,
)

LINE_EVERY_S = 0.25
LINE_BYTES = 400

Write: TypeAlias = Callable[[SubmitResponse], Awaitable[None]]


@dataclass(frozen=True)
class TrialStep:
    """A step of a submission, as the bot's owner sees it.

    `name`: what was done: archive, build, start or match; ladder, if nothing is played there.
    `sentence`: the result.
    `output`: the last output of the build or the bot.
    `passed`: False if the bot is not accepted because of this step.
    """

    name: str
    sentence: str
    output: str = ""
    passed: bool = True

    def message(self) -> Step:
        return Step(
            name=self.name,
            passed=self.passed,
            sentence=sendable(self.sentence, SENTENCE_BYTES),
            output=sendable(self.output),
        )


class Progress:
    """The progress of a submission, whether or not a caller watches it.

    There are a handful of steps, which wait until they are written; of what a step says meanwhile
    only the latest line is ever written. So a caller who reads slowly costs no memory.

    `steps`: those that are over.
    """

    def __init__(self) -> None:
        self.steps: list[TrialStep] = []
        self._events: asyncio.Queue[SubmitResponse | None] = asyncio.Queue()
        self._line = _nothing

    def begin(self, name: str, line: Callable[[], str] | None = None) -> None:
        """Begins a step. `line`: returns what there is to say of it at the moment."""
        self._line = line or _nothing
        self._events.put_nowait(SubmitResponse(begun=StepBegun(name=name)))

    def end(self, step: TrialStep) -> None:
        """Ends a step."""
        self._line = _nothing
        self.steps.append(step)
        self._events.put_nowait(SubmitResponse(ended=step.message()))

    def conclude(self, outcome: SubmitOutcome) -> None:
        """Ends the submission."""
        self._events.put_nowait(SubmitResponse(outcome=outcome))

    def break_off(self) -> None:
        """Ends the submission without an outcome: a status follows."""
        self._events.put_nowait(None)

    async def report(self, write: Write) -> None:
        """Writes what happens, as it happens, until the submission has ended."""
        written = ""
        while True:
            try:
                async with asyncio.timeout(LINE_EVERY_S):
                    event = await self._events.get()
            except TimeoutError:
                if not self._events.empty():
                    continue  # it came as the time passed, and the line may already be its own
                if (line := sendable(self._line(), LINE_BYTES)) not in ("", written):
                    written = line
                    await write(SubmitResponse(progress=StepProgress(line=line)))
                continue
            if event is None:
                return
            written = ""
            await write(event)
            if event.HasField("outcome"):
                return


def _nothing() -> str:
    return ""
