"""The log of a match: one line per decision, then the result and the reasons for faults."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from rich.text import Text

from arena.foreign_text import visible, visible_lines
from arena.records.private_log import PrivateLog, SeatLog, shown_logs
from arena.records.replay import replay
from arena.records.strict_json import cut
from arena.records.timeline import ChosenBy, Step
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Match

STDERR_LINES = 20
INDENT = " " * 8
WARNING = "bold red"


def log_lines(
    record: pb.MatchRecord,
    private: PrivateLog | None = None,
    seats: Collection[int] | None = None,
) -> list[Text]:
    """Returns the log. Raises BadRecord.

    `private`: adds the bots' notes next to their decisions, and their stderr.
    `seats`: only the private parts of these seats, but in full.
    """
    logs = shown_logs(private, seats)
    steps: list[Step] = []
    lines = [*_heading(record), *_course(record, logs, steps), *_result(record)]
    for fault in record.faults:
        lines += _fault(record, fault, steps)
    for own, log in logs.items():
        lines += _private(record, own, log, whole=seats is not None)
    return lines


def _heading(record: pb.MatchRecord) -> Iterator[Text]:
    options = ", ".join(f"{name} {value}" for name, value in sorted(record.options.items()))
    clock = f"{seconds(record.clock.bank_ms)} and {seconds(record.clock.increment_ms)} per decision"
    yield Text(f"{record.game}, match {visible(record.match_id)}", style="bold")
    for seat, who in enumerate(record.seats):
        yield Text(
            f"  seat {seat}, team {who.team}: {visible(who.bot)} {who.version[:12]}".rstrip()
        )
    yield Text(f"  options: {options or 'none'}; clock: {clock}")
    yield Text(visible(f"  {record.started_at}, {record.arena}"))


def _course(record: pb.MatchRecord, logs: dict[int, SeatLog], steps: list[Step]) -> Iterator[Text]:
    """Yields every decision and the announcements between them. Fills `steps`."""
    width = max(len(name_of(record, seat)) for seat in range(len(record.seats)))
    notes = {seat: {note.decision: note.text for note in log.notes} for seat, log in logs.items()}
    told = _Told()
    for step in replay(record):
        yield from told.news(step.match)
        yield _decision(step, f"{name_of(record, step.seat):{width}}")
        for line in visible_lines(notes.get(step.seat, {}).get(step.number, "")).splitlines():
            yield Text(f"{INDENT}  note: {line}", style="italic")
        told.chosen.append((step.seat, str(step.action)))
        steps.append(step)
    if steps:
        yield from told.news(steps[-1].match)


class _Told:
    """Announcements of the rules other than choices, as the spectator sees them.

    `chosen`: the choices since the last announcement, which are not repeated.
    """

    def __init__(self) -> None:
        self.heard = 0
        self.opening = ""
        self.chosen: list[tuple[int | None, str]] = []

    def news(self, match: Match) -> Iterator[Text]:
        """Yields the announcements since the last call. A deal is an event with the verb that
        opened the match; an empty line precedes it."""
        events = match.events(None, self.heard)
        self.heard += len(events)
        if events and not self.opening:
            self.opening = events[0].verb
        for verb, actor, arguments in events:
            choice = (actor, event_words(verb, None, arguments))
            if choice in self.chosen:
                self.chosen.remove(choice)
                continue
            if verb == self.opening:
                yield Text()
            yield Text(f"{INDENT}. {event_words(verb, actor, arguments)}", style="dim")


def _decision(step: Step, name: str) -> Text:
    """Formats a decision: place in the match, seat, its own count, time, action."""
    by_bot = step.chosen_by is ChosenBy.BOT
    time = seconds(step.milliseconds) if by_bot else step.chosen_by.value
    who = f"seat {step.seat} {name} #{step.number:<4}"
    fault = f"  <- {step.fault.kind}" if step.fault is not None else ""
    return Text.assemble(
        (f"{step.place + 1:6}  {who} {time:>10}  ", "" if by_bot else "dim"),
        (str(step.action), "bold" if by_bot else ""),
        (fault, WARNING),
    )


def _result(record: pb.MatchRecord) -> Iterator[Text]:
    """Yields the result, best seat first."""
    result = record.result
    kinds = {fault.seat: f"  at fault: {fault.kind}" for fault in record.faults}
    yield Text()
    yield Text(f"Result: {visible(result.reason)}", style="bold")
    yield Text("  rank   score  seat", style="dim")
    places = zip(result.ranks, result.scores, range(len(record.seats)), strict=False)
    for rank, score, seat in sorted(places, key=lambda place: (place[0], place[2])):
        line = f"  {rank:4} {score:7}  {seat} {name_of(record, seat)}"
        yield Text.assemble(line, (kinds.get(seat, ""), WARNING))


def _fault(record: pb.MatchRecord, fault: pb.Fault, steps: Sequence[Step]) -> Iterator[Text]:
    """Yields the fault, the decision that was asked for, and the arena's move."""
    yield Text()
    yield Text(f"Fault of {seat_named(record, fault.seat)}: {fault.kind}", style=WARNING)
    yield Text(f"  {visible(fault.sentence)}")
    if fault.decision == 0:
        yield Text("  It was never asked: the arena played for it from its first decision on.")
    for step in steps:
        if step.seat == fault.seat and step.fault is not None:
            asked = f"decision {step.place + 1} of the match, its own #{step.number}"
            yield Text(f"  It had been asked {asked}, with {seconds(step.time_left_ms)} left.")
            yield Text(f"  Legal: {'; '.join(step.legal)}.")
            yield Text(f"  From then on the arena played for it, starting with: {step.action!s}.")


def _private(record: pb.MatchRecord, seat: int, log: SeatLog, *, whole: bool) -> Iterator[Text]:
    """Yields the bot's stderr (its end, unless `whole`) and the errors of its answers."""
    written = visible_lines(log.stderr).splitlines()
    words = visible_lines(log.fault_words).splitlines()
    shown = written if whole else written[-STDERR_LINES:]
    if not written and not words and not log.stale_answers:
        return
    yield Text()
    yield Text(f"For the owner of {seat_named(record, seat)}:", style="bold")
    if log.stale_answers:
        yield Text(f"  Answers that were late, repeated or unexpected: {log.stale_answers}.")
    if words:
        yield Text("  At its fault:")
    for line in words:
        yield Text(f"    {line}")
    if len(shown) < len(written):
        yield Text(f"  stderr, the last {len(shown)} of {len(written)} lines:")
    elif shown:
        yield Text("  stderr:")
    for line in shown:
        yield Text(f"    {line}")


NAME_WIDTH = 20


def name_of(record: pb.MatchRecord, seat: int) -> str:
    """Returns the bot's name, fit for a column."""
    return cut(visible(record.seats[seat].bot), NAME_WIDTH)


def seat_named(record: pb.MatchRecord, seat: int) -> str:
    return f"seat {seat} ({name_of(record, seat)})"


def seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f} s"


def event_words(verb: str, actor: int | None, arguments: Iterable[object]) -> str:
    words = " ".join([verb, *map(str, arguments)])
    return words if actor is None else f"seat {actor} {words}"
