"""The bot starts, says hello in time, and names the games of its bot.toml."""

from __future__ import annotations

import shlex

from arena.bots.local import Ending
from arena.bots.source import Program
from arena.clock import monotonic
from arena.conformance.conversation import Visit, visiting
from arena.conformance.finding import Check, Failed
from arena.conformance.subject import Subject
from sevens.bot.v1.bot_service_pb2 import Hello

NAME = "hello"


def hello_check(subject: Subject) -> Check:
    async def run() -> str:
        began = monotonic()
        async with visiting(subject) as visit:
            hello = await _greeted(visit, subject)
        seconds = monotonic() - began
        _check_games(subject, hello)
        games = ", ".join(game.slug for game in subject.games)
        sdk = f" with SDK {hello.sdk}" if hello.sdk else ""
        return f"It said hello after {seconds:.1f} s{sdk}; it plays {games}."

    return Check(NAME, run)


async def _greeted(visit: Visit, subject: Subject) -> Hello:
    try:
        return await visit.greeted()
    except Failed as failed:
        program = subject.program
        build = program.manifest.build if isinstance(program, Program) else None
        if visit.ending == Ending(None) and build:
            failed.sentence += (
                "\nIs it built? A check builds nothing; bot.toml says that it is built, in its"
                f" folder, by: {shlex.join(build)}"
            )
        raise


def _check_games(subject: Subject, hello: Hello) -> None:
    """Reduces the games to those that the hello names."""
    if not hello.games:
        return
    said = f"games: {', '.join(hello.games)}"
    promised = subject.program.games
    if missing := [slug for slug in promised if slug not in hello.games]:
        raise Failed(
            f"bot.toml names {', '.join(missing)}, but the bot's hello does not. Name the same"
            " games in both, or none in the hello.",
            came_back=said,
        )
    left = [game for game in subject.games if game.slug in hello.games]
    if not left:
        raise Failed("The bot's hello names none of the games to be checked.", came_back=said)
    subject.games = left
