"""`arena ladder list|show`: prints ladders."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.table import Table

from arena.cli.arguments import LadderArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.commands.ratings.ratings_report import print_ratings
from arena.cli.output import indented, stderr, stdout, table
from arena.foreign_text import visible
from arena.league import LAST_MATCHES
from arena.operations.arena import read_arena
from arena.operations.competitions import ladders
from arena.operations.notices.announcements import list_announcements
from arena.store.schema import CompetitionState
from arena.views.ladders.ladder import Ladder, RatedLadder
from arena.views.matches.fault import Fault
from arena.views.notices.announcement import Announcements

TOLD = (
    *("ladder", "game", "rules_version", "options", "seats", "format", "partners"),
    *("bank_ms", "increment_ms", "draw_probability", "fault_quota"),
    *("newest_only", "state", "matches", "jobs"),
)


@asks_arena
def list_ladders(arena: AskedArena) -> Answer:
    """List the ladders, those that are paused or over at the end.

    Examples:
        arena ladder list
    """
    found = arena.ask(ladders.list_ladders)
    announced = arena.ask(list_announcements)
    yield found
    _announce(announced)
    parts = [[one for one in found.ladders if one.state is state] for state in CompetitionState]
    for number, part in enumerate([part for part in parts if part] or [[]]):
        if number:
            stdout.print()
        stdout.print(_listed(part))


def _listed(found: Sequence[Ladder]) -> Table:
    columns = ("ladder", "game", "seats", "format", "matches")
    rows = [
        [*(getattr(ladder, column) for column in columns), ladder.present_state] for ladder in found
    ]
    return table([*columns, "state"], rows)


@asks_arena
def show(arena: AskedArena, name: LadderArgument) -> Answer:
    """Show the terms, jobs and ratings of a ladder.

    Examples:
        arena ladder show xeri
    """
    found = arena.ask(ladders.read_ladder, name)
    software = arena.ask(read_arena).software
    announced = arena.ask(list_announcements)
    yield found
    _announce(announced)
    _print(found, arena.hint)
    if software is not None:
        stdout.say(f"\n{software.sentence}")


def _announce(found: Announcements) -> None:
    for one in found.announcements:
        stderr.say(one.sentence, style="bold")


def _print(ladder: RatedLadder, hint: Callable[[str], str]) -> None:
    told = ladder.model_dump(mode="json", include=set(TOLD))
    told |= {"options": dict(sorted(ladder.options.items())), "state": ladder.present_state}
    for field in TOLD:
        stdout.say(f"{field.replace('_', ' ')}: {_text(told[field])}")
    if ladder.season:
        stdout.say(f"season: {ladder.season}")
    if ladder.live_delay_s is not None:
        stdout.say(f"live delay: {ladder.live_delay_s} seconds")
    if ladder.follows:
        stdout.say(f"season before: {ladder.follows}")
    if ladder.followed_by:
        stdout.say(f"next season: {ladder.followed_by}")
    if ladder.obstacle:
        stdout.say(ladder.obstacle, style="yellow")
    stdout.print()
    print_ratings(ladder)
    for fault in ladder.suspended:
        stdout.print(_suspension_text(fault, ladder.fault_quota, hint))


def _text(value: object) -> str:
    """Returns a value in the form for people."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "none"
    return visible(str(value))


def _suspension_text(fault: Fault, quota: int, hint: Callable[[str], str]) -> str:
    """Explains a suspension by its last fault, with the commands to use next."""
    where = f"at decision {fault.decision}" if fault.decision else "before its first decision"
    readmit = f"arena bot readmit {fault.bot} {fault.number} --ladder {fault.ladder}"
    read_why = f"arena log {fault.match} --mine"
    bot = visible(fault.bot)
    words = f"{indented(fault.words)}\n" if fault.words else ""
    return (
        f"\n{bot} version {fault.number} is suspended: it was at fault in more than {quota}"
        f" of its last {LAST_MATCHES} matches. Its last fault, {where} of match"
        f" {visible(fault.match)}:"
        f" {visible(fault.kind)}. {visible(fault.sentence)}\n{words}"
        f"  why: {visible(hint(read_why))}\n"
        "  play again: submit a fixed version, or as an organiser:"
        f" {visible(hint(readmit))}"
    )
