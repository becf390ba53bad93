"""`arena void|unvoid`: declares matches void, and lets them count again."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.commands.matches import (
    AgainstOption,
    BotOption,
    FaultOption,
    LadderOption,
    SinceOption,
    TournamentOption,
    UntilOption,
)
from arena.cli.output import stderr
from arena.operations.competitions.voids import unvoid_matches, void_matches

MatchArgument = Annotated[
    str, typer.Argument(metavar="[MATCH]", help="A match, by its id or the beginning of it.")
]


@asks_arena
def void(
    arena: AskedArena,
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for everybody.")],
    match: MatchArgument = "",
    bot: BotOption = "",
    against: AgainstOption = "",
    ladder: LadderOption = "",
    tournament: TournamentOption = "",
    fault: FaultOption = "",
    since: SinceOption = "",
    until: UntilOption = "",
) -> Answer:
    """Declare matches void: they stay, and count for nothing.

    The matches of a duplicate group are void together. `arena matches` with the same options lists
    what would be void; without --tournament only matches of ladders are.

    Examples:
        arena void 4f1c0a2277-1 --reason "The machine was overloaded."
        arena void --ladder xeri --since 2026-07-07T07:07Z --reason "A wrong rule."
    """
    wanted = _wanted(
        bot=bot,
        against=against,
        ladder=ladder,
        tournament=tournament,
        fault=fault,
        since=since,
        until=until,
    )
    voided = arena.ask(void_matches, reason, match, wanted)
    yield voided
    stderr.say(f"Void are {voided.sentence}.")


@asks_arena
def unvoid(
    arena: AskedArena,
    match: MatchArgument = "",
    bot: BotOption = "",
    against: AgainstOption = "",
    ladder: LadderOption = "",
    fault: FaultOption = "",
    since: SinceOption = "",
    until: UntilOption = "",
) -> Answer:
    """Let void matches count again.

    `arena matches --void` lists the void matches.

    Examples:
        arena unvoid 4f1c0a2277-1
        arena unvoid --ladder xeri
    """
    wanted = _wanted(bot=bot, against=against, ladder=ladder, fault=fault, since=since, until=until)
    counting = arena.ask(unvoid_matches, match, wanted)
    yield counting
    stderr.say(f"Counting again are {counting.sentence}.")


def _wanted(**conditions: str) -> dict[str, str]:
    return {name: text for name, text in conditions.items() if text}
