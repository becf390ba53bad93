"""Plays one ladder with bots of every kind: `make languages`.

Sandboxed bots in the language of each SDK, a container bot, and a remote bot that dials in with a
token. Prints which bots were left out because this machine cannot run them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

from arena.bots.sandbox import missing_for_sandbox
from arena.bots.source import EngineTrouble, read_manifest
from arena.cli.commands.bot.languages import LANGUAGES
from arena.cli.output import stderr, stdout, table
from arena.cli.progress import Bars
from arena.errors import Exit
from arena.store.open import open_store
from arena.views.ladders.standing import Standing, standings
from tools.bot_images import bot_images
from tools.examples import ROOT, SAMPLE_BOTS, built_examples

LADDER, GAME = "every-kind", "xeri"
FISHER = SAMPLE_BOTS / "xeri_fisher"
CONTAINER, REMOTE = "xeri-fisher-container", "xeri-fisher-remote"
OWNER = "somebody"
PATIENCE_S = 60.0


@dataclass
class Field:
    """The bots that play.

    `references`: the references of the bots that the server runs itself.
    `kinds`: the kind of each bot, by its name.
    `left_out`: one sentence for each bot that does not play.
    """

    references: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def main() -> int:
    """Plays the ladder and prints its ratings; they differ by strategy, not by kind."""
    options = argparse.ArgumentParser(prog="python -m tools.every_kind", description=__doc__)
    options.add_argument(
        "--matches", type=int, default=25, metavar="N", help="until each bot has N [25]"
    )
    matches = options.parse_args().matches
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, interrupt)
    if missing := missing_for_sandbox():
        stderr.print(missing, markup=False)
        return Exit.ARENA_FAILED
    try:
        with ExitStack() as stack:
            return played(stack, matches)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


def interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt


def played(stack: ExitStack, matches: int) -> int:
    """Plays the ladder; closing the stack ends its processes and removes its files."""
    bots = Field()
    add_languages(bots)
    add_container(bots, stack)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="every-kind-")))
    data = folder / "data"
    arena("ladder", "create", LADDER, GAME, *bots.references, "--set", "deals=1", "--data", data)
    server = stack.enter_context(serving(data, folder / "server.log"))
    stack.enter_context(dialled_in(server.address, data, folder / "remote.log"))
    bots.kinds[REMOTE] = "remote"
    return told(bots, watched(server, data, matches), matches)


def add_languages(bots: Field) -> None:
    examples = built_examples()
    for language, folders in examples.folders.items():
        bots.references += map(str, folders)
        bots.kinds |= {read_manifest(one).name: LANGUAGES[language].title for one in folders}
    bots.left_out += examples.left_out()


def add_container(bots: Field, stack: ExitStack) -> None:
    import docker  # slow to import, as is the next

    from arena.bots.container import engine_version

    try:
        engine_version()
    except EngineTrouble as trouble:
        bots.left_out.append(f"Left out: the container. {trouble}")
        return
    client = stack.enter_context(closing(docker.from_env()))
    images = stack.enter_context(bot_images(client))
    with tempfile.TemporaryDirectory() as scratch:
        folder = shutil.copytree(FISHER, Path(scratch, "bot"))
        tag = images.build(folder, ["python", "bot.py"], tag=f"{CONTAINER}:{uuid.uuid4()}")
    bots.references.append(f"image:{tag}")
    bots.kinds[CONTAINER] = "container"


def arena(*words: object, **environment: str) -> str:
    """Runs an `arena` command in a process of its own; returns its output."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", *map(str, words)],
        cwd=ROOT,
        env=neutral() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"`arena {words[0]}` failed.\n{done.stderr}")
    return done.stdout


def neutral() -> dict[str, str]:
    """Returns our environment without the variables that name another server or the user's bots
    there."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}


@contextmanager
def interrupts_deferred() -> Iterator[list[int]]:
    """Defers KeyboardInterrupt to the end of the block, which is given the signals so far.

    Raised while a program starts, it would leave that program running without an owner; raised
    while Python clears a weak reference, it would be printed and dropped.
    """
    arrived: list[int] = []
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [(one, signal.signal(one, lambda one, _: arrived.append(one))) for one in signals]
    try:
        yield arrived
    finally:
        for one, handler in before:
            signal.signal(one, handler)
    if arrived:
        raise KeyboardInterrupt


@contextmanager
def running(
    command: Sequence[object], log: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a program next to this one, in its own process group: Ctrl-C in a terminal reaches
    only this process, which then ends the program."""
    process = None
    try:
        with log.open("wb") as output, interrupts_deferred():
            process = subprocess.Popen(
                list(map(str, command)),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                process_group=0,
            )
        yield process
    finally:
        if process is not None:
            process.terminate()
            process.wait()


