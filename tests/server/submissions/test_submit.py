"""Submitted bots are checked, built, tried and entered, or refused with a reason."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.bots import Isolation, find_version
from arena.bots.process import BuildBounds
from arena.league.ladder.ladders import create_ladder
from arena.operations.versions import readmit_version, retire_version
from arena.queue.job import Clock
from arena.server.file_work import FileWork
from arena.server.limits import SERVER_LIMITS, Quotas
from arena.server.submissions.staging import sweep
from arena.store.data_folder import DataFolder
from arena.store.faults import suspend
from arena.store.schema import CompetitionState, Entry, EntryState, Ladder, Role, VersionState
from arena.views.ladders.standing import standings
from sevens.league.v1 import submission_pb2
from tests.support.seats import until, within
from tests.support.served import Serve, Served, archive_of, head, version_of

CODES = grpc.StatusCode
CRASHING = "import sys\nprint('no luck today', file=sys.stderr)\nsys.exit(7)\n"
ILLEGAL = """
from sevens_sdk import Bot, run
class Wrong(Bot):
    def choose(self, decision):
        print("I do as I like", flush=True)
        return 10_000
run(Wrong)
"""


def changed(bot: Path, name: str = "random", **fields: str) -> bytes:
    """Returns the bot's archive with another manifest."""
    lines = {"name": f'"{name}"', "games": "[]", "run": '["python", "bot.py"]'} | fields
    (bot / "bot.toml").write_text("".join(f"{key} = {value}\n" for key, value in lines.items()))
    return archive_of(bot)


