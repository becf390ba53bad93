"""`arena ladder enter|leave|pause|resume|schedule|live-delay|freeze|close|reset|delete`: changes a
ladder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.commands.entering import found_bots, versions_to_enter
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import stderr
from arena.client.arena import arena_at
from arena.moment import rfc3339
from arena.operations.competitions.ladders import (
    LadderState,
    begin_season,
    change_ladder,
    delay_ladder,
    delete_ladder,
    enter_ladder,
    leave_ladder,
    read_ladder,
    schedule_ladder,
)
from arena.store.schema import LONGEST_LIVE_DELAY_S, CompetitionState
from arena.views.ladders.ladder import Ladder

Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The ladder's name.", autocompletion=completion.ladders),
]


def enter(
    name: Name,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Folders, .py files, image:REF, or names of bots in the arena.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Enter bots into a ladder, or let them back in.

    The files of the bots are copied into the data folder.

    Examples:
        arena ladder enter xeri my-bot other.py
    """
    with arena_at(server, data) as arena:
        game = arena.ask(read_ladder, name).game
        entrants = versions_to_enter(arena, found_bots(arena, game, bots, server, data), data)
        arena.ask(enter_ladder, name, entrants)
    entered = ", ".join(one.bot for one in entrants)
    stderr.say(f"Entered into the ladder {name}: {entered}.")


def leave(
    name: Name,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Names of bots, as `arena ratings` prints them.",
            autocompletion=completion.bots,
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Take bots off a ladder, in all their versions.

    Their matches stay.

    Examples:
        arena ladder leave xeri my-bot
    """
    with arena_at(server, data) as arena:
        for bot in bots:
            left = arena.ask(leave_ladder, name, bot)
    _say_obstacle(left)


def pause(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Pause a ladder: no new matches until it is resumed.

    Examples:
        arena ladder pause xeri
    """
    _set_state(name, CompetitionState.PAUSED, server, data)


def resume(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Resume a paused ladder.

    Examples:
        arena ladder resume xeri
    """
    _set_state(name, CompetitionState.RUNNING, server, data)


StartsOption = Annotated[
    str | None, typer.Option("--starts", help="The time when it begins to play; empty: at once.")
]
SubmitUntilOption = Annotated[
    str | None,
    typer.Option(
        "--submit-until",
        help="The time of the last submission: a moment, or a day with its end; empty: none.",
    ),
]
EndsOption = Annotated[
    str | None,
    typer.Option(
        "--ends", help="The time when it is over: a moment, or a day with its end; empty: none."
    ),
]


def schedule(
    name: Name,
    starts: StartsOption = None,
    submit_until: SubmitUntilOption = None,
    ends: EndsOption = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Set when a ladder begins to play, takes the last submission, and is over.

    What is not given stays as it is.

    Examples:
        arena ladder schedule xeri --submit-until 2026-12-18 --ends 2026-12-20T18:00Z
    """
    with arena_at(server, data) as arena:
        found = arena.ask(
            schedule_ladder, name, starts_at=starts, submit_until=submit_until, ends_at=ends
        )
    stderr.say(f"The ladder {name} {found.season or 'has no dates'}.")


def live_delay(
    name: Name,
    seconds: Annotated[
        int | None,
        typer.Argument(
            metavar="SECONDS",
            min=0,
            max=LONGEST_LIVE_DELAY_S,
            help="Delay before visitors see a match in play. [default: the arena's]",
        ),
    ] = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Set how late visitors see a ladder's matches in play.

    0 is only safe if no bot on it can read the pages, as bots in a sandbox cannot.

    Examples:
        arena ladder live-delay xeri 0
    """
    with arena_at(server, data) as arena:
        found = arena.ask(delay_ladder, name, seconds).live_delay_s
    late = "as late as the arena's" if found is None else f"{found} seconds late"
    stderr.say(f"The matches in play on the ladder {name} are shown {late}.")


def freeze(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Take no more submissions to a ladder; its matches go on.

    Examples:
        arena ladder freeze xeri
    """
    with arena_at(server, data) as arena:
        found = arena.ask(schedule_ladder, name, submit_until=rfc3339(datetime.now(UTC)))
    stderr.say(f"The ladder {name} {found.season}.")


def close(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Close a ladder for good: its standings are final.

    Matches that are not over yet are given up. The ladder keeps its page, and leaves the home page
    and the forms.

    Examples:
        arena ladder close xeri
    """
    with arena_at(server, data) as arena:
        arena.ask(change_ladder, name, CompetitionState.OVER)
    stderr.say(f"The ladder {name} is over. Begin its next season: arena ladder reset {name}")


def reset(
    name: Name,
    season: Annotated[
        str,
        typer.Option(
            "--name", help="The name of the new ladder. [default: NAME with the next number]"
        ),
    ] = "",
    starts: StartsOption = None,
    submit_until: SubmitUntilOption = None,
    ends: EndsOption = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Begin the next season of a ladder: a new one with the same terms and versions.

    All ratings begin again. The ladder of the season before is closed, and keeps its final
    standings.

    Examples:
        arena ladder reset xeri --name xeri-spring --ends 2026-06-30
    """
    with arena_at(server, data) as arena:
        found = arena.ask(
            begin_season,
            name,
            season,
            starts_at=starts,
            submit_until=submit_until,
            ends_at=ends,
        )
    stderr.say(f"The next season of {name} is the ladder {found.ladder}.")


def delete(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Delete a ladder on which nothing has been played.

    Examples:
        arena ladder delete xeri
    """
    with arena_at(server, data) as arena:
        arena.ask(delete_ladder, name)


def _set_state(name: str, state: LadderState, server: str, data: Path) -> None:
    with arena_at(server, data) as arena:
        _say_obstacle(arena.ask(change_ladder, name, state))


def _say_obstacle(ladder: Ladder) -> None:
    if ladder.obstacle:
        stderr.say(ladder.obstacle)
