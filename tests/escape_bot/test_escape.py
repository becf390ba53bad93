"""A bot tries everything to escape from its sandbox. The results are in docs/security.md."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import psutil
import pytest
from attempts import HARMLESS
from attempts_table import COLUMNS, read_column, write_column
from fatal_attempts import FATAL
from talking import WAYS
from witness import Witness, waiting

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.source.program import Builtin, Program, Source
from arena.match.deal_set import SeededSet
from arena.match.play import Played, play_match
from arena.match.terms import Entry, Terms
from arena.match.timekeeper import Timekeeper
from arena.records.verification import verify_record
from sevens_games import load
from tests.support.container_engine import BuildImage, find_image

# Two teams of two: the escape bot has rivals and a partner.
GAME = load("seven-euchre")
BANK_MS = 600_000
BANK_MS_OF = {"think for ever": 3_000}
HONEST = Builtin("builtin:random")
PROCESS, CONTAINER = COLUMNS
BUILDS_MAY = {
    "fill the disk: `/tmp`": "as far as all that builds may write",
    "change the machine's devices: their permissions, their times": "the nodes are the build's own",
    "use up what the machine or its user has few of: timers, queues, requests to the disk": (
        "tools need some, and they end with the build"
    ),
    "get numbers that count the machine's sockets, namespaces and processes": "tools need some",
}

AsBot = Callable[[Program], Source]


@pytest.fixture
def witness() -> Iterator[Witness]:
    with waiting() as witness:
        yield witness


async def play(host: Host, sources: Sequence[Source], bank_ms: int = BANK_MS) -> Played:
    """Plays a match between bots; it must end, with a record that verifies, whatever they do."""
    terms = Terms(match_id="escape", game=GAME, options={}, bank_ms=bank_ms, increment_ms=0)
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    async with AsyncExitStack() as running:
        running.callback(keeping.cancel)
        entries = []
        for seat, source in enumerate(sources):
            bot = await host.start(source, 1)
            running.push_async_callback(bot.stop, "The match is over.")
            entries.append(Entry(bot, f"bot-{seat}", source.version, seat))
        played = await play_match(terms, entries, SeededSet("escape"), timekeeper)
    assert verify_record(played.record).ok
    return played


async def attempt_all(host: Host, witness: Witness, as_bot: AsBot) -> dict[str, str]:
    """Returns the result of each attempt, as the bot reports, the witness sees and the record shows
    it."""
    escape = as_bot(witness.bot([*HARMLESS, *WAYS]))
    played = await play(host, [escape, escape, escape, HONEST])
    assert not played.faults
    seats = [noted(played, seat) for seat in range(3)]
    assert seats[0] == seats[1] == seats[2]
    assert all(len(log.stderr) < 65 * 1024 for log in played.private_log.seats)
    for fatal in FATAL:
        bots = [as_bot(witness.bot([], fatal)), HONEST, HONEST, HONEST]
        ended = await play(host, bots, BANK_MS_OF.get(fatal, BANK_MS))
        ((seat, kind),) = [(fault.seat, fault.kind) for fault in ended.faults]
        assert seat == 0
        seats[0][fatal] = f"at fault: {kind}"
    others = await play(host, [as_bot(witness.bot([])), HONEST, HONEST, HONEST])
    assert not others.faults
    return seats[0]


def noted(played: Played, seat: int) -> dict[str, str]:
    notes = played.private_log.seats[seat].notes
    return dict(json.loads(line) for note in notes for line in note.text.splitlines())


def check(column: str, seen: dict[str, str], config: pytest.Config) -> None:
    """Checks that the table in the documentation contains these results."""
    assert [*seen] == [*HARMLESS, *WAYS, *FATAL]
    loose = {what: outcome for what, outcome in seen.items() if ": " in outcome.lower()}
    assert loose.keys() == FATAL.keys(), loose
    if config.option.write_attempts:
        write_column(column, seen)
    assert read_column(column) == seen, "make security-table writes it"


def left_behind(mark: str) -> list[psutil.Process]:
    return [p for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or [])]


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
async def test_as_a_process_a_bot_does_not_get_out(
    witness: Witness, pytestconfig: pytest.Config
) -> None:
    async with Host(Isolation.BUBBLEWRAP) as host:
        seen = await attempt_all(host, witness, lambda program: program)
        assert not left_behind(witness.mark)
    assert witness.nobody_came()
    check(PROCESS, seen, pytestconfig)


@pytest.mark.slow
@pytest.mark.needs("a container engine")
async def test_in_a_container_a_bot_does_not_get_out(
    witness: Witness, build_image: BuildImage, pytestconfig: pytest.Config
) -> None:
    def as_image(program: Program) -> Source:
        return find_image(build_image(program.folder, program.manifest.run))

    async with Host() as host:
        seen = await attempt_all(host, witness, as_image)
        assert not left_behind(witness.mark)
    assert witness.nobody_came()
    check(CONTAINER, seen, pytestconfig)


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
async def test_in_a_build_a_bot_does_not_get_out(witness: Witness, tmp_path: Path) -> None:
    """Each looks also for what those before it have left."""
    tried = [what for what in (*HARMLESS, *WAYS) if what not in BUILDS_MAY]

    async def attempted(host: Host, seat: int) -> dict[str, str]:
        built = tmp_path / str(seat)
        built.mkdir()
        await host.build(witness.build(tried, seat), built)
        outcomes: dict[str, str] = json.loads((built / "outcomes.json").read_text())
        return outcomes

    async with Host(Isolation.BUBBLEWRAP) as host:
        seen = [await attempted(host, seat) for seat in range(3)]
        assert not left_behind(witness.mark)
    assert witness.nobody_came()
    as_bots = {what: outcome for what, outcome in read_column(PROCESS).items() if what in tried}
    assert seen == [as_bots] * 3


async def test_a_bot_that_nothing_holds_gets_everywhere(witness: Witness) -> None:
    """The attempts are real: where they fail, they fail because of the sandbox."""
    works = [
        "read another bot's files",
        "read the arena's data",
        "find the arena's secrets in an environment",
        "have memory that no process has: memfd, System V",
        "reach a TCP server of the machine",
        "send a UDP datagram",
        "resolve a name",
        "reach another Unix socket, by path",
        "reach another Unix socket, abstract",
        "see or signal processes that are not its own",
        "read what the machine does: counters of files, processes, locks, terminals",
        "learn what of a file is in memory, or remove it from there",
        "use up what the machine or its user has few of: timers, queues, requests to the disk",
        "get numbers that count the machine's sockets, namespaces and processes",
        "talk to them: by sockets, abstract ones too",
        "talk to them: by watching who opens a file that both see",
        "talk to them: by locks on files and devices that both see",
        "talk to them: by waking who waits at a place in a file",
    ]
    escape = witness.bot(works)
    async with Host(Isolation.NONE) as host:
        played = await play(host, [escape, escape, HONEST, HONEST])
    outcomes = noted(played, 0)
    assert [what for what, outcome in outcomes.items() if "ESCAPED" in outcome] == works, outcomes
    assert not witness.nobody_came()
