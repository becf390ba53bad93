"""`arena void|unvoid`: declares matches void, and lets them count again."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.commands.matches import (
    AgainstOption,
    BotOption,
    FaultOption,
    LadderOption,
    SinceOption,
    TournamentOption,
    UntilOption,
)
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr
from arena.client.arena import arena_at
from arena.operations.competitions.voids import unvoid_matches, void_matches

MatchArgument = Annotated[
    str, typer.Argument(metavar="[MATCH]", help="A match, by its id or the beginning of it.")
]


def void(
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for everybody.")],
    match: MatchArgument = "",
    bot: BotOption = "",
    against: AgainstOption = "",
    ladder: LadderOption = "",
    tournament: TournamentOption = "",
    fault: FaultOption = "",
    since: SinceOption = "",
    until: UntilOption = "",
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
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
    with arena_at(server, data) as arena:
        voided = arena.ask(void_matches, reason, match, wanted)
    if as_json:
        print_view(voided)
    else:
        stderr.say(f"Void are {voided.sentence}.")


def unvoid(
    match: MatchArgument = "",
    bot: BotOption = "",
    against: AgainstOption = "",
    ladder: LadderOption = "",
    fault: FaultOption = "",
    since: SinceOption = "",
    until: UntilOption = "",
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Let void matches count again.

    `arena matches --void` lists the void matches.

    Examples:
        arena unvoid 4f1c0a2277-1
        arena unvoid --ladder xeri
    """
    wanted = _wanted(bot=bot, against=against, ladder=ladder, fault=fault, since=since, until=until)
    with arena_at(server, data) as arena:
        counting = arena.ask(unvoid_matches, match, wanted)
    if as_json:
        print_view(counting)
    else:
        stderr.say(f"Counting again are {counting.sentence}.")


def _wanted(**conditions: str) -> dict[str, str]:
    return {name: text for name, text in conditions.items() if text}