def packed_by_a_mac(bot: Path) -> bytes:
    """Returns a zip archive of the folder, with what does not belong in it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path in bot.rglob("*"):
            archive.write(path, f"my bot/{path.relative_to(bot)}")
        for litter in ("my bot/.DS_Store", "__MACOSX/my bot/._bot.py", "my bot/.git/config"):
            archive.writestr(litter, "x")
        archive.writestr("my bot/.env", "TOKEN=sat_1")
    return file.getvalue()


def entered(server: Served) -> list[tuple[str, int, str, str]]:
    with server.store.reading() as session:
        entries = standings(session, "main")
    return [(entry.bot, entry.number, entry.owner, entry.state) for entry in entries]


async def test_a_good_bot_is_on_the_ladder(server: Served, bot: Path) -> None:
    response = await server.person("Ann").submits(archive_of(bot))
    assert response.accepted, response
    assert [step.name for step in response.steps] == ["archive", "start", "match"]
    assert all(step.passed for step in response.steps)
    version = response.version
    assert (version.bot, version.owner, version.number) == ("random", "Ann", 1)
    assert version.version == version_of(bot)
    assert entered(server) == [("random", 1, "Ann", "active")]
    assert server.kept() == [version.version]
    assert version_of(server.data.version(version.version)) == version.version


async def test_that_nothing_is_played_on_a_paused_ladder_is_said(server: Served, bot: Path) -> None:
    with server.store.writing() as session:
        session.get_one(Ladder, "main").state = CompetitionState.PAUSED
    response = await server.person("Ann").submits(archive_of(bot))
    assert response.accepted
    last = response.steps[-1]
    assert (last.name, last.passed) == ("ladder", True)
    assert last.sentence == "The ladder is paused: nothing is played there until that changes."


async def test_a_zip_archive_of_the_bots_folder_as_a_mac_packs_it(
    server: Served, bot: Path
) -> None:
    version = version_of(bot)
    response = await server.person("Ann").submits(packed_by_a_mac(bot))
    assert response.accepted, response
    assert response.version.version == version
    left_out = "Left out as private: my bot/.env, my bot/.git."
    assert response.steps[0].sentence.endswith(left_out)
    assert version_of(server.data.version(version)) == version
    assert not (server.data.version(version) / ".env").exists()


async def test_modules_for_another_python_are_named_where_the_bot_fails(
    server: Served, bot: Path
) -> None:
    (bot / "deck.cpython-27-x86_64-linux-gnu.so").write_text("")
    ann = server.person("Ann")
    warning = "deck.cpython-27-x86_64-linux-gnu.so was built for cpython-27-x86_64-linux-gnu, but"
    response = await ann.submits(archive_of(bot))
    assert response.accepted, response  # it does without the module
    assert warning in response.steps[1].sentence
    (bot / "bot.py").write_text("import deck\n")
    response = await ann.submits(archive_of(bot))
    assert not response.accepted
    assert warning in response.steps[1].sentence
    assert "ModuleNotFoundError" in response.steps[1].output


async def test_a_single_file_is_a_bot(server: Served, bot: Path) -> None:
    (bot / "bot.toml").unlink()
    (bot / "bot.py").rename(bot / "my_bot.py")
    response = await server.person("Ann").submits(archive_of(bot))
    assert (response.accepted, response.version.bot) == (True, "my-bot")


async def test_the_same_bytes_are_the_same_version(server: Served, bot: Path) -> None:
    ann = server.person("Ann")
    await ann.submits(archive_of(bot))
    again = await server.person("Ann").submits(archive_of(bot))
    assert (again.accepted, again.version.number) == (True, 1)
    assert [step.sentence for step in again.steps] == [
        "Exactly these files are on the ladder already."
    ]
    (bot / "note.txt").write_text("better")
    assert (await ann.submits(archive_of(bot))).version.number == 2
    assert sorted(entered(server)) == [
        ("random", 1, "Ann", "withdrawn"),
        ("random", 2, "Ann", "active"),
    ]
    (bot / "note.txt").unlink()
    assert (await ann.submits(archive_of(bot))).version.number == 1
    assert ("random", 1, "Ann", "active") in entered(server)


async def test_names_and_files_are_their_owners(server: Served, bot: Path) -> None:
    await server.person("Ann").submits(archive_of(bot))
    bob = server.person("Bob")
    refused = await bob.submits_in_vain(archive_of(bot))
    assert (refused.code, refused.field) == (CODES.ALREADY_EXISTS, "name")
    assert refused.sentence == "The bot random belongs to Ann: choose another name."
    refused = await bob.submits_in_vain(changed(bot))
    assert refused.sentence == "The bot random belongs to Ann: choose another name."
    assert (await bob.submits(changed(bot, "random-2"))).accepted


async def test_what_is_wrong_is_reported_in_a_sentence(server: Served, bot: Path) -> None:
    ann = server.person("Ann")
    cases = [
        (
            changed(bot),
            "nowhere",
            CODES.NOT_FOUND,
            "There is no ladder 'nowhere'; there are: main, other",
        ),
        (
            changed(bot, games='["seven-euchre"]'),
            "main",
            CODES.INVALID_ARGUMENT,
            "random does not play xeri, the game of the ladder main, but only seven-euchre",
        ),
        (changed(bot, name="No Name"), "main", CODES.INVALID_ARGUMENT, "bot.toml: `name` is"),
        (
            changed(bot, limits="{memory_mb = 4096}"),
            "main",
            CODES.INVALID_ARGUMENT,
            "bot.toml: `limits.memory_mb` is 4,096; this server allows at most 1,024.",
        ),
        (changed(bot, frob="1"), "main", CODES.INVALID_ARGUMENT, "`frob` is not a field"),
        (changed(bot, run="[" * 9), "main", CODES.INVALID_ARGUMENT, "bot.toml is not valid TOML"),
    ]
    for content, ladder, code, words in cases:
        refused = await ann.submits_in_vain(content, ladder)
        assert refused.code is code, refused
        assert words in refused.sentence
        assert str(server.data.path) not in refused.sentence
    assert server.kept() == []


@pytest.mark.parametrize(
    ("name", "words"),
    [("../up", "'../up' leads out"), ("\udcff/" * 9 + "x" * 300, "has a name longer")],
)
async def test_a_hostile_archive_is_refused(server: Served, name: str, words: str) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as made:
        made.addfile(tarfile.TarInfo(name))
    refused = await server.person("Ann").submits_in_vain(file.getvalue())
    assert (refused.code, refused.field) == (CODES.INVALID_ARGUMENT, "archive")
    assert words in refused.sentence
    assert server.kept() == []


async def test_what_was_damaged_on_its_way_is_noticed(server: Served, bot: Path) -> None:
    content = archive_of(bot)

    async def parts():  # type: ignore[no-untyped-def]
        yield head(content, version="7" * 64)
        yield submission_pb2.SubmitRequest(chunk=content)

    refused = await server.person("Ann").refused_submission(parts())
    assert (refused.code, refused.field) == (CODES.INVALID_ARGUMENT, "version")


@pytest.mark.parametrize(
    ("program", "step", "words"),
    [
        (CRASHING, "start", "no luck today"),
        (ILLEGAL, "match", "illegal-action"),
    ],
)
async def test_a_bot_that_fails_is_not_accepted(
    server: Served, bot: Path, program: str, step: str, words: str
) -> None:
    (bot / "bot.py").write_text(program)
    response = await server.person("Ann").submits(archive_of(bot))
    assert not response.accepted
    last = response.steps[-1]
    assert (last.name, last.passed) == (step, False)
    assert words in f"{last.sentence} {last.output}"
    if step == "match":
        assert "I do as I like" in last.output
    assert not response.HasField("version")
    assert (entered(server), server.kept()) == ([], [])


async def test_a_retired_version_comes_back_when_it_is_submitted_again(
    server: Served, bot: Path
) -> None:
    ann = server.person("Ann")
    await ann.submits(archive_of(bot))
    retired = await server.asker("Ann").ask(retire_version, "random", 1)
    assert retired.version.state is VersionState.RETIRED
    assert entered(server) == [("random", 1, "Ann", "retired")]
    back = await ann.submits(archive_of(bot))
    assert (back.accepted, back.version.number) == (True, 1)
    assert entered(server) == [("random", 1, "Ann", "active")]


async def test_a_suspended_version_does_not(server: Served, bot: Path) -> None:
    ann = server.person("Ann")
    await ann.submits(archive_of(bot))
    with server.store.writing() as session:
        suspend(session.get_one(Entry, ("main", version_of(bot))), "match")
    assert entered(server) == [("random", 1, "Ann", "suspended")]
    await server.asker("Ann").ask(retire_version, "random", 1)
    refused = await ann.submits_in_vain(archive_of(bot))
    assert refused.code is CODES.FAILED_PRECONDITION
    assert refused.sentence.startswith("Version 1 of random is suspended from the ladder main")
    # On another ladder it may do better.
    assert (await ann.submits(archive_of(bot), "other")).accepted
    organiser = server.asker("Org", Role.ORGANISER)
    readmitted = await organiser.ask(readmit_version, "random", 1, "main")
    places = [(entry.ladder, entry.state) for entry in readmitted.version.ladders]
    assert places == [("main", EntryState.ACTIVE), ("other", EntryState.ACTIVE)]
    assert entered(server) == [("random", 1, "Ann", "active")]
    again = await organiser.refused(readmit_version, "random", 1, "main")
    assert again.sentence == "No version 1 of random is suspended from the ladder main."


@pytest.mark.parametrize(
    ("quotas", "second", "words"),
    [
        (Quotas(versions_a_day=1), "random", "limit of 1 accepted versions in 24 hours"),
        (Quotas(bots=1), "other", "limit of 1 bots"),
        (Quotas(mebibytes=1), "random", "Your bots use 0 of the 1 MiB allowed"),
    ],
)
async def test_quotas(serve: Serve, bot: Path, quotas: Quotas, second: str, words: str) -> None:
    async with serve(replace(SERVER_LIMITS, quotas=quotas)) as server:
        ann = server.person("Ann")
        assert (await ann.submits(archive_of(bot))).accepted
        (bot / "book.txt").write_text("7" * (1 << 20))
        refused = await ann.submits_in_vain(changed(bot, second))
        assert refused.code is CODES.RESOURCE_EXHAUSTED
        assert words in refused.sentence


async def test_a_caller_who_leaves_leaves_nothing(server: Served, bot: Path) -> None:
    ann = server.person("Ann")
    call = asyncio.create_task(ann.submitted(ann.slowly(archive_of(bot), pause_s=5)))
    await until(server.kept)
    call.cancel()
    await until(lambda: not server.kept())


either = pytest.mark.parametrize(
    "isolation",
    [pytest.param(Isolation.BUBBLEWRAP, marks=pytest.mark.needs("bubblewrap")), Isolation.NONE],
)
BUILD = '["python", "build.py"]'
INNER = """
import pathlib, socket
made = pathlib.Path("made")
made.mkdir()
(made / "bot.py").write_text(pathlib.Path("bot.py").read_text())
pathlib.Path("bot.py").unlink()
try:
    socket.create_connection(("192.0.2.1", 80), timeout=0.2)
