"""A bot that the user starts, in a debugger for instance."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from arena.bots.remote import AwaitedBot
from arena.cli.output import stderr
from arena.foreign_text import visible

WAIT_FILE = "wait.env"  # in the data folder, so that a debugger finds it at the same path each time


async def awaited_bot(name: str, file: Path, stack: AsyncExitStack) -> AwaitedBot:
    """Opens a seat for a program that the user starts, and writes `file` for it, until the stack is
    closed."""
    bot = await stack.enter_async_context(AwaitedBot(name, _tell))
    stack.callback(file.unlink, missing_ok=True)
    _say_how_to_start(bot.environment, file)
    return bot


def _say_how_to_start(environment: Mapping[str, str], file: Path) -> None:
    lines = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(0o600)
    file.write_text("".join(f"{line}\n" for line in lines))
    stderr.say(f"Start your bot with these variables, which are also in {file}:", style="bold")
    for line in lines:
        stderr.print(f"    export {visible(line)}")
    _tell(False)


def _tell(connected: bool) -> None:
    stderr.print("Connected." if connected else "Waiting for the program to dial in …", style="dim")
