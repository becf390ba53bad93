"""The scripted bots, and the types of the fixtures that create and start them."""

import shutil
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

from arena.bots.host import Bot
from arena.bots.references import find_bot
from arena.bots.source.program import Program
from tests.support.patience import PATIENCE_S

SCRIPTED = Path(__file__).parent / "bots"

MakePuppet = Callable[..., Program]
StartPuppet = Callable[..., Awaitable[Bot]]


def new_puppet(place: Path, *argv: str, **limits: int) -> Program:
    """Creates a bot that runs puppet.py with some arguments, in a folder of its own; `limits` as in
    bot.toml."""
    folder = place / f"bot-{uuid.uuid4()}"
    folder.mkdir()
    shutil.copy(SCRIPTED / "puppet.py", folder)
    lines = ['name = "puppet"', f"run = {['python', 'puppet.py', *argv]}", "[limits]"]
    lines += [f"{name} = {value}" for name, value in limits.items()]
    (folder / "bot.toml").write_text("\n".join(lines))
    program = find_bot(str(folder))
    assert isinstance(program, Program)
    return program


def vanished(mark: str) -> None:
    """Waits until no process has the mark; the kernel kills the rest of a sandbox."""
    _, alive = psutil.wait_procs(marked(mark), timeout=PATIENCE_S)
    assert not alive


def marked(mark: str) -> list[psutil.Process]:
    """Returns the processes that have the mark."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if mark in (process.info["cmdline"] or [])
    ]
