"""`arena ladder enter|leave|pause|resume|schedule|live-delay|freeze|close|reset|delete`: changes a
ladder."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.arguments import BotsToEnter, LadderArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.commands.entering import entrants_of
from arena.cli.output import stderr
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


@asks_arena
def enter(arena: AskedArena, name: LadderArgument, bots: BotsToEnter) -> Answer:
    """Enter bots into a ladder, or let them back in.

    The files of the bots are copied into the data folder.

    Examples:
        arena ladder enter xeri my-bot other.py
    """
    entrants = entrants_of(arena, arena.ask(read_ladder, name).game, bots)
    yield arena.ask(enter_ladder, name, entrants)
    entered = ", ".join(one.bot for one in entrants)
    stderr.say(f"Entered into the ladder {name}: {entered}.")


@asks_arena
def leave(
    arena: AskedArena,
    name: LadderArgument,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Names of bots, as `arena ratings` prints them.",
            autocompletion=completion.bots,
        ),
    ],
) -> Answer:
    """Take bots off a ladder, in all their versions.

    Their matches stay.

    Examples:
        arena ladder leave xeri my-bot
    """
    for bot in bots:
        left = arena.ask(leave_ladder, name, bot)
    yield left
    _say_obstacle(left)


@asks_arena
def pause(arena: AskedArena, name: LadderArgument) -> Answer:
    """Pause a ladder: no new matches until it is resumed.

    Examples:
        arena ladder pause xeri
    """
    yield from _in_state(arena, name, CompetitionState.PAUSED)


@asks_arena
def resume(arena: AskedArena, name: LadderArgument) -> Answer:
    """Resume a paused ladder.

    Examples:
        arena ladder resume xeri
    """
    yield from _in_state(arena, name, CompetitionState.RUNNING)


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


@asks_arena
def schedule(
    arena: AskedArena,
    name: LadderArgument,
    starts: StartsOption = None,
    submit_until: SubmitUntilOption = None,
    ends: EndsOption = None,
) -> Answer:
    """Set when a ladder begins to play, takes the last submission, and is over.

    What is not given stays as it is.

    Examples:
        arena ladder schedule xeri --submit-until 2026-12-18 --ends 2026-12-20T18:00Z
    """
    found = arena.ask(
        schedule_ladder, name, starts_at=starts, submit_until=submit_until, ends_at=ends
    )
    yield found
    stderr.say(f"The ladder {name} {found.season or 'has no dates'}.")


@asks_arena
def live_delay(
    arena: AskedArena,
    name: LadderArgument,
    seconds: Annotated[
        int | None,
        typer.Argument(
            metavar="SECONDS",
            min=0,
            max=LONGEST_LIVE_DELAY_S,
            help="Delay before visitors see a match in play. [default: the arena's]",
        ),
    ] = None,
) -> Answer:
    """Set how late visitors see a ladder's matches in play.

    0 is only safe if no bot on it can read the pages, as bots in a sandbox cannot.

    Examples:
        arena ladder live-delay xeri 0
    """
    found = arena.ask(delay_ladder, name, seconds)
    yield found
    delay = found.live_delay_s
    late = "as late as the arena's" if delay is None else f"{delay} seconds late"
    stderr.say(f"The matches in play on the ladder {name} are shown {late}.")


@asks_arena
def freeze(arena: AskedArena, name: LadderArgument) -> Answer:
    """Take no more submissions to a ladder; its matches go on.

    Examples:
        arena ladder freeze xeri
    """
    found = arena.ask(schedule_ladder, name, submit_until=rfc3339(datetime.now(UTC)))
    yield found
    stderr.say(f"The ladder {name} {found.season}.")


@asks_arena
def close(arena: AskedArena, name: LadderArgument) -> Answer:
    """Close a ladder for good: its standings are final.

    Matches that are not over yet are given up. The ladder keeps its page, and leaves the home page
    and the forms.

    Examples:
        arena ladder close xeri
    """
    yield arena.ask(change_ladder, name, CompetitionState.OVER)
    stderr.say(f"The ladder {name} is over. Begin its next season: arena ladder reset {name}")


@asks_arena
def reset(
    arena: AskedArena,
    name: LadderArgument,
    season: Annotated[
        str,
        typer.Option(
            "--name", help="The name of the new ladder. [default: NAME with the next number]"
        ),
    ] = "",
    starts: StartsOption = None,
    submit_until: SubmitUntilOption = None,
    ends: EndsOption = None,
) -> Answer:
    """Begin the next season of a ladder: a new one with the same terms and versions.

    All ratings begin again. The ladder of the season before is closed, and keeps its final
    standings.

    Examples:
        arena ladder reset xeri --name xeri-spring --ends 2026-06-30
    """
    found = arena.ask(
        begin_season, name, season, starts_at=starts, submit_until=submit_until, ends_at=ends
    )
    yield found
    stderr.say(f"The next season of {name} is the ladder {found.ladder}.")


@asks_arena
def delete(arena: AskedArena, name: LadderArgument) -> Answer:
    """Delete a ladder on which nothing has been played.

    Examples:
        arena ladder delete xeri
    """
    yield arena.ask(delete_ladder, name)


def _in_state(arena: AskedArena, name: str, state: LadderState) -> Answer:
    changed = arena.ask(change_ladder, name, state)
    yield changed
    _say_obstacle(changed)


def _say_obstacle(ladder: Ladder) -> None:
    if ladder.obstacle:
        stderr.say(ladder.obstacle)
