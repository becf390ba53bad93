"""What `arena bot check` tells of a bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.bots.source.program import Runnable
from arena.cli.output import print_json, stderr, stdout
from arena.conformance.check import Finding
from arena.conformance.checks import repeated
from arena.conformance.exchange import Exchange

SHARES = (50, 95, 99)  # of the decisions, in percent
MARKS = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[dim]-[/]"}


class BotReport:
    """The findings, told as they come. With `--json` that is progress, on stderr, and a document
    follows at the end. `exchanges`: the decisions of the matches that the bot played."""

    def __init__(self, program: Runnable, *, as_json: bool) -> None:
        self.exchanges: Sequence[Exchange] = ()
        self._program = program
        self._as_json = as_json
        self._findings: list[Finding] = []

    @property
    def passed(self) -> bool:
        """Whether every check was passed."""
        return all(finding.ok for finding in self._findings)

    @property
    def repeatable(self) -> bool:
        """Whether the bot answered the same when it was asked again."""
        return any(finding.ok for finding in self._findings if finding.name == repeated.NAME)

    def add(self, finding: Finding) -> None:
        """Takes what came of a check."""
        self._findings.append(finding)
        console = stderr if self._as_json else stdout
        console.print(f"{MARKS[finding.ok]} [bold]{finding.name}[/]: ", end="")
        console.print(finding.sentence, markup=False)
        for what, words in (("sent", finding.sent), ("came back", finding.came_back)):
            if words:
                console.print(f"    {what}: {words}", markup=False, style="dim")

    def finish(self) -> None:
        """Tells what is known only at the end."""
        if self._as_json:
            print_json(self._document())
            return
        if times := self._latency():
            told = ", ".join(f"{name} {ms} ms" for name, ms in times.items())
            stdout.print(f"\nTime for a decision: {told} ({len(self.exchanges)} decisions).")
        same = "the same" if self.repeatable else "not known to answer the same"
        stdout.print(f"Asked again: {same}.")

    def _latency(self) -> dict[str, float]:
        """Percentiles of the milliseconds for a decision; none if nothing was answered."""
        times = sorted(exchange.ms for exchange in self.exchanges)
        if not times:
            return {}
        places = {f"p{share}": len(times) * share // 100 for share in SHARES}
        places["max"] = len(times) - 1
        return {name: round(times[place], 2) for name, place in places.items()}

    def _document(self) -> dict[str, Any]:
        return {
            "bot": self._program.name,
            "version": self._program.version,
            "checks": [_row(finding) for finding in self._findings],
            "decisions": len(self.exchanges),
            "latency_ms": self._latency() or dict.fromkeys((*(f"p{n}" for n in SHARES), "max")),
            "repeatable": self.repeatable,
        }


def _row(finding: Finding) -> dict[str, Any]:
    """The exchange is there only where the check failed in one."""
    row = {"name": finding.name, "ok": finding.ok, "sentence": finding.sentence}
    exchange = {"sent": finding.sent, "came_back": finding.came_back}
    return row | {name: words for name, words in exchange.items() if words}