except OSError as error:
    print("no network:", type(error).__name__)
"""


@either
async def test_a_bot_is_built_and_plays_as_built(
    serve: Serve, bot: Path, isolation: Isolation
) -> None:
    (bot / "build.py").write_text(INNER)
    content = changed(bot, build=BUILD, run='["python", "made/bot.py"]')
    async with serve(isolation=isolation) as server:
        response = await server.person("Ann").submits(content)
        assert response.accepted, response
        assert [step.name for step in response.steps] == ["archive", "build", "start", "match"]
        assert "no network" in response.steps[1].output
        digest = response.version.version
        assert server.kept() == [digest, f"{digest}.built"]
        assert digest == version_of(bot) == version_of(server.data.version(digest))
        # A worker starts this.
        folder = find_version(server.data.versions, digest).folder
        assert folder == server.data.built(digest).resolve()


@pytest.mark.parametrize(
    ("build", "words", "output"),
    [
        ("print('oh no'); raise SystemExit(3)", "The build ended with exit code 3.", "oh no"),
        ("while True: pass", "The build did not end within 2 seconds.", ""),
        (
            "import os\nos.symlink('/etc/passwd', 'x')",
            "The build left files that cannot be stored",
            "",
        ),
        ("import os\nos.unlink('bot.toml')", "The build left files that cannot be stored", ""),
        (
            "open('bot.toml', 'a').write('[limits]\\nmemory_mb = 999')",
            "The build changed bot.toml; it must leave that file as it is.",
            "",
        ),
        ("import os\nos.mkdir('d')\nos.mkdir('d/e')\nos.chmod('d', 0)", "", ""),
    ],
)
async def test_a_build_that_fails_is_reported(
    serve: Serve, bot: Path, build: str, words: str, output: str
) -> None:
    (bot / "build.py").write_text(build)
    bounds = BuildBounds(seconds=2.0) if "2 seconds" in words else SERVER_LIMITS.build
    limits = replace(SERVER_LIMITS, build=bounds)
    async with serve(limits) as server:
        response = await server.person("Ann").submits(changed(bot, build=BUILD))
        if not words:
            assert response.accepted
            return
        assert not response.accepted
        step = response.steps[-1]
        assert step.name == "build"
        assert words in step.sentence
        assert output in step.output
        assert str(server.data.path.resolve()) not in step.sentence
        assert server.kept() == []


SUSPICIOUS = """
import os
from sevens_sdk import Bot, run
class Suspicious(Bot):
    def on_start(self):
        assert os.environ["ARENA_MATCHES_AT_ONCE"] == "64"  # as its bot.toml says
        assert self.match.clock.bank == 777, f"a trial with {self.match.clock}"
    def choose(self, decision):
        return 0
