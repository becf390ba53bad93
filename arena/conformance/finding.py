"""A check and its finding."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass

from arena.foreign_text import FINDING_LIMIT_BYTES, beginning


class Failed(Exception):
    """The bot failed a check.

    `sentence`: what it did wrong, and what to do.
    `sent`, `came_back`: the exchange in which it happened, if there was one.
    """

    def __init__(self, sentence: str, *, sent: str = "", came_back: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.sent = sent
        self.came_back = came_back


@dataclass(frozen=True)
class Check:
    """One requirement on a bot.

    `needs`: the checks without which this one would say nothing.
    `run`: returns a sentence about what was seen, or raises Failed.
    """

    name: str
    run: Callable[[], Awaitable[str]]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The result of a check. `ok`: None if it was not run because one that it needs failed. Texts
    that quote the bot are cut to their limit."""

    name: str
    ok: bool | None
    sentence: str
    sent: str = ""
    came_back: str = ""

    def __post_init__(self) -> None:
        for name in ("sentence", "sent", "came_back"):
            object.__setattr__(self, name, beginning(getattr(self, name), FINDING_LIMIT_BYTES))


async def findings(checks: Iterable[Check]) -> AsyncIterator[Finding]:
    """Runs checks one after the other and yields their findings. A check is requested only when
    those before it are done."""
    passed: set[str] = set()
    for check in checks:
        finding = await _finding(check, passed)
        if finding.ok:
            passed.add(check.name)
        yield finding


async def _finding(check: Check, passed: set[str]) -> Finding:
    missing = [name for name in check.needs if name not in passed]
    if missing:
        return Finding(check.name, None, f"Not checked, because {missing[0]} did not pass.")
    try:
        return Finding(check.name, True, await check.run())
    except Failed as failed:
        return Finding(check.name, False, failed.sentence, failed.sent, failed.came_back)
