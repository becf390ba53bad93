"""`arena matches`: the finished matches of ladders."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arena.cli.arguments import DEFAULT_DATA, DataOption, hint
from arena.cli.output import JsonOption, print_json, stdout, table
from arena.cli.reading import reading
from arena.store.matches import MatchPage, MatchRow, SeatRow
from arena.store.matches import matches as read_matches
from arena.store.reading import bot_named, ladder_named


def matches(
    bot: Annotated[str, typer.Option(help="Only matches of this bot.")] = "",
    ladder: Annotated[str, typer.Option(help="Only matches of this ladder.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    after: Annotated[str, typer.Option(help="What `next` said, for the page after.")] = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Lists finished matches, the latest first."""
    if ladder:
        with reading(data, "ladder") as session:
            ladder_named(session, ladder)
    if bot:
        with reading(data, "bot") as session:
            bot_named(session, bot)
    with reading(data, "after") as session:
        page = read_matches(
            session, ladder=ladder or None, bot=bot or None, after=after or None, limit=limit
        )
    if as_json:
        print_json(_document(page))
        return
    columns = ("match", "ladder", "result (rank bot score)", "finished")
    rows = [
        (row.match, row.ladder, _result(row), f"{row.finished_at:%Y-%m-%d %H:%M:%S}")
        for row in page.matches
    ]
    stdout.print(table(columns, rows) if rows else "There is no such match yet.")
    if rows:
        read_one = hint(f"arena log {page.matches[0].match}", data)
        stdout.print(f"\nread one: {read_one}", style="dim", markup=False)
    if page.next:
        stdout.print(f"more: --after {page.next}", style="dim", markup=False)


def _result(row: MatchRow) -> str:
    """A bot's seats in one team are one entry."""
    sides: dict[tuple[int, str], list[SeatRow]] = {}
    for seat in sorted(row.seats, key=lambda seat: (seat.rank, seat.seat)):
        sides.setdefault((seat.team, seat.bot), []).append(seat)
    return ", ".join(
        f"{seats[0].rank} {bot} {seats[0].score}"
        + (" (fault)" if any(seat.faults for seat in seats) else "")
        for (_, bot), seats in sides.items()
    )


def _document(page: MatchPage) -> dict[str, Any]:
    return {
        "matches": [
            {
                "match": row.match,
                "job": row.job,
                "attempt": row.attempt,
                "ladder": row.ladder,
                "game": row.game,
                "seats": [_seat(seat) for seat in row.seats],
                "reason": row.reason,
                "finished_at": row.finished_at.isoformat().replace("+00:00", "Z"),
            }
            for row in page.matches
        ],
        "next": page.next,
    }


def _seat(seat: SeatRow) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "bot": seat.bot,
        "version": seat.version,
        "team": seat.team,
        "score": seat.score,
        "rank": seat.rank,
        "faults": [
            {"kind": fault.kind, "decision": fault.decision, "sentence": fault.sentence}
            for fault in seat.faults
        ],
    }