run(Suspicious)
"""
SLOW = """
import time
from sevens_sdk import Bot, run
class Slow(Bot):
    def choose(self, decision):
        time.sleep(0.2)
        return WHICH
run(Slow)
"""


async def test_a_bot_cannot_recognise_its_trial(server: Served, bot: Path) -> None:
    clock = Clock(bank_ms=777_000, increment_ms=700)
    create_ladder(server.store, "slow", "xeri", clock=clock, draw_probability=0.05)
    (bot / "bot.py").write_text(SUSPICIOUS)
    response = await server.person("Ann").submits(archive_of(bot), "slow")
    assert response.accepted, response
    elsewhere = await server.person("Ann").submits(archive_of(bot))  # with the usual clock
    assert "a trial with Clock(bank=60.0, increment=0.2)" in elsewhere.steps[-1].output


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("0", "The bot played xeri against itself for 2 seconds, the most that a trial takes"),
        ("10_000", "Fault at decision 1: illegal-action."),
    ],
)
async def test_a_match_that_takes_long_is_judged_by_what_was_played(
    serve: Serve, bot: Path, choice: str, words: str
) -> None:
    (bot / "bot.py").write_text(SLOW.replace("WHICH", choice))
    # Only an illegal action ends the other match.
    limits = replace(SERVER_LIMITS, match_s=2.0) if "2 seconds" in words else SERVER_LIMITS
    async with serve(limits) as server:
        response = await server.person("Ann").submits(archive_of(bot))
        assert response.accepted is (choice == "0")
        assert words in response.steps[-1].sentence


NEST = "import os\nfor _ in range(1900):\n    os.mkdir('d')\n    os.chdir('d')"


@either
async def test_folders_in_folders_stop_no_server(
    serve: Serve, bot: Path, isolation: Isolation
) -> None:
    (bot / "build.py").write_text(NEST)
    content = changed(bot, build=BUILD)
    async with serve(isolation=isolation) as server:
        response = await server.person("Ann").submits(content)
        assert not response.accepted
        assert "deep" in f"{response.steps[-1].sentence} {response.steps[-1].output}"
        assert server.kept() == []


@either
async def test_a_pipe_where_nobody_looks_holds_up_no_submission(
    serve: Serve, bot: Path, isolation: Isolation
) -> None:
    (bot / "build.py").write_text("import os\nos.mkdir('.git')\nos.mkfifo('.git/x')")
    content = changed(bot, build=BUILD)
    async with serve(isolation=isolation) as server:
        response = await within(server.person("Ann").submits(content))
        assert response.accepted, response
        built = server.data.built(response.version.version)
        assert sorted(path.name for path in built.iterdir()) == ["bot.py", "bot.toml", "build.py"]


async def test_a_start_does_not_depend_on_what_a_stranger_left(data: DataFolder) -> None:
    for prefix in ("incoming-x", "copying-x"):
        left = data.path / prefix
        left.mkdir(parents=True)
        nest = [sys.executable, "-c", NEST]
        await asyncio.to_thread(subprocess.run, nest, cwd=left, check=True)
    (data.path / "incoming-file").write_text("not even a folder")
    files = FileWork(replace(SERVER_LIMITS, file_threads=1))
    sweep(data, files)
    await files.do(lambda: 0)
    assert [path.name for path in data.path.iterdir()] == ["incoming-file"]