@dataclass(frozen=True)
class Server:
    """An `arena serve`."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def address(self) -> str:
        """Waits until the server answers, and returns the address of its pages."""
        give_up_at = time.monotonic() + PATIENCE_S
        while not (found := re.search(r"Pages at http://(\S+)/", self.log.read_text())):
            self.check()
            if time.monotonic() > give_up_at:
                sys.exit(f"The server did not start within {PATIENCE_S:g} s.\n{self.said()}")
            time.sleep(0.1)
        return found[1]

    def check(self) -> None:
        """Exits with a sentence if the server has ended."""
        if self.process.poll() is not None:
            sys.exit(f"The server has ended.\n{self.said()}")

    def said(self) -> str:
        """Returns the end of the server's log."""
        return "".join(self.log.read_text().splitlines(keepends=True)[-20:])


@contextmanager
def serving(data: Path, log: Path) -> Iterator[Server]:
    """Runs a server on a port of this machine, with its own workers."""
    words = ("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--data", data)
    command = [sys.executable, "-m", "arena.cli", *words]
    with running(command, log, dict(os.environ)) as process:
        yield Server(process, log)


@contextmanager
def dialled_in(address: str, data: Path, log: Path) -> Iterator[None]:
    """Registers a bot with the server, and runs it as a remote bot."""
    token = arena("token", "create", "--role", "owner", "--owner", OWNER, "--data", data).strip()
    at = ("--ladder", LADDER, "--server", address)
    submitted = json.loads(
        arena("submit", f"remote:{REMOTE}", *at, "--json", ARENA_USER_TOKEN=token)
    )
    environment = neutral() | submitted["environment"]
    with running([sys.executable, FISHER / "bot.py"], log, environment):
        yield


def watched(server: Server, data: Path, matches: int) -> Sequence[Standing]:
    """Shows the progress of the ladder until each bot has that many matches, or none is in play;
    returns the final standing of the bots."""
    stderr.print(f"Playing until each bot has {matches} matches ...")
    with (
        interrupts_deferred() as interrupts,
        closing(open_store(data, "read")) as store,
        Bars("matches") as progress,
    ):
        bar = progress.add_task(LADDER, total=None)
        so_far, give_up_at = -1, 0.0
        while True:
            with store.reading() as session:
                placed = standings(session, LADDER)
            total = matches * len(placed)
            before, so_far = so_far, sum(min(one.matches, matches) for one in placed)
            progress.update(bar, completed=so_far, total=total)
            if so_far > before:
                give_up_at = time.monotonic() + PATIENCE_S
            if interrupts or so_far == total or time.monotonic() > give_up_at:
                return placed
            server.check()
            time.sleep(0.2)


def told(bots: Field, placed: Sequence[Standing], matches: int) -> int:
    """Prints the ratings and the bots that were left out; returns 0 if each bot played its
    matches without a fault."""
    stdout.print(rating_table(bots, placed))
    for sentence in bots.left_out:
        stdout.print(sentence, markup=False)
    wrong = [one.bot for one in placed if one.faults or one.matches < matches]
    if wrong:
        stderr.print(f"At fault, or without {matches} matches: {', '.join(wrong)}.", markup=False)
    return Exit.ANSWER_IS_NO if wrong else Exit.DONE


def rating_table(bots: Field, placed: Sequence[Standing]) -> Table:
    columns = ("place", "bot", "kind", "rating", "matches", "faults")
    rows = [
        (
            one.place,
            one.bot,
            bots.kinds[one.bot],
            one.rating,
            one.matches,
            one.faults,
        )
        for one in placed
    ]
    return table(columns, rows, title=f"{LADDER}: {GAME}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # while the last things were put away
        sys.exit(Exit.INTERRUPTED)
