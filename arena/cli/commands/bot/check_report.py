"""The report of `arena bot check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from arena.bots.source import Runnable
from arena.cli.output import print_json, stderr, stdout
from arena.conformance import Exchange, Finding
from arena.conformance.checks import repeated_decision
from arena.foreign_text import visible

SHARES = (50, 95, 99)  # of the decisions, in percent
MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("-", "dim")}


class BotReport:
    """Prints findings as they arrive. With `--json` they go to stderr as progress, and a document
    follows at the end.

    `exchanges`: the decisions of the matches that the bot played.
    """

    def __init__(self, program: Runnable, *, as_json: bool) -> None:
        self.exchanges: Sequence[Exchange] = ()
        self._program = program
        self._as_json = as_json
        self._findings: list[Finding] = []

    @property
    def passed(self) -> bool:
        """Returns whether every check was passed."""
        return all(finding.ok for finding in self._findings)

    @property
    def repeatable(self) -> bool:
        """Returns whether the bot answered the same when it was asked again."""
        return any(
            finding.ok for finding in self._findings if finding.name == repeated_decision.NAME
        )

    def add(self, finding: Finding) -> None:
        """Adds and prints the result of a check."""
        self._findings.append(finding)
        console = stderr if self._as_json else stdout
        head = Text.assemble(MARKS[finding.ok], " ", (finding.name, "bold"), ": ")
        console.print(head.append(finding.sentence.replace("\n", "\n    ")))
        for what, text in (("sent", finding.sent), ("received", finding.came_back)):
            if text:
                console.print(f"    {what}: {visible(text)}", style="dim")

    def finish(self) -> None:
        """Prints the results that are known only at the end."""
        if self._as_json:
            print_json(self._document())
            return
        if times := self._latency():
            listed = ", ".join(f"{name} {ms} ms" for name, ms in times.items())
            stdout.print(f"\nTime per decision: {listed} ({len(self.exchanges)} decisions).")
        known = "is" if self.repeatable else "is not known to be"
        stdout.print(f"The answer to a repeated question {known} the same.")

    def _latency(self) -> dict[str, float]:
        """Returns percentiles of the time per decision in milliseconds; none without an answer."""
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
    """Includes the exchange only if the check failed in one."""
    row = {"name": finding.name, "ok": finding.ok, "sentence": finding.sentence}
    exchange = {"sent": finding.sent, "came_back": finding.came_back}
    return row | {name: text for name, text in exchange.items() if text}
