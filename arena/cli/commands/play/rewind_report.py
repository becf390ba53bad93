"""The report of `arena rewind`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from arena.bots import BotLost
from arena.bots.source import Source
from arena.cli.output import indented, print_json, stderr, stdout
from arena.foreign_text import visible, visible_lines
from arena.match import Asked, Reply, Restarted
from arena.records import SeatLog
from arena.records.wording import Wording
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load


class RewindReport:
    """Prints differences as they arrive; with `--json` a document at the end.

    `compared`: the decisions to compare.
    `log`: the private log of the seat, if the reader may see it.
    `shows_all`: prints all answers, not only faults and those that differ.
    `loss`: why the bot did not accept the match, if it did not.
    `output`: what the bot printed.
    """

    def __init__(
        self,
        record: MatchRecord,
        seat: int,
        source: Source,
        compared: Sequence[Asked],
        log: SeatLog | None,
        *,
        as_json: bool,
    ) -> None:
        self.shows_all = False
        self.loss: BotLost | None = None
        self.output = ""
        self._record = record
        self._seat = seat
        self._source = source
        self._compared = {asked.place for asked in compared}
        self._notes = {note.decision: note.text for note in log.notes} if log else {}
        self._as_json = as_json
        self._wording = Wording(load(record.game).layout, record.seats)
        self._replies: list[Reply] = []
        self._failed: Reply | None = None
        if not as_json:
            self._print_heading()

    @property
    def all_same(self) -> bool:
        """Returns whether the bot did at every decision what it did in the match."""
        if self.loss is not None:
            return self._never_started
        return self._not_asked == 0 and all(reply.is_same for reply in self._replies)

    def add(self, reply: Reply | Restarted) -> None:
        """Adds an answer; one before those to compare only if it ends the rewind."""
        if isinstance(reply, Restarted):
            stderr.print("The program has dialled in again: it is asked from the beginning.")
            self._replies.clear()
            return
        if reply.asked.place not in self._compared and not reply.is_last:
            return
        self._replies.append(reply)
        is_shown = self.shows_all or not reply.is_same or reply.fault is not None
        if is_shown and not self._as_json:
            for line in self._lines(reply):
                stdout.print(line)

    def finish(self) -> None:
        """Prints what is known only at the end."""
        if self._as_json:
            print_json(self._document())
            return
        if self.output:
            stdout.print("Its output:", style="bold")
            stdout.print(indented(visible_lines(self.output.rstrip())))
        stdout.say(self._summary())

    @property
    def _not_asked(self) -> int:
        return len(self._compared - {reply.asked.place for reply in self._replies})

    @property
    def _never_started(self) -> bool:
        return any(fault.seat == self._seat and not fault.decision for fault in self._record.faults)

    @property
    def _is_same_version(self) -> bool:
        return self._record.seats[self._seat].version == self._source.version

    def _print_heading(self) -> None:
        version = "the version" if self._is_same_version else "not the version"
        played = self._record.seats[self._seat].bot
        stdout.print(
            Text.assemble(
                (f"{self._record.game}, match {visible(self._record.match_id)}", "bold"),
                f", seat {self._seat} of {visible(played)}: {visible(self._source.name)}, {version}"
                " that played it",
            )
        )

    def _summary(self) -> str:
        if self.loss is not None:
            then = "As in the match: " if self._never_started else ""
            return f"{then}{self.loss.whole}"
        count, different = len(self._replies), sum(not one.is_same for one in self._replies)
        if not self._compared:
            return "The bot accepted the match, in which the seat was asked nothing."
        rest = f", and {self._not_asked} were not asked for" if self._not_asked else ""
        return f"{different} of {count} answers differ{rest}."

    def _lines(self, reply: Reply) -> list[Text]:
        asked, number = reply.asked, reply.asked.decision.number
        head = f"Decision {asked.place}, its own #{number}"
        lines = [Text.assemble((head, "bold"), ": same" if reply.is_same else ": different")]
        then = asked.fault.sentence if asked.fault else self._wording.choice(asked.action)
        now = self._wording.choice(reply.action) if reply.action is not None else reply.sentence
        for name, said, kind, ms, note in (
            ("then", then, asked.fault and asked.fault.kind, asked.milliseconds, self._note(asked)),
            ("now", now, reply.fault, reply.milliseconds, reply.note),
        ):
            after = f"  ({kind or f'{ms} ms'})"
            lines.append(Text.assemble((f"  {name:4}  ", "dim"), said, (after, "dim")))
            lines += [
                Text(f"        note: {line}", style="italic")
                for line in visible_lines(note).splitlines()
            ]
        if reply.words and not reply.is_last:  # else they quote the output, which is printed whole
            lines.append(Text(f"        {visible(reply.words)}"))
        return lines

    def _note(self, asked: Asked) -> str:
        return self._notes.get(asked.decision.number, "")

    def _document(self) -> dict[str, Any]:
        return {
            "match": self._record.match_id,
            "game": self._record.game,
            "seat": self._seat,
            "bot": self._source.name,
            "version": self._source.version,
            "played_version": self._record.seats[self._seat].version,
            "same": self.all_same,
            "decisions": [self._row(reply) for reply in self._replies],
            "not_asked": self._not_asked,
            "start_failed": self.loss.whole if self.loss is not None else None,
            "output": self.output,
        }

    def _row(self, reply: Reply) -> dict[str, Any]:
        asked = reply.asked
        return {
            "decision": asked.place,
            "number": asked.decision.number,
            "time_left_ms": asked.decision.time_left_ms,
            "same": reply.is_same,
            "then": {
                "action": asked.action,
                "milliseconds": asked.milliseconds,
                "note": self._note(asked) or None,
                "fault": _fault(asked.fault.kind, asked.fault.sentence) if asked.fault else None,
            },
            "now": {
                "action": reply.action,
                "milliseconds": reply.milliseconds,
                "note": reply.note or None,
                "fault": _fault(reply.fault, f"{reply.sentence} {reply.words}".rstrip())
                if reply.fault
                else None,
            },
        }


def _fault(kind: str, sentence: str) -> dict[str, str]:
    return {"kind": kind, "sentence": sentence}
