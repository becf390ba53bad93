"""A bot that the user starts, in a debugger for instance."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import psutil

from arena.bots.remote import AwaitedBot
from arena.cli.output import stderr
from arena.foreign_text import visible

WAIT_FILE = "wait.env"  # in the data folder, so that a debugger finds it at the same path each time
TOKEN = "ARENA_TOKEN"


async def awaited_bot(name: str, file: Path, stack: AsyncExitStack) -> AwaitedBot:
    """Opens a seat for a program that the user starts, and writes `file` for it, until the stack is
    closed."""
    bot = await stack.enter_async_context(AwaitedBot(name, _tell))
    stack.callback(file.unlink, missing_ok=True)
    _say_how_to_start(bot.environment, file)
    return bot


async def time_to_attach(bot: AwaitedBot) -> None:
    """Names the processes of the program that has dialled in, and lets a user at a terminal attach
    a debugger before the match begins."""
    if not sys.stdin.isatty():
        return
    for process in await asyncio.to_thread(_processes, bot.environment[TOKEN]):
        stderr.say(f"Process {process}")
    stderr.print("To attach a debugger: gdb -p PID, dlv attach PID, … Press Enter to begin.")
    pressed = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin.fileno(), pressed.set)
    try:
        await pressed.wait()
    finally:
        loop.remove_reader(sys.stdin.fileno())
    sys.stdin.readline()


def _processes(token: str) -> list[str]:
    """Returns the processes that were started with that token: the program, and perhaps its
    debugger, which has passed the variables on."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(TOKEN) == token:
                found.append(f"{process.pid}: {shlex.join(process.cmdline())}")
        except (psutil.Error, OSError):
            continue  # it has ended, or belongs to another user
    return found


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
